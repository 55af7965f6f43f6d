"""Work that nobody waits for: in order, outliving its failures, and never in the way of the end."""

from collections.abc import Callable
from contextlib import closing
from functools import partial
from threading import Event, Thread, current_thread

import pytest
from structlog.testing import capture_logs

from hindsight_memory.engine.behind import Behind
from hindsight_memory.errors import Unavailable


def raising(error: Exception) -> Callable[[], None]:
    def task() -> None:
        raise error

    return task


def test_tasks_are_done_in_order_and_a_flush_waits_for_them() -> None:
    done: list[int] = []
    with closing(Behind()) as behind:
        for number in range(100):
            behind.submit(partial(done.append, number))
        behind.flush()
        assert done == list(range(100))


def test_closing_finishes_what_was_submitted() -> None:
    done: list[int] = []
    behind = Behind()
    behind.submit(lambda: done.append(1))
    behind.close()
    assert done == [1]
    behind.close()


@pytest.mark.parametrize(
    ("error", "event"),
    [(Unavailable("no disk"), "behind_failed"), (KeyError("a bug"), "behind_broke")],
)
def test_a_task_that_fails_is_logged_and_the_next_is_done(error: Exception, event: str) -> None:
    done: list[int] = []
    with capture_logs() as logs, closing(Behind()) as behind:
        behind.submit(raising(error))
        behind.submit(lambda: done.append(1))
        behind.flush()
    assert (done, [line["event"] for line in logs]) == ([1], [event])


def test_idle_work_goes_on_until_there_is_no_more_of_it() -> None:
    left, is_done = [*range(9)], Event()

    def work() -> bool:
        del left[:1]
        if not left:
            is_done.set()
        return bool(left)

    with closing(Behind()) as behind:
        behind.when_idle(work)
        behind.wake()
        assert is_done.wait(10)


def test_what_is_submitted_while_it_closes_keeps_nobody_waiting() -> None:
    behind = Behind()
    is_running, may_end = Event(), Event()

    def slow() -> None:
        is_running.set()
        may_end.wait(10)

    behind.submit(slow)
    assert is_running.wait(10)
    closer = Thread(target=behind.close, daemon=True)
    closer.start()
    late = [Thread(target=behind.flush, daemon=True) for _ in range(8)]
    for thread in late:
        behind.submit(lambda: None)
        thread.start()
    may_end.set()
    for thread in (closer, *late):
        thread.join(10)
        assert not thread.is_alive()
    behind.close()


def test_what_may_be_let_go_is_done_where_there_is_time() -> None:
    done = list[int]()
    with closing(Behind(patience_seconds=60)) as behind:
        for number in range(3):
            behind.submit(partial(done.append, number))
    assert done == [0, 1, 2]


def test_what_may_be_let_go_keeps_nobody_from_closing() -> None:
    behind = Behind(patience_seconds=0.01)
    begun, answered = Event(), Event()
    threads, done = list[Thread](), list[str]()

    def hangs() -> None:
        threads.append(current_thread())
        begun.set()
        answered.wait()
        done.append("first")

    behind.submit(hangs)
    behind.submit(lambda: done.append("second"))
    begun.wait()
    behind.close()
    assert done == []
    answered.set()
    threads[0].join()
    assert done == ["first"]
