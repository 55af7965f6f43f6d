"""The values that move between modules. All are immutable and know no storage."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from hindsight_memory.core.policy import MemoryType, Source, Status

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vector: TypeAlias = NDArray[np.float32]
    """A unit-length embedding, of shape (d,); d is the embedder's ``dimensions``."""

    Vectors: TypeAlias = NDArray[np.float32]
    """Unit-length embeddings, of shape (n, d): one row for each text."""
else:  # numpy takes 0.1 s to import, and listing tools needs none of it
    Vector = Vectors = Any

Json: TypeAlias = "bool | int | float | str | list[Json] | dict[str, Json] | None"


Verdict: TypeAlias = Literal["current", "unverified", "disputed", "stale", "weak"]
"""Whether a hit can be believed; weak: it hardly answers the query."""


class Layer(StrEnum):
    EPISODIC = "episodic"
    SEMANTIC = "semantic"


class Tier(StrEnum):
    ACTIVE = "active"
    COLD = "cold"
    ARCHIVED = "archived"


class Visibility(StrEnum):
    """Who may read a memory besides its author: nobody, or all agents of its user."""

    PRIVATE = "private"
    USER = "user"


class Outcome(StrEnum):
    """What a write did."""

    STORED = "stored"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    QUARANTINED = "quarantined"
    REFUSED = "refused"
    SKIPPED = "skipped"


@dataclass(frozen=True, slots=True)
class Scope:
    """Whose memories a call may touch. No store call works without one.

    user_id: None means every user of the tenant: for ids, which are unguessable, and for operators.
    agent_id: whose private memories are seen besides the shared ones; None sees all (operators).
    """

    tenant: str
    user_id: str | None
    agent_id: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """Who is calling, and what a call that does not say otherwise is about.

    is_person: may claim the source ``user_confirmed``, as only the shell and the console may.
    """

    tenant: str = "default"
    user_id: str = "default"
    agent_id: str = "default"
    project: str = ""
    session_id: str = ""
    is_person: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Event:
    """What happened, for an episode."""

    role: str = ""
    participants: tuple[str, ...] = ()
    action: str = ""
    tool: str = ""
    arguments: Mapping[str, Json] = field(default_factory=dict)
    outcome: Literal["success", "failure", "unknown"] = "unknown"
    error: str = ""
    reflection: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """What a caller asks to remember, before it has an identity; None takes the default."""

    content: str
    user_id: str
    agent_id: str
    project: str = ""
    session_id: str = ""
    visibility: Visibility = Visibility.USER
    layer: Layer | None = None
    memory_type: MemoryType | None = None
    scene: str = ""
    source: Source = Source.AGENT_INFERENCE
    confidence: float | None = None
    importance: float | None = None
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    related_ids: tuple[str, ...] = ()
    supersedes: str | None = None
    event: Event | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    idempotency_key: str | None = None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Memory:
    """One remembered thing: key, value, belief, life (design, section 3).

    trust, confidence, importance: in [0, 1]. heat: 1.0 when new, rises with use.
    version: rises by one with every change (from 1).
    subject: who or what the content is about, folded; "" when unknown.
    """

    id: str
    tenant: str
    user_id: str
    agent_id: str
    project: str = ""
    session_id: str = ""
    visibility: Visibility = Visibility.USER

    content: str
    layer: Layer = Layer.SEMANTIC
    memory_type: MemoryType = MemoryType.FACT
    scene: str = ""
    tags: frozenset[str] = frozenset()
    metadata: Mapping[str, Json] = field(default_factory=dict)
    related_ids: tuple[str, ...] = ()
    event: Event | None = None
    subject: str = ""

    status: Status = Status.TENTATIVE
    source: Source = Source.AGENT_INFERENCE
    trust: float = 0.5
    confidence: float = 0.6
    importance: float = 0.5
    evidence: tuple[str, ...] = ()
    counter_examples: tuple[str, ...] = ()
    superseded_by: str | None = None
    supersedes: str | None = None
    valid_from: datetime | None = None
    valid_to: datetime | None = None

    created_at: datetime
    updated_at: datetime
    retired_at: datetime | None = None
    last_accessed_at: datetime | None = None
    access_count: int = 0
    used_count: int = 0
    heat: float = 1.0
    tier: Tier = Tier.ACTIVE
    expires_at: datetime | None = None
    deleted_at: datetime | None = None
    version: int = 1

    @property
    def happened_at(self) -> datetime:
        """When it became true in the world, as far as we know."""
        return self.valid_from or self.created_at

    @property
    def is_forgotten(self) -> bool:
        return self.deleted_at is not None

    @property
    def is_superseded(self) -> bool:
        """A newer memory took its place; which one, ``superseded_by`` says unless it was purged."""
        return self.retired_at is not None

    def is_expired(self, now: datetime) -> bool:
        ends = [instant for instant in (self.valid_to, self.expires_at) if instant is not None]
        return bool(ends) and min(ends) <= now


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
    """What a store found for one query, in order of id."""

    evidence: tuple[Evidence, ...] = ()
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
    """What a search returns: ``hits`` best first, and what the caller should know of them."""

    hits: tuple[Hit, ...]
    abstained: bool
    notes: tuple[str, ...]
    recall_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Related:
    """A memory near a written one; ``similarity`` is calibrated, None without vectors."""

    memory: Memory
    similarity: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a write did and why; ``memory`` as it is now, None when nothing was kept."""

    outcome: Outcome
    memory: Memory | None
    reason: str
    related: tuple[Related, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """A change to one memory; None leaves a field as it is."""

    memory_id: str
    content: str | None = None
    confidence: float | None = None
    importance: float | None = None
    tags: frozenset[str] | None = None
    memory_type: MemoryType | None = None
    status: Status | None = None
    tier: Tier | None = None
    heat: float | None = None
    restore: bool = False
    expected_version: int | None = None
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """One entry of a version history.

    before: the fields that the change replaced, with what they held; empty for the first version.
    """

    memory_id: str
    version: int
    at: datetime
    actor: str
    operation: str
    reason: str
    before: Mapping[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What an idempotency key was used for, so that a retry gets the same answer."""

    key: str
    user_id: str
    request_digest: str
    outcome: Outcome
    reason: str
    memory_id: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Recall:
    """What one search returned; it holds no text. ``used_ids`` is what the agent reported."""

    id: str
    tenant: str
    user_id: str
    at: datetime
    hit_ids: tuple[str, ...]
    used_ids: tuple[str, ...] = ()
    helped: bool | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """Why a change is made, for the version history and the audit log."""

    actor: str
    operation: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Passages:
    """Vectors of consecutive passages of one memory, made from exactly ``content``.

    first: number of the first of them, from 0.
    total: how many passages the content has; the rest is left to a job.
    """

    memory_id: str
    content: str
    first: int
    total: int
    vectors: tuple[Vector, ...]


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class Changes:
    """What one call does in one tenant. A store applies all of it or none of it.

    puts: memories to insert (version 1) or to replace (version n over n - 1).
    terms: the index terms of each put whose content is new, by memory id.
    passages: vectors of new or earlier contents; those of an outdated content are dropped.
    purges: memories to remove from every table, index and log.
    accessed, used: memories returned by a search, and reported as used, at ``at``.
    """

    tenant: str
    at: datetime
    note: Note
    puts: tuple[Memory, ...] = ()
    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    passages: tuple[Passages, ...] = ()
    purges: tuple[str, ...] = ()
    accessed: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    recall: Recall | None = None
    receipt: Receipt | None = None
