"""Working memory beside the memories, in any SQL store. Implements core.side_ports.Sessions."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from hindsight_memory.core.codec import iso
from hindsight_memory.core.working import Session, from_json, to_json
from hindsight_memory.errors import Conflict, Damaged
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.statements import SqlDatabase, Statements


class SqlSessions:
    """Safe to share between threads, and its database between processes."""

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database

    def get(self, tenant: str, user_id: str, session_id: str, *, now: datetime) -> Session | None:
        key = {"tenant": tenant, "user_id": user_id, "session_id": session_id}
        found = self._database.rows(tenant, "session", key | {"now": iso(now)})
        return _session(found[0]) if found else None

    def of_user(
        self, tenant: str, user_id: str, *, now: datetime, after: str, limit: int
    ) -> list[Session]:
        args = {"tenant": tenant, "user_id": user_id, "after": after, "limit": limit}
        found = self._database.rows(tenant, "sessions_of_user", args | {"now": iso(now)})
        return [_session(row) for row in found]

    def put(self, session: Session) -> None:
        name = "insert_session" if session.version == 1 else "replace_session"

        def work(db: Statements) -> None:
            db.do("end_of_session", {"now": iso(session.updated_at)})
            if db.change(name, _row(session)) != 1:
                raise Conflict(f"session {session.session_id!r} was changed; read it again")

        self._database.write(session.tenant, work)

    def delete(self, tenant: str, user_id: str, session_id: str | None = None) -> int:
        key = {"tenant": tenant, "user_id": user_id, "session_id": session_id}
        gone = self._database.write(tenant, lambda db: db.change("delete_session", key))
        self._database.wipe(is_due=gone > 0)
        return gone

    def expire(self, now: datetime) -> int:
        return self._database.write(None, lambda db: db.change("end_of_session", {"now": iso(now)}))


def _row(session: Session) -> dict[str, Any]:
    return {
        "tenant": session.tenant,
        "user_id": session.user_id,
        "session_id": session.session_id,
        "document": dump(to_json(session.document)),
        "version": session.version,
        "updated_at": iso(session.updated_at),
        "expires_at": iso(session.expires_at),
    }


def _session(row: Sequence[Any]) -> Session:
    tenant, user_id, session_id, document, version, updated_at, expires_at = row
    try:
        return Session(
            tenant=tenant,
            user_id=user_id,
            session_id=session_id,
            document=from_json(json.loads(document)),
            version=version,
            updated_at=datetime.fromisoformat(updated_at),
            expires_at=datetime.fromisoformat(expires_at),
        )
    except (KeyError, TypeError, ValueError) as error:
        message = f"session {session_id!r} cannot be read ({error}); restore a backup"
        raise Damaged(message) from error
