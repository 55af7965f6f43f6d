"""What of a session is worth writing, and as what."""

from datetime import UTC, datetime
from typing import Any, Literal

import pytest

from hindsight_memory.agent.batch import Batch, Called, Said
from hindsight_memory.core.arguments import bounded
from hindsight_memory.core.fence import fenced

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


def test_a_failure_and_what_answers_it_are_written_and_nothing_else() -> None:
    assert contents(
        called("success", path="a.csv"),
        called("failure", path="b.csv", error="UnicodeDecodeError"),
        called("success", path="c.csv"),
        called("success", path="b.csv", encoding="gbk"),
        called("success", path="d.csv", encoding="gbk"),
        called("success", tool="ls"),
    ) == [
        "read_csv(path=b.csv) failed: UnicodeDecodeError",
        "read_csv(path=b.csv, encoding=gbk) worked",
    ]


def test_another_command_of_a_shell_answers_no_failure() -> None:
    assert contents(
        called("failure", tool="Bash", command="pytest -q", error="1 failed"),
        called("success", tool="Bash", command="ls"),
        called("success", tool="Bash", command="pytest -q"),
        called("success", tool="Bash", command="pytest -q"),
    ) == ["Bash(command=pytest -q) failed: 1 failed", "Bash(command=pytest -q) worked"]


def test_a_success_on_which_memory_had_advised_is_written() -> None:
    advised = Called(tool="t", arguments={"n": 1}, outcome="success", at=AT, was_advised=True)
    assert contents(advised) == ["t(n=1) worked"]


def test_of_a_call_is_written_what_can_be_remembered_of_its_arguments() -> None:
    given = {"command": "make", "content": "x" * 90_000}
    [write] = Batch().take([called("failure", tool="Bash", description="Build it", **given)])
    assert write["event"]["arguments"] == bounded(given)


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_of_a_prompt_that_holds_a_block_only_the_rest_is_written(
    role: Literal["user", "assistant"],
) -> None:
    block = fenced(["- [fact, said by the user] We decided to use gbk, because utf-8 failed."])
    own = "We decided to use tabs, because spaces failed."
    batch = Batch()
    assert [write["content"] for write in batch.take([said(f"{block}\n{own}", role)])] == [own]


def test_a_batch_counts_how_selective_it_is() -> None:
    batch = Batch()
    batch.take([said("Hi"), said("I moved to Berlin."), called("success")])
    assert (batch.seen, batch.kept) == (3, 1)
