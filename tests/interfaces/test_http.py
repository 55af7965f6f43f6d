"""What the app says about itself."""

from contextlib import ExitStack
from pathlib import Path
from types import ModuleType
from typing import Any

import httpx2
import pytest
from httpx2 import AsyncClient
from starlette.applications import Starlette

from hindsight_memory.core.model import Caller
from hindsight_memory.errors import Unavailable
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.settings import Settings
from hindsight_memory.wiring import open_memories


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
    settings = Settings.load(store_url=f"sqlite:///{path}", embedder="none")
    with ExitStack() as stack:
        app = create_app(lambda: stack.enter_context(open_memories(settings)), Caller())
        async with client_of(app) as client:
            answer = await client.get("/readyz")
    assert answer.status_code == status
    assert set(answer.json().get("details", {}).get("not_ready", {})) == not_ready


def broken_engine() -> Any:
    raise Unavailable("no disk")


def client_of(app: Starlette) -> AsyncClient:
    return AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://localhost")


@pytest.mark.parametrize(
    ("open_engine", "problems", "not_ready"),
    [
        (broken_engine, lambda _: {}, {"store": "no disk"}),
        (lambda: None, lambda _: {"embedder": "not installed"}, {"embedder": "not installed"}),
    ],
)
async def test_what_is_not_ready_is_named(
    odd: ModuleType, open_engine: Any, problems: Any, not_ready: dict[str, str]
) -> None:
    app = create_app(open_engine, Caller(), problems=problems, operations=odd.OPERATIONS)
    async with client_of(app) as client:
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert answer.json()["details"] == {"not_ready": not_ready}
        assert (await client.get("/healthz")).status_code == 200
