"""Token buckets: how often something may happen, and who has to wait."""

import threading
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import TypeAlias

Sleep: TypeAlias = Callable[[float], None]
Monotonic: TypeAlias = Callable[[], float]

MOST_BUCKETS = 10_000
"""Kept at once, 3 MB: whoever changes names without end fills no memory, and the names that are in
use stay."""


class Bucket:
    """A token bucket: ``per_second`` on average, as many at once after a second of rest."""

    def __init__(
        self, per_second: float, *, now: Monotonic = time.monotonic, sleep: Sleep = time.sleep
    ) -> None:
        self._per_second = per_second
        self._now, self._sleep = now, sleep
        self._lock = threading.Lock()
        self._filled, self._level = now(), max(1.0, per_second)

    def take(self) -> None:
        """Waits for its turn; turns are given in the order of the calls."""
        with self._lock:
            self._fill()
            self._level -= 1
            wait = max(0.0, -self._level / self._per_second)
        if wait:
            self._sleep(wait)

    def try_take(self) -> float:
        """0.0 where there is a token, which is taken; else the seconds until there is one."""
        with self._lock:
            self._fill()
            if self._level < 1:
                return (1 - self._level) / self._per_second
            self._level -= 1
            return 0.0

    def _fill(self) -> None:
        instant = self._now()
        gained = (instant - self._filled) * self._per_second
        self._level = min(max(1.0, self._per_second), self._level + gained)
        self._filled = instant


class Buckets:
    """A bucket of ``per_second`` for each of the ``most`` names last used; a Limiter of this
    process.
    """

    def __init__(
        self, per_second: float, *, most: int = MOST_BUCKETS, now: Monotonic = time.monotonic
    ) -> None:
        self._per_second, self._most, self._now = per_second, most, now
        self._lock = threading.Lock()
        self._buckets: OrderedDict[str, Bucket] = OrderedDict()

    def __len__(self) -> int:
        return len(self._buckets)

    def take(self, name: str) -> float:
        """See Limiter.take."""
        with self._lock:
            if name not in self._buckets:
                self._buckets[name] = Bucket(self._per_second, now=self._now)
            self._buckets.move_to_end(name)
            if len(self._buckets) > self._most:
                self._buckets.popitem(last=False)
            bucket = self._buckets[name]
        return bucket.try_take()
