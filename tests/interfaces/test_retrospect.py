"""Looking back through every door: the same answer, the same refusals."""

import json
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from mcp.client.client import Client

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.mcp.server import create_server
from hindsight_memory.testing.agent_life import Life
from hindsight_memory.testing.fakes import FrozenClock

TOLD = (
    "read_csv (path=*.csv) with encoding=utf-8 failed: UnicodeDecodeError: 'utf-8' codec can't "
    "decode byte"
)


@pytest.fixture
def life(memory: Hindsight, clock: FrozenClock) -> Life:
    lived = Life(memory, clock)
    lived.reads_gbk("s1")
    return lived


@pytest.fixture
async def http(life: Life) -> AsyncIterator[httpx2.AsyncClient]:
    app = create_app(lambda: life.memory.memories, Caller())
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client,
    ):
        yield client


def told(answer: dict[str, Any]) -> tuple[Any, ...]:
    [lesson] = answer["lessons"]
    return lesson["outcome"], lesson["content"][: len(TOLD)], answer["notes"]


DRY = ("formed", TOLD, ["sessions looked at: 1, episodes: 2", "a dry run: nothing was changed"])


def test_the_library_looks_back(life: Life) -> None:
    assert told(life.memory.retrospect("s1", dry_run=True).model_dump()) == DRY
    assert life.memory.call("memory_retrospect", {"session_id": "s1"})["lessons"] != []
    assert life.memory.retrospect("s1").lessons == []


async def test_rest_looks_back(http: httpx2.AsyncClient) -> None:
    answer = await http.post("/v1/retrospect", json={"session_id": "s1", "dry_run": True})
    assert (answer.status_code, told(answer.json())) == (200, DRY)


async def test_mcp_looks_back_at_the_session_of_its_connection(life: Life) -> None:
    server = create_server(lambda: life.memory.memories, Caller(session_id="s1"))
    async with Client(server) as client:
        answer = await client.call_tool("memory_retrospect", {"dry_run": True})
    assert answer.structured_content is not None
    assert told(answer.structured_content) == DRY


@pytest.mark.usefixtures("life")
def test_the_shell_looks_back_at_all_that_changed(tmp_path: Path) -> None:
    variables = {
        "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{tmp_path}/memory.db",
        "HINDSIGHT_MEMORY_EMBEDDER": "hashing:256",
    }
    run = CliRunner(env=variables).invoke
    result = run(cli, ["retrospect", "--dry-run", "--json"])
    assert told(json.loads(result.stdout)) == DRY
    shown = " ".join(run(cli, ["retrospect", "s1"]).stdout.split())
    assert shown.startswith(f"formed {TOLD}")
    assert "tentative: required support >= 2" in shown


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.retrospect(outcome="success"),
        lambda memory: memory.retrospect(project="web"),
        lambda memory: memory.retrospect("s" * 300),
        lambda memory: memory.retrospect("s1", outcome="finished"),
    ],
    ids=["outcome of no session", "project of no session", "long id", "unknown outcome"],
)
def test_what_cannot_be_looked_back_at_is_refused(
    memory: Hindsight, call: Callable[[Hindsight], object]
) -> None:
    with pytest.raises(InvalidInput):
        call(memory)


def test_an_unknown_session_teaches_nothing(memories: Memories) -> None:
    looked = Hindsight(memories, Caller()).retrospect("never")
    assert (looked.lessons, looked.notes) == ([], ["sessions looked at: 1, episodes: 0"])
