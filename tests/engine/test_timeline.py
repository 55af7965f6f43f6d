"""What is told later of a time between two others, and what answers for that time."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from itertools import permutations
from typing import Any

import pytest

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.schemas import WriteOut
from hindsight_memory.testing.fakes import FrozenClock


def said(memory: Hindsight, content: str, since: int, source: Any = "user_explicit") -> WriteOut:
    return memory.write(content, source=source, valid_from=datetime(since, 1, 1, tzinfo=UTC))


def answers(memory: Hindsight, *years: int) -> list[list[str]]:
    """What was true in the middle of each year."""
    times = (datetime(year, 7, 1, tzinfo=UTC) for year in years)
    told = (memory.list(as_of=at, include=["cold"]).memories for at in times)
    return [[each.content for each in memories] for memories in told]


ACME, GLOBEX, INITECH = "Ann works at Acme", "Ann works at Globex", "Ann works at Initech"


@pytest.mark.parametrize(
    ("first", "between", "last"),
    [
        (ACME, GLOBEX, INITECH),
        ("用户住在上海", "用户住在杭州", "用户住在成都"),
        ("The API listens on port 1", "The API listens on port 2", "The API listens on port 3"),
    ],
)
def test_what_lies_between_two_ends_the_first_and_is_ended_by_the_second(
    memory: Hindsight, first: str, between: str, last: str
) -> None:
    old = said(memory, first, 2020).memory
    said(memory, last, 2024)
    written = said(memory, between, 2022)
    assert answers(memory, 2019, 2021, 2023, 2025) == [[], [first], [between], [last]]
    assert old is not None
    assert (written.outcome, memory.show(old.id).version) == ("stored", 3)
    assert f"it held until 2024-01-01; it changes what is remembered of the time of '{old.id}'" in (
        written.reason
    )


def test_the_next_of_several_later_ones_ends_it(memory: Hindsight) -> None:
    said(memory, INITECH, 2024)
    said(memory, GLOBEX, 2027)
    said(memory, ACME, 2022)
    assert answers(memory, 2023, 2025, 2028) == [[ACME], [INITECH], [GLOBEX]]


def test_what_was_before_ends_also_where_its_successor_is_forgotten(memory: Hindsight) -> None:
    said(memory, ACME, 2020)
    last = said(memory, INITECH, 2024).memory
    assert last is not None
    memory.forget(last.id)
    said(memory, GLOBEX, 2022)
    assert answers(memory, 2021, 2023, 2025) == [[ACME], [GLOBEX], [GLOBEX]]


def test_a_lesser_source_ends_nothing_and_is_disputed(memory: Hindsight) -> None:
    said(memory, ACME, 2020)
    said(memory, INITECH, 2024)
    guess = said(memory, GLOBEX, 2022, "external").memory
    assert guess is not None
    assert guess.status == "disputed"
    assert answers(memory, 2021, 2025) == [[ACME], [INITECH]]


def test_a_better_source_disputes_what_a_lesser_one_said_of_a_later_time(
    memory: Hindsight,
) -> None:
    guess = said(memory, GLOBEX, 2022, "external").memory
    said(memory, INITECH, 2024)
    said(memory, ACME, 2020)
    assert guess is not None
    assert memory.show(guess.id).status == "disputed"


def test_what_holds_beside_it_keeps_its_time(memory: Hindsight) -> None:
    said(memory, "Bob works at Acme", 2020)
    said(memory, "Bob works at Initech", 2024)
    said(memory, ACME, 2020)
    said(memory, INITECH, 2024)
    said(memory, GLOBEX, 2022)
    assert answers(memory, 2023) == [[GLOBEX, "Bob works at Acme"]]


def test_what_is_restored_rules_out_what_held_meanwhile(
    memory: Hindsight, clock: FrozenClock
) -> None:
    first = said(memory, ACME, 2020).memory
    said(memory, GLOBEX, 2022)
    said(memory, INITECH, 2024)
    clock.advance(timedelta(days=1))
    assert first is not None
    memory.update(first.id, restore=True)
    assert answers(memory, 2021, 2023, 2025) == [[ACME], [ACME], [ACME]]


def test_what_was_known_before_is_still_told(memory: Hindsight, clock: FrozenClock) -> None:
    said(memory, ACME, 2020)
    said(memory, INITECH, 2024)
    known_at = clock.now()
    clock.advance(timedelta(days=1))
    said(memory, GLOBEX, 2022)
    found = memory.list(as_of=datetime(2023, 7, 1, tzinfo=UTC), known_at=known_at).memories
    assert [each.content for each in found] == [ACME]


def test_whatever_the_order_of_telling_each_time_has_its_value(
    another: Callable[[], Memories],
) -> None:
    years = (2018, 2020, 2022, 2024)
    for order in permutations(years):
        memory = Hindsight(another(), Caller())
        for year in order:
            said(memory, f"Ann works at Team{year}", year)
        wanted = [[f"Ann works at Team{year}"] for year in years]
        assert (order, answers(memory, *years)) == (order, wanted)
