"""What the engine needs from the outside world. Implementations live in siblings.

All of it is called from any thread, and may block.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Literal, Protocol, TypeAlias, runtime_checkable

from hindsight_memory.core.asking import Question, Reply, Spending
from hindsight_memory.core.changes import (
    AuditHead,
    Changes,
    Injection,
    Recall,
    Receipt,
    Rejection,
    Revision,
)
from hindsight_memory.core.model import Memory, Scope, Vector, Vectors
from hindsight_memory.core.probes import Observation, Probe
from hindsight_memory.core.retrieval import Filter, Found
from hindsight_memory.core.sessions import SessionState
from hindsight_memory.core.side_ports import Jobs, Sessions

Progress: TypeAlias = Callable[[int, int | None], None]
"""Told how much is done, and of how much, or None where that is not known."""


class Clock(Protocol):
    def now(self) -> datetime:
        """The current instant, timezone-aware, UTC."""
        ...


class Ids(Protocol):
    def new(self, at: datetime) -> str:
        """A new id (UUIDv7); later ids of one process sort after earlier ones."""
        ...


class Embedder(Protocol):
    """Text to vectors. Constructing one is cheap: the model is loaded by the first call."""

    @property
    def fingerprint(self) -> str:
        """Names the model so that vectors with equal fingerprints may be compared."""
        ...

    @property
    def dimensions(self) -> int: ...

    def passages(self, texts: Sequence[str]) -> Vectors:
        """Unit-length float32 rows, shape (len(texts), dimensions), for texts to be found.

        Raises Unavailable when the model does not answer.
        """
        ...

    def query(self, text: str) -> Vector:
        """The unit-length vector of what is looked for. Raises Unavailable."""
        ...


class Model(Protocol):
    """A language model. It proposes, and the rules decide what becomes of that."""

    def ask(self, question: Question) -> Reply:
        """An answer that follows the schema of the question. Raises Unavailable."""
        ...


@runtime_checkable
class Forgetful(Protocol):
    """An embedder or model that keeps something of texts it has seen."""

    def forget(self, texts: Sequence[str]) -> None:
        """Keep nothing of these texts."""
        ...


@runtime_checkable
class Metering(Protocol):
    """A model that counts what it costs."""

    def spending(self) -> Mapping[str, Spending]:
        """By operation, of those that asked or have a budget; "*" is any other, where there is a
        budget for those. What a cache answered cost nothing.
        """
        ...


class Limiter(Protocol):
    """How often each of many may ask."""

    def take(self, name: str) -> float:
        """0.0 where ``name`` may ask now, which counts; else in how many seconds it may again."""
        ...


class Prober(Protocol):
    def observe(self, probe: Probe, now: datetime) -> Observation:
        """Whether what the probe names is as it was. Never raises."""
        ...


class Store(Protocol):
    """Where memories live. The whole contract is hindsight_memory.testing.store_suite."""

    def apply(self, changes: Changes) -> None:
        """Do all of ``changes`` in one durable transaction, or none of it.

        Each put appends to the version history and the audit log. An archived memory has no
        vectors: it loses them, and counts as lacking some when it is archived no more.
        Raises Conflict when a put does not follow the stored version, repeats the content of
        another current memory of its scope, or when a memory that shares a key with a new put was
        written after ``changes.seen``.
        """
        ...

    def restore(self, changes: Changes, histories: Mapping[str, Sequence[Revision]]) -> None:
        """Insert the puts of ``changes`` exactly as they are, at whatever version, with the version
        history that ``histories`` holds of each; all of them in one durable transaction, or none.

        The audit log gets one entry for each, of ``changes.note``: when it came here, and through
        whom. Of ``changes`` only ``readmitted`` is done besides. Raises Conflict when the id or the
        content of a put is taken.
        """
        ...

    def get(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        """The visible memories with these ids, in the order asked, whatever their state;
        unknown ids are left out.
        """
        ...

    def page(self, scope: Scope, where: Filter, *, before: str | None, limit: int) -> list[Memory]:
        """Newest first (by id), at most ``limit``; ``before`` is the last id of the page before."""
        ...

    def every(self, tenant: str, *, after: str, limit: int) -> list[Memory]:
        """All memories of the tenant, whatever their state, in order of id from after ``after``
        ("" for the first): for export.
        """
        ...

    def users(self, tenant: str, *, after: str, limit: int) -> list[str]:
        """The users of the tenant who have, or had, memories, in order from after ``after``
        ("" for the first).
        """
        ...

    def sessions(self, scope: Scope, *, after: str, limit: int) -> list[SessionState]:
        """The sessions of one user that have visible episodes, forgotten ones too, in order of
        their ids from after ``after`` ("" for the first). ``scope.user_id`` must be given.
        """
        ...

    def calls(self, scope: Scope, tool: str, *, where: Filter, limit: int) -> list[Memory]:
        """The visible memories that match ``where`` and whose event is of exactly this tool, newest
        first (by id). ``scope.user_id`` must be given.
        """
        ...

    def injected(self, tenant: str, user_id: str, session_id: str) -> list[Injection]:
        """What memory has shown in a session, in order of memory and digest."""
        ...

    def candidates(
        self,
        scope: Scope,
        terms: Sequence[str],
        vector: Vector | None,
        *,
        where: Filter,
        limit: int,
    ) -> Found:
        """The ``limit`` best matches by vector and the ``limit`` best by words, all matching
        ``where``, and the neighbours of the best of them in their sessions.

        Each comes with all evidence there is: the similarity of one found by words, the words of
        one found by vector. ``scope.user_id`` must be given.
        """
        ...

    def mark(self, tenant: str, user_id: str) -> int:
        """A number that later writes about this user exceed, for ``Changes.seen``."""
        ...

    def kin(self, scope: Scope, memory: Memory, *, limit: int) -> list[Memory]:
        """The visible current memories of its user and exact project, of any tier, that share a
        key with ``memory`` (core.kinship) and are not itself, newest first.

        limit: of each key the newest so many, so that what shares one with few is not lost among
        those that share another with many.
        """
        ...

    def past_kin(self, scope: Scope, memory: Memory, *, limit: int) -> list[Memory]:
        """The same of those that were superseded; current ones count for ``limit``."""
        ...

    def dependants(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        """The visible memories, not forgotten, with any of ``ids`` among their evidence or their
        counter-examples, by id.
        """
        ...

    def rejections(self, tenant: str, user_id: str, keys: Sequence[str]) -> list[Rejection]:
        """Those of ``keys`` that were rejected, in no particular order."""
        ...

    def rejected(self, tenant: str, *, after: Rejection | None, limit: int) -> list[Rejection]:
        """All that was rejected, in order of user and key from after ``after`` (None for the
        first), at most ``limit``: for export.
        """
        ...

    def same_content(self, memory: Memory) -> Memory | None:
        """The current memory with the content, key and layer of ``memory``, if there is one."""
        ...

    def history(self, scope: Scope, memory_id: str) -> list[Revision]:
        """Oldest first; empty when there is no such memory."""
        ...

    def receipt(self, tenant: str, user_id: str, key: str) -> Receipt | None: ...

    def recall(self, tenant: str, recall_id: str) -> Recall | None: ...

    def unembedded(self, *, limit: int, due_at: datetime | None = None) -> list[tuple[Memory, int]]:
        """Memories of any scope that are known to lack vectors of the current model, oldest first,
        and how many passages of each have one.

        due_at: without those that are postponed to a later time than this.
        """
        ...

    def unembeddable(self) -> list[str]:
        """The ids of memories whose embedding was postponed, and not done since."""
        ...

    def unembedded_count(self) -> int:
        """How many memories ``unembedded`` would give without a limit."""
        ...

    def other_models(self) -> list[str]:
        """Fingerprints, besides the current one, of models whose vectors the store still holds."""
        ...

    def adopt_model(self) -> None:
        """Count every memory without a vector of the current model as lacking one, and postpone
        none.
        """
        ...

    def drop_other_models(self) -> None:
        """Forget the vectors of every model but the current one."""
        ...

    def integrity(self, tenant: str, memory_id: str) -> list[str]:
        """What does not fit together about one memory, one sentence each: its row, its version
        history and the audit log of its tenant, as a whole; empty when all is well.
        """
        ...

    def problems(self) -> list[str]:
        """What is inconsistent, one sentence each; empty when all is well."""
        ...

    def audit_heads(self) -> list[AuditHead]:
        """Of each tenant whose log has an entry, by tenant."""
        ...

    def has_audit_entry(self, entry_hash: str) -> bool:
        """Whether some entry has this hash: then all is there that it covered, and as it was, if
        ``problems`` finds nothing.
        """
        ...

    def rivals(self) -> list[list[Memory]]:
        """Current semantic memories of one user that share a key (core.kinship), for each such key
        of any tenant, of the newest thousand; at most sixteen memories, the newest, of one key.
        """
        ...

    def unresolved(self) -> list[str]:
        """The ids of memories with evidence that is not there, as after a part of an export."""
        ...

    def repair(self, progress: Progress) -> list[str]:
        """Make every index anew from the memories, in one durable transaction: words (by
        core.text.terms), keys, supports and counts. Vectors that belong to nothing go, and what
        lacks vectors waits for them. Returns what was rebuilt, one sentence each.
        """
        ...

    def catch_up(self) -> bool:
        """A step of what follows the rows, such as an index elsewhere; whether there may be more.
        While that is away there is none.
        """
        ...

    def reconcile(self, progress: Progress) -> list[str]:
        """Compare an index elsewhere with the rows, and mend it. Returns what was found, one
        sentence each; empty where there is no such index. Raises Unavailable.
        """
        ...

    def behind(self) -> list[str]:
        """What an index elsewhere lacks, or why it does not answer; empty when all is well."""
        ...

    @property
    def working(self) -> Sessions:
        """Where the same place keeps working memory."""
        ...

    @property
    def jobs(self) -> Jobs:
        """Where the same place keeps work for later."""
        ...

    def close(self) -> None:
        """Let go of all resources; twice is harmless. Later calls raise Unavailable."""
        ...


@runtime_checkable
class Walled(Protocol):
    """A store in a database that keeps tenants apart by itself, as well as it may."""

    def walls(self) -> tuple[Literal["ok", "note", "problem"], str]:
        """How well it does, and what to do where it does not."""
        ...
