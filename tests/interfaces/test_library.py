"""The library's door: what it refuses like the others, and what it tells a person who asks."""

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from inspect import signature

import pytest

from hindsight_memory import Hindsight, InvalidInput

HALF = "\ud83d"
"""The first half of an emoji, as a stream that was cut leaves it."""


@pytest.mark.parametrize(
    "call",
    [
        lambda memory: memory.show(HALF),
        lambda memory: memory.list(session_id=HALF),
        lambda memory: memory.write("tea", supersedes=HALF),
        lambda memory: memory.write("tea", event={"action": HALF}),
        lambda memory: memory.feedback("recall", [HALF]),
    ],
    ids=["show", "list", "write", "event", "feedback"],
)
def test_half_a_character_is_refused(
    memory: Hindsight, call: Callable[[Hindsight], object]
) -> None:
    with pytest.raises(InvalidInput, match="half a character"):
        call(memory)


@pytest.mark.parametrize(
    "instant",
    [
        datetime(1, 1, 1, tzinfo=timezone(timedelta(hours=14))),
        datetime(9999, 12, 31, 23, tzinfo=timezone(timedelta(hours=-12))),
    ],
)
def test_an_instant_that_has_no_utc_is_refused(memory: Hindsight, instant: datetime) -> None:
    with pytest.raises(InvalidInput, match=r"since: .*years 1 to 9999"):
        memory.search("tea", since=instant)


def test_a_budget_may_be_larger_than_any_number_of_tokens(memory: Hindsight) -> None:
    assert memory.search("tea", token_budget=10**400).hits == []


def test_a_method_tells_what_it_takes_and_when_to_call_it() -> None:
    assert [*signature(Hindsight.history).parameters] == ["self", "memory_id", "agent_id"]
    assert (Hindsight.history.__doc__ or "").startswith("Every version of one memory")
