"""What the app says about itself."""

from types import ModuleType
from typing import Any

import httpx2
import pytest
from httpx2 import AsyncClient

from hindsight_memory.core.model import Caller
from hindsight_memory.errors import Unavailable
from hindsight_memory.interfaces.http import create_app


async def test_alive_and_ready(http: AsyncClient) -> None:
    assert (await http.get("/healthz")).json() == {"status": "alive"}
    assert (await http.get("/readyz")).json() == {"status": "ready"}


def broken_engine() -> Any:
    raise Unavailable("no disk")


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
    transport = httpx2.ASGITransport(app)
    async with AsyncClient(transport=transport, base_url="http://localhost") as client:
        answer = await client.get("/readyz")
        assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
        assert answer.json()["details"] == {"not_ready": not_ready}
        assert (await client.get("/healthz")).status_code == 200
