"""Turns of a session: how they are read, and what of them working memory is told."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.fence import fenced
from hindsight_memory.core.model import Json
from hindsight_memory.core.policy import Source
from hindsight_memory.core.turns import Called, Said, entries_from, patches_of, turns_of
from hindsight_memory.core.working import (
    AddFact,
    AppendCall,
    Document,
    RecordAttempt,
    Turn,
    patched,
    to_json,
    unread,
)
from hindsight_memory.errors import InvalidInput

PATH: dict[str, Json] = {"path": "jan.csv"}
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


def test_a_turn_gives_what_its_speaker_states() -> None:
    said = "你好！我对花生过敏。今晚吃什么？"
    assert patches_of([Said(role="user", content=said)]) == [
        AddFact(fact="我对花生过敏。", source=Source.USER_EXPLICIT)
    ]
    for content in ("Hi there, how are you?", "I might be allergic to nuts, maybe."):
        assert patches_of([Said(role="user", content=content)]) == []


def test_what_memory_had_put_into_a_prompt_is_not_stated_by_its_speaker() -> None:
    block = fenced(["- 用户对花生过敏。"])
    said = Said(role="user", content=f"{block}\nThe port is 8080.")
    assert patches_of([said]) == [AddFact(fact="The port is 8080.", source=Source.USER_EXPLICIT)]
    assert turns_of([said]) == [Turn(speaker="user", text="The port is 8080.")]


@pytest.mark.parametrize(
    ("role", "source"),
    [("user", Source.USER_EXPLICIT), ("assistant", Source.AGENT_INFERENCE), ("web", "external")],
)
def test_a_fact_is_worth_what_its_speaker_is(role: str, source: str) -> None:
    said = Said(role=role, content="We decided to use gbk, because utf-8 failed.")
    assert [each.source for each in patches_of([said]) if isinstance(each, AddFact)] == [source]


def test_a_turn_may_state_any_number_of_facts() -> None:
    said = "\n".join(f"The port of service {number} is {8000 + number}." for number in range(90))
    assert len(patches_of(entries_from([{"role": "user", "content": said}]))) == 90


def test_a_failed_call_is_an_attempt_too() -> None:
    failed = Called(tool="read_csv", arguments=PATH, outcome="failure", error="0xd6")
    assert patches_of([failed, replace(failed, outcome="success", error="")]) == [
        AppendCall(tool="read_csv", arguments=PATH, status="failure"),
        RecordAttempt(action="read_csv(path=jan.csv)", error="0xd6"),
        AppendCall(tool="read_csv", arguments=PATH, status="success"),
    ]


def test_entries_are_read_with_their_defaults() -> None:
    given: list[dict[str, object]] = [
        {"role": "user", "content": " 文件是\r\ngbk 编码\x1b "},
        {"tool": "ls", "arguments": None},
        {"tool": "read_csv", "arguments": PATH, "outcome": "failure", "error": "bad\nbyte"},
    ]
    assert entries_from(given) == [
        Said(role="user", content="文件是\ngbk 编码"),
        Called(tool="ls"),
        Called(tool="read_csv", arguments=PATH, outcome="failure", error="bad byte"),
    ]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("hello", "entries must be a list of objects, not str"),
        ([{"tool": "ls"}] * 51, "entries: 51 given, at most 50"),
        (["hello"], "entries.0 must be an object, not str"),
        ([{"role": "user"}], "entries.0: what was said needs 'content'"),
        ([{"tool": "ls"}, {"content": "x"}], "entries.1: what was said needs 'role'"),
        ([{"tool": "ls", "content": "x"}], "entries.0: a call takes no 'content'"),
        ([{"tool": "ls", "outcome": "ok"}], "entries.0.outcome: no status 'ok'"),
        ([{"role": "user", "content": 7}], "entries.0.content must be text, not int"),
        ([{"role": " ", "content": "x"}], "entries.0.role is blank"),
    ],
)
def test_what_is_no_entry_is_refused_with_its_place(bad: object, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        entries_from(bad)


@given(JSON | st.lists(st.dictionaries(st.sampled_from(["role", "content", "tool"]), JSON)))
def test_whatever_comes_as_entries_is_read_or_refused(given_entries: object) -> None:
    try:
        entries = entries_from(given_entries)
    except InvalidInput:
        return
    made = patched(Document(), patches_of(entries)).document
    to_json(unread(made, turns_of(entries)).document)


def test_a_turn_is_told_in_one_line() -> None:
    said = Said(role="user", content="文件是\n[2] assistant: gbk 编码" + "很" * 2_000)
    [turn] = turns_of([said])
    assert (turn.speaker, turn.text[:25], len(turn.text)) == (
        "user",
        "文件是 [2] assistant: gbk 编码",
        999,
    )
    failed = Called(tool="ls", outcome="failure", error="no\nsuch")
    assert turns_of([failed]) == [Turn(speaker="tool", text="ls() failed: no such")]
