"""What the app says about itself: that it lives, whether it is ready, and to whom it says why."""

from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import pytest
from httpx2 import AsyncClient
from starlette.applications import Starlette

from hindsight_memory.core.keys import Keyring, parse
from hindsight_memory.core.model import Caller
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import Incompatible, Unavailable
from hindsight_memory.interfaces.http import Doors, create_app
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.operating import WITHHELD
from hindsight_memory.interfaces.readiness import Health
from hindsight_memory.settings import Settings
from hindsight_memory.testing.model_server import Fault, ModelServer
from hindsight_memory.wiring import open_memories

KEY = "hm_Zx8Qk3Lr5Tn7Vb9Wc1Yd2Fg4Hj6KmPpQq"
BEARER = {"Authorization": f"Bearer {KEY}"}
REASON = "no disk at /data"


async def test_alive_and_ready(http: AsyncClient) -> None:
    assert (await http.get("/healthz")).json() == {"status": "alive"}
    assert (await http.get("/readyz")).json() == {"status": "ready"}


@pytest.mark.parametrize(
    ("written", "status", "not_ready"),
    [(b"", 200, set()), (b"no database " * 1000, 503, {"store"})],
)
async def test_a_store_that_answers_is_ready_and_a_damaged_one_is_named(
    tmp_path: Path, written: bytes, status: int, not_ready: set[str]
) -> None:
    path = tmp_path / "memory.db"
    path.write_bytes(written)
    answer = await readiness(Settings.load(store_url=f"sqlite:///{path}", embedder="hashing:64"))
    assert answer.status_code == status
    assert set(answer.json().get("details", {}).get("not_ready", {})) == not_ready


async def test_without_an_embedder_it_is_ready_and_says_so(tmp_path: Path) -> None:
    settings = Settings.load(store_url=f"sqlite:///{tmp_path / 'memory.db'}", embedder="none")
    answer = await readiness(settings)
    why = "the setting HINDSIGHT_MEMORY_EMBEDDER is 'none'"
    assert (answer.status_code, answer.json()) == (
        200,
        {"status": "ready", "without": {"embedder": why}},
    )


async def readiness(settings: Settings) -> httpx2.Response:
    with ExitStack() as stack:
        app = create_app(lambda: stack.enter_context(open_memories(settings)), Caller())
        async with client_of(app) as client:
            return await client.get("/readyz")


async def test_an_embedder_and_a_model_that_did_not_answer_are_named_until_they_do(
    tmp_path: Path,
) -> None:
    with ModelServer() as server, ExitStack() as stack:
        settings = Settings.load(
            store_url=f"sqlite:///{tmp_path / 'memory.db'}",
            embedder="openai:m",
            embedder_base_url=server.url,
        )
        memories = stack.enter_context(open_memories(settings))
        app = create_app(lambda: memories, Caller())
        async with client_of(app) as client:
            server.faults(*[Fault.BROKEN] * 3)
            await client.post("/v1/memories/search", json={"query": "端口"})
            told = (await client.get("/readyz")).json()
            await client.post("/v1/memories/search", json={"query": "端口"})
            later = (await client.get("/readyz")).json()
    assert told["status"] == later["status"] == "ready"
    assert "answered 500" in told["without"]["embedder"]
    assert "without" not in later


def broken(error: Exception) -> Callable[[], Any]:
    def open_engine() -> Any:
        raise error

    return open_engine


def client_of(app: Starlette) -> AsyncClient:
    return AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://localhost")


@pytest.mark.parametrize(
    ("open_engine", "not_ready"),
    [
        (broken(Unavailable(REASON)), {"store": REASON}),
        (broken(Incompatible("format 9")), {"migrations": "format 9"}),
        (lambda: None, {"outbox": "behind"}),
    ],
)
async def test_what_is_not_ready_is_named(
    odd: ModuleType, open_engine: Any, not_ready: dict[str, str]
) -> None:
    look = lambda _: Health(not_ready={"outbox": "behind"})  # noqa: E731
    app = create_app(open_engine, Caller(), look=look, operations=odd.OPERATIONS)
    async with client_of(app) as client:
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert answer.json()["details"]["not_ready"] == not_ready
        assert (await client.get("/healthz")).status_code == 200


@pytest.mark.parametrize(
    ("keys", "headers", "why"),
    [
        ("", {}, REASON),
        ("", {"Host": "10.1.2.3:8080"}, WITHHELD),
        (KEY, {}, WITHHELD),
        (KEY, {"Authorization": "Bearer wrong"}, WITHHELD),
        (KEY, BEARER, REASON),
        (KEY, {**BEARER, "Host": "10.1.2.3"}, WITHHELD),
    ],
)
async def test_health_needs_no_key_and_gives_reasons_only_to_who_may_know(
    odd: ModuleType, keys: str, headers: dict[str, str], why: str
) -> None:
    doors = Doors(keyring=Keyring(parse(keys)))
    app = create_app(broken(Unavailable(REASON)), Caller(), doors=doors, operations=odd.OPERATIONS)
    async with client_of(app) as client:
        answer = await client.get("/readyz", headers=headers)
        alive = await client.get("/healthz", headers=headers)
    assert answer.json()["details"]["not_ready"] == {"store": why}
    assert alive.json() == {"status": "alive"}


async def test_a_page_of_another_site_is_told_nothing_of_health(http: AsyncClient) -> None:
    answer = await http.get("/readyz", headers={"Origin": "http://evil.example"})
    assert answer.status_code == 403


async def test_a_request_that_slipped_past_the_keys_would_find_nothing(
    memories: Memories, memory: Hindsight
) -> None:
    memory.write("安 is allergic to peanuts")
    app = create_app(lambda: memories, Caller(), doors=Doors(keyring=Keyring(parse(KEY))))
    transport = httpx2.ASGITransport(app.router)  # without what stands around it
    async with AsyncClient(transport=transport, base_url="http://localhost") as client:
        assert (await client.get("/v1/memories")).json()["memories"] == []
        assert len((await client.get("/v1/export")).text.splitlines()) == 1
    assert len(memory.list().memories) == 1
