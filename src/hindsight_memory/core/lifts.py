"""What reading a memory adds to its relevance. Pure.

A new reason is a function here and a line in ``LIFTS`` and in ``LIFT_WEIGHTS``. All are on the
scale of ``relevance.Relevance``, where the best match by words and meaning has 1 by itself.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType

from hindsight_memory.core.intent import Distilled, about, is_constraint
from hindsight_memory.core.model import Memory
from hindsight_memory.core.time import TimeSpan

LIKING = 0.3
"""What is no constraint counts this much less for an intent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """A query as it was understood. span: the time that it speaks of, if any."""

    span: TimeSpan | None
    distilled: Distilled


def time(reading: Reading, memory: Memory) -> float:
    span, at = reading.span, memory.happened_at
    if span is None:
        return 0.0
    is_within = (span.since is None or span.since <= at) and (span.until is None or at < span.until)
    return 1.0 if is_within else 0.0


def intent(reading: Reading, memory: Memory) -> float:
    """Constraints matter more than likings: an allergy before a favourite dish."""
    if not reading.distilled.topics:
        return 0.0
    touches = about(memory.content, reading.distilled.topics)
    return touches * (1.0 if is_constraint(memory.content) else LIKING)


LIFTS: Mapping[str, Callable[[Reading, Memory], float]] = MappingProxyType(
    {"time": time, "intent": intent}
)
"""Each gives a value in [0, 1]."""

LIFT_WEIGHTS: Mapping[str, float] = MappingProxyType(
    # An intent outweighs all else: such a query names nothing that its answer contains.
    {"time": 0.3, "intent": 3.0}
)


def lifts(
    reading: Reading, memory: Memory, weights: Mapping[str, float] = LIFT_WEIGHTS
) -> dict[str, float]:
    """What each of ``weights`` adds, by name; those that add nothing are left out."""
    measured = {name: weight * LIFTS[name](reading, memory) for name, weight in weights.items()}
    return {name: value for name, value in measured.items() if value}
