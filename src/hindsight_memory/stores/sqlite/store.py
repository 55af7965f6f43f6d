"""Memories in one SQLite file. Implements hindsight_memory.core.ports.Store."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Self

from hindsight_memory.core.changes import (
    AuditHead,
    Changes,
    Injection,
    Recall,
    Receipt,
    Rejection,
    Revision,
)
from hindsight_memory.core.codec import iso
from hindsight_memory.core.identity import identity
from hindsight_memory.core.kinship import keys
from hindsight_memory.core.model import Memory, Outcome, Scope, Tier, Vector
from hindsight_memory.core.ports import Progress
from hindsight_memory.core.retrieval import Filter, Found
from hindsight_memory.core.sessions import SessionState
from hindsight_memory.stores import rows
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.sqlite import writing
from hindsight_memory.stores.sqlite.check import integrity, problems, rivals, unresolved
from hindsight_memory.stores.sqlite.database import Database
from hindsight_memory.stores.sqlite.filtering import Wanted, scope_args
from hindsight_memory.stores.sqlite.jobs import SqliteJobs
from hindsight_memory.stores.sqlite.queries import QUERIES, run
from hindsight_memory.stores.sqlite.repairing import repair
from hindsight_memory.stores.sqlite.search import Search
from hindsight_memory.stores.sqlite.sessions import SqliteSessions
from hindsight_memory.stores.sqlite.vectors import VectorCache


class SqliteStore:
    """Safe to share between threads, and its file between processes."""

    def __init__(self, database: Database, *, fingerprint: str) -> None:
        self._database = database
        self._fingerprint = fingerprint
        self._cache = VectorCache()
        self.working = SqliteSessions(database)
        self.jobs = SqliteJobs(database)

    @classmethod
    def open(cls, path: str, *, fingerprint: str = "", busy_timeout_seconds: float = 30.0) -> Self:
        """Open or create the database at ``path``.

        fingerprint: that of the embedder whose vectors are searched and written.
        """
        database = Database(path, busy_timeout_seconds=busy_timeout_seconds)
        return cls(database, fingerprint=fingerprint)

    def apply(self, changes: Changes) -> None:
        with self._database.writing() as db:
            shrunk = writing.apply(db, changes, fingerprint=self._fingerprint)
        for scope in shrunk:
            self._cache.drop(scope)
        self._database.wipe(is_due=bool(changes.purges))

    def restore(self, changes: Changes, histories: Mapping[str, Sequence[Revision]]) -> None:
        with self._database.writing() as db:
            for memory in changes.puts:
                writing.restore(db, memory, histories[memory.id], changes)
            writing.readmit(db, changes)

    def get(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        args = scope_args(scope) | {"ids": dump(list(ids))}
        found = {memory.id: memory for memory in self._memories("get", args)}
        return [found[memory_id] for memory_id in ids if memory_id in found]

    def page(self, scope: Scope, where: Filter, *, before: str | None, limit: int) -> list[Memory]:
        return self._wanted("page", scope, where, before=before, limit=limit)

    def every(self, tenant: str, *, after: str, limit: int) -> list[Memory]:
        return self._memories("every", {"tenant": tenant, "after": after, "limit": limit})

    def users(self, tenant: str, *, after: str, limit: int) -> list[str]:
        args = {"tenant": tenant, "after": after, "limit": limit}
        return [user_id for (user_id,) in self._database.read(QUERIES["users"], args)]

    def sessions(self, scope: Scope, *, after: str, limit: int) -> list[SessionState]:
        args = scope_args(scope) | {"after": after, "limit": limit}
        return [_session(row) for row in self._database.read(QUERIES["sessions"], args)]

    def calls(self, scope: Scope, tool: str, *, where: Filter, limit: int) -> list[Memory]:
        return self._wanted("calls", scope, where, tool=tool, limit=limit)

    def injected(self, tenant: str, user_id: str, session_id: str) -> list[Injection]:
        args = {"tenant": tenant, "user_id": user_id, "session_id": session_id}
        return [_injection(row) for row in self._database.read(QUERIES["injected"], args)]

    def candidates(
        self,
        scope: Scope,
        terms: Sequence[str],
        vector: Vector | None,
        *,
        where: Filter,
        limit: int,
    ) -> Found:
        wanted = Wanted.by(scope, where)
        with self._database.reading() as db:
            search = Search(db, self._cache, self._fingerprint, wanted, limit)
            return search.run(terms, vector)

    def mark(self) -> int:
        [(mark,)] = self._database.read(QUERIES["mark"], {})
        return int(mark)

    def kin(self, scope: Scope, memory: Memory, *, limit: int) -> list[Memory]:
        return self._wanted(
            "kin",
            scope,
            Filter(tiers=frozenset(Tier)),
            exact_project=memory.project,
            id=memory.id,
            keys=dump(list(keys(memory))),
            limit=limit,
        )

    def dependants(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        everywhere = Filter(tiers=frozenset(Tier), superseded=True)
        return self._wanted("dependants", scope, everywhere, ids=dump(list(ids)))

    def rejections(self, tenant: str, user_id: str, keys: Sequence[str]) -> list[Rejection]:
        args = {"tenant": tenant, "user_id": user_id, "keys": dump(list(keys))}
        return [_rejection(row) for row in self._database.read(QUERIES["rejections"], args)]

    def rejected(self, tenant: str, *, after: Rejection | None, limit: int) -> list[Rejection]:
        user_id, key = (after.user_id, after.key) if after else ("", "")
        args = {"tenant": tenant, "user_id": user_id, "key": key, "limit": limit}
        return [_rejection(row) for row in self._database.read(QUERIES["rejected"], args)]

    def same_content(self, memory: Memory) -> Memory | None:
        key = {"tenant": memory.tenant, "user_id": memory.user_id, "identity": identity(memory)}
        found = self._memories("same_content", key)
        return found[0] if found else None

    def history(self, scope: Scope, memory_id: str) -> list[Revision]:
        args = scope_args(scope) | {"id": memory_id}
        return [rows.revision(row) for row in self._database.read(QUERIES["history"], args)]

    def receipt(self, tenant: str, user_id: str, key: str) -> Receipt | None:
        args = {"tenant": tenant, "user_id": user_id, "key": key}
        found = self._database.read(QUERIES["receipt"], args)
        return _receipt(found[0]) if found else None

    def recall(self, tenant: str, recall_id: str) -> Recall | None:
        found = self._database.read(QUERIES["recall"], {"tenant": tenant, "id": recall_id})
        return _recall(found[0]) if found else None

    def unembedded(self, *, limit: int, due_at: datetime | None = None) -> list[tuple[Memory, int]]:
        due = None if due_at is None else iso(due_at)
        args = {"model": self._model(), "limit": limit, "due_at": due}
        found = self._database.read(QUERIES["unembedded"], args)
        return [(rows.memory(row), row[-1]) for row in found]

    def unembeddable(self) -> list[str]:
        return [memory_id for (memory_id,) in self._database.read(QUERIES["unembeddable"], {})]

    def unembedded_count(self) -> int:
        [(count,)] = self._database.read(QUERIES["unembedded_count"], {})
        return int(count)

    def other_models(self) -> list[str]:
        used = self._database.read(QUERIES["models_in_use"], {})
        return [name for (name,) in used if name != self._fingerprint]

    def adopt_model(self) -> None:
        with self._database.writing() as db:
            model = writing.model_number(db, self._fingerprint)
            run(db, "expect_vectors", {"model": model})
            run(db, "postpone_none", {})

    def drop_other_models(self) -> None:
        with self._database.writing() as db:
            run(db, "drop_other_models", {"fingerprint": self._fingerprint})
            run(db, "shrink_all", {})

    def integrity(self, tenant: str, memory_id: str) -> list[str]:
        return integrity(self._database, tenant, memory_id)

    def problems(self) -> list[str]:
        return self._database.damages() or problems(self._database)

    def audit_heads(self) -> list[AuditHead]:
        found = self._database.read(QUERIES["audit_heads"], {})
        return [AuditHead(tenant=each[0], entries=each[1], hash=each[2]) for each in found]

    def has_audit_entry(self, entry_hash: str) -> bool:
        return bool(self._database.read(QUERIES["audit_entry"], {"hash": entry_hash}))

    def rivals(self) -> list[list[Memory]]:
        return rivals(self._database)

    def unresolved(self) -> list[str]:
        return unresolved(self._database)

    def repair(self, progress: Progress) -> list[str]:
        with self._database.writing() as db:
            return repair(db, progress)

    def close(self) -> None:
        self._database.close()

    def _memories(self, query: str, args: dict[str, Any]) -> list[Memory]:
        return [rows.memory(row) for row in self._database.read(QUERIES[query], args)]

    def _wanted(self, query: str, scope: Scope, where: Filter, **args: Any) -> list[Memory]:
        wanted = Wanted.by(scope, where)
        found = self._database.read(wanted.query(query), {**wanted.args, **args})
        return [rows.memory(row) for row in found]

    def _model(self) -> int | None:
        models = {name: number for number, name in self._database.read(QUERIES["models"], {})}
        return models.get(self._fingerprint)


def _receipt(row: Sequence[Any]) -> Receipt:
    key, user_id, request_digest, outcome, reason, memory_id = row
    return Receipt(
        key=key,
        user_id=user_id,
        request_digest=request_digest,
        outcome=Outcome(outcome),
        reason=reason,
        memory_id=memory_id,
    )


def _rejection(row: Sequence[Any]) -> Rejection:
    key, user_id, memory_id, trust, at = row
    return Rejection(
        key=key,
        user_id=user_id,
        memory_id=memory_id,
        trust=trust,
        at=datetime.fromisoformat(at),
    )


def _injection(row: Sequence[Any]) -> Injection:
    user_id, session_id, memory_id, digest, at = row
    return Injection(
        user_id=user_id,
        session_id=session_id,
        memory_id=memory_id,
        digest=digest,
        at=datetime.fromisoformat(at),
    )


def _session(row: Sequence[Any]) -> SessionState:
    session_id, episodes, last_id, touched_at = row
    return SessionState(
        session_id=session_id,
        episodes=episodes,
        last_id=last_id,
        touched_at=datetime.fromisoformat(touched_at),
    )


def _recall(row: Sequence[Any]) -> Recall:
    recall_id, tenant, user_id, at, hit_ids, used_ids, helped = row
    return Recall(
        id=recall_id,
        tenant=tenant,
        user_id=user_id,
        at=datetime.fromisoformat(at),
        hit_ids=tuple(json.loads(hit_ids)),
        used_ids=tuple(json.loads(used_ids)),
        helped=None if helped is None else bool(helped),
    )
