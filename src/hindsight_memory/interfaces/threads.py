"""The one crossing from the async doors into blocking code: the engine, and the pipes of stdio.

Whatever blocks is a function here; the doors await it.
"""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, suppress
from threading import Thread
from typing import TYPE_CHECKING, Any

import anyio
from anyio import CapacityLimiter, from_thread, to_thread
from anyio.lowlevel import RunVar, current_token
from anyio.streams.memory import MemoryObjectReceiveStream
from pydantic import BaseModel

from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.operation import Operation

if TYPE_CHECKING:  # the engine is imported by the first call, not by the list of tools
    from hindsight_memory.engine.memories import Memories

THREADS_PER_RIGHT = 8
"""Calls of one right that run at once; later ones wait their turn without a thread.

SQLite has one writer and the embedder two cores, so more would only add open readers (2 MB of page
cache each); fewer would let a remote embedder of 200 ms hold up a burst of 30 writes for long.
"""

_limiters: RunVar[dict[str, CapacityLimiter]] = RunVar("hindsight_memory_limiters")


async def run_in_thread(
    operation: Operation, open_engine: Callable[[], "Memories"], caller: Caller, given: Any
) -> BaseModel:
    """What ``operation`` gives, from a worker thread, so that the event loop stays free.

    Every right has threads of its own: slow writes make no search wait.
    A cancelled caller still waits for the end: a write is never left half told.
    """

    def call() -> BaseModel:
        return operation.run(open_engine(), caller, given)

    return await to_thread.run_sync(call, limiter=_limiter(operation.right))


async def chunks_in_threads(start: Callable[[], Iterator[bytes]]) -> AsyncIterator[bytes]:
    """What ``start`` gives, each chunk from a worker thread. The first is there when this returns,
    so that what fails at once is told instead of begun.
    """
    limiter = _limiter("export")
    chunks = await to_thread.run_sync(start, limiter=limiter)

    def following() -> bytes | None:
        return next(chunks, None)

    async def streamed(chunk: bytes | None) -> AsyncIterator[bytes]:
        while chunk is not None:
            yield chunk
            chunk = await to_thread.run_sync(following, limiter=limiter)

    return streamed(await to_thread.run_sync(following, limiter=limiter))


async def call_in_thread(function: Callable[[], Any]) -> Any:
    """What ``function`` returns, from a thread that no operation can occupy."""
    return await to_thread.run_sync(function)


@asynccontextmanager
async def lines_from(
    read_line: Callable[[], bytes],
) -> AsyncIterator[MemoryObjectReceiveStream[bytes]]:
    """What ``read_line`` returns, one by one, until it returns b"".

    The thread is a daemon, because a read from a terminal or a pipe cannot be cancelled and would
    keep an interrupted process alive until the next line.
    """
    send, receive = anyio.create_memory_object_stream[bytes](0)
    loop = current_token()

    def pump() -> None:
        with suppress(anyio.RunFinishedError, anyio.BrokenResourceError, anyio.ClosedResourceError):
            with suppress(OSError):  # a terminal or a pipe that went away is at its end
                while line := read_line():
                    from_thread.run(send.send, line, token=loop)
            from_thread.run_sync(send.close, token=loop)

    with send, receive:
        Thread(target=pump, name="stdin", daemon=True).start()
        yield receive


def _limiter(right: str) -> CapacityLimiter:
    """The limiter of ``right`` in the running event loop."""
    limiters = _limiters.get(None)
    if limiters is None:
        _limiters.set(limiters := {})
    return limiters.setdefault(right, CapacityLimiter(THREADS_PER_RIGHT))
