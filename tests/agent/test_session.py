"""A session's memory in the agent's loop: on time, in batches, and never in the way."""

import threading
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest

from hindsight_memory import Hindsight
from hindsight_memory.agent.session import AgentSession, AsyncAgentSession, Ended
from hindsight_memory.errors import InvalidInput, Unavailable


class Scripted:
    """A client that answers as told and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.fails: Exception | None = None
        self.released = threading.Event()
        self.hangs = False

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append((tool, arguments))
        if self.hangs:
            self.released.wait()
        if self.fails is not None:
            raise self.fails
        answers: dict[str, dict[str, Any]] = {
            "memory_context": {"context": "# Memory\n- Use gbk."},
            "memory_advise": {"advice": "failed twice", "verdict": "avoid", "failures": 2},
            "memory_retrospect": {"lessons": [{"content": "gbk worked"}]},
        }
        return answers.get(tool, {})

    def tools(self) -> list[str]:
        return [tool for tool, _ in self.asked]


@pytest.fixture
def client() -> Iterator[Scripted]:
    client = Scripted()
    yield client
    client.released.set()


def test_a_session_asks_writes_in_a_batch_and_looks_back(client: Scripted) -> None:
    session = AgentSession(client, session_id="s1", project="shop")
    assert session.start("Import orders") == "# Memory\n- Use gbk."
    assert session.before_tool("read_csv", {"path": "a.csv"}).verdict == "avoid"
    session.after_tool("read_csv", {"path": "a.csv"}, error=ValueError("bad byte"))
    session.turn("user", "Prices are never in dollars.")
    assert "memory_write" not in client.tools()
    assert session.end("success") == Ended(lessons=("gbk worked",), seen=2, written=2)
    assert client.tools()[-3:] == ["memory_write", "memory_write", "memory_retrospect"]
    _, write = client.asked[-3]
    assert write["content"] == "read_csv(path=a.csv) failed: ValueError: bad byte"
    assert (write["session_id"], write["project"], write["idempotency_key"]) == (
        "s1",
        "shop",
        "s1-1",
    )


def test_five_entries_are_written_together(client: Scripted) -> None:
    session = AgentSession(client)
    for number in range(5):
        assert "memory_write" not in client.tools()
        session.turn("user", f"I always use port {number}.")
    assert client.tools()[-5:] == ["memory_write"] * 5


@pytest.mark.parametrize("error", [Unavailable("down"), RuntimeError("a bug")])
def test_whatever_fails_the_agent_goes_on(client: Scripted, error: Exception) -> None:
    client.fails = error
    session = AgentSession(client)
    assert session.start("x") == ""
    assert session.before_tool("t", {}).verdict == "none"
    session.turn("user", "I always use tabs.")
    ended = session.end()
    assert (ended.written, ended.waiting, ended.lessons) == (0, 1, ())
    assert session.problems[0].startswith("unavailable: ")


def test_what_waited_is_written_when_memory_is_back(
    client: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hindsight_memory.agent.session.REST_SECONDS", 0.0)
    client.fails = Unavailable("down")
    session = AgentSession(client)
    session.turn("user", "I always use tabs.")
    session.flush()
    client.fails = None
    ended = session.end()
    assert (ended.written, ended.waiting) == (1, 0)
    keys = [write["idempotency_key"] for tool, write in client.asked if tool == "memory_write"]
    assert keys[0] == keys[1]


def test_what_is_refused_is_told_and_does_not_hold_up_the_rest(client: Scripted) -> None:
    client.fails = InvalidInput("no")
    session = AgentSession(client)
    session.turn("user", "I always use tabs. I never use dollars.")
    ended = session.end()
    assert ended.waiting == 0
    assert session.problems[:2] == ["invalid_input: no", "invalid_input: no"]


def test_a_memory_that_hangs_is_left_alone_after_its_deadline(client: Scripted) -> None:
    client.hangs = True
    session = AgentSession(client, deadline_seconds=0.02)
    assert session.start("x") == ""
    assert session.before_tool("t", {}).text == ""
    assert client.tools() == ["memory_context"]
    assert "did not answer" in session.problems[0]


def told(client: Scripted) -> list[tuple[str, Any]]:
    """What working memory was told: patches, and entries."""
    asked = (each for each in client.asked if each[0].startswith("working_memory"))
    return [(tool, given.get("entries", given.get("patch"))) for tool, given in asked]


def test_working_memory_has_the_goal_and_hears_what_is_news(client: Scripted) -> None:
    session = AgentSession(client, session_id="s", project="shop", user_id="ann")
    session.start("导入一月订单\x1b[0m")
    goal = {"op": "set_goal", "goal": "导入一月订单 [0m"}
    session.after_tool("ls", {})
    session.turn("user", "Thanks!")
    assert told(client) == [("working_memory", [goal])]
    session.after_tool("read", {"path": Path("a")}, error="no")  # type: ignore[dict-item]
    [_, (tool, entries)] = told(client)
    assert (tool, [each.get("tool") for each in entries]) == (
        "working_memory_turn",
        ["ls", None, "read"],
    )
    assert entries[2] == {
        "tool": "read",
        "arguments": {"path": "a"},
        "outcome": "failure",
        "error": "no",
    }
    assert {**client.asked[-1][1], "entries": []} == {
        "entries": [],
        "session_id": "s",
        "user_id": "ann",
    }


def test_arguments_of_any_kind_are_told_as_json(client: Scripted) -> None:
    session = AgentSession(client)
    session.before_tool("read", {"path": Path("a"), "rows": {1}})  # type: ignore[dict-item]
    assert client.asked[0][1]["arguments"] == {"path": "a", "rows": "{1}"}


def test_what_ends_a_failure_is_news_and_a_success_that_nobody_doubted_is_none(
    client: Scripted,
) -> None:
    session = AgentSession(client)
    for error in (None, "no", None, None):
        session.after_tool("read", {}, error=error)
    heard = [[each["outcome"] for each in entries] for _, entries in told(client)]
    assert heard == [["success", "failure"], ["success"]]


def test_what_working_memory_did_not_take_waits_for_its_next_news(
    client: Scripted, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("hindsight_memory.agent.session.REST_SECONDS", 0.0)
    client.fails = Unavailable("down")
    session = AgentSession(client)
    session.start("Import orders")
    session.after_tool("read", {}, error="no")
    client.asked.clear()
    client.fails = None
    session.turn("user", "I always use tabs.")
    assert [(tool, len(given)) for tool, given in told(client)] == [
        ("working_memory", 1),
        ("working_memory_turn", 2),
    ]


def test_of_what_waits_for_long_the_newest_is_kept(client: Scripted) -> None:
    session = AgentSession(client)
    for number in range(50):
        session.after_tool("ls", {"n": number})
    session.after_tool("ls", {"n": 50}, error="no")
    [(_, entries)] = told(client)
    assert [each["arguments"]["n"] for each in entries] == [*range(11, 51)]


def test_a_long_turn_is_told_by_both_ends(client: Scripted) -> None:
    session = AgentSession(client)
    session.turn("user", "I always use tabs. " + "很" * 5_000 + "。价格必须用欧元。")
    [(_, [entry])] = told(client)
    content = entry["content"]
    assert (len(content), content[:18], content[-8:]) == (
        2_999,
        "I always use tabs.",
        "价格必须用欧元。",
    )


def test_a_block_that_raises_ends_as_a_failure(client: Scripted) -> None:
    with pytest.raises(KeyError), AgentSession(client, session_id="s"):
        raise KeyError
    assert client.asked == [("memory_retrospect", {"session_id": "s", "outcome": "failure"})]


async def test_an_event_loop_has_the_same(client: Scripted) -> None:
    session = AsyncAgentSession(client, session_id="s")
    assert await session.start("x") != ""
    await session.turn("user", "I always use tabs.")
    await session.after_tool("t", {}, error="no")
    assert (await session.before_tool("t", {})).failures == 2
    assert (await session.end()).written == 2


def test_what_a_session_wrote_is_found_by_the_next(tmp_path: Path) -> None:
    with Hindsight.open(f"sqlite:///{tmp_path}/m.db", embedder="none") as memory:
        session = AgentSession(memory, session_id="one", project="shop")
        session.turn("user", "价格必须用欧元。")
        session.flush()
        [hit] = memory.search("价格 欧元", project="shop").hits
        assert (hit.memory.content, hit.memory.source) == ("价格必须用欧元。", "user_explicit")
        assert session.problems == []


def test_a_session_keeps_working_memory_up_to_date(tmp_path: Path) -> None:
    with Hindsight.open(f"sqlite:///{tmp_path}/m.db", embedder="none") as memory:
        session = AgentSession(memory, session_id="one", project="shop", deadline_seconds=10)
        session.start("导入一月订单")
        session.turn("user", "价格必须用欧元。")
        session.after_tool("read_csv", {"encoding": "utf-8"}, error="UnicodeDecodeError")
        session.after_tool("read_csv", {"encoding": "gbk"}, result="812 rows")
        found = memory.working_memory("one").document
        assert session.problems == []
    assert found.model_dump() == {
        "task_goal": "导入一月订单",
        "confirmed_facts": [{"fact": "价格必须用欧元。", "source": "user_explicit"}],
        "pending_items": [],
        "failed_attempts": [
            {"action": "read_csv(encoding=utf-8)", "reason": "", "error": "UnicodeDecodeError"}
        ],
        "tool_call_history": [
            {"tool": "read_csv", "arguments": {"encoding": "utf-8"}, "status": "failure"},
            {"tool": "read_csv", "arguments": {"encoding": "gbk"}, "status": "success"},
        ],
        "folded": {},
    }
