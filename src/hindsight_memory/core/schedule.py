"""In which order statements hold, where the clock or the statement itself is ahead. Pure.

A plan retires what the newer statement contradicts. Where that begins only later, the older one is
given an end instead, and so is what is said of the present while a later statement waits.
"""

from collections.abc import Iterable
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hindsight_memory.core import belief, kinship
from hindsight_memory.core.conflict import Resolution
from hindsight_memory.core.model import Layer, Memory, Related
from hindsight_memory.core.planning import Plan

NEXT = timedelta(microseconds=1)
LATEST = datetime.max.replace(tzinfo=UTC) - NEXT


def recorded(new: Memory, near: Iterable[Related]) -> Memory:
    """``new``, recorded after whatever says something about the same.

    A clock that was set back would else make the latest word an old one. Only what is said of now
    is moved, and only behind what it has to follow: one wrong clock dates nothing else.
    """
    if new.valid_from is not None or new.layer is Layer.EPISODIC:
        return new
    ahead = [
        each.memory.created_at
        for each in near
        if new.created_at < each.memory.created_at <= LATEST
        and each.memory.valid_from is None
        and _are_about_the_same(new, each)
    ]
    return _moved(new, max(ahead) + NEXT - new.created_at) if ahead else new


def in_time(plan: Plan, near: Iterable[Related], now: datetime) -> Plan:
    """``plan`` with nothing retired before its time. near: what the plan was made from."""
    new = plan.memory
    if new.happened_at > now:
        return _from_then_on(plan)
    later = [each for each in near if (each.memory.valid_from or now) > now]
    decided = belief.decisions(new, later) if new.version == 1 else []
    if first := belief.first(decided, resolution=Resolution.KEEP_OLD):
        return _until(plan, first.old)
    return plan


def takes_over(new: Memory, old: Memory) -> bool:
    """Whether ``old`` was given its end because ``new`` is to hold, or holds, from then on."""
    is_current = not (old.is_superseded or old.is_forgotten)
    return is_current and new.supersedes == old.id and new.happened_at == old.valid_to


def freed(old: Memory, new: Memory, now: datetime) -> Memory:
    """``old`` without the end that it had when ``new`` was to take over."""
    related = tuple(each for each in old.related_ids if each != new.id)
    return replace(old, valid_to=None, related_ids=related, updated_at=now, version=old.version + 1)


def _are_about_the_same(new: Memory, other: Related) -> bool:
    shared = set(kinship.keys(new)) & set(kinship.keys(other.memory))
    return bool(shared) or bool(belief.decisions(new, [other]))


def _moved(new: Memory, step: timedelta) -> Memory:
    return replace(
        new,
        created_at=new.created_at + step,
        updated_at=new.updated_at + step,
        expires_at=None if new.expires_at is None else new.expires_at + step,
    )


def _from_then_on(plan: Plan) -> Plan:
    new = plan.memory
    refuted = {old.id for old in plan.refuted}
    kept = {
        each.id: replace(each, retired_at=None, superseded_by=None, related_ids=_with(each, new))
        for each in plan.puts
        if each.superseded_by == new.id and each.id not in refuted
    }
    if not kept:
        return plan
    reason = f"{plan.reason}; from {new.happened_at:%Y-%m-%d} on, and until then both are kept"
    return replace(plan, reason=reason, puts=tuple(kept.get(each.id, each) for each in plan.puts))


def _until(plan: Plan, later: Memory) -> Plan:
    new, begins = plan.memory, later.happened_at
    ended = replace(
        new,
        retired_at=None,
        superseded_by=None,
        valid_to=begins if new.valid_to is None else min(new.valid_to, begins),
    )
    puts = tuple(ended if each.id == new.id else each for each in plan.puts)
    what = "" if new.is_superseded else f"{plan.reason}; "
    reason = f"{what}it holds until {begins:%Y-%m-%d}, when {later.id!r} takes over"
    return replace(plan, reason=reason, memory=ended, puts=puts)


def _with(old: Memory, new: Memory) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*old.related_ids, new.id)))
