"""An export through each door: the library, the shell and HTTP give the same lines."""

import json
from collections.abc import AsyncIterator, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
from click.testing import CliRunner, Result

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import InvalidInput, Unavailable
from hindsight_memory.interfaces import exporting
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

DAY_5 = "2030-01-05"


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()  # they went to a stderr that is gone with the runner


@pytest.fixture
def lived(memory: Hindsight, clock: FrozenClock) -> Hindsight:
    """A port that changed on day 10, and a memory of another user and project."""
    port = memory.write("The port is 8000", source="user_explicit", user_id="ann").memory
    assert port is not None
    clock.advance(timedelta(days=9))
    memory.write("The port is 9000", supersedes=port.id, user_id="ann", source="user_explicit")
    memory.write("用户偏好用中文交流", project="web", user_id="bob")
    return memory


@pytest.fixture
async def http(memories: Memories) -> AsyncIterator[httpx2.AsyncClient]:
    app = create_app(lambda: memories, Caller())
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client,
    ):
        yield client


def contents(lines: bytes) -> list[str]:
    return [json.loads(line)["memory"]["content"] for line in lines.splitlines()[1:]]


def shell(tmp_path: Path, *args: str) -> Result:
    return CliRunner().invoke(cli, ["export", "--store", f"sqlite:///{tmp_path}/memory.db", *args])


EXPORTS: list[tuple[dict[str, str], list[str]]] = [
    ({}, ["The port is 8000", "The port is 9000", "用户偏好用中文交流"]),
    ({"user_id": "ann"}, ["The port is 8000", "The port is 9000"]),
    ({"project": "web"}, ["用户偏好用中文交流"]),
    ({"as_of": DAY_5}, ["The port is 8000"]),
    ({"known_at": DAY_5}, ["The port is 8000"]),
    ({"known_at": "2030-01-10T08:00:00+08:00", "user_id": "ann"}, ["The port is 9000"]),
]


@pytest.mark.parametrize(("given", "expected"), EXPORTS, ids=str)
async def test_each_door_exports_the_same(
    lived: Hindsight,
    http: httpx2.AsyncClient,
    tmp_path: Path,
    given: dict[str, Any],
    expected: list[str],
) -> None:
    options = [f"--{name.replace('_', '-')}={value}" for name, value in given.items()]
    file = tmp_path / "export.jsonl"
    assert lived.export_to(file, **given) == len(expected)
    answer = await http.get("/v1/export", params=given)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/jsonl")
    for lines in (file.read_bytes(), answer.content, shell(tmp_path, *options).stdout_bytes):
        assert contents(lines) == expected


@pytest.mark.parametrize(
    "query", ["as_of=yesterday", "tenant=other", "user_id=a&user_id=b"], ids=str
)
async def test_a_wrong_argument_is_told_and_begins_nothing(
    http: httpx2.AsyncClient, query: str
) -> None:
    answer = await http.get(f"/v1/export?{query}")
    assert (answer.status_code, answer.json()["code"]) == (422, "invalid_input")
    assert query.split("=", maxsplit=1)[0] in answer.json()["message"]


async def test_a_store_that_fails_is_told_and_begins_nothing(
    memories: Memories, http: httpx2.AsyncClient
) -> None:
    memories.parts.store.close()
    answer = await http.get("/v1/export")
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")


async def test_more_than_is_sent_at_a_time_arrives(
    memory: Hindsight, http: httpx2.AsyncClient
) -> None:
    wanted = [f"fact number {number}" for number in range(2 * exporting.LINES)]
    for content in wanted:
        memory.write(content)
    assert contents((await http.get("/v1/export")).content) == wanted


def test_a_wrong_time_is_refused_before_a_file_is_made(memory: Hindsight, tmp_path: Path) -> None:
    with pytest.raises(InvalidInput, match="as_of"):
        memory.export_to(tmp_path / "export.jsonl", as_of="yesterday")
    assert shell(tmp_path, str(tmp_path / "export.jsonl"), "--known-at", "soon").exit_code == 2
    assert not (tmp_path / "export.jsonl").exists()


def test_a_store_that_fails_leaves_no_file(memory: Hindsight, tmp_path: Path) -> None:
    memory.memories.parts.store.close()
    with pytest.raises(Unavailable):
        memory.export_to(tmp_path / "export.jsonl")
    assert not (tmp_path / "export.jsonl").exists()
