"""What a call may bring at most, and what it is told when it brings more."""

from typing import Any

import pytest
from mcp.client.client import Client
from mcp.shared.exceptions import MCPError

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.interfaces.schemas import EventIn

MOST: dict[str, dict[str, Any]] = {
    "related_ids": {"related_ids": [f"m{n}" for n in range(64)]},
    "event.participants": {"event": EventIn(participants=["安"] * 32)},
    "event.role": {"event": EventIn(role="x" * 256)},
    "event.action": {"event": EventIn(action="重启 " * 64)},
    "event.tool": {"event": EventIn(tool="x" * 256)},
    "event.error": {"event": EventIn(error="错" * 8_000)},
    "event.reflection": {"event": EventIn(reflection="x" * 8_000)},
}
TOO_MUCH: dict[str, tuple[dict[str, Any], str]] = {
    "related_ids": ({"related_ids": ["m"] * 65}, "related_ids: 65 given, at most 64 are allowed"),
    "participants": (
        {"event": EventIn(participants=["安"] * 33)},
        "event.participants: 33 given, at most 32 are allowed",
    ),
    "a participant": (
        {"event": EventIn(participants=["a", "x" * 257])},
        "event.participants has 257 characters, more than the limit of 256",
    ),
    "role": ({"event": EventIn(role="x" * 257)}, "event.role has 257 characters"),
    "action": ({"event": EventIn(action="x" * 257)}, "event.action has 257 characters"),
    "tool": ({"event": EventIn(tool="x" * 257)}, "event.tool has 257 characters"),
    "error": (
        {"event": EventIn(error="错" * 8_001)},
        "event.error has 8001 characters, more than the limit of 8000; shorten it",
    ),
    "reflection": ({"event": EventIn(reflection="x" * 8_001)}, "event.reflection has 8001"),
    "NUL": ({"event": EventIn(error="a\0")}, "event.error holds a control character (U+0000, NUL)"),
    "arguments": (
        {"event": EventIn(arguments={"x": "y" * 20_000})},
        "event.arguments has 20008 bytes as compact JSON, over the limit of 16384",
    ),
}


@pytest.mark.parametrize("given", MOST.values(), ids=MOST)
def test_a_write_may_bring_so_much(memory: Hindsight, given: dict[str, Any]) -> None:
    assert memory.write("测试失败了 3 次", **given).outcome == "stored"


@pytest.mark.parametrize(("given", "told"), TOO_MUCH.values(), ids=TOO_MUCH)
def test_a_write_that_brings_more_is_told_what(
    memory: Hindsight, given: dict[str, Any], told: str
) -> None:
    with pytest.raises(InvalidInput) as refusal:
        memory.write("测试失败了 3 次", **given)
    assert told in str(refusal.value)
    assert memory.list().memories == []


@pytest.mark.parametrize(
    ("method", "given"),
    [
        ("update", {"importance": 0.9}),
        ("forget", {}),
        ("forget", {"hard_delete": True}),
        ("verify", {"action": "dispute"}),
    ],
)
def test_a_reason_has_an_end(memory: Hindsight, method: str, given: dict[str, Any]) -> None:
    written = memory.write("tea").memory
    assert written is not None
    with pytest.raises(InvalidInput, match=r"^reason has 1001 characters, more than the limit"):
        getattr(memory, method)(written.id, reason="因" * 1_001, **given)
    assert memory.show(written.id).version == 1
    getattr(memory, method)(written.id, reason="因" * 1_000, **given)


@pytest.mark.parametrize("method", ["forget", "verify", "search"])
def test_what_is_looked_for_has_an_end(memory: Hindsight, method: str) -> None:
    with pytest.raises(
        InvalidInput, match=r"^`query` has 8001 characters; at most 8000 are looked"
    ):
        getattr(memory, method)(query="茶" * 8_001)


def test_feedback_names_some_memories(memory: Hindsight) -> None:
    found = memory.search("tea")
    with pytest.raises(InvalidInput, match=r"^used_ids: 65 given, at most 64 are allowed"):
        memory.feedback(found.recall_id, ["m"] * 65)


NUMBERS = [
    (operation, name)
    for operation in OPERATIONS
    for name, schema in operation.input_schema()["properties"].items()
    if schema.get("type") in {"integer", "number"}
]


@pytest.mark.parametrize(
    ("operation", "name"), NUMBERS, ids=lambda each: getattr(each, "name", each)
)
def test_a_truth_value_is_no_number(operation: Operation, name: str) -> None:
    needed = dict.fromkeys(operation.input_schema().get("required", ()), "x")
    assert getattr(operation.parse({**needed, name: 1}), name) == 1
    with pytest.raises(InvalidInput, match=f"^{name}: a number is needed, not true or false$"):
        operation.parse({**needed, name: True})


def test_every_number_is_looked_at() -> None:
    assert len(NUMBERS) >= 10


LONG = "错" * 70_000
ECHOES = [
    ("show", {"memory_id": LONG}),
    ("history", {"memory_id": LONG}),
    ("forget", {"memory_id": LONG}),
    ("update", {"memory_id": LONG, "importance": 0.1}),
    ("verify", {"memory_id": LONG}),
    ("feedback", {"recall_id": LONG, "used_ids": []}),
    ("write", {"content": "tea", "supersedes": LONG}),
    ("write", {"content": "tea", "tags": [LONG]}),
    ("write", {"content": "tea", "user_id": f" {LONG}"}),
    ("write", {"content": "tea", "metadata": {"probe": {"kind": LONG}}}),
    ("search", {"query": "tea", "profile": LONG}),
    ("search", {"query": "tea", "since": LONG}),
    ("search", {"query": "tea", "layer": LONG}),
    ("list", {"include": [LONG]}),
    ("list", {LONG: 1}),
]


@pytest.mark.parametrize(("command", "given"), ECHOES, ids=lambda each: str(each)[:40])
def test_an_error_repeats_little_of_what_was_given(
    memory: Hindsight, command: str, given: dict[str, Any]
) -> None:
    [operation] = [each for each in OPERATIONS if each.command == command]
    with pytest.raises(InvalidInput) as refusal:
        operation.run(memory.memories, memory.caller, operation.parse(given))
    assert len(str(refusal.value)) <= 400


def test_a_preview_repeats_little_of_a_phrase_that_nothing_contains(memory: Hindsight) -> None:
    [note] = memory.forget(query="茶" * 8_000).notes
    assert len(note) <= 400


async def test_an_unknown_tool_is_named_in_short(tools: Client) -> None:
    with pytest.raises(MCPError, match="no tool '错") as refusal:
        await tools.call_tool(LONG, {})
    assert len(str(refusal.value)) <= 400
