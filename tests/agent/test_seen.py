"""What a model has in view is not said again, and what changed is."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.agent.seen import keys, unseen
from hindsight_memory.core.context import HEADER, age
from hindsight_memory.core.fence import CLOSE, OPEN

NOW = datetime(2030, 1, 1, tzinfo=UTC)


def block(*items: str) -> str:
    return "\n".join((OPEN, HEADER, *(f"- {item}" for item in items), CLOSE))


def test_what_was_seen_goes_and_the_rest_stays_in_its_fence() -> None:
    assert unseen(block("[fact] a", "[fact] b"), keys(block("[fact] a"))) == block("[fact] b")


def test_a_block_of_what_was_seen_says_nothing() -> None:
    assert unseen(block("[fact] a"), keys(block("[fact] b", "[fact] a"))) == ""
    assert unseen("", keys(block("[fact] a"))) == ""


def test_a_changed_status_or_value_is_said_again() -> None:
    seen = keys(block("[fact, 2030-01-01] port 8000"))
    for changed in ("[fact, 2030-01-01, disputed] port 8000", "[fact, 2030-01-01] port 9000"):
        assert unseen(block(changed), seen) == block(changed)


@given(st.timedeltas(timedelta(days=-2), timedelta(days=4_000)))
def test_growing_older_makes_nothing_new(apart: timedelta) -> None:
    def told(now: datetime) -> str:
        since = age(NOW, now)
        return block(f"[fact, 2030-01-01, {since}] a", f"caution: failed 2 times, last {since}: x.")

    assert keys(told(NOW + apart)) == keys(told(NOW))
