"""``maintain`` from a shell, and daily in a server."""

import json
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
import structlog
from anyio import to_thread
from click.testing import CliRunner, Result
from tests.interfaces.conftest import BASE, load_odd_server

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.daily import Daily, Pause
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.operation import Operation, Route

ODD = load_odd_server()


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()  # they went to a stderr that is gone with the runner


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "memory.db"


def run(store: Path, *args: str) -> Result:
    variables = {
        "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{store}",
        "HINDSIGHT_MEMORY_EMBEDDER": "hashing:256",
        "COLUMNS": "100",
    }
    return CliRunner(env=variables).invoke(cli, args)


def answer(store: Path, *args: str) -> Any:
    result = run(store, *args, "--json")
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def episodes(store: Path, *contents: str, user: str = "default") -> list[str]:
    return [
        answer(store, "write", each, "--layer", "episodic", "--user", user)["memory"]["id"]
        for each in contents
    ]


def test_a_dry_run_tells_what_and_why_and_changes_nothing(store: Path) -> None:
    first, _ = episodes(store, "Ann walked by the river", "Ann read in the garden")
    planned = answer(store, "maintain", "--dry-run", "--cap", "1")
    assert planned["counts"] == {"evicted": 1}
    assert planned["steps"] == [
        {
            "action": "evicted",
            "rule": "cap",
            "memory_ids": [first],
            "user_id": "default",
            "content": "Ann walked by the river",
            "required": "one of the 1 hottest active episodes",
            "actual": "heat 1.00, and 1 are hotter or newer",
        }
    ]
    assert answer(store, "show", first)["tier"] == "active"
    done = answer(store, "maintain", "--cap", "1")
    assert {**done, "dry_run": True} == planned
    assert answer(store, "show", first)["tier"] == "archived"


def test_a_person_reads_a_table_with_reasons(store: Path) -> None:
    [first, _] = episodes(store, "Ann walked by the river", "Ann read in the garden")
    shown = run(store, "maintain", "--dry-run", "--cap", "1").stdout
    assert "Ann walked by the river" in shown
    assert first in shown
    assert "required: one of the 1 hottest active episodes" in shown
    last = shown.splitlines()[-1]
    assert last == "2 memories looked at: 1 evicted; a dry run: nothing was changed"
    assert run(store, "maintain").stdout == "2 memories looked at: nothing to do\n"


def test_one_user_may_be_named(store: Path) -> None:
    episodes(store, "one", "two", user="ann")
    episodes(store, "three", "four", user="bob")
    done = answer(store, "maintain", "--user", "bob", "--cap", "1")
    assert [step["user_id"] for step in done["steps"]] == ["bob"]


def test_a_cap_below_one_is_refused(store: Path) -> None:
    result = run(store, "maintain", "--cap", "0")
    assert (result.exit_code, "EPISODE_CAP" in result.stderr) == (2, True)


@pytest.mark.anyio
async def test_upkeep_runs_while_the_server_does_and_waits_for_its_calls() -> None:
    in_call, let_go, looked_after = threading.Event(), threading.Event(), threading.Event()
    order: list[str] = []

    def call(_memories: Any, caller: Caller, _given: Any) -> Any:
        """Be a call that takes long."""
        in_call.set()
        assert let_go.wait(30)
        order.append("the call")
        return ODD.told(caller, "done")

    def work(pause: Pause) -> None:
        assert in_call.wait(30)
        pause()
        order.append("upkeep")
        looked_after.set()

    def wait(seconds: float) -> bool:
        """The call ends once upkeep waits for it; days pass at once."""
        if seconds < 1:
            let_go.set()
            looked_after.wait(seconds)
        return looked_after.is_set()

    operation = Operation(
        name="call",
        command="call",
        right="read",
        routes=(Route("POST", "/odd/call"),),
        takes=ODD.Nothing,
        gives=ODD.Told,
        run=call,
    )
    daily = Daily(work, wait=wait)
    app = create_app(ODD.open_engine, Caller(), operations=[operation], background=daily)
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url=BASE) as client,
    ):
        assert (await client.post("/odd/call", json={})).json()["text"] == "done"
        await to_thread.run_sync(looked_after.wait, 30)
    assert order == ["the call", "upkeep"]
