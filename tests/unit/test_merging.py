"""Equal statements as one, whatever the order."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.merging import absorbed, merged, twins
from hindsight_memory.core.model import Layer, Memory, Tier, Visibility
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.testing.samples import NOON, a_memory

DAY = timedelta(days=1)


def tea(memory_id: str, content: str = "Ann likes tea", **given: Any) -> Memory:
    return a_memory(memory_id, content=content, **given)


def ids(memories: list[Memory]) -> list[list[str]]:
    return [[memory.id for memory in group] for group in twins(memories)]


@pytest.mark.parametrize(
    ("one", "other"),
    [("Ann likes tea", "ann likes tea."), ("用戶喜歡喝茶", "用户喜欢喝茶。"), ("a b", "a  b")],
)
def test_one_statement_in_two_spellings_is_one(one: str, other: str) -> None:
    assert ids([tea("2", other), tea("1", one)]) == [["1", "2"]]


@pytest.mark.parametrize(
    "difference",
    [
        {"content": "Ann likes no tea"},
        {"project": "web"},
        {"user_id": "bob"},
        {"visibility": Visibility.PRIVATE},
        {"layer": Layer.EPISODIC},
        {"memory_type": MemoryType.PREFERENCE},
        {"valid_from": NOON},
        {"valid_to": NOON},
        {"expires_at": NOON},
        {"status": Status.DISPUTED},
        {"deleted_at": NOON},
        {"retired_at": NOON},
        {"tier": Tier.ARCHIVED},
    ],
    ids=str,
)
def test_another_statement_place_kind_time_or_state_is_not_the_same(
    difference: dict[str, Any],
) -> None:
    assert ids([tea("1"), tea("2")]) == [["1", "2"]]
    assert ids([tea("1"), replace(tea("2"), **difference)]) == []


def test_what_happens_again_is_another_episode() -> None:
    first = tea("1", layer=Layer.EPISODIC)
    assert ids([first, replace(first, id="2")]) == [["1", "2"]]
    assert ids([first, replace(first, id="2", created_at=NOON + DAY)]) == []
    assert ids([first, replace(first, id="2", session_id="s1")]) == []


def test_the_oldest_stays_with_the_best_of_each() -> None:
    old = tea("1", tags=frozenset("a"), access_count=1, heat=0.5, tier=Tier.COLD)
    new = tea(
        "2",
        created_at=NOON + DAY,
        updated_at=NOON + DAY,
        last_accessed_at=NOON + 2 * DAY,
        tags=frozenset("b"),
        source=Source.USER_EXPLICIT,
        trust=0.9,
        status=Status.CONFIRMED,
        confidence=0.95,
        access_count=2,
        used_count=3,
    )
    assert merged([new, old]) == replace(
        old,
        updated_at=NOON + DAY,
        last_accessed_at=NOON + 2 * DAY,
        tags=frozenset("ab"),
        source=Source.USER_EXPLICIT,
        trust=0.9,
        status=Status.CONFIRMED,
        confidence=0.95,
        access_count=3,
        used_count=3,
        heat=1.0,
        tier=Tier.ACTIVE,
        version=2,
    )


def test_the_absorbed_one_is_archived_and_names_the_other() -> None:
    gone = absorbed(tea("2", related_ids=("x",)), tea("1"))
    assert gone == tea("2", related_ids=("x", "1"), tier=Tier.ARCHIVED, version=2)


def test_one_that_somebody_brought_back_is_not_merged_again() -> None:
    back = replace(absorbed(tea("2"), tea("1")), tier=Tier.ACTIVE)
    assert ids([tea("1"), back]) == []
    assert ids([tea("1"), back, tea("3")]) == [["1", "3"]]


SHARES = st.sampled_from([0.0, 0.5, 1.0])
LINKS = st.lists(st.sampled_from(["m0", "m1", "x", "y"]), max_size=2).map(tuple)


@st.composite
def spellings(draw: Any) -> list[Memory]:
    return [
        tea(
            f"m{number}",
            draw(st.sampled_from(["Ann likes tea", "ann likes tea.", "Ann likes tea!"])),
            created_at=NOON + draw(st.integers(0, 2)) * DAY,
            tags=draw(st.frozensets(st.sampled_from("abc"))),
            status=draw(st.sampled_from([Status.TENTATIVE, Status.CONFIRMED])),
            source=draw(st.sampled_from(Source)),
            trust=draw(SHARES),
            confidence=draw(SHARES),
            heat=draw(SHARES),
            evidence=draw(LINKS),
            access_count=draw(st.integers(0, 3)),
            tier=draw(st.sampled_from([Tier.ACTIVE, Tier.COLD])),
            last_accessed_at=draw(st.none() | st.just(NOON)),
        )
        for number in range(draw(st.integers(2, 5)))
    ]


def unversioned(memory: Memory) -> Memory:
    return replace(memory, version=1)


@given(spellings(), st.randoms(use_true_random=False))
def test_merging_is_the_same_in_any_order_and_any_steps(group: list[Memory], chance: Any) -> None:
    shuffled = chance.sample(group, len(group))
    first, second, *others = shuffled
    in_steps = merged([merged([first, second]), *others]) if others else merged([first, second])
    whole = unversioned(merged(group))
    assert unversioned(merged(shuffled)) == whole
    assert replace(unversioned(in_steps), evidence=whole.evidence) == whole


@given(spellings())
def test_merging_twice_is_merging_once(group: list[Memory]) -> None:
    [found] = twins(group) or [()]
    if found:
        left = [merged(found), *(absorbed(each, found[0]) for each in found[1:])]
        assert twins(left) == []
