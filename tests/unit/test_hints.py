"""Which memories bear on a call: lessons about it, and rules that name its tool or program."""

from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.core.calls import Call, normalised
from hindsight_memory.core.hints import hints, names
from hindsight_memory.core.induction import KEY
from hindsight_memory.core.model import Json, Memory
from hindsight_memory.core.moments import Asked
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.testing.samples import NOON, a_memory

RULE = {"memory_type": MemoryType.PREFERENCE, "source": Source.USER_EXPLICIT}
LESSON = {"memory_type": MemoryType.LESSON, "source": Source.RETROSPECTION}
FACT = {"memory_type": MemoryType.FACT}


@pytest.mark.parametrize(
    ("content", "kind", "tool", "arguments"),
    [
        ("Use pnpm, not npm, in the shop repository", RULE, "Bash", {"command": "npm install x"}),
        ("不要用 npm，用 pnpm", RULE, "Bash", {"command": "cd app && CI=1 npm ci"}),
        ("Never use npm, yarn or bower", RULE, "Bash", {"command": "yarn"}),
        ("不要用 npm、yarn", RULE, "Bash", {"command": "yarn"}),
        ("不要用 make 构建", RULE, "Bash", {"command": "make all"}),
        ("Never run `make` on the server", RULE, "Bash", {"command": "make all"}),
        ("Avoid npm", {**FACT, "source": Source.USER_EXPLICIT}, "Bash", {"command": "npm ci"}),
        ("pytest needs the flag -p no:cacheprovider", LESSON, "Bash", {"command": "pytest -q"}),
        ("read_csv wants gbk for these files", RULE, "read_csv", {"path": "a.csv"}),
        ("Write 工具只写相对路径", RULE, "Write", {"file_path": "a"}),
        ("Call Read() with a limit", RULE, "Read", {"file_path": "a"}),
    ],
)
def test_a_rule_that_names_the_tool_or_the_program_bears_on_the_call(
    content: str, kind: dict[str, Any], tool: str, arguments: dict[str, Json]
) -> None:
    assert names(tool, arguments, a_memory(content=content, **kind))


@pytest.mark.parametrize(
    ("content", "kind", "tool", "arguments"),
    [
        ("Use pnpm, not npm, in the shop repository", RULE, "Bash", {"command": "pnpm install x"}),
        ("Don't use npm, use pnpm", RULE, "Bash", {"command": "pnpm ci"}),
        ("不要用 npm，用 pnpm", RULE, "Bash", {"command": "pnpm ci"}),
        ("Don't make assumptions", RULE, "Bash", {"command": "make all"}),
        ("Do not wait for the cat", RULE, "Bash", {"command": "cat a | wait"}),
        ("Never use npm-check", RULE, "Bash", {"command": "npm ci"}),
        ("Avoid npm", {**FACT, "source": Source.AGENT_INFERENCE}, "Bash", {"command": "npm ci"}),
        ("npm is what the shop uses", RULE, "Bash", {"command": "npm ci"}),
        ("Write short answers", RULE, "Write", {"file_path": "a"}),
        ("The user likes to read", RULE, "Read", {"file_path": "a"}),
        ("Avoid npm", RULE, "search", {"query": "npm"}),
    ],
)
def test_a_word_that_only_looks_like_its_name_does_not(
    content: str, kind: dict[str, Any], tool: str, arguments: dict[str, Json]
) -> None:
    assert not names(tool, arguments, a_memory(content=content, **kind))


def lesson(kind: str, status: Status = Status.CONFIRMED, **facts: Any) -> Memory:
    note: dict[str, Json] = {"kind": kind, "identity": {}, "facts": {"tool": "t", **facts}}
    given = {**LESSON, "status": status, "evidence": ("e",), "metadata": {KEY: note}}
    return a_memory("lesson", **given)


CONTRAST: dict[str, Any] = {
    "failed": {"encoding": "utf-8"},
    "worked": {"encoding": "gbk"},
    "within": {},
}
UTF: dict[str, Json] = {"path": "a.csv", "encoding": "utf-8"}
MIRROR: dict[str, Any] = {
    "worked": {"command": "-i https://m.example"},
    "within": {"command": "pip install"},
}
INSTALL: dict[str, Json] = {"command": "pip install a"}


def told(
    memory: Memory, arguments: dict[str, Json], *worked: dict[str, Json]
) -> list[tuple[str, bool]]:
    """Verdicts, and whether something is commended. worked: earlier calls, after the lesson."""
    at = NOON + timedelta(days=1)
    calls = [
        Call(memory_id="c", session_id="s", tool="t", arguments=each, outcome="success", at=at)
        for each in worked
    ]
    found = hints(Asked(tool="t", arguments=arguments), [memory], calls)
    return [(each.verdict, each.commends is not None) for each in found]


def test_a_contrast_says_not_where_it_holds_so_it_only_warns() -> None:
    memory = lesson("contrast", **CONTRAST)
    assert told(memory, UTF) == [("caution", False)]
    assert told(memory, {**UTF, "encoding": "gbk"}) == []
    assert told(memory, UTF, UTF) == []


def test_a_call_that_always_failed_is_to_be_avoided_unless_it_works_again() -> None:
    facts: dict[str, Any] = {"key": normalised(UTF), "arguments": UTF}
    memory = lesson("failure", error="UnicodeDecodeError", **facts)
    assert told(memory, UTF) == [("avoid", False)]
    assert told(lesson("failure", error="KeyError", **facts), UTF) == [("caution", False)]
    assert told(memory, {**UTF, "path": "b.csv"}) == []
    assert told(memory, UTF, UTF) == []


def test_a_habit_is_commended_until_the_direct_way_is_open_again() -> None:
    assert told(lesson("habit", **MIRROR), INSTALL) == [("prefer", True)]
    assert told(lesson("habit", **MIRROR), INSTALL, INSTALL) == []
    unsafe = {**MIRROR, "worked": {"command": "--no-verify"}}
    assert told(lesson("habit", **unsafe), INSTALL) == []


def test_what_is_not_settled_only_warns() -> None:
    tentative = lesson("habit", Status.TENTATIVE, **MIRROR)
    assert told(tentative, INSTALL) == [("caution", False)]


def test_a_lesson_about_another_tool_says_nothing() -> None:
    [found] = hints(Asked(tool="t", arguments=UTF), [lesson("contrast", **CONTRAST)], [])
    assert found.memory.id == "lesson"
    assert hints(Asked(tool="u", arguments=UTF), [lesson("contrast", **CONTRAST)], []) == []
