"""The upkeep of memories through the library, REST and the shell."""

from pathlib import Path

import httpx2
import pytest
from click.testing import CliRunner

from hindsight_memory.core.model import Caller
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.operations import BY_NAME


@pytest.fixture
def memory(memory: Hindsight) -> Hindsight:
    """With three episodes of two users."""
    for content, user_id in [
        ("Ann walked by the river", "ann"),
        ("安在花园里读书", "ann"),
        ("Bob swam in the lake", "bob"),
    ]:
        memory.write(content, layer="episodic", user_id=user_id)
    return memory


def test_it_changes_nothing_unless_it_is_told_to(memory: Hindsight) -> None:
    told = memory.maintain(user_id="ann", episode_cap=1)
    assert (told.dry_run, told.looked_at, told.counts) == (True, 2, {"evicted": 1})
    assert [step.content for step in told.steps] == ["Ann walked by the river"]
    done = memory.maintain(user_id="ann", episode_cap=1, dry_run=False)
    assert (done.dry_run, done.steps) == (False, told.steps)
    [left] = memory.list(user_id="ann").memories
    assert left.content == "安在花园里读书"
    assert memory.maintain(user_id="ann", episode_cap=1).counts == {}


def test_it_looks_at_everyone_by_default(memory: Hindsight) -> None:
    assert memory.maintain().looked_at == 3


@pytest.mark.parametrize("given", [{"episode_cap": 0}, {"user_id": " ann"}])
def test_what_cannot_be_is_refused(memory: Hindsight, given: dict[str, object]) -> None:
    with pytest.raises(InvalidInput, match=next(iter(given))):
        memory.maintain(**given)  # type: ignore[arg-type]  # what is refused


def test_the_cap_is_that_of_the_settings_where_none_is_given(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/memory.db"
    with Hindsight.open(url, embedder="none", episode_cap=1) as memory:
        for content in ("Ann walked by the river", "Ann read in the garden"):
            memory.write(content, layer="episodic")
        assert memory.maintain().counts == {"evicted": 1}
        assert memory.maintain(episode_cap=2).counts == {}


async def test_it_is_a_route(memory: Hindsight) -> None:
    app = create_app(lambda: memory.memories, Caller())
    transport = httpx2.ASGITransport(app)
    async with httpx2.AsyncClient(transport=transport, base_url="http://localhost") as client:
        told = await client.post("/v1/maintain", json={"episode_cap": 1})
        assert (told.json()["dry_run"], told.json()["counts"]) == (True, {"evicted": 1})
        done = await client.post("/v1/maintain", json={"episode_cap": 1, "dry_run": False})
        assert done.json()["counts"] == {"evicted": 1}
    assert len(memory.list(user_id="ann").memories) == 1


def test_it_is_no_tool_of_a_model_and_one_command() -> None:
    assert not BY_NAME["memory_maintain"].is_tool
    listed = CliRunner().invoke(cli, ["--help"]).stdout
    assert listed.count("\n  maintain ") == 1
