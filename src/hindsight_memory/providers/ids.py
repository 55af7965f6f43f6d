"""Ids that sort by the time they were made."""

import secrets
import threading
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from uuid import UUID

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)

COUNTER_BITS, COUNTER_START_BITS, RANDOM_BITS = 12, 11, 62
"""UUIDv7 with a dedicated counter where RFC 9562 has ``rand_a`` (section 6.2, method 1): it starts
at random in its lower half. ``rand_b`` is drawn anew for each id, so that none can be guessed."""

_VERSION_7, _VARIANT = 7 << 76, 0b10 << 62


class UuidSevens:
    """Each id sorts after all earlier ones, also while the clock stands still or jumps back.

    random_bits: a random number of so many bits, for tests; secure by default.
    """

    def __init__(self, random_bits: Callable[[int], int] = secrets.randbits) -> None:
        self._random_bits = random_bits
        self._lock = threading.Lock()
        self._tick = -1

    def new(self, at: datetime) -> str:
        """A UUIDv7 of ``at``, or of the latest time seen if that is later."""
        milliseconds = max(0, (at - EPOCH) // MILLISECOND)
        with self._lock:
            first = milliseconds << COUNTER_BITS | self._random_bits(COUNTER_START_BITS)
            # A full counter carries over into the milliseconds, as the RFC allows.
            is_later = milliseconds > self._tick >> COUNTER_BITS
            self._tick = first if is_later else self._tick + 1
            return _uuid7(self._tick, self._random_bits(RANDOM_BITS))


def _uuid7(tick: int, rand_b: int) -> str:
    """``tick``: milliseconds since 1970, then the counter."""
    milliseconds, counter = divmod(tick, 1 << COUNTER_BITS)
    return str(UUID(int=milliseconds << 80 | _VERSION_7 | counter << 64 | _VARIANT | rand_b))
