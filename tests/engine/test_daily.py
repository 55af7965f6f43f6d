"""Upkeep in the background: when it runs, what it waits for, how it ends."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue

import pytest
from structlog.testing import capture_logs

from hindsight_memory.engine import daily
from hindsight_memory.engine.daily import Daily, Pause
from hindsight_memory.errors import Unavailable


class Hours:
    """Lets time pass for a Daily, one wait after the other.

    waits: how long it is about to wait, each time it does.
    """

    def __init__(self) -> None:
        self.waits: SimpleQueue[float] = SimpleQueue()
        self._ends: SimpleQueue[str] = SimpleQueue()

    def wait(self, seconds: float) -> bool:
        self.waits.put(seconds)
        return self._ends.get() == "told to stop"

    def let_pass(self) -> float:
        """End the wait that is going on; returns how long it was."""
        seconds = self.waits.get()
        self.end_wait()
        return seconds

    def end_wait(self) -> None:
        self._ends.put("over")

    def stop(self) -> None:
        self._ends.put("told to stop")


@contextmanager
def running(job: Daily, hours: Hours) -> Iterator[None]:
    job.start()
    try:
        yield
    finally:
        hours.stop()
        job.close()


def test_it_runs_some_minutes_after_the_start_and_then_every_day() -> None:
    hours, runs = Hours(), SimpleQueue[int]()
    job = Daily(lambda _pause: runs.put(1), wait=hours.wait)
    with running(job, hours):
        waits = [hours.let_pass() for _ in range(3)]
        assert [runs.get() for _ in range(3)] == [1, 1, 1]
    assert waits == [300, 86_400, 86_400]


def test_it_waits_while_a_call_is_running() -> None:
    hours, steps = Hours(), SimpleQueue[str]()

    def work(pause: Pause) -> None:
        pause()
        steps.put("done")

    job = Daily(work, wait=hours.wait)
    with running(job, hours):
        with job.passing(), job.passing():
            assert hours.let_pass() == daily.FIRST_SECONDS
            assert [hours.let_pass() for _ in range(3)] == [daily.BREATH_SECONDS] * 3
            assert hours.waits.get() == daily.BREATH_SECONDS
            assert steps.empty()
        hours.end_wait()
        assert steps.get() == "done"


def test_where_calls_never_end_it_goes_on_after_a_while() -> None:
    waits: list[float] = []
    finished = threading.Event()

    def wait(seconds: float) -> bool:
        waits.append(seconds)
        return finished.is_set()

    def work(pause: Pause) -> None:
        pause()
        finished.set()

    job = Daily(work, wait=wait)
    with job.passing():
        job.start()
        assert finished.wait(30)
        job.close()
    assert sum(waits[1:-1]) == pytest.approx(daily.PATIENCE_SECONDS, abs=0.02)


def test_closing_ends_a_run_at_its_next_step() -> None:
    started, ended = threading.Event(), SimpleQueue[str]()

    def work(pause: Pause) -> None:
        started.set()
        try:
            while True:
                pause()
        finally:
            ended.put("at a step")

    job = Daily(work, wait=lambda _seconds: ended.qsize() > 0)
    job.start()
    assert started.wait(30)
    job.close()
    assert ended.get() == "at a step"


def test_a_run_that_fails_is_told_and_the_next_day_comes() -> None:
    hours, failures = Hours(), iter([Unavailable("the disk is full"), ValueError("a bug")])

    def work(_pause: Pause) -> None:
        raise next(failures)

    job = Daily(work, wait=hours.wait)
    with capture_logs() as logs, running(job, hours):
        hours.let_pass()
        hours.let_pass()
        assert hours.waits.get() == daily.DAY_SECONDS
    assert [(log["event"], log["log_level"]) for log in logs] == [
        ("daily_failed", "warning"),
        ("daily_broke", "error"),
    ]


def test_one_that_never_started_can_be_closed() -> None:
    Daily(lambda _pause: None).close()
