"""What a plan that retires something has to heed besides: a statement may replace one value, be
older than a second, and be doubted by a third. Pure.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hindsight_memory.core import belief
from hindsight_memory.core.belief import Decision
from hindsight_memory.core.model import Memory, Outcome, Related
from hindsight_memory.core.planning import Plan, decisions, same_place
from hindsight_memory.core.policy import Status


def heeded(plan: Plan, stated: Memory, near: Iterable[Related]) -> Plan:
    """``plan``, with what the others of ``near`` mean for what is ``stated``."""
    is_history = plan.memory.is_superseded
    if plan.outcome is not Outcome.SUPERSEDED and not is_history:
        return plan
    new, done = plan.memory, {each.id for each in plan.puts}
    left = [each for each in near if each.memory.id not in done and same_place(each.memory, new)]
    decided = belief.decisions(stated, left)
    later = None if is_history else belief.earliest_later(decided)
    if later is not None:
        past = belief.back_filled(new, later.old)
        plan = with_memory(plan, past, f"history: {later.old.id!r} tells of a later time")
    doubts = [each for each in decided if each.is_doubtful]
    return _doubted(plan, doubts) if doubts else plan


def rivals(memory: Memory, others: Iterable[Memory]) -> list[Memory]:
    """Those of ``others`` that give one slot another value: a write would retire one of the two."""
    return [
        other
        for other in others
        if other.id != memory.id and same_place(other, memory) and _is_one_too_many(memory, other)
    ]


def contradicting(memory: Memory, others: Iterable[Memory]) -> list[Memory]:
    """Those of ``others`` that a write of either would not leave as they are: ``rivals``, those of
    which it doubts one, and those that make the other history.
    """
    return [
        other
        for other in others
        if other.id != memory.id and same_place(other, memory) and _have_words(memory, other)
    ]


def _have_words(one: Memory, other: Memory) -> bool:
    """In either order where only a clock says which was first: it may have been set back."""
    old, new = _in_order(one, other)
    orders = [(old, new)]
    if old.valid_from is None and new.valid_from is None:
        orders.append((new, replace(old, created_at=new.created_at)))
    return any(decisions(after, [Related(memory=before)]) for before, after in orders)


def _is_one_too_many(one: Memory, other: Memory) -> bool:
    old, new = _in_order(one, other)
    return any(each.retires for each in belief.decisions(new, [Related(memory=old)]))


def _in_order(one: Memory, other: Memory) -> tuple[Memory, Memory]:
    older, newer = sorted((one, other), key=lambda each: (each.happened_at, each.id))
    return older, newer


def with_memory(plan: Plan, memory: Memory, reason: str, *others: Memory) -> Plan:
    """``plan`` with its memory as it is to be, and ``others`` to put besides."""
    puts = tuple(memory if each.id == memory.id else each for each in plan.puts)
    return replace(plan, memory=memory, puts=(*puts, *others), reason=f"{plan.reason}; {reason}")


def _doubted(plan: Plan, doubts: Sequence[Decision]) -> Plan:
    """Both sides name each other, as where nothing is retired."""
    against = tuple(each.old.id for each in doubts)
    new = replace(plan.memory, counter_examples=(*plan.memory.counter_examples, *against))
    if any(each.disputes_both for each in doubts):
        new = replace(new, status=Status.DISPUTED)
    reason = f"it contradicts {', '.join(map(repr, against))}: {doubts[0].reason}"
    return with_memory(plan, new, reason, *(belief.doubted(each.old, new) for each in doubts))
