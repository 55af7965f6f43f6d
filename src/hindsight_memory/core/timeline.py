"""One value of a slot at each time, also of what is over. Pure.

A memory that was superseded was true until its end, and still answers for then. So a fact that is
told later and holds from between two others ends the first, and is ended by the second.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from datetime import UTC, datetime

from hindsight_memory.core import belief
from hindsight_memory.core.belief import Decision
from hindsight_memory.core.besides import with_memory
from hindsight_memory.core.model import Layer, Memory, Related
from hindsight_memory.core.planning import Plan, same_place
from hindsight_memory.core.policy import Status

SAME_TIME = "same_time"
_NEVER_ENDING = datetime.max.replace(tzinfo=UTC)


def fitted(plan: Plan, past: Iterable[Memory]) -> Plan:
    """``plan``, with its new memory between those of ``past`` that give the same another value.

    past: superseded memories. One that began before the new one ends where that begins; the first
    that began later ends the new one. Where a source is worth less, its memory is disputed.
    """
    new, cut = plan.memory, list[Memory]()
    for each, decision in _clashes(new, past):
        if not _overlap(new, each):
            continue  # because an earlier one of them has ended the new one
        if not decision.retires:
            new, doubted = _doubted(new, each, decision)
            cut.append(doubted)
        elif decision.old.id == each.id:
            cut.append(_until(each, new))
        else:
            new = replace(new, valid_to=each.happened_at)
    if new is plan.memory and not cut:
        return plan
    names = ", ".join(repr(each.id) for each in cut)
    until = f"it held until {new.valid_to:%Y-%m-%d}" if new.valid_to else ""
    beside = f"it changes what is remembered of the time of {names}" if cut else ""
    return with_memory(plan, new, "; ".join(filter(None, (until, beside))), *cut)


def clashing(memory: Memory, others: Iterable[Memory]) -> list[Memory]:
    """Those of ``others``, current or over, that give the same another value at the same time."""
    return [each for each, _ in _clashes(memory, others)]


def ruled_out(memory: Memory, past: Iterable[Memory], now: datetime) -> list[Memory]:
    """Those of ``past`` that cannot have been true beside ``memory``, which is current again: each
    ends where ``memory`` begins, and was true at no time if it began later.
    """
    found = clashing(memory, past)
    ended = (
        replace(each, valid_to=memory.happened_at if _began_before(each, memory) else None)
        for each in found
    )
    return [replace(each, updated_at=now, version=each.version + 1) for each in ended]


def set_against(
    memory: Memory, others: Iterable[Memory], now: datetime
) -> tuple[Memory, list[Memory]]:
    """``memory``, which is current again, and those of ``others`` that it is in dispute with."""
    changed = list[Memory]()
    for each, decision in _clashes(memory, others):
        if not decision.retires:
            memory, doubted = _doubted(memory, each, decision)
            changed.append(replace(doubted, updated_at=now))
    return memory, changed


def _clashes(new: Memory, others: Iterable[Memory]) -> Iterator[tuple[Memory, Decision]]:
    """Those of the same time, the first that began first, each with what the later of the two means
    for the earlier.
    """
    others = (each for each in others if each.id != new.id and same_place(each, new))
    beside = [each for each in others if _overlap(new, each)]
    for each in sorted(beside, key=lambda each: (each.happened_at, each.id)):
        older, newer = (each, new) if _began_before(each, new) else (new, each)
        # Of two that hold at one time neither had ended before, and none only passes.
        older, newer = replace(older, valid_to=None), replace(newer, valid_to=None)
        found = belief.decisions(newer, [Related(memory=older)])
        yield from (
            (each, decision) for decision in found if decision.retires or decision.disputes_both
        )


def _began_before(one: Memory, other: Memory) -> bool:
    return (one.happened_at, one.id) < (other.happened_at, other.id)


def _overlap(one: Memory, other: Memory) -> bool:
    if not (_held(one) and _held(other)):
        return False
    begins = max(one.happened_at, other.happened_at)
    return begins < min(one.valid_to or _NEVER_ENDING, other.valid_to or _NEVER_ENDING)


def _held(memory: Memory) -> bool:
    """Whether it answers for any time: not what was found never to have been true."""
    was_never = memory.is_superseded and memory.valid_to is None
    is_settled = memory.status is not Status.DISPUTED and memory.layer is Layer.SEMANTIC
    return is_settled and not (was_never or memory.is_forgotten)


def _until(old: Memory, new: Memory) -> Memory:
    return replace(
        old, valid_to=new.happened_at, updated_at=new.created_at, version=old.version + 1
    )


def _doubted(new: Memory, old: Memory, decision: Decision) -> tuple[Memory, Memory]:
    """Both name each other; disputed is whose source is worth less, or both of one time."""
    is_new_doubted = decision.old.id == old.id or decision.judgement.rule == SAME_TIME
    against = tuple(dict.fromkeys((*new.counter_examples, old.id)))
    told = replace(new, counter_examples=against)
    told = replace(told, status=Status.DISPUTED) if is_new_doubted else told
    return told, belief.doubted(old, new)
