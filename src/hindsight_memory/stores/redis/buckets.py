"""Rates that replicas share; while Redis is away each keeps them by itself.

The same as hindsight_memory.providers.buckets, one bucket for all processes.
"""

import time
from collections.abc import Callable

from hindsight_memory.core.ports import Limiter
from hindsight_memory.core.services import Pace
from hindsight_memory.errors import Unavailable
from hindsight_memory.stores.redis.connection import Shared

KIND = "rate"


class RedisBucket:
    """A token bucket: ``per_second`` on average, as many at once after a second of rest.

    name: of what is limited. alone: what limits this process while Redis is away.
    """

    def __init__(
        self,
        shared: Shared,
        name: str,
        per_second: float,
        *,
        alone: Pace,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._script = shared.server.script("bucket.lua")
        self._key = shared.key(KIND, name)
        self._per_second = per_second
        self._alone, self._sleep = alone, sleep

    def take(self) -> None:
        """Waits for its turn; turns are given in the order of the calls of all processes."""
        try:
            wait = float(self._script((self._key,), (self._per_second, "wait")))
        except Unavailable:
            self._alone.take()
            return
        if wait:
            self._sleep(wait)


class RedisBuckets:
    """A bucket of ``per_second`` for each name. alone: as of RedisBucket."""

    def __init__(self, shared: Shared, per_second: float, *, alone: Limiter) -> None:
        self._shared = shared
        self._script = shared.server.script("bucket.lua")
        self._per_second, self._alone = per_second, alone

    def take(self, name: str) -> float:
        key = self._shared.key(KIND, name)
        try:
            return float(self._script((key,), (self._per_second, "try")))
        except Unavailable:
            return self._alone.take(name)
