"""The values of a search: what is asked, what speaks for a memory, what is answered."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, TypeAlias

from hindsight_memory.core.model import Layer, Memory, Tier
from hindsight_memory.core.policy import MemoryType, Status

Verdict: TypeAlias = Literal["current", "unverified", "disputed", "stale", "weak"]
"""Whether a hit can be believed; weak: it hardly answers the query."""


ACTIVE_TIERS = frozenset({Tier.ACTIVE})


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which memories a caller means. Every given condition must hold; none match all current ones.

    memory_types, statuses, layers: any of these; empty means all.
    tags: any or all of these, by ``tag_match``.
    since, until: ``happened_at`` in [since, until).
    project: this project or none; None means every project.
    tiers: where to look.
    superseded: whether superseded memories count too. forgotten: the forgotten ones instead.
    as_of: only what was true at this instant, superseded since or not.
    known_at: only what the record held at this instant, as it was current then.
    tentative_of: None, or the agent of whom alone tentative inferences are wanted.
    """

    memory_types: frozenset[MemoryType] = frozenset()
    statuses: frozenset[Status] = frozenset()
    layers: frozenset[Layer] = frozenset()
    tags: frozenset[str] = frozenset()
    tag_match: Literal["any", "all"] = "any"
    since: datetime | None = None
    until: datetime | None = None
    session_id: str | None = None
    project: str | None = None
    tiers: frozenset[Tier] = ACTIVE_TIERS
    superseded: bool = False
    forgotten: bool = False
    tentative_of: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None

    @property
    def is_of_the_past(self) -> bool:
        return self.as_of is not None or self.known_at is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Query:
    """A search, as the caller asked it. profile: "" for the default one."""

    text: str
    where: Filter = field(default_factory=Filter)
    top_k: int = 5
    token_budget: int | None = None
    profile: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What speaks for one memory as an answer to a query, before anyone reads it.

    similarity: cosine of query and best passage, in [-1, 1]; None when it has no vector (yet).
    typicality: cosine of that passage and the mean of all vectors of its scope.
    passage: number of that passage in the content, from 0.
    is_question: whether the content ends in a question mark.
    term_counts: how often each term of the query occurs in it; absent terms are left out.
    term_total: number of its terms.
    earlier, later: ids of its neighbours in its session, the nearest first.
    """

    id: str
    session_id: str = ""
    similarity: float | None = None
    typicality: float = 0.0
    passage: int = 0
    is_question: bool = False
    term_counts: Mapping[str, int] = field(default_factory=dict)
    term_total: int = 0
    earlier: tuple[str, ...] = ()
    later: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class TermStatistics:
    """What BM25 must know of a scope: its documents, and in how many each term occurs."""

    documents: int = 0
    average_terms: float = 0.0
    document_counts: Mapping[str, int] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What a store found for one query, in order of id.

    suppressed: how many more would be among the best if superseded memories were asked for too.
    notes: what could not be looked at, and why, for who asked.
    """

    evidence: tuple[Evidence, ...] = ()
    suppressed: int = 0
    notes: tuple[str, ...] = ()
    statistics: TermStatistics = field(default_factory=TermStatistics)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """A ranked memory; ``parts`` says how much each signal added to ``score``.

    similarity: calibrated, in [0, 1]; None when it has no vector.
    sources: it, and the near-duplicates that it stands for.
    """

    memory: Memory
    score: float
    parts: Mapping[str, float]
    verdict: Verdict = "current"
    similarity: float | None = None
    passage: int = 0
    sources: tuple[Memory, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a search returns: ``hits`` best first, and what the caller should know of them.

    suppressed: superseded memories that were candidates, and are left out unless asked for.
    """

    hits: tuple[Hit, ...]
    abstained: bool
    notes: tuple[str, ...]
    recall_id: str
    suppressed: int = 0


Match: TypeAlias = Literal["whole", "words", "names"]
"""How a phrase denotes a memory, surest first: the memory contains it; it holds its words in other
forms or another order; it is in another language and holds its names and numbers.
"""


@dataclass(frozen=True, slots=True)
class Denoted:
    memory: Memory
    match: Match


@dataclass(frozen=True, slots=True)
class Denotation:
    """found: what a phrase may mean, surest first; keeps: it orders not to forget something."""

    found: tuple[Denoted, ...]
    keeps: bool
