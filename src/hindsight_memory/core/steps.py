"""The steps of a pass over memories: what each is, and what it leaves. Pure.

A new kind of step is a member of ``Action``, in its place in the order, and a row of ``_EFFECTS``.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType

from hindsight_memory.core import compression, merging
from hindsight_memory.core.model import Memory, Tier


class Action(StrEnum):
    """What a step does, in the order in which a pass does it."""

    MERGED = "merged"
    WITHDRAWN = "withdrawn"
    PURGED = "purged"
    EXPIRED = "expired"
    COOLED = "cooled"
    COMPRESSED = "compressed"
    ARCHIVED = "archived"
    EVICTED = "evicted"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One change, to be done at once or not at all, and why.

    memories: as they are before it. required, actual: what the rule asks for, and what it found.
    """

    action: Action
    rule: str
    memories: tuple[Memory, ...]
    required: str
    actual: str

    @property
    def memory_ids(self) -> tuple[str, ...]:
        return tuple(memory.id for memory in self.memories)

    @property
    def reason(self) -> str:
        return f"{self.rule}: {self.actual}; required: {self.required}"


def changed(step: Step, *, now: datetime, new_id: str) -> tuple[Memory, ...]:
    """The memories as ``step`` leaves them, a new one among them where it makes one.

    ``updated_at`` stays as it is: nobody has touched them, and it would warm what is cooled.
    """
    return _EFFECTS[step.action](step.memories, now, new_id)


def _in_tier(tier: Tier) -> Callable[[Sequence[Memory], datetime, str], tuple[Memory, ...]]:
    def effect(memories: Sequence[Memory], _now: datetime, _id: str) -> tuple[Memory, ...]:
        return tuple(replace(each, tier=tier, version=each.version + 1) for each in memories)

    return effect


def _merged(memories: Sequence[Memory], _now: datetime, _id: str) -> tuple[Memory, ...]:
    first, *others = memories
    return (merging.merged(memories), *(merging.absorbed(each, first) for each in others))


def _withdrawn(memories: Sequence[Memory], now: datetime, _id: str) -> tuple[Memory, ...]:
    return tuple(replace(each, deleted_at=now, version=each.version + 1) for each in memories)


def _purged(_memories: Sequence[Memory], _now: datetime, _id: str) -> tuple[Memory, ...]:
    return ()


def _compressed(memories: Sequence[Memory], now: datetime, new_id: str) -> tuple[Memory, ...]:
    """The summary first: then each source names it."""
    summary = compression.summary(memories, new_id=new_id, now=now)
    return (summary, *(merging.absorbed(each, summary) for each in memories))


_EFFECTS: Mapping[Action, Callable[[Sequence[Memory], datetime, str], tuple[Memory, ...]]] = (
    MappingProxyType(
        {
            Action.MERGED: _merged,
            Action.WITHDRAWN: _withdrawn,
            Action.PURGED: _purged,
            Action.EXPIRED: _in_tier(Tier.ARCHIVED),
            Action.COOLED: _in_tier(Tier.COLD),
            Action.COMPRESSED: _compressed,
            Action.ARCHIVED: _in_tier(Tier.ARCHIVED),
            Action.EVICTED: _in_tier(Tier.ARCHIVED),
        }
    )
)
