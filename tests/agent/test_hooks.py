"""What a model reads at the events of its client, and what is written of them; in this process."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hindsight_memory import Hindsight
from hindsight_memory.agent.hooks import Hooks, read
from hindsight_memory.testing.agent_life import UNICODE

UTF, GBK = {"path": "a.csv", "encoding": "utf-8"}, {"path": "a.csv", "encoding": "gbk"}
Hook = Callable[..., str]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Hindsight]:
    """On the clock of the machine, as hooks are."""
    with Hindsight.open(f"sqlite:///{tmp_path}/memory.db", embedder="hashing:256") as memory:
        yield memory


@pytest.fixture
def hook(memory: Hindsight, tmp_path: Path) -> Hook:
    hooks = Hooks(memory, tmp_path / "sessions")

    def run(event: str, session: str = "s1", **given: Any) -> str:
        return hooks.run(event, read(event, {"session_id": session, **given}))

    return run


def call(hook: Hook, arguments: Mapping[str, Any], error: str = "", **given: Any) -> str:
    """What is said before a call of ``read_csv`` that then works, or fails."""
    about = {"tool_name": "read_csv", "tool_input": arguments, **given}
    told = hook("before-tool", **about)
    hook("tool-failed" if error else "after-tool", **about, error=error)
    return told


def items(block: str) -> list[str]:
    return [line.split("] ")[-1] for line in block.splitlines() if line.startswith("- ")]


def contents(memory: Hindsight) -> list[str]:
    return [each.content for each in reversed(memory.list().memories)]


RULE, PORT = "用户偏好用中文交流", "The staging database listens on port 5433"


@pytest.fixture
def told(memory: Hindsight) -> None:
    memory.write(RULE, source="user_explicit")
    memory.write(PORT, source="user_explicit")


@pytest.mark.usefixtures("told")
def test_a_prompt_tells_what_is_not_in_view_yet(hook: Hook) -> None:
    assert items(hook("session-start", source="startup")) == [RULE]
    assert items(hook("prompt", prompt="Connect to the staging database")) == [PORT]
    assert hook("prompt", prompt="Connect to the staging database again") == ""
    assert items(hook("prompt", session="s2", prompt="The staging database?")) == [RULE, PORT]


@pytest.mark.usefixtures("told")
def test_what_changed_is_told_again(hook: Hook, memory: Hindsight) -> None:
    asked = "Connect to the staging database"
    hook("prompt", prompt=asked)
    [old] = [each for each in memory.list().memories if each.content == PORT]
    memory.write("The staging database listens on port 6000", supersedes=old.id)
    assert items(hook("prompt", prompt=asked)) == ["The staging database listens on port 6000"]


@pytest.mark.usefixtures("told")
@pytest.mark.parametrize(
    ("source", "again"), [("compact", True), ("clear", True), ("resume", False)]
)
def test_a_model_that_has_forgotten_what_it_read_is_told_again(
    hook: Hook, source: str, *, again: bool
) -> None:
    hook("session-start", source="startup")
    assert items(hook("session-start", source=source)) == [RULE] * again


def test_a_caution_is_told_once_and_what_fails_each_time(hook: Hook, memory: Hindsight) -> None:
    memory.write("不要用 npm，用 pnpm", source="user_explicit", memory_type="preference")
    npm = {"tool_name": "Bash", "tool_input": {"command": "npm install"}}
    assert items(hook("before-tool", **npm)) == ["不要用 npm，用 pnpm"]
    assert hook("before-tool", **npm) == ""
    call(hook, UTF, UNICODE)
    call(hook, GBK)
    hook("stop")
    assert [len(items(call(hook, UTF, UNICODE))) for _ in range(2)] == [1, 1]


def test_a_call_is_noted_when_it_fails_when_it_answers_and_when_memory_had_advised(
    hook: Hook, memory: Hindsight
) -> None:
    assert call(hook, UTF, UNICODE) == call(hook, GBK) == ""
    hook("stop")
    assert "avoid" in call(hook, UTF, session="s2")
    call(hook, GBK, session="s2")
    hook("stop", session="s2")
    calls = [each for each in memory.list(layer="episodic").memories if each.event is not None]
    assert [each.session_id for each in reversed(calls)] == ["s1", "s1", "s2"]


@pytest.mark.parametrize("given", [{"is_interrupt": True}, {"tool_name": "Bash"}])
def test_a_call_that_somebody_stopped_is_no_failure(
    hook: Hook, memory: Hindsight, given: dict[str, Any]
) -> None:
    about = {"tool_name": "t", "tool_input": {"command": "x"}, "error": "killed", **given}
    hook("tool-failed", **about)
    hook("stop")
    assert len(contents(memory)) == ("is_interrupt" not in given)


@pytest.mark.parametrize(
    "tool", ["mcp__hindsight-memory__memory_search", "hindsight_memory.search", "MCP:memory_write"]
)
def test_the_tools_of_this_memory_are_neither_noted_nor_advised_on(
    hook: Hook, memory: Hindsight, tool: str
) -> None:
    memory.write(f"Avoid the {tool} tool", source="user_explicit", memory_type="preference")
    about = {"tool_name": tool, "tool_input": {"query": "x"}}
    assert hook("before-tool", **about) == ""
    hook("tool-failed", **about, error="down")
    hook("stop")
    assert len(contents(memory)) == 1


def test_a_tool_of_another_memory_is_a_tool_like_any(hook: Hook, memory: Hindsight) -> None:
    hook("tool-failed", tool_name="mcp__other__memory_search", tool_input={}, error="down")
    hook("stop")
    assert contents(memory) == ["mcp__other__memory_search() failed: down"]


def test_what_was_told_before_a_call_does_not_support_its_own_lesson(
    hook: Hook, memory: Hindsight
) -> None:
    def lesson() -> tuple[list[str], str]:
        [found] = memory.list(memory_type="lesson").memories
        return found.evidence, found.status

    call(hook, UTF, UNICODE)
    call(hook, GBK)
    hook("stop")
    formed = lesson()
    assert (len(formed[0]), formed[1]) == (2, "tentative")
    assert "avoid" in hook("before-tool", "s2", tool_name="read_csv", tool_input=UTF)
    call(hook, GBK, session="s2")
    hook("stop", session="s2")
    assert lesson() == formed


def test_a_session_that_ended_leaves_no_file(hook: Hook, tmp_path: Path) -> None:
    hook("prompt", prompt="我对花生过敏。")
    call(hook, UTF, UNICODE)
    assert list((tmp_path / "sessions").iterdir()) != []
    hook("session-end")
    assert list((tmp_path / "sessions").iterdir()) == []
