"""A line of an export is read only if some store can have written it."""

import json
from typing import Any

import pytest

from hindsight_memory.core.records import decoded, line_of, record_of
from hindsight_memory.errors import InvalidInput


def a_line(**changes: Any) -> bytes:
    """An export of one memory, with fields of it changed."""
    line = {
        "memory": {
            "id": "m1",
            "tenant": "acme",
            "user_id": "ann",
            "agent_id": "ada",
            "content": "tea",
            "created_at": "2030-01-01T12:00:00+00:00",
            "updated_at": "2030-01-01T12:00:00+00:00",
            "version": 1,
            **changes.pop("memory", {}),
        },
        "history": [
            {
                "version": 1,
                "at": "2030-01-01T12:00:00+00:00",
                "actor": "ada",
                "operation": "stored",
                "reason": "",
                "before": {},
            }
        ],
        **changes,
    }
    return json.dumps(line).encode()


DAMAGED: dict[str, tuple[bytes, str]] = {
    "cut off": (a_line()[:-20], "not a line of JSON"),
    "not UTF-8": ('{"content": "中"}'.encode("gbk"), "not a line of JSON"),
    "a list": (b"[]", "a JSON object is needed, not list"),
    "not a number": (a_line().replace(b'"version": 1', b'"version": NaN'), "not a line of JSON"),
    "half a character": (a_line(memory={"scene": "\ud800"}), "not a line of JSON"),
    "NUL": (a_line(memory={"content": "a\0b"}), "content holds a control character"),
    "hidden": (a_line(memory={"content": "a\u202eb"}), "memory.content holds invisible"),
    "blank": (a_line(memory={"content": " "}), "content is blank"),
    "no content": (a_line(memory={"content": None}), "memory.content cannot be null"),
    "no id": (a_line(memory={"id": ""}), "memory.id has 0 characters"),
    "unknown field": (a_line(memory={"mood": "happy"}), "memory has 'mood', which this version"),
    "text for a list": (a_line(memory={"tags": "abc"}), 'memory.tags cannot be "abc"'),
    "unknown type": (a_line(memory={"memory_type": "joke"}), 'memory.memory_type cannot be "jo'),
    "no offset": (a_line(memory={"created_at": "2030-01-01T12:00:00"}), "memory.created_at"),
    "out of time": (a_line(memory={"valid_to": "0001-01-01T00:00:00+08:00"}), "memory.valid_to"),
    "backwards": (
        a_line(memory={"valid_from": "2030-01-02T00:00:00Z", "valid_to": "2030-01-01T00:00:00Z"}),
        "memory.valid_to is before memory.valid_from",
    ),
    "out of range": (a_line(memory={"trust": 1.5}), "memory.trust is 1.5, more than 1"),
    "true is no number": (a_line(memory={"trust": True}), "memory.trust cannot be true"),
    "huge": (a_line(memory={"access_count": 2**63}), "memory.access_count cannot be"),
    "event": (a_line(memory={"event": {"mood": ""}}), "memory.event has 'mood'"),
    "outcome": (a_line(memory={"event": {"outcome": "ok"}}), 'memory.event.outcome cannot be "ok"'),
    "long error": (a_line(memory={"event": {"error": "x" * 8_001}}), "memory.event.error has 8001"),
    "arguments": (
        a_line(memory={"event": {"arguments": {"n": 2**64}}}),
        "memory.event.arguments.n is an integer",
    ),
    "crowd": (
        a_line(memory={"event": {"participants": ["ann"] * 33}}),
        "memory.event.participants: 33 given",
    ),
    "metadata": (a_line(memory={"metadata": {"n": 2**64}}), "memory.metadata.n is an integer"),
    "version 0": (a_line(memory={"version": 0}, history=[]), "memory.version is 0"),
    "version 2": (a_line(memory={"version": 2}), "history: a list of 2 is needed"),
    "no history": (a_line(history=None), "history: a list of 1 is needed"),
    "history": (a_line(history=[{"version": 1}]), "history[0] lacks 'actor'"),
    "more": (a_line(vectors=[]), "the line has 'vectors'"),
}


def test_a_line_is_read_and_written_back() -> None:
    record = record_of(decoded(a_line()), tenant="default")
    assert (record.memory.content, record.memory.tenant) == ("tea", "default")
    assert [revision.operation for revision in record.history] == ["stored"]
    assert record_of(decoded(line_of(record)), tenant="default") == record


@pytest.mark.parametrize(("damaged", "why"), DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_line_is_refused_with_the_field_that_is_wrong(damaged: bytes, why: str) -> None:
    with pytest.raises(InvalidInput) as refused:
        record_of(decoded(damaged), tenant="default")
    assert str(refused.value).startswith(why)


def test_fields_that_an_older_release_did_not_know_take_their_defaults() -> None:
    memory = record_of(decoded(a_line()), tenant="default").memory
    assert (memory.importance, memory.tags, memory.event) == (0.5, frozenset(), None)
