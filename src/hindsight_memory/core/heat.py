"""How warm a memory is, and what its warmth and its kind allow to be done with it. Pure."""

from datetime import datetime, timedelta

from hindsight_memory.core.merging import BELIEVED
from hindsight_memory.core.model import Layer, Memory, Tier
from hindsight_memory.core.policy import POLICIES, Source, Status

COOLING = 0.9
"""What is left of the heat after each week untouched."""
WEEK = timedelta(days=7)

COLD = 0.3
"""Heat below which a memory is searched only when asked: after 80 days untouched, if never used."""

FAINT = 0.1
"""Heat below which an episode is due for a summary: after 153 days untouched, if never used."""

UNREAD = timedelta(days=90)
"""Untouched for so long, what was seldom read is archived, and what is faint compressed."""

SELDOM = 3
"""Fewer accesses than this are few."""


def idle(memory: Memory, now: datetime) -> timedelta:
    """How long nobody has read or changed it; nothing where that is still to come."""
    touched = max(memory.updated_at, memory.last_accessed_at or memory.updated_at)
    return max(timedelta(), now - touched)


def heat_at(memory: Memory, now: datetime) -> float:
    """Its stored heat, less what it has lost since somebody read or changed it.

    Reckoned when it is needed: no row is rewritten because a day has passed.
    """
    return float(memory.heat * COOLING ** (idle(memory, now) / WEEK))


def is_kept(memory: Memory) -> bool:
    """Whether it never cools and is never archived: an allergy outlives every season."""
    policy = POLICIES[memory.memory_type]
    is_confirmed = memory.status is Status.CONFIRMED
    return policy.keeps or (policy.keeps_confirmed and is_confirmed)


def is_mortal(memory: Memory) -> bool:
    """Whether a pass may end it: current, decided about, and of no kind that is kept."""
    is_current = not memory.is_forgotten and not memory.is_superseded
    return is_current and memory.status is not Status.QUARANTINED and not is_kept(memory)


def may_compress(memory: Memory, now: datetime) -> bool:
    """Whether it may join a summary that another one is due for. Text from outside never may: in
    a summary it would pass for our own.
    """
    return (
        memory.layer is Layer.EPISODIC
        and memory.source is not Source.EXTERNAL
        and memory.status in BELIEVED
        and is_mortal(memory)
        and heat_at(memory, now) < COLD
    )


def is_due(memory: Memory, now: datetime) -> bool:
    """Whether it is to become part of a summary now, if there is its like."""
    own_time = POLICIES[memory.memory_type].compressed_after
    wait, warmth = (UNREAD, FAINT) if own_time is None else (own_time, COLD)
    return (
        memory.tier is not Tier.ARCHIVED
        and may_compress(memory, now)
        and idle(memory, now) >= wait
        and heat_at(memory, now) < warmth
    )


def counts_towards_cap(memory: Memory) -> bool:
    return (
        memory.layer is Layer.EPISODIC
        and memory.tier is Tier.ACTIVE
        and memory.status is not Status.CONFIRMED
        and is_mortal(memory)
    )
