"""What a pass over memories does: end, merge, cool, compress, archive, evict; and why. Pure.

Decided here, applied by ``engine.maintain``. A new end of a life is a row of ``ENDINGS``. All but a
purge, which nobody gets unasked, can be restored.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
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

    others: memories that these may be merged or compressed with, and their summaries.
    cited: ids of what speaks for or against another memory.
    lost: ids of what was forgotten, superseded or disproved, or is not there.
    """

    others: Sequence[Memory] = ()
    cited: frozenset[str] = frozenset()
    lost: frozenset[str] = frozenset()


NOTHING = Around()


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


def plan_pass(
    memories: Iterable[Memory],
    now: datetime,
    options: Options = UNASKED,
    *,
    around: Around = NOTHING,
) -> list[Step]:
    """What to do about ``memories`` of one user, in this order; then nothing is left to do.

    A step that comes after another one for the same memory starts from what that one leaves.
    """
    left = {memory.id: memory for memory in memories}
    others = {each.id: each for each in around.others if each.id not in left}
    steps: list[Step] = []
    plans: tuple[Callable[[], Iterable[Step]], ...] = (
        lambda: _endings(left.values(), now, options, around),
        lambda: _merges(left, others),
        lambda: _compressions(left, others, now),
        lambda: _each(_unread, left.values(), now),
        lambda: _each(_cold, left.values(), now),
        lambda: _cap(left.values(), now, options.cap),
    )
    for plan in plans:
        for step in list(plan()):
            steps.append(step)
            _settle(step, left, others, now)
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


def _settle(step: Step, left: dict[str, Memory], others: dict[str, Memory], now: datetime) -> None:
    """Let ``step`` have been taken."""
    if step.action is Action.PURGED:
        del left[step.memory_ids[0]]
    for memory in changed(step, now=now, new_id=""):
        for known in (left, others):
            if memory.id in known:
                known[memory.id] = memory


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


def _merges(left: Mapping[str, Memory], others: Mapping[str, Memory]) -> Iterator[Step]:
    for group in merging.twins((*left.values(), *others.values())):
        if not left.keys().isdisjoint(each.id for each in group):
            yield Step(
                action=Action.MERGED,
                rule="same statement",
                memories=group,
                required="two or more that state the same, of the same time",
                actual=f"{len(group)} do; the oldest stays",
            )


def _compressions(
    left: Mapping[str, Memory], others: Mapping[str, Memory], now: datetime
) -> Iterator[Step]:
    known = (*left.values(), *others.values())
    summed_up = {each for one in known if compression.is_summary(one) for each in one.evidence}
    free = [one for one in known if one.id not in summed_up and may_compress(one, now)]
    due = {one.id for one in left.values() if is_due(one, now)}
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


def _cap(memories: Iterable[Memory], now: datetime, cap: int | None) -> Iterable[Step]:
    return () if cap is None else plan_cap(memories, now, cap=cap)


def _warmth(memory: Memory, now: datetime) -> str:
    return f"heat {heat_at(memory, now):.3f} after {_days(idle(memory, now))} untouched"


def _days(span: timedelta) -> str:
    return f"{span / timedelta(days=1):.3g} days"
