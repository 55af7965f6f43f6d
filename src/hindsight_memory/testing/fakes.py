"""Stand-ins that behave like the real thing, quickly and the same every time."""

import itertools
import threading
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime, timedelta

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.core.ports import Embedder
from hindsight_memory.core.working import Session
from hindsight_memory.errors import Conflict, Unavailable


class FrozenClock:
    """A clock that moves only when told to."""

    def __init__(self, start: datetime = datetime(2030, 1, 1, tzinfo=UTC)) -> None:
        self._now = start

    def now(self) -> datetime:
        return self._now

    def advance(self, step: timedelta) -> None:
        self._now += step


class CountingIds:
    """id000001, id000002, ...: predictable, and in order up to a million of them."""

    def __init__(self, prefix: str = "id") -> None:
        self._prefix = prefix
        self._numbers = itertools.count(1)

    def new(self, at: datetime) -> str:
        return f"{self._prefix}{next(self._numbers):06}"


class _Around:
    """An embedder that is ``inner`` in all that its kinds do not change."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._inner.passages(texts)

    def query(self, text: str) -> Vector:
        return self._inner.query(text)


class SlowEmbedder(_Around):
    """Takes ``delay_seconds`` more for each call, however many texts it brings."""

    def __init__(
        self, inner: Embedder, delay_seconds: float, *, sleep: Callable[[float], None] = time.sleep
    ) -> None:
        super().__init__(inner)
        self._delay_seconds = delay_seconds
        self._sleep = sleep

    def passages(self, texts: Sequence[str]) -> Vectors:
        self._sleep(self._delay_seconds)
        return self._inner.passages(texts)

    def query(self, text: str) -> Vector:
        self._sleep(self._delay_seconds)
        return self._inner.query(text)


class PickyEmbedder(_Around):
    """Raises ``error`` when one of the texts contains ``refused``; else ``inner``."""

    def __init__(self, inner: Embedder, *, refused: str, error: Exception) -> None:
        super().__init__(inner)
        self.refused = refused
        self.error = error

    def passages(self, texts: Sequence[str]) -> Vectors:
        if any(self.refused in text for text in texts):
            raise self.error
        return self._inner.passages(texts)


class BrokenEmbedder(_Around):
    """Unavailable while ``broken``; else ``inner``."""

    def __init__(self, inner: Embedder, *, broken: bool = True) -> None:
        super().__init__(inner)
        self.broken = broken

    def passages(self, texts: Sequence[str]) -> Vectors:
        self._refuse()
        return self._inner.passages(texts)

    def query(self, text: str) -> Vector:
        self._refuse()
        return self._inner.query(text)

    def _refuse(self) -> None:
        if self.broken:
            raise Unavailable("the embedder is broken, as the test wants it")


class LocalSessions:
    """Working memory of this process, which ends with it."""

    def __init__(self) -> None:
        self._sessions: dict[tuple[str, str, str], Session] = {}
        self._lock = threading.Lock()

    def get(self, tenant: str, user_id: str, session_id: str, *, now: datetime) -> Session | None:
        found = self._sessions.get((tenant, user_id, session_id))
        return found if found is not None and found.expires_at > now else None

    def of_user(
        self, tenant: str, user_id: str, *, now: datetime, after: str, limit: int
    ) -> list[Session]:
        with self._lock:
            known = sorted(self._sessions.items())
        found = [each for key, each in known if key[:2] == (tenant, user_id) and key[2] > after]
        return [each for each in found if each.expires_at > now][:limit]

    def put(self, session: Session) -> None:
        key = (session.tenant, session.user_id, session.session_id)
        with self._lock:
            self._expire(session.updated_at)
            known = self._sessions.get(key)
            if session.version != (1 if known is None else known.version + 1):
                raise Conflict(f"session {session.session_id!r} was changed; read it again")
            self._sessions[key] = session

    def delete(self, tenant: str, user_id: str, session_id: str | None = None) -> int:
        with self._lock:
            gone = [
                key
                for key in self._sessions
                if key[:2] == (tenant, user_id) and session_id in {None, key[2]}
            ]
            for key in gone:
                del self._sessions[key]
        return len(gone)

    def expire(self, now: datetime) -> int:
        with self._lock:
            return self._expire(now)

    def _expire(self, now: datetime) -> int:
        over = [key for key, each in self._sessions.items() if each.expires_at <= now]
        for key in over:
            del self._sessions[key]
        return len(over)
