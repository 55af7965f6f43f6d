"""What a server does beside its calls: jobs, and the promise of upkeep once a day."""

import threading
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from typing import TYPE_CHECKING, Protocol

import structlog

from hindsight_memory.engine.daily import Daily
from hindsight_memory.errors import HindsightError

if TYPE_CHECKING:  # 0.1 s to import, and no server waits for it to start
    from hindsight_memory.engine.parts import Parts
    from hindsight_memory.engine.worker import Worker

log = structlog.get_logger(__name__)

FIRST_SECONDS = 2.0
"""After the start, before the store is opened for what an earlier process left to do."""

AGAIN_SECONDS = 60.0
"""Before a store that could not be opened is tried again."""


class Beside(Protocol):
    """What runs while a server does."""

    def start(self) -> None: ...

    def close(self) -> None: ...

    def passing(self) -> AbstractContextManager[None]:
        """Around a call that goes first."""
        ...


class Background:
    """Started and closed once. open_parts: called in threads of its own, cheap when repeated.

    keeps_up: whether it asks for upkeep. works: whether it does jobs, too.
    """

    def __init__(
        self,
        open_parts: "Callable[[], Parts]",
        *,
        keeps_up: bool = True,
        works: bool = True,
        first_seconds: float = FIRST_SECONDS,
    ) -> None:
        self._open_parts = open_parts
        self._first_seconds = first_seconds
        self._keeps_up = keeps_up
        self._daily = Daily(lambda _pause: self._promise())
        self._told = threading.Event()
        self._worker: Worker | None = None
        self._threads = [threading.Thread(target=self._work, name="worker", daemon=True)]
        if not works:
            self._threads.clear()

    def start(self) -> None:
        if self._keeps_up:
            self._daily.start()
        for thread in self._threads:
            thread.start()

    def close(self) -> None:
        """Long work is handed back at its next step, and waited for."""
        self._told.set()
        if self._worker is not None:
            self._worker.stop()
        self._daily.close()
        for thread in self._threads:
            if thread.is_alive():
                thread.join()

    @contextmanager
    def passing(self) -> Iterator[None]:
        """Around a call that goes first."""
        with self._daily.passing():
            yield

    def _promise(self) -> None:
        from hindsight_memory.engine.promised import promise_upkeep

        promise_upkeep(self._open_parts())
        if self._worker is not None:
            self._worker.wake()

    def _work(self) -> None:
        seconds = self._first_seconds
        while not self._told.wait(seconds):
            try:
                parts = self._open_parts()
            except HindsightError as error:
                log.warning("worker_waits", code=error.code, error=str(error))
                seconds = AGAIN_SECONDS
                continue
            self._run(parts)

    def _run(self, parts: "Parts") -> None:
        from hindsight_memory.engine.promised import worker

        self._worker = worker(parts, pause=self._daily.breathe)
        if self._told.is_set():
            return
        self._worker.run()
