"""Working memory of a session that hooks follow: told at the end of a turn, once, and in order."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from hindsight_memory import Hindsight, InvalidInput, NotFound, Unavailable
from hindsight_memory.agent.hooks import Happened, Hooks

SAID = Happened(session_id="s1", prompt="导入一月订单。价格必须用欧元。")
FAILED = Happened(session_id="s1", tool="read_csv", arguments={"path": "a.csv"}, error="0xb9")
LISTED = Happened(session_id="s1", tool="ls", arguments={})
STOP = Happened(session_id="s1")


class Failing:
    """The memory, but for what fails."""

    def __init__(self, memory: Hindsight) -> None:
        self.memory = memory
        self.fails: Exception | None = None
        self.called: list[str] = []

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        self.called.append(tool)
        if self.fails is not None and tool.startswith("working_memory"):
            raise self.fails
        return self.memory.call(tool, arguments)


@pytest.fixture
def client(memory: Hindsight) -> Failing:
    return Failing(memory)


@pytest.fixture
def hooks(client: Failing, tmp_path: Path) -> Hooks:
    return Hooks(client, tmp_path / "spool")


def calls(memory: Hindsight) -> list[tuple[str, str]]:
    history = memory.working_memory("s1").document.tool_call_history
    return [(each.tool, each.status) for each in history]


def test_the_end_of_a_turn_tells_working_memory(hooks: Hooks, memory: Hindsight) -> None:
    hooks.run("prompt", SAID)
    hooks.run("after-tool", LISTED)
    hooks.run("tool-failed", FAILED)
    assert memory.working_memory("s1").version == 0
    hooks.run("stop", STOP)
    found = memory.working_memory("s1").document
    assert found.task_goal == SAID.prompt
    assert [each.fact for each in found.confirmed_facts] == ["价格必须用欧元。"]
    assert [each.action for each in found.failed_attempts] == ["read_csv(path=a.csv)"]
    assert calls(memory) == [("ls", "success"), ("read_csv", "failure")]


def test_each_entry_is_told_once_and_what_is_no_news_with_the_next(
    hooks: Hooks, memory: Hindsight
) -> None:
    for happened in (SAID, FAILED):
        hooks.run("prompt" if happened.prompt else "tool-failed", happened)
        hooks.run("stop", STOP)
    hooks.run("after-tool", LISTED)
    hooks.run("stop", STOP)
    assert calls(memory) == [("read_csv", "failure")]
    hooks.run("after-tool", Happened(session_id="s1", tool="read_csv", arguments={}))
    hooks.run("stop", STOP)
    assert calls(memory) == [("read_csv", "failure"), ("ls", "success"), ("read_csv", "success")]


def test_a_later_prompt_is_no_other_goal(hooks: Hooks, memory: Hindsight) -> None:
    for prompt in ("Import the orders", "Thanks, go on"):
        hooks.run("prompt", Happened(session_id="s1", prompt=prompt))
        hooks.run("stop", STOP)
    assert memory.working_memory("s1").document.task_goal == "Import the orders"


def test_what_could_not_be_told_is_told_at_the_next_end(
    hooks: Hooks, client: Failing, memory: Hindsight
) -> None:
    hooks.run("tool-failed", FAILED)
    client.fails = Unavailable("down")
    with pytest.raises(Unavailable):
        hooks.run("stop", STOP)
    client.fails = None
    hooks.run("stop", STOP)
    assert calls(memory) == [("read_csv", "failure")]


@pytest.mark.parametrize("error", [InvalidInput("no"), NotFound("an older server")])
def test_what_is_refused_is_told_once_and_hinders_nothing(
    hooks: Hooks, client: Failing, error: Exception
) -> None:
    client.fails = error
    hooks.run("tool-failed", FAILED)
    for _ in range(2):
        hooks.run("stop", STOP)
    assert client.called.count("working_memory_turn") == 1
    assert client.called[-1] == "memory_retrospect"


def test_a_session_that_is_over_leaves_no_file(hooks: Hooks, tmp_path: Path) -> None:
    hooks.run("prompt", SAID)
    hooks.run("session-end", STOP)
    assert [*(tmp_path / "spool").iterdir()] == []
