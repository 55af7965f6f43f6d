"""What a pass over memories does: merge, end, cool, compress, archive, evict; and why. Pure.

Decided here, applied by ``engine.maintain``. A new end of a life is a row of ``ENDINGS``. All but a
purge, which nobody gets unasked, can be restored.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from heapq import heappush, heappushpop

from hindsight_memory.core import compression, merging
from hindsight_memory.core.heat import (
    COLD,
    SELDOM,
    UNREAD,
    counts_towards_cap,
    heat_at,
    idle,
    is_due,
    is_mortal,
    may_compress,
)
from hindsight_memory.core.model import Memory, Tier
from hindsight_memory.core.policy import POLICIES, MemoryType
from hindsight_memory.core.steps import Action, Step, changed
from hindsight_memory.core.support import stands


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """What a pass may do besides.

    cap: most active unconfirmed episodes of a user; None for no limit.
    purges_feedback: whether feedback past its time is removed for good.
    """

    cap: int | None = None
    purges_feedback: bool = False


UNASKED = Options()
"""What a pass does that nobody has asked for more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Around:
    """What a pass must know besides the memories that it looks at.

    others: memories that these may be compressed with, and the summaries of all of them.
    cited: ids of what speaks for or against another memory.
    lost: ids of what was forgotten, superseded or disproved, or is not there.
    """

    others: Sequence[Memory] = ()
    cited: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Ending:
    """Why a single memory ends by time alone: ``limit`` has passed since ``since``.

    Either gives None where the rule is not for the memory. what: ``since`` in words.
    """

    rule: str
    what: str
    limit: Callable[[Memory], timedelta | None]
    since: Callable[[Memory], datetime | None]


def _ended(memory: Memory) -> datetime | None:
    """When a task was over and nobody has touched it since, also where it ends before it begins."""
    return None if memory.valid_to is None else max(memory.valid_to, memory.updated_at)


ENDINGS = (
    Ending(
        rule="time to live",
        what="it expired",
        limit=lambda _memory: timedelta(),
        since=lambda memory: memory.expires_at,
    ),
    Ending(
        rule="done",
        what="it was over",
        limit=lambda memory: POLICIES[memory.memory_type].archived_after_end,
        since=_ended,
    ),
    Ending(
        rule="past its time",
        what="it was written or changed",
        limit=lambda memory: POLICIES[memory.memory_type].archived_after,
        since=lambda memory: memory.updated_at,
    ),
)


def plan_pass(memories: Iterable[Memory], now: datetime, options: Options = UNASKED) -> list[Step]:
    """What to do about all memories of one user, in this order; then nothing is left to do.

    A step that comes after another one for the same memory starts from what that one leaves.
    """
    left = {memory.id: memory for memory in memories}
    steps = plan_merges(left.values())
    _settle(steps, left, now)
    later = plan_page(left.values(), now, options, around=_within(left.values()))
    _settle(later, left, now)
    evicted = () if options.cap is None else plan_cap(left.values(), now, cap=options.cap)
    return [*steps, *later, *evicted]


def plan_merges(memories: Iterable[Memory]) -> list[Step]:
    return [
        Step(
            action=Action.MERGED,
            rule="same statement",
            memories=group,
            required="two or more that state the same, of the same time",
            actual=f"{len(group)} do; the oldest stays",
        )
        for group in merging.twins(memories)
    ]


def plan_page(
    memories: Iterable[Memory], now: datetime, options: Options, *, around: Around
) -> list[Step]:
    """What to do about some memories of one user, for other reasons than that two say the same or
    that there are too many; each has a part in one step at most.
    """
    left = {memory.id: memory for memory in memories}
    others = {each.id: each for each in around.others if each.id not in left}
    steps: list[Step] = []
    plans: tuple[Callable[[], Iterable[Step]], ...] = (
        lambda: _endings(left.values(), now, options, around),
        lambda: _compressions(left.values(), others.values(), now),
        lambda: _each(_unread, left.values(), now),
        lambda: _each(_cold, left.values(), now),
    )
    for plan in plans:
        done = list(plan())
        steps += done
        for memory_id in (each for step in done for each in step.memory_ids):
            left.pop(memory_id, None)
            others.pop(memory_id, None)
    return sorted(steps, key=lambda step: list(Action).index(step.action))


def plan_cap(memories: Iterable[Memory], now: datetime, *, cap: int) -> Iterator[Step]:
    """Archive all but the ``cap`` hottest of the active unconfirmed episodes; of equals the newest
    stay. No more than those are kept in memory.
    """
    hottest: list[tuple[float, str, Memory]] = []
    for memory in filter(counts_towards_cap, memories):
        entry = (heat_at(memory, now), memory.id, memory)
        if len(hottest) < cap:
            heappush(hottest, entry)
            continue
        heat, _, coldest = heappushpop(hottest, entry)
        yield Step(
            action=Action.EVICTED,
            rule="cap",
            memories=(coldest,),
            required=f"one of the {cap} hottest active episodes",
            actual=f"heat {heat:.2f}, and {cap} are hotter or newer",
        )


def _settle(steps: Iterable[Step], left: dict[str, Memory], now: datetime) -> None:
    """Let ``steps`` have been taken."""
    for step in steps:
        if step.action is Action.PURGED:
            del left[step.memory_ids[0]]
        puts = changed(step, now=now, new_id="")
        left |= {memory.id: memory for memory in puts if memory.id in left}


def _within(memories: Collection[Memory]) -> Around:
    """What a pass must know, where it looks at all memories at once."""
    cited = frozenset(each for memory in memories for each in memory.evidence)
    standing = {memory.id for memory in memories if stands(memory)}
    return Around(cited=cited, lost=cited - standing)


def _endings(
    memories: Iterable[Memory], now: datetime, options: Options, around: Around
) -> Iterator[Step]:
    for memory in filter(is_mortal, memories):
        lost = around.lost.intersection(memory.evidence)
        if compression.is_summary(memory) and lost:
            yield Step(
                action=Action.WITHDRAWN,
                rule="summary",
                memories=(memory,),
                required="all that it sums up is still believed",
                actual=f"{len(lost)} of {len(memory.evidence)} are not",
            )
            continue
        is_feedback = memory.memory_type is MemoryType.FEEDBACK
        if is_feedback and memory.id in around.cited:
            continue
        is_purged = is_feedback and options.purges_feedback
        if (is_purged or memory.tier is not Tier.ARCHIVED) and (why := _ending(memory, now)):
            action = Action.PURGED if is_purged else Action.EXPIRED
            yield replace(why, action=action)


def _ending(memory: Memory, now: datetime) -> Step | None:
    for ending in ENDINGS:
        limit, since = ending.limit(memory), ending.since(memory)
        if limit is not None and since is not None and now - since >= limit:
            return Step(
                action=Action.EXPIRED,
                rule=ending.rule,
                memories=(memory,),
                required=f"at least {_days(limit)} since {ending.what}",
                actual=_days(now - since),
            )
    return None


def _compressions(
    left: Iterable[Memory], others: Iterable[Memory], now: datetime
) -> Iterator[Step]:
    left = tuple(left)
    known = (*left, *others)
    summed_up = {each for one in known if compression.is_summary(one) for each in one.evidence}
    free = [one for one in known if one.id not in summed_up and may_compress(one, now)]
    due = {one.id for one in left if is_due(one, now)}
    for group in compression.groups(free) if due else ():
        of_them = [one for one in group if one.id in due]
        if of_them:
            yield Step(
                action=Action.COMPRESSED,
                rule="summary",
                memories=group,
                required=f"{compression.FEWEST} or more alike and cold, one of them due",
                actual=f"{len(group)} alike, {len(of_them)} due; {_warmth(of_them[0], now)}",
            )


def _each(
    rule: Callable[[Memory, datetime], Step | None], memories: Iterable[Memory], now: datetime
) -> Iterator[Step]:
    return filter(None, (rule(memory, now) for memory in memories if is_mortal(memory)))


def _unread(memory: Memory, now: datetime) -> Step | None:
    is_seldom_read = idle(memory, now) >= UNREAD and memory.access_count < SELDOM
    if memory.tier is Tier.ARCHIVED or not is_seldom_read:
        return None
    return Step(
        action=Action.ARCHIVED,
        rule="unread",
        memories=(memory,),
        required=f"{_days(UNREAD)} untouched, read fewer than {SELDOM} times",
        actual=f"{_days(idle(memory, now))} untouched, read {memory.access_count} times",
    )


def _cold(memory: Memory, now: datetime) -> Step | None:
    if memory.tier is not Tier.ACTIVE or heat_at(memory, now) >= COLD:
        return None
    return Step(
        action=Action.COOLED,
        rule="cold",
        memories=(memory,),
        required=f"heat below {COLD}",
        actual=_warmth(memory, now),
    )


def _warmth(memory: Memory, now: datetime) -> str:
    return f"heat {heat_at(memory, now):.3f} after {_days(idle(memory, now))} untouched"


def _days(span: timedelta) -> str:
    return f"{span / timedelta(days=1):.3g} days"
