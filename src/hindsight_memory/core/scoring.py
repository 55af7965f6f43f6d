"""How candidates become ranked hits. Pure: no I/O, no clock.

A new signal is a function here and a line in ``SIGNALS``; a new mixture is a row of ``PROFILES``.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType

from hindsight_memory.core.lifts import LIFT_WEIGHTS
from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import POLICIES, MemoryType
from hindsight_memory.core.relevance import WEIGHTS, Relevance, Weights
from hindsight_memory.core.retrieval import Hit
from hindsight_memory.core.validity import validity, verdict
from hindsight_memory.errors import InvalidInput

DAY_SECONDS = 86_400


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A memory that was read because its evidence was good.

    relevance: in [0, 1], 1 for the best of the query. details: what it is made of, for explaining.
    similarity: to the query, calibrated; None when it has no vector.
    """

    memory: Memory
    relevance: float
    details: Relevance = field(default_factory=Relevance)
    lifts: Mapping[str, float] = field(default_factory=dict)
    similarity: float | None = None
    passage: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """What ranking must know of a query. memory_types: those that it wants; empty means any."""

    now: datetime
    memory_types: frozenset[MemoryType] = frozenset()


Measure = Callable[[Asked, Candidate], float]


def relevance(_asked: Asked, candidate: Candidate) -> float:
    return candidate.relevance


def recency(asked: Asked, candidate: Candidate) -> float:
    """Halves every ``half_life`` of the memory's type; 1 for types that never age."""
    half_life = POLICIES[candidate.memory.memory_type].half_life
    if half_life is None:
        return 1.0
    return float(0.5 ** (_age_days(asked, candidate) * DAY_SECONDS / half_life.total_seconds()))


def classic_recency(asked: Asked, candidate: Candidate) -> float:
    """1 / (1 + 0.05 x days), whatever the type: the published formula."""
    return 1.0 / (1.0 + 0.05 * _age_days(asked, candidate))


def frequency(_asked: Asked, candidate: Candidate) -> float:
    return min(candidate.memory.access_count / 10, 1.0)


def type_match(asked: Asked, candidate: Candidate) -> float:
    """1 for a wanted type and for queries that want none, else 0.5."""
    wanted = asked.memory_types
    return 1.0 if not wanted or candidate.memory.memory_type in wanted else 0.5


def confidence(_asked: Asked, candidate: Candidate) -> float:
    return candidate.memory.confidence


def importance(_asked: Asked, candidate: Candidate) -> float:
    return candidate.memory.importance


SIGNALS: Mapping[str, Measure] = MappingProxyType(
    {
        "relevance": relevance,
        "recency": recency,
        "classic_recency": classic_recency,
        "frequency": frequency,
        "type_match": type_match,
        "confidence": confidence,
        "importance": importance,
    }
)
"""Reasons to prefer a memory; each gives a value in [0, 1]."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What counts how much.

    has_validity: whether doubts about a memory lower its score.
    least_relevance: candidates less relevant than this share of the best are left out.
    evidence, lifts: what relevance is made of.
    """

    weights: Mapping[str, float]
    evidence: Weights = WEIGHTS
    lifts: Mapping[str, float] = field(default_factory=lambda: LIFT_WEIGHTS)
    has_validity: bool = True
    least_relevance: float = 0.0


PROFILES: Mapping[str, Profile] = MappingProxyType(
    {
        # Priors break ties and never bury the evidence: together they move 0.1.
        "balanced": Profile(
            weights={
                "relevance": 0.90,
                "recency": 0.03,
                "frequency": 0.01,
                "type_match": 0.02,
                "confidence": 0.02,
                "importance": 0.02,
            }
        ),
        "classic": Profile(
            weights={
                "relevance": 0.5,
                "classic_recency": 0.2,
                "frequency": 0.15,
                "type_match": 0.1,
                "confidence": 0.05,
            },
            has_validity=False,
        ),
        "support": Profile(
            weights={"relevance": 0.65, "recency": 0.25, "type_match": 0.05, "confidence": 0.05}
        ),
        "knowledge": Profile(weights={"relevance": 0.97, "confidence": 0.02, "importance": 0.01}),
        "importance": Profile(weights={"importance": 0.7, "recency": 0.3}, least_relevance=0.5),
    }
)


def own_profile(name: str, weights: Mapping[str, float]) -> Profile:
    """A profile of a user's own. Raises InvalidInput for unknown signals and useless weights."""
    unknown = sorted(set(weights) - set(SIGNALS))
    if unknown:
        known = ", ".join(SIGNALS)
        raise InvalidInput(f"profile {name!r} has no signal {unknown[0]!r}; known: {known}")
    if not all(0 <= weight <= 1 for weight in weights.values()) or not sum(weights.values()):
        raise InvalidInput(f"profile {name!r}: weights are in [0, 1], and not all 0")
    return Profile(weights=dict(weights))


def rank(asked: Asked, candidates: Iterable[Candidate], profile: Profile) -> list[Hit]:
    """Best first; ties go to the smaller id, so order is total."""
    hits = [
        _score(asked, candidate, profile)
        for candidate in candidates
        if candidate.relevance >= profile.least_relevance
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.memory.id))


def _score(asked: Asked, candidate: Candidate, profile: Profile) -> Hit:
    """The parts are the weighted signals and the factor; ``relevance.`` ones explain the first."""
    parts = {
        name: weight * SIGNALS[name](asked, candidate) for name, weight in profile.weights.items()
    }
    factor = validity(candidate.memory, asked.now) if profile.has_validity else 1.0
    details = {
        "relevance.meaning": candidate.details.meaning,
        "relevance.words": candidate.details.words,
        "relevance.context": candidate.details.context,
        "relevance.session": candidate.details.session,
        "relevance.question": candidate.details.question,
    } | {f"relevance.{name}": lift for name, lift in candidate.lifts.items()}
    return Hit(
        memory=candidate.memory,
        score=factor * sum(parts.values()),
        parts=parts | {"validity": factor} | details,
        verdict=verdict(candidate.memory, asked.now),
        similarity=candidate.similarity,
        passage=candidate.passage,
        sources=(candidate.memory,),
    )


def _age_days(asked: Asked, candidate: Candidate) -> float:
    age = asked.now - candidate.memory.happened_at
    return max(0.0, age.total_seconds() / DAY_SECONDS)
