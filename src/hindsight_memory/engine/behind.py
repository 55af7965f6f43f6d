"""Work that nobody waits for: one thread, in order, finished before the store is closed."""

import queue
import threading
from collections.abc import Callable
from contextlib import suppress

import structlog

from hindsight_memory.errors import HindsightError

log = structlog.get_logger(__name__)

Task = Callable[[], None]
Tasks = queue.SimpleQueue[Task | None]


class Behind:
    """Runs submitted tasks one after the other, and idle work when there is nothing else to do.

    Safe to share between threads. What is submitted after ``close`` begins anew.

    patience_seconds: the longest that ``close`` waits, for tasks that may be let go then; None for
    those that are to be finished.
    """

    def __init__(self, *, patience_seconds: float | None = None) -> None:
        self._patience_seconds = patience_seconds
        self._tasks: Tasks = queue.SimpleQueue()
        self._idle: Callable[[], bool] | None = None
        self._thread: threading.Thread | None = None
        self._lock = threading.Lock()

    def when_idle(self, work: Callable[[], bool]) -> None:
        """``work`` does a little after each task, and says whether there is more of it."""
        self._idle = work

    def submit(self, task: Task) -> None:
        """Never raises, never waits: what fails is logged."""
        with self._lock:
            if self._thread is None:
                self._thread = threading.Thread(
                    target=self._run, args=(self._tasks,), name="behind", daemon=True
                )
                self._thread.start()
            self._tasks.put(task)

    def waiting(self) -> int:
        """How many submitted tasks have not begun."""
        with self._lock:
            return self._tasks.qsize()

    def wake(self) -> None:
        """There may be idle work again."""
        self.submit(lambda: None)

    def flush(self) -> None:
        """Wait until everything submitted before is done."""
        done = threading.Event()
        with self._lock:
            if self._thread is None:
                return
            self._tasks.put(done.set)
        done.wait()

    def close(self) -> None:
        """Finish what was submitted and stop, but for what may be let go; idle work stops after its
        current step.
        """
        with self._lock:
            thread, self._thread = self._thread, None
            tasks, self._tasks = self._tasks, queue.SimpleQueue()  # a later thread has its own
            tasks.put(None)
        if thread is not None:
            thread.join(self._patience_seconds)
            if thread.is_alive():
                _let_go(tasks)

    def _run(self, tasks: Tasks) -> None:
        has_more = self._idle is not None
        while True:
            try:
                task = tasks.get(block=not has_more)
            except queue.Empty:
                has_more = self._step()
                continue
            if task is None:
                return
            _attempt(task)
            has_more = self._idle is not None

    def _step(self) -> bool:
        idle = self._idle
        return idle is not None and _attempt_idle(idle)


def _let_go(tasks: Tasks) -> None:
    with suppress(queue.Empty):
        while True:
            tasks.get_nowait()
    tasks.put(None)


def _attempt(task: Task) -> None:
    try:
        task()
    except HindsightError as error:
        log.warning("behind_failed", code=error.code, error=str(error))
    except Exception:  # a worker loop outlives the bug of one task
        log.exception("behind_broke")


def _attempt_idle(idle: Callable[[], bool]) -> bool:
    try:
        return idle()
    except HindsightError as error:
        log.warning("idle_failed", code=error.code, error=str(error))
    except Exception:  # likewise
        log.exception("idle_broke")
    return False
