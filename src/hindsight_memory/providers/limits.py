"""What stands before a language model: each takes one and is one. Rates, budgets, a cache."""

import json
import threading
from collections import Counter, OrderedDict
from collections.abc import Iterable, Mapping
from dataclasses import asdict, replace
from datetime import UTC, date, datetime

from hindsight_memory.core.asking import Question, Reply, Spending
from hindsight_memory.core.identity import digest
from hindsight_memory.core.ports import Clock, Metering, Model
from hindsight_memory.core.services import Pace
from hindsight_memory.errors import Unavailable


class RateLimited:
    """Asks ``inner`` no more often than ``bucket`` allows; calls beyond that wait."""

    def __init__(self, inner: Model, bucket: Pace) -> None:
        self._inner, self._bucket = inner, bucket

    def ask(self, question: Question) -> Reply:
        self._bucket.take()
        return self._inner.ask(question)


class Metered:
    """Counts the tokens of each operation, by days of UTC, and refuses beyond its budget.

    budgets: tokens a day by operation; "*" is for each that has none of its own. A question that
    is being asked when the budget ends is still answered.
    """

    def __init__(self, inner: Model, clock: Clock, budgets: Mapping[str, int]) -> None:
        self._inner, self._clock, self._budgets = inner, clock, budgets
        self._lock = threading.Lock()
        self._day: date | None = None
        self._spent: Counter[str] = Counter()
        self._total: Counter[str] = Counter()

    def ask(self, question: Question) -> Reply:
        self._check(question.operation)
        reply = self._inner.ask(question)
        tokens = reply.input_tokens + reply.output_tokens
        with self._lock:
            self._spent[question.operation] += tokens
            self._total[question.operation] += tokens
        return reply

    def spending(self) -> Mapping[str, Spending]:
        """See Metering."""
        with self._lock:
            self._turn_the_page()
            return {
                operation: Spending(
                    today=self._spent[operation],
                    since_start=self._total[operation],
                    budget=self._budget(operation),
                )
                for operation in sorted(self._total.keys() | self._budgets.keys())
            }

    def _budget(self, operation: str) -> int | None:
        return self._budgets.get(operation, self._budgets.get("*"))

    def _check(self, operation: str) -> None:
        budget = self._budget(operation)
        with self._lock:
            self._turn_the_page()
            spent = self._spent[operation]
        if budget is not None and spent >= budget:
            raise Unavailable(
                f"{operation!r} spent {spent} of {budget} tokens today; it goes on at midnight UTC,"
                " or with a higher HINDSIGHT_MEMORY_LLM_DAILY_TOKENS"
            )

    def _turn_the_page(self) -> None:
        today = self._today()
        # A clock that is set back gives nobody a second budget.
        if self._day is None or today > self._day:
            self._day = today
            self._spent.clear()

    def _today(self) -> date:
        instant: datetime = self._clock.now()
        return instant.astimezone(UTC).date()


class CachedModel:
    """Answers again what is among the ``capacity`` questions last asked; such answers cost no
    tokens. Failures are not kept.
    """

    def __init__(self, inner: Model, *, capacity: int = 1_024) -> None:
        self._inner, self._capacity = inner, capacity
        self._lock = threading.Lock()
        self._replies: OrderedDict[str, Reply] = OrderedDict()
        self._forgotten = 0

    def ask(self, question: Question) -> Reply:
        key = digest(json.dumps(asdict(question), sort_keys=True))
        with self._lock:
            kept = self._replies.get(key)
            if kept is not None:
                self._replies.move_to_end(key)
                return replace(kept, input_tokens=0, output_tokens=0)
            forgotten = self._forgotten
        reply = self._inner.ask(question)
        with self._lock:
            if forgotten != self._forgotten:
                return reply
            self._replies[key] = reply
            while len(self._replies) > self._capacity:
                self._replies.popitem(last=False)
        return reply

    def spending(self) -> Mapping[str, Spending]:
        """See Metering."""
        return self._inner.spending() if isinstance(self._inner, Metering) else {}

    def forget(self, texts: Iterable[str]) -> None:
        """Keep nothing, not even what another thread is asking right now: any answer may repeat
        what was purged, in other words.
        """
        with self._lock:
            self._forgotten += 1
            self._replies.clear()
