"""In which order statements hold, where the clock or the statement itself is ahead. Pure.

A plan retires what the newer statement contradicts. Where that begins only later, the older one is
given an end instead, and so is what is said of the present while a later statement waits.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hindsight_memory.core import belief, kinship, planning, values
from hindsight_memory.core.besides import heeded, with_memory
from hindsight_memory.core.model import Layer, Memory, Outcome, Related
from hindsight_memory.core.planning import Plan
from hindsight_memory.core.timeline import fitted

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


def plan_write(
    new: Memory,
    near: Sequence[Related],
    *,
    replaced: Memory | None,
    now: datetime,
    past: Sequence[Memory] = (),
) -> Plan:
    """As ``planning.plan_write``, and nothing is retired before its time.

    What begins later than ``new`` and later than ``now`` is no reason against it: it ends it.
    past: superseded memories that say something about the same.
    """
    if new.layer is Layer.EPISODIC:
        return planning.plan_write(new, near, replaced=replaced)
    begins = max(now, new.happened_at)
    ahead = [each for each in near if (each.memory.valid_from or begins) > begins]
    others = [each for each in near if each not in ahead]
    plan = planning.plan_write(new, others, replaced=replaced)
    if plan.memory.id != new.id:
        return plan
    plan = heeded(plan, new, others)
    if new.happened_at > now:
        plan = _from_then_on(plan)
    done = {each.id for each in plan.puts}
    ahead = [
        each
        for each in ahead
        if each.memory.id not in done and planning.same_place(each.memory, new)
    ]
    return fitted(_until_the_next(_instead_of_the_same(plan, ahead), ahead), past)


def takes_over(new: Memory, old: Memory) -> bool:
    """Whether ``old`` was given its end because ``new`` is to hold, or holds, from then on."""
    is_current = not (old.is_superseded or old.is_forgotten)
    are_linked = new.id in old.related_ids and old.id in new.related_ids
    return is_current and are_linked and new.happened_at == old.valid_to


def closed_up(
    olds: Sequence[Memory], gone: Memory, later: Memory | None, now: datetime
) -> list[Memory]:
    """``olds``, which ``gone`` was to take over from, go on: for good, or until ``later`` does."""
    if later is None:
        return [_relinked(each, gone, now, valid_to=None) for each in olds]
    ended = [_relinked(each, gone, now, later, valid_to=later.happened_at) for each in olds]
    return [*ended, _relinked(later, gone, now, *olds)]


def _relinked(
    memory: Memory, gone: Memory, now: datetime, *others: Memory, **change: datetime | None
) -> Memory:
    kept = tuple(each for each in _with(memory, *others) if each != gone.id)
    changed = replace(memory, related_ids=kept, updated_at=now, version=memory.version + 1)
    return replace(changed, **change)  # type: ignore[arg-type]  # a field of times


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
    """Linked both ways, and not as what took a place: that is still taken."""
    refuted = {old.id for old in plan.refuted}
    kept = {
        each.id: replace(
            each, retired_at=None, superseded_by=None, related_ids=_with(each, plan.memory)
        )
        for each in plan.puts
        if each.superseded_by == plan.memory.id and each.id not in refuted
    }
    if not kept:
        return plan
    new = plan.memory if refuted else replace(plan.memory, supersedes=None)
    new = replace(new, related_ids=_with(new, *kept.values()))
    plan = replace(plan, puts=tuple(kept.get(each.id, each) for each in plan.puts))
    reason = f"from {new.happened_at:%Y-%m-%d} on, and until then both are kept"
    return with_memory(plan, new, reason)


def _instead_of_the_same(plan: Plan, ahead: Iterable[Related]) -> Plan:
    """What was to begin later begins earlier."""
    new = plan.memory
    same = [
        each.memory for each in ahead if values.same_statement(each.memory.content, new.content)
    ]
    if not same:
        return plan
    new = replace(new, supersedes=new.supersedes or same[0].id)
    gone = [belief.retired(each, new) for each in same]
    reason = f"it begins earlier than {same[0].id!r} said"
    return replace(with_memory(plan, new, reason, *gone), outcome=Outcome.SUPERSEDED)


def _until_the_next(plan: Plan, ahead: Iterable[Related]) -> Plan:
    new = plan.memory
    decided = belief.earliest_later(belief.decisions(new, ahead))
    if decided is None:
        return plan
    later = decided.old
    begins = later.happened_at
    ended = replace(
        new,
        valid_to=begins if new.valid_to is None else min(new.valid_to, begins),
        related_ids=_with(new, later),
    )
    next_one = replace(
        later,
        related_ids=_with(later, new),
        updated_at=new.created_at,
        version=later.version + 1,
    )
    reason = f"it holds until {begins:%Y-%m-%d}, when {later.id!r} takes over"
    return with_memory(plan, ended, reason, next_one)


def _with(memory: Memory, *others: Memory) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*memory.related_ids, *(each.id for each in others))))
