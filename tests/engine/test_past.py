"""What was true then, and what we knew then."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hindsight_memory.errors import NotFound
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

START = datetime(2030, 1, 1, tzinfo=UTC)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


@pytest.fixture
def moved(memory: Hindsight, clock: FrozenClock) -> dict[str, str]:
    """On day 1 we learn: in Hangzhou since day -100. On day 10: in Berlin since day 5."""
    clock.advance(timedelta(days=1))
    old = memory.write("用户住在杭州", source="user_explicit", valid_from=day(-100)).memory
    clock.advance(timedelta(days=9))
    assert old is not None
    new = memory.write(
        "用户住在柏林", source="user_explicit", valid_from=day(5), supersedes=old.id
    ).memory
    assert new is not None
    clock.advance(timedelta(days=20))
    return {"杭州": old.id, "柏林": new.id}


def answers(memory: Hindsight, **times: Any) -> list[str]:
    return [hit.memory.content[-2:] for hit in memory.search("用户住在哪里", **times).hits]


@pytest.mark.parametrize(
    ("times", "expected"),
    [
        ({}, ["柏林"]),
        ({"as_of": day(6)}, ["柏林"]),
        ({"as_of": day(5)}, ["柏林"]),
        ({"as_of": day(5) - timedelta(microseconds=1)}, ["杭州"]),
        ({"as_of": day(-101)}, []),
        ({"known_at": day(0)}, []),
        ({"known_at": day(1)}, ["杭州"]),
        ({"known_at": day(9)}, ["杭州"]),
        ({"known_at": day(10)}, ["柏林"]),
        ({"as_of": day(7), "known_at": day(9)}, ["杭州"]),
        ({"as_of": day(7), "known_at": day(11)}, ["柏林"]),
    ],
    ids=str,
)
def test_each_time_has_its_answer(
    memory: Hindsight, moved: dict[str, str], times: dict[str, Any], expected: list[str]
) -> None:
    assert answers(memory, **times) == expected
    listed = memory.list(**times).memories
    assert [each.content[-2:] for each in listed] == expected
    for place, memory_id in moved.items():
        if place in expected:
            assert memory.show(memory_id, **times).content == f"用户住在{place}"
        elif times:
            with pytest.raises(NotFound, match="at that time"):
                memory.show(memory_id, **times)


def test_what_was_current_then_is_not_shown_as_stale(
    memory: Hindsight, moved: dict[str, str]
) -> None:
    [hit] = memory.search("用户住在哪里", as_of=day(0)).hits
    assert (hit.verdict, hit.memory.id) == ("current", moved["杭州"])


def test_an_edit_is_undone_for_who_asks_what_we_knew(memory: Hindsight, clock: FrozenClock) -> None:
    written = memory.write("the port is 8000").memory
    assert written is not None
    clock.advance(timedelta(days=2))
    memory.update(written.id, content="the port is 9000", importance=0.9)
    then = memory.show(written.id, known_at=day(1))
    assert (then.content, then.importance, then.version) == ("the port is 8000", 0.5, 1)
    assert [hit.memory.content for hit in memory.search("port", known_at=day(1)).hits] == [
        "the port is 8000"
    ]


def test_what_is_forgotten_is_forgotten_at_every_time(
    memory: Hindsight, clock: FrozenClock
) -> None:
    written = memory.write("the port is 8000").memory
    assert written is not None
    clock.advance(timedelta(days=2))
    memory.forget(written.id)
    assert memory.search("port", known_at=day(1)).hits == []
    with pytest.raises(NotFound):
        memory.show(written.id, known_at=day(1))
