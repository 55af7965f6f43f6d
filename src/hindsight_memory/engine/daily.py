"""Upkeep once a day: in a thread of its own, after whatever a caller waits for."""

import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeAlias

import structlog

from hindsight_memory.errors import HindsightError

log = structlog.get_logger(__name__)

FIRST_SECONDS = 5 * 60
"""After the start, which has other things to do. A run that finds nothing to do costs little."""

DAY_SECONDS = 24 * 60 * 60
"""By the monotonic clock: neither daylight saving nor a clock that is set makes two runs of one."""

BREATH_SECONDS = 0.01
"""How long it waits before it looks again whether a caller does."""

PATIENCE_SECONDS = 10.0
"""The longest wait for callers before one step: where some call always runs, upkeep comes too."""

Pause: TypeAlias = Callable[[], None]
Wait: TypeAlias = Callable[[float], bool]
"""Waits for so many seconds, or until told to stop; says whether it was told."""


class Stopped(Exception):
    """Raised by a pause to end a run that was told to stop."""


class Daily:
    """Runs ``work`` some minutes after the start and then every day, until closed.

    ``work`` is given a function to call between its steps, which waits while calls are running,
    and raises Stopped when the run is to end.
    """

    def __init__(self, work: Callable[[Pause], object], *, wait: Wait | None = None) -> None:
        self._work = work
        self._told = threading.Event()
        self._wait = wait or self._told.wait
        self._lock = threading.Lock()
        self._running = 0
        self._thread = threading.Thread(target=self._run, name="daily", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def close(self) -> None:
        """Stop after the step that is running, and wait for that."""
        self._told.set()
        if self._thread.is_alive():
            self._thread.join()

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Around a call that goes first."""
        with self._lock:
            self._running += 1
        try:
            yield
        finally:
            with self._lock:
                self._running -= 1

    def _run(self) -> None:
        seconds = FIRST_SECONDS
        while not self._wait(seconds):
            self._attempt()
            seconds = DAY_SECONDS

    def _attempt(self) -> None:
        try:
            self._work(self._pause)
        except Stopped:
            log.info("daily_stopped")
        except HindsightError as error:
            log.warning("daily_failed", code=error.code, error=str(error))
        except Exception:  # a worker loop outlives the bug of one run
            log.exception("daily_broke")

    def breathe(self) -> None:
        """Wait while a call is running, for a while."""
        waited = 0.0
        while self._running and waited < PATIENCE_SECONDS and not self._told.is_set():
            self._wait(BREATH_SECONDS)
            waited += BREATH_SECONDS

    def _pause(self) -> None:
        self.breathe()
        if self._told.is_set():
            raise Stopped
