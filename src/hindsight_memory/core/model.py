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
    QUEUED = "queued"
    """Promised: it is done later."""
    FAILED = "failed"
    """What was promised could not be done."""


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
    """What a caller asks to remember, before it has an identity; None takes the default.

    evidence: memories that it rests on, and falls with.
    """

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
    evidence: tuple[str, ...] = ()
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
    """A change to one memory; None leaves a field as it is. is_person: a person makes it."""

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
    is_person: bool = False
