"""Working memory through every door: the same document, the same refusals."""

import json
from collections.abc import AsyncIterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import fields
from datetime import timedelta
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from click.testing import CliRunner
from mcp.client.client import Client

from hindsight_memory.core.model import Caller
from hindsight_memory.core.patches import OPS
from hindsight_memory.core.policy import Source
from hindsight_memory.core.working import LEAST_URGENT, MOST_URGENT
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.agent_schemas import PATCH_SCHEMA, WorkingMemoryOut
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.mcp.server import _tool, create_server
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.testing.fakes import FrozenClock

PATH = "/v1/sessions/s1/working-memory"
PATCH: list[dict[str, Any]] = [
    {"op": "set_goal", "goal": "导入一月订单"},
    {"op": "add_fact", "fact": "文件是 gbk 编码", "source": "tool_result"},
    {"op": "push_item", "item": "write the report"},
    {"op": "push_item", "item": "check totals", "priority": 8},
    {"op": "record_attempt", "action": "read_csv(utf-8)", "error": "UnicodeDecodeError"},
    {"op": "append_call", "tool": "read_csv", "arguments": {"rows": 5}, "status": "success"},
]
DOCUMENT = {
    "task_goal": "导入一月订单",
    "confirmed_facts": [{"fact": "文件是 gbk 编码", "source": "tool_result"}],
    "pending_items": [
        {"item": "check totals", "priority": 8},
        {"item": "write the report", "priority": 5},
    ],
    "failed_attempts": [{"action": "read_csv(utf-8)", "reason": "", "error": "UnicodeDecodeError"}],
    "tool_call_history": [{"tool": "read_csv", "arguments": {"rows": 5}, "status": "success"}],
    "folded": {},
}
ANSWER = {"session_id": "s1", "document": DOCUMENT, "version": 1, "notes": []}
BAD = [PATCH[0], {"op": "add_fact"}]
TOLD = "patch.1: add_fact needs 'fact'"


@pytest.fixture
async def http(memory: Hindsight) -> AsyncIterator[httpx2.AsyncClient]:
    app = create_app(lambda: memory.memories, Caller())
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client,
    ):
        yield client


@pytest.fixture
async def mcp(memory: Hindsight) -> AsyncIterator[Client]:
    async with Client(create_server(lambda: memory.memories, Caller(session_id="s1"))) as client:
        yield client


@pytest.fixture
def shell(tmp_path: Path) -> CliRunner:
    store = f"sqlite:///{tmp_path}/shell.db"
    variables = {"HINDSIGHT_MEMORY_STORE_URL": store, "HINDSIGHT_MEMORY_EMBEDDER": "none"}
    return CliRunner(env=variables)


def version(memory: Hindsight, session_id: str = "s1") -> int:
    return memory.working_memory(session_id).version


def test_the_library_patches_and_reads(memory: Hindsight) -> None:
    assert memory.working_memory("s1", patch=PATCH).model_dump() == ANSWER
    assert memory.working_memory("s1").model_dump() == ANSWER
    with pytest.raises(InvalidInput, match=TOLD):
        memory.working_memory("s1", patch=BAD)
    assert version(memory) == 1


async def test_rest_patches_and_reads(http: httpx2.AsyncClient) -> None:
    patched = await http.patch(PATH, json={"patch": PATCH})
    assert (patched.status_code, patched.json()) == (200, ANSWER)
    refused = await http.patch(PATH, json={"patch": BAD})
    assert (refused.status_code, refused.json()["message"]) == (422, TOLD)
    assert (await http.get(PATH)).json() == ANSWER
    foreign = (await http.get(PATH, params={"user_id": "bob"})).json()
    assert (foreign["version"], foreign["document"]["task_goal"]) == (0, "")


async def test_reading_over_rest_changes_nothing(
    http: httpx2.AsyncClient, memory: Hindsight
) -> None:
    sent = json.dumps(PATCH[0])
    assert (await http.get(PATH, params={"patch": sent})).status_code == 422
    assert (await http.get(PATH)).json()["version"] == version(memory) == 0


async def test_mcp_patches_and_reads_the_session_of_its_connection(mcp: Client) -> None:
    for given in ({"patch": PATCH}, {}, {"session_id": "s1"}):
        answer = await mcp.call_tool("working_memory", given)
        assert answer.structured_content is not None
        assert WorkingMemoryOut(**answer.structured_content).model_dump() == ANSWER
    refused = await mcp.call_tool("working_memory", {"patch": BAD})
    [told] = refused.content
    assert isinstance(told, types.TextContent)
    assert (refused.is_error, told.text) == (True, f"invalid_input: {TOLD}")


def test_the_shell_patches_and_reads(shell: CliRunner) -> None:
    given = ["working-memory", "s1", "--json"]
    patched = shell.invoke(cli, [*given, "--patch", json.dumps(PATCH)])
    assert json.loads(patched.stdout) == ANSWER
    refused = shell.invoke(cli, [*given, "--patch", json.dumps(BAD)])
    assert (refused.exit_code, json.loads(refused.stderr)["message"]) == (2, TOLD)
    assert json.loads(shell.invoke(cli, given).stdout) == ANSWER


def test_the_shell_has_words_for_patches(shell: CliRunner) -> None:
    words = ["--goal", "导入一月订单", "--fact", "文件是 gbk 编码", "--source", "tool_result"]
    words += ["--push", "a", "--push", "b", "--priority", "9", "--pop", "a", "--failed", "ls /x"]
    call = json.dumps({"op": "append_call", "tool": "ls", "arguments": {"path": "/x"}})
    shown = shell.invoke(cli, ["working-memory", "s1", *words, "--patch", call])
    assert [line.strip() for line in shown.stdout.splitlines()] == [
        "goal    导入一月订单",
        "facts   文件是 gbk 编码 (tool_result)",
        "to do   9 b",
        "failed  ls /x",
        'calls   unknown ls {"path": "/x"}',
        "session s1 · version 1",
    ]


def test_the_shell_tells_what_was_folded_and_what_is_no_patch(shell: CliRunner) -> None:
    facts = [word for number in range(42) for word in ("--fact", f"fact {number}")]
    shown = shell.invoke(cli, ["working-memory", "s1", *facts]).stdout.splitlines()
    assert [" ".join(line.split()) for line in (*shown[:2], *shown[-2:])] == [
        "facts 2 older ones are no longer told",
        "fact 2 (user_explicit)",
        "session s1 · version 1",
        "confirmed_facts: 2 of the oldest folded, to keep it small",
    ]
    refused = shell.invoke(cli, ["working-memory", "s1", "--patch", "{op"])
    assert (refused.exit_code, refused.stderr[:38]) == (2, "error: invalid_input: --patch: not JSO")


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({}, "name a `session_id`: the connection has no session of its own"),
        ({"session_id": " s1"}, "session_id ' s1' begins or ends with a space"),
        ({"session_id": "s" * 257}, "session_id has 257 characters"),
        ({"session_id": "s1", "user_id": "a\x00"}, "user_id holds a control character"),
        ({"session_id": "s1", "patch": "pop_item"}, "patch: Input should be a valid list"),
        ({"session_id": "s1", "patch": ["pop"]}, "patch.0: Input should be a valid dictionary"),
        ({"session_id": "s1", "patch": [{"op": "pop_item"}] * 51}, "patch: 51 given, at most 50"),
        ({"session_id": "s1", "patch": [{"op": "add_fact", "fact": "\ud83d"}]}, "half a character"),
    ],
)
def test_what_is_wrong_is_told_in_plain_words(
    memory: Hindsight, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(InvalidInput, match=told):
        memory.working_memory(**given)
    assert version(memory) == 0


def test_it_is_there_after_a_restart(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/m.db"
    with Hindsight.open(url, embedder="none") as memory:
        memory.working_memory("s1", patch=PATCH)
    with Hindsight.open(url, embedder="none") as memory:
        assert memory.working_memory("s1").model_dump() == ANSWER


def test_its_time_begins_anew_with_each_change(memory: Hindsight, clock: FrozenClock) -> None:
    week = timedelta(days=7)
    memory.working_memory("s1", patch=PATCH[:1])
    clock.advance(week - timedelta(seconds=1))
    memory.working_memory("s1", patch=PATCH)
    clock.advance(week - timedelta(seconds=1))
    assert version(memory) == 2
    clock.advance(timedelta(seconds=1))
    assert (version(memory), memory.working_memory("s1").document.task_goal) == (0, "")


def test_two_writers_of_one_session_lose_nothing(memories: Memories) -> None:
    doors = [Hindsight(memories, Caller(agent_id=name)) for name in ("planner", "coder")]
    names = [f"事实 {number}" for number in range(16)]

    def add(number: int) -> None:
        patch = [{"op": "add_fact", "fact": names[number]}]
        doors[number % 2].working_memory("s1", patch=patch)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(add, range(16)))
    found = doors[0].working_memory("s1")
    assert sorted(each.fact for each in found.document.confirmed_facts) == sorted(names)
    assert found.version == 16


def test_the_oldest_is_folded_and_counted(memory: Hindsight) -> None:
    calls = [{"op": "append_call", "tool": f"t{number}"} for number in range(50)]
    told = memory.working_memory("s1", patch=calls)
    history = [each.tool for each in told.document.tool_call_history]
    assert (history[0], history[-1], len(history)) == ("t10", "t49", 40)
    assert told.document.folded == {"tool_call_history": 10}
    assert told.notes == ["tool_call_history: 10 of the oldest folded, to keep it small"]


def test_the_schema_says_what_is_read() -> None:
    said: Mapping[str, Any] = PATCH_SCHEMA["properties"]
    priority = {"type": "integer", "minimum": LEAST_URGENT, "maximum": MOST_URGENT}
    assert said["op"]["enum"] == [*OPS]
    assert said.keys() - {"op"} == {each.name for made in OPS.values() for each in fields(made)}
    assert set(said["source"]["enum"]) == {*Source} - {Source.USER_CONFIRMED, Source.RETROSPECTION}
    assert said["priority"] == priority


def test_all_tools_together_cost_twenty_kilobytes() -> None:
    """Each session of each agent carries them. With seven tools they were 14 KB; ten, of which one
    takes seven kinds of patches, are what the agent's side needs.
    """
    listed = types.ListToolsResult(tools=[_tool(each) for each in OPERATIONS if each.is_tool])
    assert len(listed.tools) == 10
    assert len(listed.model_dump_json(by_alias=True, exclude_none=True).encode()) <= 20_000
