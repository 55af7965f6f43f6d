"""Slow calls hold up nobody: neither the event loop nor calls of another right."""

import itertools
import statistics
import time
from collections.abc import Awaitable, Callable
from typing import Any

import anyio
import pytest
from httpx2 import AsyncClient
from mcp.client.client import Client
from mcp_types import CallToolResult

from hindsight_memory.core.model import Caller
from hindsight_memory.core.ports import Embedder
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.mcp.server import create_server
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.testing.fakes import SlowEmbedder


async def together(times: int, call: Callable[[], Awaitable[Any]]) -> list[Any]:
    answers: list[Any] = []

    async def once() -> None:
        answers.append(await call())

    async with anyio.create_task_group() as tasks:
        for _ in range(times):
            tasks.start_soon(once)
    return answers


async def usual_while(
    busy: Callable[[], Awaitable[Any]], probe: Callable[[], Awaitable[Any]]
) -> float:
    """What ``probe`` usually took, in seconds, while ``busy`` ran: the median, because a machine
    with other work has hiccups, while a blocked event loop delays every probe.
    """
    seconds: list[float] = []

    async def keep_probing() -> None:
        while True:
            started = time.monotonic()
            await probe()
            seconds.append(time.monotonic() - started)
            await anyio.lowlevel.checkpoint()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(keep_probing)
        await busy()
        tasks.cancel_scope.cancel()
    assert len(seconds) > 10
    return statistics.median(seconds)


class TestWithASlowEmbedder:
    @pytest.fixture
    def embedder(self) -> Embedder:
        return SlowEmbedder(HashingEmbedder(), delay_seconds=0.2)

    @pytest.mark.filterwarnings("ignore:ping is removed")  # from the newest protocol only
    async def test_ping_answers_while_30_writes_run(self, memories: Memories) -> None:
        async with Client(create_server(lambda: memories, Caller()), mode="legacy") as client:
            numbers = itertools.count()

            async def write() -> CallToolResult:
                content = f"The service number {next(numbers)} prefers tea"
                return await client.call_tool("memory_write", {"content": content})

            async def writes() -> None:
                answers = await together(30, write)
                assert [answer.is_error for answer in answers] == [False] * 30

            await write()  # loads the Chinese dictionary, which holds every thread for 0.1 s, once
            assert await usual_while(writes, client.send_ping) < 0.1


async def test_reads_and_health_answer_while_30_writes_run(http: AsyncClient) -> None:
    async def probe() -> None:
        assert (await http.get("/odd/echo")).status_code == 200
        assert (await http.get("/readyz")).status_code == 200

    async def writes() -> None:
        answers = await together(30, lambda: http.post("/odd/slow"))
        assert [answer.status_code for answer in answers] == [201] * 30

    assert await usual_while(writes, probe) < 0.1


async def test_two_calls_are_in_the_engine_at_once_over_rest(http: AsyncClient) -> None:
    answers = await together(2, lambda: http.post("/odd/meet"))
    assert [answer.status_code for answer in answers] == [200, 200]


async def test_two_calls_are_in_the_engine_at_once_over_mcp(tools: Client) -> None:
    answers = await together(2, lambda: tools.call_tool("meet", {}))
    assert [answer.is_error for answer in answers] == [False, False]


async def test_a_cancelled_call_is_finished_all_the_same(http: AsyncClient) -> None:
    started = time.monotonic()
    with anyio.move_on_after(0.01) as scope:
        await http.post("/odd/slow")
    assert scope.cancel_called
    assert time.monotonic() - started >= 0.2
