"""Working memory in front of the store's: replicas read copies in Redis, and the store keeps all.

The store is written first, and decides who came first. Redis has copies only, for BELIEVED at most,
and all of them may go at any time: reads then go to the store. Implements
hindsight_memory.core.side_ports.Sessions.
"""

import json
import threading
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from uuid import uuid4

from redis.client import Pipeline

from hindsight_memory.core.codec import iso
from hindsight_memory.core.identity import digest
from hindsight_memory.core.side_ports import Sessions
from hindsight_memory.core.working import Document, Session, from_json, to_json
from hindsight_memory.errors import Conflict, HindsightError, Unavailable
from hindsight_memory.stores.redis.connection import PREFIX, Shared
from hindsight_memory.stores.redis.owed import Owed
from hindsight_memory.stores.rows import dump

BELIEVED = timedelta(seconds=30)
"""How long a copy counts, by the clock of Redis: the longest that a replica reads old ones while
another changes sessions and cannot reach Redis. An agent comes back within seconds.
"""

MOST_BYTES = 128 * 1024
"""Of a copy. The bounds of a document allow a fifth of it; larger ones are read from the store."""

EPOCH, NEVER = datetime(1970, 1, 1, tzinfo=UTC), datetime(9000, 1, 1, tzinfo=UTC)

RESERVED = f"{PREFIX}:redis"
"""Tenant, user and id of the session that keeps the store's name; no credential has this tenant."""


@dataclass(frozen=True, slots=True)
class Place:
    """Of a copy; of all of a user's where ``field`` is empty."""

    copies: str
    field: str

    @property
    def keys(self) -> tuple[str, str]:
        return self.copies, f"{self.copies}:until"


class RedisSessions:
    """Safe to share between threads; ``inner`` and Redis, between processes."""

    def __init__(self, inner: Sessions, shared: Shared) -> None:
        self._inner, self._shared = inner, shared
        self._script = shared.server.script("sessions.lua")
        self._lock = threading.Lock()
        self._over = EPOCH
        self._owed = Owed(shared.server, _take_out)

    def get(self, tenant: str, user_id: str, session_id: str, *, now: datetime) -> Session | None:
        place, token = self._place(tenant, user_id, session_id), uuid4().hex
        try:
            kept = self._told("look", place, token)
        except Unavailable:
            return self._inner.get(tenant, user_id, session_id, now=now)
        copy = _session(kept) if kept else None
        if copy and _owner(copy) == (tenant, user_id, session_id) and self._counts(copy, now):
            return copy
        found = self._inner.get(tenant, user_id, session_id, now=now)
        if found is not None:
            self._keep(place, token, found)
        return found

    def of_user(
        self, tenant: str, user_id: str, *, now: datetime, after: str, limit: int
    ) -> list[Session]:
        return self._inner.of_user(tenant, user_id, now=now, after=after, limit=limit)

    def put(self, session: Session) -> None:
        place, token = self._place(*_owner(session)), uuid4().hex
        try:
            self._told("lease", place, token)
        except Unavailable:
            token = ""
        self._end(session.updated_at)
        try:
            self._inner.put(session)
        except HindsightError:
            # A Conflict may rest on an old copy: without it the next try reads the store. After
            # anything else nobody knows what the store has.
            self._owed.take_out([place])
            raise
        if token:
            self._keep(place, token, session)
        else:
            self._owed.take_out([place])

    def delete(self, tenant: str, user_id: str, session_id: str | None = None) -> int:
        try:
            return self._inner.delete(tenant, user_id, session_id)
        finally:
            self._owed.take_out([self._place(tenant, user_id, session_id)])

    def expire(self, now: datetime) -> int:
        self._end(now)
        return self._inner.expire(now)

    def _place(self, tenant: str, user_id: str, session_id: str | None) -> Place:
        field = "" if session_id is None else digest(session_id)
        return Place(self._shared.key("working", tenant, user_id), field)

    def _counts(self, copy: Session, now: datetime) -> bool:
        """What is over by our clock is the store's to say, and it stays over when that clock is
        set back.
        """
        return copy.expires_at > max(now, self._over)

    def _end(self, at: datetime) -> None:
        with self._lock:
            self._over = max(self._over, at)

    def _told(self, operation: str, place: Place, token: str, copy: bytes = b"") -> bytes | None:
        """What the script answers. Raises Unavailable."""
        self._owed.pay()
        holds = BELIEVED // timedelta(milliseconds=1)
        kept: bytes | None = self._script(place.keys, (operation, place.field, token, holds, copy))
        return kept

    def _keep(self, place: Place, token: str, session: Session) -> None:
        copy = _copy(session)
        if len(copy) > MOST_BYTES:
            return  # what is there is a lease, which nobody reads
        try:
            self._told("keep", place, token, copy)
        except Unavailable:
            self._owed.take_out([place])


def name_of_store(inner: Sessions) -> str:
    """What stores that share a Redis are told apart by, whatever their URLs and users are called:
    a name made at random, kept in the store, as a session that no user has.
    """
    named = Session(
        tenant=RESERVED,
        user_id=RESERVED,
        session_id=RESERVED,
        document=Document(task_goal=uuid4().hex),
        version=1,
        updated_at=EPOCH,
        expires_at=NEVER,
    )
    kept = inner.get(*_owner(named), now=EPOCH)
    if kept is None:
        try:
            inner.put(named)
        except Conflict:
            kept = inner.get(*_owner(named), now=EPOCH)
    return (kept or named).document.task_goal


def _take_out(pipe: Pipeline, place: Place) -> None:
    copies, until = place.keys
    if place.field:
        pipe.hdel(copies, place.field)
        pipe.zrem(until, place.field)
    else:
        pipe.delete(copies, until)


def _owner(session: Session) -> tuple[str, str, str]:
    return session.tenant, session.user_id, session.session_id


def _copy(session: Session) -> bytes:
    given = {
        "owner": _owner(session),
        "document": to_json(session.document),
        "version": session.version,
        "updated_at": iso(session.updated_at),
        "expires_at": iso(session.expires_at),
    }
    return dump(given).encode("utf-8", "surrogatepass")


def _session(copy: bytes) -> Session | None:
    """None for what another release has written."""
    try:
        given = json.loads(copy)
        tenant, user_id, session_id = given["owner"]
        return Session(
            tenant=tenant,
            user_id=user_id,
            session_id=session_id,
            document=from_json(given["document"]),
            version=given["version"],
            updated_at=datetime.fromisoformat(given["updated_at"]),
            expires_at=datetime.fromisoformat(given["expires_at"]),
        )
    except (KeyError, TypeError, ValueError):
        return None
