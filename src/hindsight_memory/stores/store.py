"""What every SQL store does alike: all of hindsight_memory.core.ports.Store but how it searches.

A store is this class with a database, and with indexes of its own.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

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
from hindsight_memory.core.model import Memory, Scope, Tier
from hindsight_memory.core.ports import Progress
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.core.sessions import SessionState
from hindsight_memory.stores import rows
from hindsight_memory.stores.change_rows import (
    injection_of,
    recall_of,
    receipt_of,
    rejection_of,
    session_state_of,
)
from hindsight_memory.stores.checking import integrity, problems, rivals, unresolved
from hindsight_memory.stores.filtering import Wanted, scope_args
from hindsight_memory.stores.jobs import SqlJobs
from hindsight_memory.stores.repairing import Repairable, repair
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.sessions import SqlSessions
from hindsight_memory.stores.statements import SqlDatabase, Statements
from hindsight_memory.stores.writing import Writing

ANYWHERE = Filter(tiers=frozenset(Tier))
PAST_TOO = Filter(tiers=frozenset(Tier), superseded=True)


class SqlStore:
    """Safe to share between threads, and its database between processes.

    queries: the named ones of its dialect. fingerprint: that of the embedder whose vectors are
    searched and written.
    """

    def __init__(
        self,
        database: SqlDatabase,
        indexes: Repairable,
        *,
        queries: Mapping[str, str],
        fingerprint: str,
    ) -> None:
        self._database = database
        self._indexes = indexes
        self._queries = queries
        self._fingerprint = fingerprint
        self.working = SqlSessions(database)
        self.jobs = SqlJobs(database)

    def apply(self, changes: Changes) -> None:
        self._database.write(changes.tenant, lambda db: Writing(db, changes, self._indexes).apply())
        self._database.wipe(is_due=bool(changes.purges))

    def restore(self, changes: Changes, histories: Mapping[str, Sequence[Revision]]) -> None:
        self._database.write(
            changes.tenant, lambda db: Writing(db, changes, self._indexes).restore(histories)
        )

    def catch_up(self) -> bool:
        """Whatever follows the rows is here."""
        return False

    def reconcile(self, progress: Progress) -> list[str]:
        return []

    def behind(self) -> list[str]:
        return []

    def get(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        args = scope_args(scope) | {"ids": dump(list(ids))}
        found = {memory.id: memory for memory in self._memories(scope.tenant, "get", args)}
        return [found[memory_id] for memory_id in ids if memory_id in found]

    def page(self, scope: Scope, where: Filter, *, before: str | None, limit: int) -> list[Memory]:
        return self._wanted("page", scope, where, before=before, limit=limit)

    def every(self, tenant: str, *, after: str, limit: int) -> list[Memory]:
        return self._memories(tenant, "every", {"tenant": tenant, "after": after, "limit": limit})

    def users(self, tenant: str, *, after: str, limit: int) -> list[str]:
        args = {"tenant": tenant, "after": after, "limit": limit}
        return [user_id for (user_id,) in self._rows(tenant, "users", args)]

    def sessions(self, scope: Scope, *, after: str, limit: int) -> list[SessionState]:
        args = scope_args(scope) | {"after": after, "limit": limit}
        return [session_state_of(row) for row in self._rows(scope.tenant, "sessions", args)]

    def calls(self, scope: Scope, tool: str, *, where: Filter, limit: int) -> list[Memory]:
        return self._wanted("calls", scope, where, tool=tool, limit=limit)

    def injected(self, tenant: str, user_id: str, session_id: str) -> list[Injection]:
        args = {"tenant": tenant, "user_id": user_id, "session_id": session_id}
        return [injection_of(row) for row in self._rows(tenant, "injected", args)]

    def mark(self, tenant: str, user_id: str) -> int:
        [(mark,)] = self._rows(tenant, "mark", {"tenant": tenant, "user_id": user_id})
        return int(mark)

    def kin(self, scope: Scope, memory: Memory, *, limit: int) -> list[Memory]:
        return self._kin(scope, memory, ANYWHERE, limit)

    def past_kin(self, scope: Scope, memory: Memory, *, limit: int) -> list[Memory]:
        found = self._kin(scope, memory, PAST_TOO, limit)
        return [each for each in found if each.is_superseded]

    def _kin(self, scope: Scope, memory: Memory, where: Filter, limit: int) -> list[Memory]:
        return self._wanted(
            "kin",
            scope,
            where,
            exact_project=memory.project,
            id=memory.id,
            keys=dump(list(keys(memory))),
            limit=limit,
        )

    def dependants(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        return self._wanted("dependants", scope, PAST_TOO, ids=dump(list(ids)))

    def rejections(self, tenant: str, user_id: str, keys: Sequence[str]) -> list[Rejection]:
        args = {"tenant": tenant, "user_id": user_id, "keys": dump(list(keys))}
        return [rejection_of(row) for row in self._rows(tenant, "rejections", args)]

    def rejected(self, tenant: str, *, after: Rejection | None, limit: int) -> list[Rejection]:
        user_id, key = (after.user_id, after.key) if after else ("", "")
        args = {"tenant": tenant, "user_id": user_id, "key": key, "limit": limit}
        return [rejection_of(row) for row in self._rows(tenant, "rejected", args)]

    def same_content(self, memory: Memory) -> Memory | None:
        key = {"tenant": memory.tenant, "user_id": memory.user_id, "identity": identity(memory)}
        found = self._memories(memory.tenant, "same_content", key)
        return found[0] if found else None

    def history(self, scope: Scope, memory_id: str) -> list[Revision]:
        args = scope_args(scope) | {"id": memory_id}
        return [rows.revision(row) for row in self._rows(scope.tenant, "history", args)]

    def receipt(self, tenant: str, user_id: str, key: str) -> Receipt | None:
        args = {"tenant": tenant, "user_id": user_id, "key": key}
        found = self._rows(tenant, "receipt", args)
        return receipt_of(found[0]) if found else None

    def recall(self, tenant: str, recall_id: str) -> Recall | None:
        found = self._rows(tenant, "recall", {"tenant": tenant, "id": recall_id})
        return recall_of(found[0]) if found else None

    def unembedded(self, *, limit: int, due_at: datetime | None = None) -> list[tuple[Memory, int]]:
        due = None if due_at is None else iso(due_at)
        args = {"fingerprint": self._fingerprint, "limit": limit, "due_at": due}
        return [(rows.memory(row), row[-1]) for row in self._rows(None, "unembedded", args)]

    def unembeddable(self) -> list[str]:
        return [memory_id for (memory_id,) in self._rows(None, "unembeddable", {})]

    def unembedded_count(self) -> int:
        [(count,)] = self._rows(None, "unembedded_count", {})
        return int(count)

    def other_models(self) -> list[str]:
        used = self._rows(None, "models_in_use", {})
        return [name for (name,) in used if name != self._fingerprint]

    def adopt_model(self) -> None:
        given = {"fingerprint": self._fingerprint}

        def work(db: Statements) -> None:
            db.do("new_model", given)
            db.do("expect_vectors", given)
            db.do("postpone_none", {})

        self._database.write(None, work)

    def drop_other_models(self) -> None:
        given = {"fingerprint": self._fingerprint}

        def work(db: Statements) -> None:
            db.do("drop_other_models", given)
            self._indexes.renew_vectors(db)

        self._database.write(None, work)

    def integrity(self, tenant: str, memory_id: str) -> list[str]:
        return integrity(self._database, tenant, memory_id)

    def problems(self) -> list[str]:
        return self._database.damages() or problems(self._database)

    def audit_heads(self) -> list[AuditHead]:
        found = self._rows(None, "audit_heads", {})
        return [AuditHead(tenant=each[0], entries=each[1], hash=each[2]) for each in found]

    def has_audit_entry(self, entry_hash: str) -> bool:
        return bool(self._rows(None, "audit_entry", {"hash": entry_hash}))

    def rivals(self) -> list[list[Memory]]:
        return rivals(self._database)

    def unresolved(self) -> list[str]:
        return unresolved(self._database)

    def repair(self, progress: Progress) -> list[str]:
        return self._database.write(None, lambda db: repair(db, self._indexes, progress))

    def close(self) -> None:
        self._database.close()

    def _rows(self, tenant: str | None, name: str, args: Mapping[str, Any]) -> list[Any]:
        return self._database.rows(tenant, name, args)

    def _memories(self, tenant: str, name: str, args: Mapping[str, Any]) -> list[Memory]:
        return [rows.memory(row) for row in self._rows(tenant, name, args)]

    def _wanted(self, name: str, scope: Scope, where: Filter, **args: Any) -> list[Memory]:
        wanted = Wanted.by(self._queries, scope, where)
        found = self._database.rows(scope.tenant, name, args, wanted=wanted)
        return [rows.memory(row) for row in found]
