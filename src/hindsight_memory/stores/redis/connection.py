"""One Redis, or whatever speaks like it, that replicas share; and going on without it.

What is in it can be lost at any time: whoever uses it catches Unavailable and does without.
"""

import threading
import time
from collections.abc import Callable, Mapping
from importlib import resources
from typing import Any, Self, TypeAlias, TypeVar
from urllib.parse import SplitResult, parse_qs, urlsplit

import structlog
from redis import ConnectionPool, Redis
from redis import exceptions as failures
from redis.backoff import NoBackoff
from redis.retry import Retry

from hindsight_memory.core.identity import digest
from hindsight_memory.errors import InvalidInput, Unavailable

log = structlog.get_logger(__name__)

SETTING = "HINDSIGHT_MEMORY_REDIS_URL"

PREFIX = "hindsight-memory"
"""Every key begins with it and a colon."""

TIMEOUT_SECONDS = 0.5
"""Within a data centre it answers in a thousandth of that; who waits longer is better off without
it. ``socket_timeout`` in the URL wins.
"""

PAUSE_SECONDS = 1.0
"""How long nobody asks after it did not answer, so that a Redis that is away costs nothing."""

Monotonic: TypeAlias = Callable[[], float]
Answer = TypeVar("Answer")


class RedisServer:
    """Safe to share between threads. Constructing one connects to nothing."""

    def __init__(self, pool: ConnectionPool, name: str, *, now: Monotonic = time.monotonic) -> None:
        self.name = name
        self._redis = Redis(connection_pool=pool)
        self._now = now
        self._lock = threading.Lock()
        self._ask_again_at = 0.0
        self._trouble = ""

    @classmethod
    def open(cls, url: str, *, now: Monotonic = time.monotonic) -> Self:
        """url: redis://, rediss:// (TLS) or unix://, with the number of a database, and with
        ``ssl_...``, ``socket_timeout`` and ``socket_connect_timeout`` as parameters.

        Raises InvalidInput.
        """
        try:
            _check(url)
            pool = ConnectionPool.from_url(
                url,
                socket_timeout=TIMEOUT_SECONDS,
                socket_connect_timeout=TIMEOUT_SECONDS,
                retry=Retry(NoBackoff(), 0),  # the library tries ten times, for seconds
                protocol=2,  # nothing newer is needed, and every server knows it
            )
            pool.make_connection()
        except (TypeError, ValueError, failures.RedisError) as error:
            raise InvalidInput(f"{SETTING}: {error}") from error
        return cls(pool, _name(url), now=now)

    def ask(self, question: Callable[[Redis], Answer]) -> Answer:
        """What ``question`` gets. Raises Unavailable, at once in the pause after a failure."""
        with self._lock:
            if self._trouble and self._now() < self._ask_again_at:
                raise Unavailable(f"{self.name} did not answer; it is asked again in a second")
            # Where it is lost one caller tries, and the others go on without it.
            self._ask_again_at = self._now() + PAUSE_SECONDS
        return self._asked(question)

    @property
    def trouble(self) -> str:
        """Why it did not answer when it was last asked; "" where it did."""
        return self._trouble

    def look(self) -> str:
        """What answers there, asked now even in a pause. Raises Unavailable."""
        said: Mapping[str, Any] = self._asked(lambda redis: redis.info())
        kind = "valkey" if "valkey_version" in said else "redis"
        told = f"{self.name} answers: {kind} {said.get(f'{kind}_version', 'of unknown version')}"
        is_saved = said.get("aof_enabled") == 1
        return f"{told}; it writes what is deleted to a disk: appendonly no" if is_saved else told

    def script(
        self, file: str
    ) -> Callable[[tuple[str, ...], tuple[str | bytes | float, ...]], Any]:
        """The Lua script ``file`` beside this module, which takes keys and arguments. Raises
        Unavailable when it is called.
        """
        text = (resources.files(__package__ or "") / file).read_text("utf-8")
        script = self._redis.register_script(text)
        return lambda keys, arguments: self.ask(lambda _redis: script(keys=keys, args=arguments))

    def close(self) -> None:
        self._redis.connection_pool.disconnect()

    def _asked(self, question: Callable[[Redis], Answer]) -> Answer:
        try:
            answer = question(self._redis)
        except failures.RedisError as error:
            told = next(told for kind, told in _REASONS.items() if isinstance(error, kind))
            reason = f"{self.name} {told.format(error=error)}"
            self._lose(reason)
            raise Unavailable(reason) from error
        self._find()
        return answer

    def _lose(self, reason: str) -> None:
        with self._lock:
            was_lost, self._trouble = bool(self._trouble), reason
            self._ask_again_at = self._now() + PAUSE_SECONDS
        if not was_lost:
            log.warning("redis_lost", reason=reason)

    def _find(self) -> None:
        with self._lock:
            was_lost, self._trouble = bool(self._trouble), ""
        if was_lost:
            log.info("redis_found", server=self.name)


class Shared:
    """What the replicas of one store share in a Redis, apart from those of any other store."""

    def __init__(self, server: RedisServer, store: str) -> None:
        self.server, self._store = server, store

    def key(self, kind: str, *parts: str) -> str:
        """Of ``kind``, for ``parts``, which are hashed with the store's name: none of them reaches
        into another's place, and none can be guessed by who does not know that name.

        The braces keep what begins with the key on one server, where a proxy knows several.
        """
        return f"{PREFIX}:{kind}:{{{digest(self._store, *parts)}}}"


_REASONS: Mapping[type[failures.RedisError], str] = {
    failures.AuthenticationError: f"refuses the name or password in {SETTING}: {{error}}",
    failures.InvalidResponse: f"is no Redis: {{error}}; check {SETTING}",
    failures.TimeoutError: "did not answer in time",
    failures.ConnectionError: "cannot be reached, or broke off: {error}; is it running?",
    failures.RedisError: "refused: {error}",
}
"""The narrowest first."""

_SCHEMES = ("redis", "rediss", "unix")
_PARAMETERS = ("db", "socket_timeout", "socket_connect_timeout")


def _check(url: str) -> None:
    """Raises ValueError for a URL that would be understood otherwise than it was meant."""
    parts = urlsplit(url)
    if parts.scheme not in _SCHEMES:
        raise ValueError(f"it begins with one of {', '.join(_SCHEMES)} and ://")
    if parts.fragment or not _has_port(parts):
        # Nothing of it is repeated: it may be a part of a password.
        raise ValueError("it cannot be read; in a password write / as %2F, # as %23, ? as %3F")
    database = parts.path.removeprefix("/")
    if parts.scheme != "unix" and database and not database.isdecimal():
        raise ValueError("databases have numbers, as in redis://host:6379/0")
    names = [name for name in parse_qs(parts.query) if not name.startswith("ssl_")]
    if unknown := [name for name in names if name not in _PARAMETERS]:
        known = ", ".join(_PARAMETERS)
        raise ValueError(f"no parameter {unknown[0]!r}; known: {known}, ssl_...")


def _has_port(parts: SplitResult) -> bool:
    """Whether what stands where a port would is none, or one."""
    try:
        return parts.port != 0
    except ValueError:
        return False


def _name(url: str) -> str:
    """The URL without what is secret in it."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"
