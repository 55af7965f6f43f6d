"""Ranking, without any I/O."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import POLICIES, TRUST, MemoryType, Source, Status
from hindsight_memory.core.scoring import (
    PROFILES,
    SIGNALS,
    Asked,
    Candidate,
    own_profile,
    rank,
    recency,
)
from hindsight_memory.core.validity import validity, verdict
from hindsight_memory.errors import InvalidInput

NOW = datetime(2030, 1, 1, tzinfo=UTC)
ASKED = Asked(now=NOW)


def memory(memory_id: str = "m", **given: Any) -> Memory:
    plain = Memory(
        id=memory_id,
        tenant="acme",
        user_id="ann",
        agent_id="coder",
        content="tea",
        created_at=NOW,
        updated_at=NOW,
    )
    return replace(plain, **given)


candidates = st.builds(
    lambda memory_id, kind, source, status, days, relevance, count: Candidate(
        memory=memory(
            memory_id,
            memory_type=kind,
            source=source,
            status=status,
            trust=TRUST[source].trust,
            created_at=NOW - timedelta(days=days),
            access_count=count,
        ),
        relevance=relevance,
    ),
    st.text("abc", min_size=1, max_size=4),
    st.sampled_from(MemoryType),
    st.sampled_from(Source),
    st.sampled_from(Status),
    st.integers(-5, 4000),
    st.floats(0, 1),
    st.integers(0, 50),
)


@pytest.mark.parametrize("name", PROFILES)
def test_weights_sum_to_one(name: str) -> None:
    assert sum(PROFILES[name].weights.values()) == pytest.approx(1.0)


def test_classic_is_the_published_formula() -> None:
    seen = memory(created_at=NOW - timedelta(days=10), access_count=5, confidence=0.6)
    [hit] = rank(
        Asked(now=NOW, memory_types=frozenset({MemoryType.TASK})),
        [Candidate(memory=seen, relevance=0.8)],
        PROFILES["classic"],
    )
    expected = 0.5 * 0.8 + 0.2 / (1 + 0.05 * 10) + 0.15 * 5 / 10 + 0.1 * 0.5 + 0.05 * 0.6
    assert hit.score == pytest.approx(expected)


@given(candidates)
def test_signals_stay_in_unit_range(candidate: Candidate) -> None:
    assert all(0 <= measure(ASKED, candidate) <= 1 for measure in SIGNALS.values())


@given(candidates)
def test_trust_and_confirmation_move_a_score_by_a_tenth_at_most(candidate: Candidate) -> None:
    believed = replace(candidate.memory, source=Source.AGENT_INFERENCE, status=Status.TENTATIVE)
    assert 0.9 <= validity(believed, NOW) <= 1.0


@given(st.lists(candidates, unique_by=lambda each: each.memory.id), st.sampled_from(list(PROFILES)))
def test_order_does_not_depend_on_input_order(found: list[Candidate], name: str) -> None:
    profile = PROFILES[name]
    assert rank(ASKED, found, profile) == rank(ASKED, found[::-1], profile)


def test_recency_halves_after_one_half_life_and_not_for_preferences() -> None:
    half_life = POLICIES[MemoryType.TASK].half_life
    assert half_life is not None
    old = NOW - half_life
    task = Candidate(memory=memory(memory_type=MemoryType.TASK, created_at=old), relevance=0)
    liking = Candidate(
        memory=memory(memory_type=MemoryType.PREFERENCE, created_at=old), relevance=0
    )
    assert (recency(ASKED, task), recency(ASKED, liking)) == (0.5, 1.0)


def test_priors_never_bury_the_evidence() -> None:
    best = Candidate(memory=memory("a", created_at=NOW - timedelta(days=4000)), relevance=1.0)
    hyped = Candidate(
        memory=memory("b", access_count=99, confidence=1.0, importance=1.0), relevance=0.85
    )
    assert [hit.memory.id for hit in rank(ASKED, [hyped, best], PROFILES["balanced"])] == ["a", "b"]


def test_importance_ranks_only_what_is_relevant() -> None:
    vital = Candidate(memory=memory("vital", importance=1.0), relevance=0.2)
    fitting = Candidate(memory=memory("fitting", importance=0.1), relevance=0.9)
    assert [h.memory.id for h in rank(ASKED, [vital, fitting], PROFILES["importance"])] == [
        "fitting"
    ]


@pytest.mark.parametrize(
    ("doubt", "factor"),
    [
        ({"source": Source.EXTERNAL, "trust": 1.0}, 0.5),
        ({"status": Status.DISPUTED}, 0.5),
        ({"status": Status.DEPRECATED}, 0.09),
        ({"valid_to": NOW}, 0.09),
    ],
    ids=str,
)
def test_a_doubt_lowers_validity(doubt: dict[str, Any], factor: float) -> None:
    believed = memory(trust=1.0, status=Status.CONFIRMED)
    doubted = replace(believed, **doubt)
    assert validity(believed, NOW) == 1.0
    assert validity(doubted, NOW) == pytest.approx(factor, rel=0.03)


@pytest.mark.parametrize(
    ("state", "word"),
    [
        ({"status": Status.CONFIRMED}, "current"),
        ({"status": Status.TENTATIVE}, "unverified"),
        ({"status": Status.DISPUTED}, "disputed"),
        ({"status": Status.CONFIRMED, "retired_at": NOW}, "stale"),
        ({"status": Status.CONFIRMED, "valid_to": NOW - timedelta(seconds=1)}, "stale"),
    ],
    ids=str,
)
def test_each_hit_says_whether_to_believe_it(state: dict[str, Any], word: str) -> None:
    assert verdict(memory(**state), NOW) == word


@pytest.mark.parametrize("weights", [{"charm": 1.0}, {"relevance": 2.0}, {"relevance": 0.0}, {}])
def test_a_profile_that_cannot_be_is_refused(weights: dict[str, float]) -> None:
    with pytest.raises(InvalidInput, match="profile 'mine'"):
        own_profile("mine", weights)
