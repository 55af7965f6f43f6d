"""What of a session is worth writing, and as what."""

from datetime import UTC, datetime
from typing import Any, Literal

import pytest

from hindsight_memory.agent.batch import Batch, Called, Said

AT = datetime(2026, 3, 1, tzinfo=UTC)


def said(content: str, role: Literal["user", "assistant"] = "user") -> Said:
    return Said(role=role, content=content, at=AT)


def called(outcome: Literal["success", "failure"], **given: Any) -> Called:
    arguments = {name: value for name, value in given.items() if name not in {"tool", "error"}}
    return Called(
        tool=given.get("tool", "read_csv"),
        arguments=arguments,
        outcome=outcome,
        error=given.get("error", ""),
        at=AT,
    )


def contents(*entries: Said | Called) -> list[str]:
    return [write["content"] for write in Batch().take(entries)]


def test_what_is_stated_is_written_once_and_small_talk_never() -> None:
    assert contents(
        said("你好！我对花生过敏。"), said("谢谢"), said("我对花生过敏！"), said("What else?")
    ) == ["我对花生过敏。"]


def test_a_changed_value_is_written_again() -> None:
    assert contents(said("The API port is 8000."), said("The API port is 9000.")) == [
        "The API port is 8000.",
        "The API port is 9000.",
    ]


@pytest.mark.parametrize(
    ("content", "role", "source"),
    [
        ("I always want short answers.", "user", "user_explicit"),
        ("Maybe I always want short answers.", "user", "agent_inference"),
        ("We decided to use gbk, because utf-8 failed.", "assistant", "agent_inference"),
    ],
)
def test_a_word_is_worth_what_its_speaker_is(
    content: str, role: Literal["user", "assistant"], source: str
) -> None:
    [write] = Batch().take([said(content, role)])
    assert write["source"] == source
    assert write["metadata"] == {"said_by": role, "span": [0, len(content)]}


def test_a_failure_and_what_ended_it_are_written_and_nothing_else() -> None:
    assert contents(
        called("success", path="a.csv"),
        called("failure", path="b.csv", error="UnicodeDecodeError"),
        called("success", path="b.csv", encoding="gbk"),
        called("success", path="c.csv", encoding="gbk"),
        called("success", tool="ls"),
    ) == [
        "read_csv(path=b.csv) failed: UnicodeDecodeError",
        "read_csv(path=b.csv, encoding=gbk) worked",
    ]


def test_what_memory_had_put_into_the_prompt_is_not_written_again() -> None:
    batch = Batch()
    batch.injected("# From memory\n- The API listens on port 8000. (tool, 3 days old)\n")
    assert batch.take([said("The API listens on port 8000.", "user")]) == []
    assert len(batch.take([said("The API listens on port 9000.", "user")])) == 1


def test_a_batch_counts_how_selective_it_is() -> None:
    batch = Batch()
    batch.take([said("Hi"), said("I moved to Berlin."), called("success")])
    assert (batch.seen, batch.kept) == (3, 1)
