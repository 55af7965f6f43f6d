"""Working memory in the file of the memories. Implements hindsight_memory.core.ports.Sessions."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from hindsight_memory.core.codec import iso
from hindsight_memory.core.working import Session, from_json, to_json
from hindsight_memory.errors import Conflict, Damaged
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.sql import load_queries
from hindsight_memory.stores.sqlite.database import Database

QUERIES = load_queries("hindsight_memory.stores.sqlite", "sessions.sql")


class SqliteSessions:
    """Safe to share between threads, and its file between processes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def get(self, tenant: str, user_id: str, session_id: str, *, now: datetime) -> Session | None:
        key = {"tenant": tenant, "user_id": user_id, "session_id": session_id}
        found = self._database.read(QUERIES["session"], key | {"now": iso(now)})
        return _session(found[0]) if found else None

    def of_user(
        self, tenant: str, user_id: str, *, now: datetime, after: str, limit: int
    ) -> list[Session]:
        args = {"tenant": tenant, "user_id": user_id, "after": after, "limit": limit}
        found = self._database.read(QUERIES["sessions_of_user"], args | {"now": iso(now)})
        return [_session(row) for row in found]

    def put(self, session: Session) -> None:
        name = "insert_session" if session.version == 1 else "replace_session"
        with self._database.writing() as db:
            _run(db, "end_of_session", {"now": iso(session.updated_at)})
            if _run(db, name, _row(session)) != 1:
                raise Conflict(f"session {session.session_id!r} was changed; read it again")

    def delete(self, tenant: str, user_id: str, session_id: str | None = None) -> int:
        key = {"tenant": tenant, "user_id": user_id, "session_id": session_id}
        with self._database.writing() as db:
            gone = _run(db, "delete_session", key)
        self._database.wipe(is_due=gone > 0)
        return gone

    def expire(self, now: datetime) -> int:
        with self._database.writing() as db:
            return _run(db, "end_of_session", {"now": iso(now)})


def _run(db: apsw.Connection, name: str, args: Mapping[str, Any]) -> int:
    """How many rows it changed."""
    db.execute(QUERIES[name], args)
    return db.changes()


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
