"""An export of the past: what a list of that time shows, as it was, and whole in itself."""

import json
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.exporting import Wanted, export_lines
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.transfer import decoded, import_rows
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

START = datetime(2030, 1, 1, tzinfo=UTC)
Open = Callable[[], Memories]


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def exported(memory: Hindsight, **only: Any) -> list[bytes]:
    lines: list[bytes] = []
    export_lines(memory.memories.parts, "default", lines.append, wanted=Wanted(**only))
    return lines


def contents(lines: list[bytes]) -> list[str]:
    read = [json.loads(line) for line in lines[1:]]
    return [each["memory"]["content"] for each in read if "memory" in each]


@pytest.fixture
def lived(memory: Hindsight, clock: FrozenClock) -> dict[str, str]:
    """The ids of what was written on day 1; on day 10 all of it has changed."""
    clock.advance(timedelta(days=1))
    given: dict[str, Any] = {"source": "user_explicit", "valid_from": day(-100)}
    ids = {}
    for name, content in {
        "home": "用户住在杭州",
        "port": "The port is 8000",
        "tea": "我喜欢茶",
    }.items():
        written = memory.write(content, **given).memory
        assert written is not None
        ids[name] = written.id
    clock.advance(timedelta(days=9))
    memory.write("用户住在柏林", supersedes=ids["home"], source="user_explicit", valid_from=day(5))
    memory.update(ids["port"], content="The port is 9000", tier="cold")
    memory.forget(ids["tea"])
    return ids


TIMES: list[dict[str, datetime]] = [
    {"as_of": day(6)},
    {"as_of": day(4)},
    {"as_of": day(-101)},
    {"known_at": day(0)},
    {"known_at": day(9)},
    {"known_at": day(10)},
    {"as_of": day(7), "known_at": day(9)},
    {"as_of": day(7), "known_at": day(11)},
]


@pytest.mark.parametrize("times", TIMES, ids=str)
def test_it_holds_what_a_list_of_that_time_shows(
    memory: Hindsight, lived: dict[str, str], times: dict[str, Any]
) -> None:
    listed = memory.list(include=["cold"], **times).memories
    assert contents(exported(memory, **times)) == [each.content for each in reversed(listed)]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({"known_at": day(9)}, ["用户住在杭州", "The port is 8000"]),
        ({"as_of": day(4)}, ["用户住在杭州", "The port is 9000"]),
        ({"as_of": day(6)}, ["The port is 9000", "用户住在柏林"]),
    ],
    ids=str,
)
def test_each_memory_is_as_it_was(
    memory: Hindsight, lived: dict[str, str], times: dict[str, Any], expected: list[str]
) -> None:
    assert contents(exported(memory, **times)) == expected


@pytest.mark.parametrize("times", TIMES, ids=str)
def test_it_is_whole_in_itself(
    memory: Hindsight, another: Open, lived: dict[str, str], times: dict[str, Any]
) -> None:
    lines = exported(memory, **times)
    there = Hindsight(another(), Caller())
    report = import_rows(there.memories.parts, Caller(), decoded(lines))
    assert (report.problems, report.rejected) == ([], [])
    shown = there.list(include=["cold"]).memories
    assert [each.content for each in reversed(shown)] == contents(lines)
    assert there.memories.parts.store.problems() == []


def test_what_was_known_then_has_the_history_of_then(
    memory: Hindsight, lived: dict[str, str]
) -> None:
    [_, home, port] = [json.loads(line) for line in exported(memory, known_at=day(9))]
    assert [each["operation"] for each in home["history"]] == ["stored"]
    assert home["memory"]["superseded_by"] is None
    assert (port["memory"]["tier"], port["memory"]["version"]) == ("active", 1)
    assert port["memory"]["updated_at"] == "2030-01-02T00:00:00.000000+00:00"


def test_what_was_replaced_since_says_why_it_is_current(
    memory: Hindsight, lived: dict[str, str]
) -> None:
    [header, home, _] = [json.loads(line) for line in exported(memory, as_of=day(4))]
    assert header["as_of"] == "2030-01-05T00:00:00.000000+00:00"
    assert home["memory"]["valid_to"] == "2030-01-06T00:00:00.000000+00:00"
    last = home["history"][-1]
    assert (last["operation"], last["reason"]) == ("exported", "as of 2030-01-05")
    assert sorted(last["before"]) == ["retired_at", "superseded_by"]


def test_a_rejection_is_exported_from_when_it_was_known(
    memory: Hindsight, clock: FrozenClock
) -> None:
    idea = memory.write("问题出在缓存").memory
    assert idea is not None
    clock.advance(timedelta(days=5))
    memory.verify(idea.id, action="reject")
    counted = {
        name: sum(b'{"rejection"' in line for line in exported(memory, **times))
        for name, times in {
            "before": {"known_at": day(4)},
            "after": {"known_at": day(5)},
            "of the world": {"as_of": day(0)},
        }.items()
    }
    assert counted == {"before": 0, "after": 1, "of the world": 1}
