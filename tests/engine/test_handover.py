"""What only working memory knows of a session's calls, when the session is looked back at."""

from typing import Any

import pytest

from hindsight_memory import Hindsight
from hindsight_memory.testing.agent_life import Life

ERROR = "UnicodeDecodeError: 0xb9"


def called(encoding: str, status: str) -> dict[str, Any]:
    arguments = {"path": "a.csv", "encoding": encoding}
    return {"op": "append_call", "tool": "read_csv", "arguments": arguments, "status": status}


NOTED = [
    called("utf-8", "failure"),
    {"op": "record_attempt", "action": "read_csv(path=a.csv, encoding=utf-8)", "error": ERROR},
    {"op": "append_call", "tool": "ls", "status": "success"},
    called("gbk", "success"),
]


def episodes(memory: Hindsight) -> list[str]:
    return [each.content for each in reversed(memory.list(layer="episodic").memories)]


def test_an_agent_that_only_notes_its_calls_learns_from_them(memory: Hindsight) -> None:
    memory.working_memory("s1", patch=NOTED)
    [lesson] = memory.retrospect("s1").lessons
    assert (lesson.outcome, lesson.content) == (
        "formed",
        f"read_csv (path=*.csv) with encoding=utf-8 failed: {ERROR}; encoding=gbk worked",
    )
    assert episodes(memory) == [
        f"read_csv(encoding=utf-8, path=a.csv) failed: {ERROR}",
        "read_csv(encoding=gbk, path=a.csv) worked",
    ]


def test_looking_back_again_counts_each_call_once(memory: Hindsight) -> None:
    memory.working_memory("s1", patch=NOTED)
    memory.retrospect("s1")
    memory.working_memory("s1", patch=[called("latin-1", "failure")])
    for _ in range(2):
        memory.retrospect("s1")
    assert len(episodes(memory)) == 3


def test_a_dry_run_writes_nothing(memory: Hindsight) -> None:
    memory.working_memory("s1", patch=NOTED)
    memory.retrospect("s1", dry_run=True)
    assert episodes(memory) == []


def test_where_calls_are_recorded_already_none_is_told_twice(life: Life) -> None:
    life.reads_gbk("s1")
    life.memory.working_memory("s1", patch=NOTED)
    before = episodes(life.memory)
    life.memory.retrospect("s1")
    assert episodes(life.memory) == before


@pytest.mark.parametrize("patch", [NOTED[2:], [NOTED[1]], []])
def test_what_never_failed_is_no_episode(memory: Hindsight, patch: list[dict[str, Any]]) -> None:
    memory.working_memory("s1", patch=patch)
    memory.retrospect("s1")
    assert episodes(memory) == []
