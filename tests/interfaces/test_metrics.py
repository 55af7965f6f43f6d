"""What a server counts: right numbers, few series, and nothing about anybody."""

import sys
import threading
from collections.abc import AsyncIterator
from pathlib import Path

import httpx2
import pytest
from httpx2 import AsyncClient
from prometheus_client.parser import text_string_to_metric_families
from starlette.applications import Starlette

from hindsight_memory.core.asking import Question
from hindsight_memory.core.keys import Keyring, parse
from hindsight_memory.core.model import Caller
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import Unavailable
from hindsight_memory.interfaces.http import Doors, create_app
from hindsight_memory.interfaces.measuring import open_metrics
from hindsight_memory.settings import Settings
from hindsight_memory.testing.model_server import ModelServer
from hindsight_memory.wiring import open_memories

KEY = "hm_Zx8Qk3Lr5Tn7Vb9Wc1Yd2Fg4Hj6KmPpQq"
Samples = dict[tuple[str, frozenset[tuple[str, str]]], float]


def client_of(app: Starlette) -> AsyncClient:
    return AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://localhost")


@pytest.fixture
async def client(memories: Memories) -> AsyncIterator[AsyncClient]:
    app = create_app(lambda: memories, Caller(), metrics=open_metrics())
    async with app.router.lifespan_context(app), client_of(app) as client:
        yield client


async def samples(client: AsyncClient) -> Samples:
    text = (await client.get("/metrics")).text
    return {
        (each.name.removeprefix("hindsight_memory_"), frozenset(each.labels.items())): each.value
        for family in text_string_to_metric_families(text)
        for each in family.samples
    }


def value(found: Samples, name: str, **labels: str) -> float | None:
    return found.get((name, frozenset(labels.items())))


async def test_requests_are_counted_by_route_and_status(client: AsyncClient) -> None:
    await client.get("/v1/memories/one")
    await client.get("/v1/memories/two")
    await client.get("/v1/memories")
    await client.get("/not/there")
    await client.get("/healthz", headers={"Origin": "http://evil.example"})
    found = await samples(client)
    counted = "http_requests_total"
    route = "/v1/memories/{memory_id}"
    assert value(found, counted, method="GET", route=route, status="404") == 2
    assert value(found, counted, method="GET", route="/v1/memories", status="200") == 1
    assert value(found, counted, method="GET", route="", status="404") == 1
    assert value(found, counted, method="GET", route="", status="403") == 1
    timed = "http_request_duration_seconds_count"
    assert value(found, timed, method="GET", route=route) == 2


async def test_operations_are_counted_by_what_came_of_them(client: AsyncClient) -> None:
    for content in ("Die Pumpe läuft", "Die Pumpe läuft", "花生过敏", "你好"):
        await client.post("/v1/memories", json={"content": content})
    for query in ("Pumpe", "zzz qqq"):
        await client.post("/v1/memories/search", json={"query": query})
    await client.delete("/v1/memories/nobody")
    await client.post("/v1/memories", json={"contents": "refused at the door"})
    found = await samples(client)
    counted = "operations_total"
    assert value(found, counted, operation="memory_write", outcome="stored") == 2
    assert value(found, counted, operation="memory_write", outcome="merged") == 1
    assert value(found, counted, operation="memory_write", outcome="skipped") == 1
    assert value(found, counted, operation="memory_search", outcome="ok") == 1
    assert value(found, counted, operation="memory_search", outcome="abstained") == 1
    assert value(found, counted, operation="memory_forget", outcome="not_found") == 1


async def test_a_tool_call_over_mcp_is_counted_too(client: AsyncClient) -> None:
    call = {
        "jsonrpc": "2.0",
        "id": 1,
        "method": "tools/call",
        "params": {
            "name": "memory_write",
            "arguments": {"content": "CI needs Node 22"},
            "_meta": {
                "io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {},
            },
        },
    }
    headers = {
        "Accept": "application/json, text/event-stream",
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "memory_write",
    }
    assert (await client.post("/mcp", json=call, headers=headers)).status_code == 200
    found = await samples(client)
    assert value(found, "operations_total", operation="memory_write", outcome="stored") == 1
    counted = "http_requests_total"
    assert value(found, counted, method="POST", route="/mcp", status="200") == 1


async def test_what_waits_is_told(client: AsyncClient, memories: Memories) -> None:
    job = {"content": "later", "mode": "queued"}
    await client.post("/v1/memories", json=job)
    memories.settle()
    found = await samples(client)
    assert value(found, "store_up") == 1
    assert value(found, "behind_tasks") == 0
    assert value(found, "unembedded") == 0
    assert value(found, "jobs", kind="write", state="done") == 1


def test_tasks_that_wait_behind_calls_are_counted(memories: Memories) -> None:
    begun, goes_on = threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        goes_on.wait(10)

    behind = memories.parts.behind
    behind.submit(hold)
    assert begun.wait(10)
    behind.submit(lambda: None)
    behind.submit(lambda: None)
    assert behind.waiting() == 2
    goes_on.set()
    behind.flush()
    assert behind.waiting() == 0


async def test_tokens_of_a_model_are_told_by_operation(tmp_path: Path) -> None:
    with ModelServer() as server:
        settings = Settings.load(
            store_url=f"sqlite:///{tmp_path / 'memory.db'}",
            embedder="hashing:64",
            llm_model="m",
            llm_base_url=server.url,
            llm_daily_tokens={"extract": 1_000},
        )
        with open_memories(settings) as memories:
            model = memories.parts.model
            assert model is not None
            server.answers({})
            for operation, text in (("extract", "a"), ("extract", "a"), ("retrospect", "b")):
                model.ask(question(operation, text))
            app = create_app(lambda: memories, Caller(), metrics=open_metrics())
            async with client_of(app) as client:
                found = await samples(client)
    assert value(found, "model_tokens_total", operation="extract") == 120  # the second was cached
    assert value(found, "model_tokens_total", operation="retrospect") == 120
    assert value(found, "model_tokens_left", operation="extract") == 880


def question(operation: str, text: str) -> Question:
    return Question(operation=operation, instructions="", text=text, schema={"type": "object"})


async def test_a_store_that_does_not_answer_is_told_and_the_rest_is_still_counted() -> None:
    def broken() -> Memories:
        raise Unavailable("no disk")

    app = create_app(broken, Caller(), metrics=open_metrics())
    async with client_of(app) as client:
        await client.get("/v1/memories")
        found = await samples(client)
    assert value(found, "store_up") == 0
    assert value(found, "unembedded") is None
    assert value(found, "operations_total", operation="memory_list", outcome="ok") is None
    counted = "http_requests_total"
    assert value(found, counted, method="GET", route="/v1/memories", status="503") == 1


async def test_no_caller_makes_series_or_puts_words_into_them(client: AsyncClient) -> None:
    async def ask(number: int) -> None:
        path = f"/v1/memories/secret-{number}?user_id=zhang.wei-{number}"
        await client.get(path, headers={"Hindsight-Agent-Id": f"agent-{number}"})
        await client.request(f"ODD{number}", f"/nowhere-{number}")
        await client.post("/v1/memories/search", json={"query": f"花生 {number}"})

    await samples(client)
    await ask(0)
    before = await samples(client)
    for number in range(1, 20):
        await ask(number)
    after = await samples(client)
    assert after.keys() == before.keys()
    text = str(sorted(after))
    words = ("secret-", "zhang.wei", "agent-", "ODD", "nowhere", "花生", "default")
    assert [word for word in words if word in text] == []


async def test_programs_may_ask_for_the_newer_format(client: AsyncClient) -> None:
    accept = {"Accept": "application/openmetrics-text; version=1.0.0"}
    answer = await client.get("/metrics", headers=accept)
    assert answer.headers["content-type"].startswith("application/openmetrics-text")
    assert answer.text.endswith("# EOF\n")
    plain = await client.get("/metrics")
    assert plain.headers["content-type"].startswith("text/plain")


@pytest.mark.parametrize(
    ("headers", "status"), [({}, 401), ({"Authorization": f"Bearer {KEY}"}, 200)]
)
async def test_they_need_a_key_where_keys_are_set(
    memories: Memories, headers: dict[str, str], status: int
) -> None:
    doors = Doors(keyring=Keyring(parse(KEY)))
    app = create_app(lambda: memories, Caller(), doors=doors, metrics=open_metrics())
    async with client_of(app) as client:
        assert (await client.get("/metrics", headers=headers)).status_code == status


async def test_without_the_package_it_is_said_what_to_install(http: AsyncClient) -> None:
    answer = await http.get("/metrics")
    assert (answer.status_code, answer.json()["code"]) == (501, "unavailable")
    assert "pip install 'hindsight-memory[metrics]'" in answer.json()["message"]


def test_where_the_package_is_missing_nothing_is_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "prometheus_client", None)
    assert open_metrics() is None
