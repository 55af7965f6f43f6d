"""Clocks that are set back, statements about the future, ends before beginnings, clock changes."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hindsight_memory.core.model import Caller
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.schemas import WriteOut
from hindsight_memory.testing.fakes import FrozenClock

START = datetime(2030, 1, 1, tzinfo=UTC)
TWO_DAYS = timedelta(days=2)
MOVES = {
    "zh": ("用户住在上海", "我搬到杭州了", "我搬到成都了"),
    "en": ("The user lives in Oslo", "I moved to Bonn", "I moved to Rome"),
    "a thing": ("The API listens on port 80", "The API listens on port 81", "The API port is 82"),
}
each_way = pytest.mark.parametrize("said", MOVES.values(), ids=MOVES)


def day(number: int) -> datetime:
    return START + timedelta(days=number)


def say(memory: Hindsight, content: str, **given: Any) -> WriteOut:
    return memory.write(content, source="user_explicit", **given)


def current(memory: Hindsight, **times: Any) -> list[str]:
    """What a list shows, the oldest first."""
    return [each.content for each in reversed(memory.list(**times).memories)]


@each_way
def test_what_is_said_after_the_clock_was_set_back_is_later_all_the_same(
    memory: Hindsight, clock: FrozenClock, said: tuple[str, str, str]
) -> None:
    first = say(memory, said[0]).memory
    clock.advance(-TWO_DAYS)
    second = say(memory, said[1])
    clock.advance(timedelta(hours=1))
    third = say(memory, said[2])
    assert (second.outcome, third.outcome) == ("superseded", "superseded")
    assert current(memory) == [said[2]]
    assert first is not None
    assert second.memory is not None
    assert second.memory.created_at == first.created_at + timedelta(microseconds=1)
    assert memory.memories.parts.store.problems() == []


def test_a_clock_that_was_set_back_dates_nothing_but_what_it_would_put_in_the_wrong_order(
    memory: Hindsight, clock: FrozenClock
) -> None:
    say(memory, "用户住在上海")
    clock.advance(-TWO_DAYS)
    other = say(memory, "The API listens on port 80").memory
    assert other is not None
    assert other.created_at == clock.now()


def test_a_time_that_was_given_is_kept_whatever_the_clock_says(
    memory: Hindsight, clock: FrozenClock
) -> None:
    say(memory, "用户住在上海")
    clock.advance(-TWO_DAYS)
    told = say(memory, "我搬到杭州了", valid_from=clock.now() - TWO_DAYS)
    assert told.reason.startswith("history: ")
    assert current(memory) == ["用户住在上海"]


@each_way
def test_a_statement_about_the_future_takes_over_when_its_time_comes(
    memory: Hindsight, clock: FrozenClock, said: tuple[str, str, str]
) -> None:
    old = say(memory, said[0]).memory
    clock.advance(timedelta(days=1))
    new = say(memory, said[1], valid_from=day(30))
    assert old is not None
    assert new.memory is not None
    assert (new.outcome, new.memory.related_ids) == ("superseded", [old.id])
    assert new.reason.endswith("from 2030-01-31 on, and until then both are kept")
    assert current(memory) == [said[0], said[1]]
    assert current(memory, as_of=clock.now()) == [said[0]]
    assert memory.verify(old.id).verdict == "current"
    clock.advance(timedelta(days=30))
    assert memory.verify(old.id).verdict == "stale"
    assert current(memory, as_of=clock.now()) == [said[1]]
    verdicts = {hit.memory.content: hit.verdict for hit in memory.search(said[0]).hits}
    assert verdicts == {said[0]: "stale", said[1]: "current"}


@each_way
def test_what_is_said_before_that_time_holds_until_then(
    memory: Hindsight, clock: FrozenClock, said: tuple[str, str, str]
) -> None:
    say(memory, said[0])
    clock.advance(timedelta(days=1))
    say(memory, said[1], valid_from=day(30))
    clock.advance(timedelta(days=1))
    say(memory, said[2])
    shown = {number: current(memory, as_of=day(number)) for number in (0, 1, 2, 29, 30)}
    assert shown == {0: [said[0]], 1: [said[0]], 2: [said[2]], 29: [said[2]], 30: [said[1]]}


@pytest.mark.parametrize("how", ["forget", "purge", "reject", "restore"])
def test_what_was_to_end_goes_on_when_the_plan_is_dropped(
    memory: Hindsight, clock: FrozenClock, how: str
) -> None:
    old = say(memory, "用户住在上海").memory
    clock.advance(timedelta(days=1))
    new = say(memory, "我搬到杭州了", valid_from=day(30)).memory
    assert old is not None
    assert new is not None
    person = Hindsight(memory.memories, Caller(is_person=True))
    ways: dict[str, Callable[[], object]] = {
        "forget": lambda: memory.forget(new.id),
        "purge": lambda: memory.forget(new.id, hard_delete=True),
        "reject": lambda: person.verify(new.id, action="reject"),
        "restore": lambda: memory.update(old.id, restore=True),
    }
    ways[how]()
    assert current(memory) == ["用户住在上海"]
    clock.advance(timedelta(days=60))
    assert current(memory, as_of=clock.now()) == ["用户住在上海"]
    assert memory.verify(old.id).verdict == "current"
    assert memory.memories.parts.store.problems() == []


def test_what_is_said_first_of_the_future_does_not_hide_the_present(
    memory: Hindsight, clock: FrozenClock
) -> None:
    say(memory, "我搬到杭州了", valid_from=day(30))
    clock.advance(timedelta(days=1))
    now = say(memory, "用户住在上海")
    assert now.outcome == "stored"
    assert current(memory) == ["我搬到杭州了", "用户住在上海"]
    assert current(memory, as_of=day(2)) == ["用户住在上海"]
    assert current(memory, as_of=day(31)) == ["我搬到杭州了"]


@each_way
def test_what_was_to_begin_later_may_begin_now(
    memory: Hindsight, clock: FrozenClock, said: tuple[str, str, str]
) -> None:
    say(memory, said[0])
    clock.advance(timedelta(days=1))
    say(memory, said[1], valid_from=day(30))
    clock.advance(timedelta(days=1))
    now = say(memory, said[1])
    assert now.outcome == "superseded"
    assert "; it begins earlier than " in now.reason
    assert current(memory) == [said[1]]
    shown = {number: current(memory, as_of=day(number)) for number in (1, 2, 31)}
    assert shown == {1: [said[0]], 2: [said[1]], 31: [said[1]]}
    assert memory.memories.parts.store.problems() == []


def test_what_replaces_an_older_value_may_itself_be_history(memory: Hindsight) -> None:
    say(memory, "用户住在上海", valid_from=day(-30))
    say(memory, "用户住在杭州", valid_from=day(-9))
    say(memory, "我搬到杭州了", valid_from=day(-3))
    told = say(memory, "我搬到成都了", valid_from=day(-5))
    assert (told.outcome, told.memory and told.memory.valid_to) == ("superseded", day(-3))
    assert current(memory) == ["我搬到杭州了"]
    shown = {number: current(memory, as_of=day(number)) for number in (-20, -9, -5, -3)}
    assert shown == {
        -20: ["用户住在上海"],
        -9: ["用户住在杭州"],
        -5: ["我搬到成都了"],
        -3: ["我搬到杭州了"],
    }


def test_what_replaces_its_like_may_still_contradict_a_better_source(
    memory: Hindsight, clock: FrozenClock
) -> None:
    better = say(memory, "用户住在上海").memory
    clock.advance(timedelta(days=1))
    memory.write("用户住在杭州")
    clock.advance(timedelta(days=1))
    guess = memory.write("用户住在成都").memory
    assert better is not None
    assert guess is not None
    assert (guess.status, guess.counter_examples) == ("disputed", [better.id])
    assert current(memory) == ["用户住在上海", "用户住在成都"]


def test_a_known_end_is_cut_where_something_else_began(
    memory: Hindsight, clock: FrozenClock
) -> None:
    old = say(memory, "用户住在上海", valid_to=day(90)).memory
    clock.advance(timedelta(days=5))
    say(memory, "我搬到杭州了")
    assert old is not None
    assert memory.show(old.id).valid_to == day(5)
    assert current(memory, as_of=day(10)) == ["我搬到杭州了"]


def test_an_end_before_the_beginning_is_refused(memory: Hindsight) -> None:
    with pytest.raises(InvalidInput, match="`valid_to` is before `valid_from`"):
        say(memory, "用户住在上海", valid_from=day(2), valid_to=day(1))
    same = say(memory, "用户在上海开会", valid_from=day(2), valid_to=day(2)).memory
    assert same is not None
    assert current(memory, as_of=day(2)) == []


def test_an_end_in_the_past_without_a_beginning_is_over_from_the_start(memory: Hindsight) -> None:
    over = say(memory, "用户住在上海", valid_to=day(-10)).memory
    assert over is not None
    assert memory.verify(over.id).verdict == "stale"
    assert current(memory, as_of=day(-20)) == []


CLOCK_CHANGES = {
    "Europe/Berlin": ("2029-10-28T02:30:00+02:00", "2029-10-28T02:30:00+01:00"),
    "America/New_York": ("2029-11-04T01:30:00-04:00", "2029-11-04T01:30:00-05:00"),
    "Australia/Lord_Howe": ("2029-04-01T01:45:00+11:00", "2029-04-01T01:45:00+10:30"),
}


@pytest.mark.parametrize(("first", "second"), CLOCK_CHANGES.values(), ids=CLOCK_CHANGES)
def test_an_hour_that_comes_twice_is_two_hours(memory: Hindsight, first: str, second: str) -> None:
    say(memory, "用户住在上海", valid_from=first)
    say(memory, "我搬到杭州了", valid_from=second)
    assert current(memory) == ["我搬到杭州了"]
    moved = datetime.fromisoformat(second)
    assert current(memory, as_of=moved) == ["我搬到杭州了"]
    assert current(memory, as_of=moved - timedelta(microseconds=1)) == ["用户住在上海"]


def test_a_time_without_an_offset_is_utc_in_any_zone(memory: Hindsight) -> None:
    kept = say(memory, "用户住在上海", valid_from="2029-03-25T02:30:00").memory
    assert kept is not None
    assert kept.valid_from == datetime(2029, 3, 25, 2, 30, tzinfo=UTC)


def test_what_comes_after_a_dropped_plan_takes_over_instead(
    memory: Hindsight, clock: FrozenClock
) -> None:
    say(memory, "用户住在上海")
    clock.advance(timedelta(days=1))
    plan = say(memory, "我搬到杭州了", valid_from=day(30)).memory
    say(memory, "我搬到成都了", valid_from=day(60))
    assert plan is not None
    memory.forget(plan.id)
    shown = {number: current(memory, as_of=day(number)) for number in (29, 30, 59, 60)}
    assert shown == {
        29: ["用户住在上海"],
        30: ["用户住在上海"],
        59: ["用户住在上海"],
        60: ["我搬到成都了"],
    }
