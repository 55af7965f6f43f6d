"""The values of a change: what a store applies in one transaction, and what it keeps of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime

from hindsight_memory.core.model import Json, Memory, Outcome, Vector


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
class Injection:
    """That a text was shown to an agent in a session, from a memory; it holds no text itself.

    digest: of the statement, core.echo. at: when it was first shown there.
    """

    user_id: str
    session_id: str
    memory_id: str
    digest: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Rejection:
    """A statement that was found to be untrue, so that it does not come back by another door.

    key: of the statement, core.conflict.rejection_key, hashed with its place; it holds no text,
    and stays when the memory is purged.
    trust: of who rejected it; only a better source may state it again.
    """

    key: str
    user_id: str
    memory_id: str
    trust: float
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditHead:
    """How far the audit log of a tenant goes. hash: of its last entry, and so of all before it."""

    tenant: str
    entries: int
    hash: str


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

    notes: for puts, by id, that are made for another reason than ``note`` says.
    puts: memories to insert (version 1) or to replace (version n over n - 1).
    terms: the index terms of each put whose content is new, by memory id.
    passages: vectors of new or earlier contents; those of an outdated content are dropped.
    postponed: memories whose embedding failed, by id, and when it may be tried again.
    purges: memories to remove from every table, index and log.
    rejections, readmitted: what may not be written again from now on, and what may.
    seen: the store's mark when ``puts`` were decided, or None to apply them whatever came since.
    accessed, used: memories returned by a search, and reported as used, at ``at``.
    injections: what was shown in a session; what is known already stays as it is.
    """

    tenant: str
    at: datetime
    note: Note
    puts: tuple[Memory, ...] = ()
    notes: Mapping[str, Note] = field(default_factory=dict)
    terms: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    passages: tuple[Passages, ...] = ()
    postponed: Mapping[str, datetime] = field(default_factory=dict)
    purges: tuple[str, ...] = ()
    accessed: tuple[str, ...] = ()
    used: tuple[str, ...] = ()
    recall: Recall | None = None
    injections: tuple[Injection, ...] = ()
    receipt: Receipt | None = None
    rejections: tuple[Rejection, ...] = ()
    readmitted: tuple[Rejection, ...] = ()
    seen: int | None = None
