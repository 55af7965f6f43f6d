"""Which of a session's failed attempts a call would repeat."""

import pytest

from hindsight_memory.core.attempts import repeated
from hindsight_memory.core.calls import Call, described
from hindsight_memory.core.model import Json
from hindsight_memory.core.moments import Asked
from hindsight_memory.core.working import Attempt, ToolCall
from hindsight_memory.testing.samples import NOON

ORDERS: dict[str, Json] = {"path": "一月.csv", "encoding": "utf-8"}


@pytest.mark.parametrize(
    ("action", "tool", "arguments", "is_so"),
    [
        ("read_csv(path=一月.csv, encoding=utf-8)", "read_csv", ORDERS, True),
        ("read_csv 用utf-8读一月.csv", "read_csv", {"path": "一月.csv"}, True),
        ("Read a.csv", "Read", {"file_path": "a.csv"}, True),
        ("pip install torch", "Bash", {"command": "cd x && pip install torch --quiet"}, True),
        ("tried `pytest -q tests`", "Bash", {"command": "pytest -q tests"}, True),
        ("make", "Bash", {"command": "make"}, True),
        (
            "read_csv(path=一月.csv, encoding=utf-8)",
            "read_csv",
            ORDERS | {"encoding": "gbk"},
            False,
        ),
        ("pip install torch", "Bash", {"command": "pip install numpy"}, False),
        ("make it work", "Bash", {"command": "make"}, False),
        ("write the report", "Write", {"file_path": "b.md"}, False),
        ("read the orders", "read_csv", ORDERS, False),
        ("", "Bash", {"command": "ls"}, False),
    ],
)
def test_an_attempt_is_the_call_when_it_names_the_tool_and_all_its_values_or_the_command(
    action: str, tool: str, arguments: dict[str, Json], *, is_so: bool
) -> None:
    asked = Asked(tool=tool, arguments=arguments)
    attempt = Attempt(action=action)
    assert repeated(asked, [attempt], ()) == [attempt] * is_so


def test_a_call_as_this_memory_tells_it_is_recognised() -> None:
    call = Call(memory_id="m", session_id="s", tool="查询", arguments={"库": "订单"}, at=NOON)
    attempt = Attempt(action=described(call))
    assert repeated(Asked(tool="查询", arguments={"库": "订单"}), [attempt], ()) == [attempt]


def test_an_attempt_is_over_when_such_a_call_has_worked_in_the_session() -> None:
    asked = Asked(tool="read_csv", arguments=ORDERS)
    attempts = [Attempt(action="read_csv(path=一月.csv, encoding=utf-8)")]
    worked = ToolCall(tool="read_csv", arguments=ORDERS, status="success")
    failed = ToolCall(tool="read_csv", arguments=ORDERS, status="failure")
    assert repeated(asked, attempts, [worked]) == []
    assert repeated(asked, attempts, [failed]) == attempts
