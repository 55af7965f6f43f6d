"""Deep checks: what a search has no time for is looked at behind it, for the next one."""

import threading
from collections import OrderedDict, deque
from collections.abc import Iterable
from contextlib import suppress
from datetime import datetime, timedelta

from hindsight_memory.core import verification
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.core.policy import Status
from hindsight_memory.core.probes import KEY, Seen
from hindsight_memory.core.support import CASCADED, rejudged
from hindsight_memory.engine.cascade import apply
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.verifying import Verifier
from hindsight_memory.errors import Conflict

PER_SEARCH = 3
"""How many hits of one search are looked at behind it."""

WAITING = 100
"""How many may wait; the oldest are let go, a later search brings them again."""

REMEMBERED = 10_000
"""Of how many memories this process knows when it looked at them."""

PERIOD = timedelta(days=1)
"""How often the same memory is looked at, at most."""

BELIEVED = frozenset({Status.TENTATIVE, Status.CONFIRMED})
"""What can still be disputed."""


class DeepChecks:
    """A queue of memories to look at, one at a time. Safe to share between threads.

    When a memory was looked at is known to this process only: to look again is harmless.
    """

    def __init__(self, parts: Parts, verifier: Verifier) -> None:
        self._parts = parts
        self._verifier = verifier
        self._lock = threading.Lock()
        self._waiting: deque[tuple[str, str]] = deque(maxlen=WAITING)
        self._seen_at: OrderedDict[str, datetime] = OrderedDict()

    def queue(self, found: Iterable[Memory]) -> None:
        """Leave the first few of ``found`` to ``step``, those with more to look at before others.

        Neither reads nor writes anything.
        """
        now = self._parts.clock.now()
        with self._lock:
            due = [memory for memory in found if self._is_due(memory, now)]
            chosen = sorted(due, key=_has_little_to_check)[:PER_SEARCH]
            for memory in chosen:
                self._waiting.append((memory.tenant, memory.id))
                self._note(memory.id, now)
        if chosen:
            self._parts.behind.wake()

    def step(self) -> bool:
        """Look at one memory, and settle what was found; whether there was one."""
        with self._lock:
            if not self._waiting:
                return False
            tenant, memory_id = self._waiting.popleft()
        with suppress(Conflict):  # somebody changed it meanwhile: tomorrow is soon enough
            for memory in self._parts.store.get(Scope(tenant, None, None), [memory_id]):
                self._check(memory)
        return True

    def _is_due(self, memory: Memory, now: datetime) -> bool:
        seen_at = self._seen_at.get(memory.id)
        return seen_at is None or abs(now - seen_at) >= PERIOD

    def _note(self, memory_id: str, now: datetime) -> None:
        self._seen_at[memory_id] = now
        self._seen_at.move_to_end(memory_id)
        while len(self._seen_at) > REMEMBERED:
            self._seen_at.popitem(last=False)

    def _check(self, memory: Memory) -> None:
        """One change at most: the next look sees what it left."""
        if memory.is_forgotten or memory.is_superseded or self._has_rejudged(memory):
            return
        if memory.status in BELIEVED and not self._has_disputed_by_probe(memory):
            self._dispute_by_kin(memory)

    def _has_rejudged(self, memory: Memory) -> bool:
        if not memory.evidence:
            return False
        everyone, now = Scope(memory.tenant, None, None), self._parts.clock.now()
        supports = self._parts.store.get(everyone, memory.evidence)
        against = self._parts.store.get(everyone, memory.counter_examples)
        history = self._parts.store.history(everyone, memory.id)
        judged = rejudged(memory, supports, history, now, against=against)
        if judged is not None:
            self._put(judged.memory, CASCADED, judged.reason)
        return judged is not None

    def _has_disputed_by_probe(self, memory: Memory) -> bool:
        seen = self._verifier.observed(memory)
        if seen is None or seen.seen is not Seen.CHANGED:
            return False
        after = verification.disputed(memory, self._parts.clock.now(), by_person=False)
        self._put(after, "disputed", f"its probe sees a change: {seen.detail}")
        return True

    def _dispute_by_kin(self, memory: Memory) -> None:
        against = verification.contradicting(memory, self._verifier.others(memory))
        winners = [each for each in against if each.wins]
        if not winners:
            return
        after = verification.disputed(
            memory,
            self._parts.clock.now(),
            by_person=False,
            against=[each.memory.id for each in winners],
        )
        first = winners[0]
        self._put(after, "disputed", f"{first.memory.id!r} says otherwise: {first.reason}")

    def _put(self, after: Memory, operation: str, reason: str) -> None:
        everyone = Scope(after.tenant, None, None)
        now = self._parts.clock.now()
        changes = self._parts.changes(everyone, operation, reason, at=now, puts=(after,))
        apply(self._parts, changes)


def _has_little_to_check(memory: Memory) -> bool:
    return KEY not in memory.metadata and not memory.evidence
