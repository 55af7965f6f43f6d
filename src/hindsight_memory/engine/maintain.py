"""The upkeep of a tenant's memories: what ``core.life`` decides, user by user, page by page.

It can be stopped at any time, for each step is a transaction of its own; the next run goes on from
what is there. A run right after another one finds nothing to do.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import chain

import structlog

from hindsight_memory.core import compression
from hindsight_memory.core.filters import matches
from hindsight_memory.core.heat import is_due
from hindsight_memory.core.identity import digest
from hindsight_memory.core.life import (
    UNASKED,
    Around,
    Options,
    plan_cap,
    plan_merges,
    plan_page,
)
from hindsight_memory.core.merging import statement_of
from hindsight_memory.core.model import Layer, Memory, Scope, Tier
from hindsight_memory.core.paging import items
from hindsight_memory.core.policy import MemoryType
from hindsight_memory.core.ports import Progress
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.core.steps import Action, Step, changed
from hindsight_memory.core.support import stands
from hindsight_memory.core.text import query_terms
from hindsight_memory.engine import cascade
from hindsight_memory.engine.paging import newest_first
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import Conflict

log = structlog.get_logger(__name__)

PAGE = 50
"""Memories planned at a time: some milliseconds, between which a search may come first."""

USERS = 100
"""Users listed at a time."""

LIKES = 32
"""Episodes that one that is due is compared with, the nearest by words."""

TERMS_COMPARED = 64
"""Words of an episode by which its like are looked for."""

TOLD = 1_000
"""Steps that a report describes; it counts all."""

IN_USE = Filter(tiers=frozenset({Tier.ACTIVE, Tier.COLD}))
ARCHIVED_FEEDBACK = Filter(
    tiers=frozenset({Tier.ARCHIVED}), memory_types=frozenset({MemoryType.FEEDBACK})
)
ACTIVE_EPISODES = Filter(layers=frozenset({Layer.EPISODIC}))
EPISODES = Filter(layers=frozenset({Layer.EPISODIC}), tiers=frozenset(Tier))

FALLING = frozenset({Action.WITHDRAWN, Action.PURGED})
"""Steps after which what rests on a memory is judged anew."""

STATEMENTS = 1 << 23
"""Bits by which a run remembers what it has read: 1 MB, however many memories there are."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """One step, for whoever reads the report. content: of the first of its memories."""

    action: Action
    rule: str
    memory_ids: tuple[str, ...]
    user_id: str
    content: str
    required: str
    actual: str


@dataclass(slots=True)
class Report:
    """What a run did, or would do.

    looked_at: memories. steps: the first of them; ``counts`` has all, by action.
    overtaken: steps left for the next run, because somebody changed a memory meanwhile.
    """

    looked_at: int = 0
    steps: list[Told] = field(default_factory=list)
    counts: Counter[Action] = field(default_factory=Counter)
    overtaken: int = 0

    def add(self, step: Step) -> None:
        self.counts[step.action] += 1
        if len(self.steps) < TOLD:
            first = step.memories[0]
            told = Told(
                action=step.action,
                rule=step.rule,
                memory_ids=step.memory_ids,
                user_id=first.user_id,
                content=first.content,
                required=step.required,
                actual=step.actual,
            )
            self.steps.append(told)


def silent(_done: int, _total: int | None) -> None:
    """The progress that nobody wants to hear of."""


def at_once() -> None:
    """The pause of a run that nobody has to wait for."""


def maintain(
    parts: Parts,
    tenant: str,
    *,
    user_id: str | None = None,
    dry_run: bool = False,
    options: Options = UNASKED,
    progress: Progress = silent,
    pause: Callable[[], None] = at_once,
) -> Report:
    """One pass over the memories of a tenant, or of one of its users; returns what it did and why.
    Working memory whose time is over goes, too, whoever's it is.

    dry_run: only plan, and change nothing.
    pause: called before each step; may wait, or raise to stop the run.
    """
    report = Report()
    for each in users(parts, tenant) if user_id is None else [user_id]:
        keeper = _Keeper(
            parts=parts,
            scope=Scope(tenant, each, None),
            options=replace(options, cap=None),
            now=parts.clock.now(),
            report=report,
            dry_run=dry_run,
            progress=progress,
            pause=pause,
        )
        keeper.run(options.cap)
    if not dry_run:
        parts.working.expire(parts.clock.now())
    if report.counts[Action.COMPRESSED] and not dry_run:
        parts.behind.submit(lambda: None)  # wakes what embeds
    counts = {action.value: count for action, count in report.counts.items()}
    log.info("maintained", dry_run=dry_run, looked_at=report.looked_at, **counts)
    return report


def users(parts: Parts, tenant: str) -> Iterator[str]:
    """All who have, or had, memories."""
    return items(
        lambda after: parts.store.users(tenant, after=after, limit=USERS),
        "",
        place=lambda user_id: user_id,
    )


@dataclass(slots=True, kw_only=True)
class _Keeper:
    """One run for one user.

    planned, purged: what a dry run would have changed by now, so that it sees what a real one sees.
    oldest: the last memory that was counted.
    """

    parts: Parts
    scope: Scope
    options: Options
    now: datetime
    report: Report
    dry_run: bool
    progress: Progress
    pause: Callable[[], None]
    planned: dict[str, Memory] = field(default_factory=dict)
    purged: set[str] = field(default_factory=set)
    oldest: str | None = None

    def run(self, cap: int | None) -> None:
        if self.options.purges_feedback:
            self._pass(ARCHIVED_FEEDBACK)
        while self._merge():
            pass
        while self._pass(IN_USE):
            pass
        if cap is not None:
            episodes = chain.from_iterable(self._pages(ACTIVE_EPISODES))
            for step in plan_cap(episodes, self.now, cap=cap):
                self._take(step)

    def _merge(self) -> bool:
        """Whether it merged any. Only where a statement seems to come again it looks for both."""
        bits = bytearray(STATEMENTS // 8)
        merged = False
        for page in self._pages(IN_USE):
            self.pause()
            again = [memory for memory in page if _comes_again(memory, bits)]
            for memory in again:
                # Without tags its only kin are those that state the same.
                untagged = replace(memory, tags=frozenset())
                kin = self.parts.store.kin(self.scope, untagged, limit=LIKES)
                found = self._get([memory.id, *(each.id for each in kin)])
                merged |= self._take_each(plan_merges(found))
            self._seen(page)
        return merged

    def _pass(self, where: Filter) -> bool:
        """Whether it compressed any: then what is left of one group may join another."""
        compressed = False
        for page in self._pages(where):
            self.pause()
            steps = plan_page(page, self.now, self.options, around=self._around(page))
            taken = self._take_each(steps)
            compressed |= taken and any(step.action is Action.COMPRESSED for step in steps)
            self._seen(page)
        return compressed

    def _take_each(self, steps: Iterable[Step]) -> bool:
        """Whether any was taken."""
        taken = False
        for step in steps:
            self.pause()
            taken |= self._take(step)
        return taken

    def _seen(self, page: Sequence[Memory]) -> None:
        """Pages come from the newest to the oldest; what comes again has been counted."""
        for memory in page:
            if self.oldest is None or memory.id < self.oldest:
                self.oldest = memory.id
                self.report.looked_at += 1
        self.progress(self.report.looked_at, None)

    def _pages(self, where: Filter) -> Iterator[list[Memory]]:
        for page in newest_first(self.parts.store, self.scope, where, size=PAGE):
            yield [memory for memory in self._as_planned(page) if matches(where, memory)]

    def _around(self, page: Sequence[Memory]) -> Around:
        due = [memory for memory in page if is_due(memory, self.now)]
        likes = list(self._likes(due))
        return Around(
            others=[*likes, *self._summaries([*due, *likes])],
            cited=self._cited(page),
            lost=frozenset(self._lost(page)),
        )

    def _likes(self, due: Iterable[Memory]) -> Iterator[Memory]:
        for memory in due:
            terms = query_terms(memory.content)[:TERMS_COMPARED]
            found = self.parts.store.candidates(
                self.scope, terms, None, where=EPISODES, limit=LIKES
            )
            yield from self._get(each.id for each in found.evidence)

    def _summaries(self, episodes: Iterable[Memory]) -> list[Memory]:
        """Those that some of ``episodes`` are part of, forgotten or not."""
        linked = {link for episode in episodes for link in episode.related_ids}
        return [memory for memory in self._get(linked) if compression.is_summary(memory)]

    def _cited(self, page: Iterable[Memory]) -> frozenset[str]:
        feedback = [each.id for each in page if each.memory_type is MemoryType.FEEDBACK]
        citing = self.parts.store.dependants(self.scope, feedback) if feedback else []
        return frozenset(each for memory in citing for each in memory.evidence)

    def _lost(self, page: Iterable[Memory]) -> Iterator[str]:
        for memory in filter(compression.is_summary, page):
            standing = {each.id for each in self._get(memory.evidence) if stands(each)}
            yield from (each for each in memory.evidence if each not in standing)

    def _get(self, ids: Iterable[str]) -> list[Memory]:
        wanted = sorted(set(ids))
        found = self._as_planned(self.parts.store.get(self.scope, wanted))
        known = {memory.id for memory in found}
        new = (self.planned[each] for each in wanted if each in self.planned.keys() - known)
        return [*found, *new]

    def _as_planned(self, memories: Iterable[Memory]) -> list[Memory]:
        return [
            self.planned.get(memory.id, memory)
            for memory in memories
            if memory.id not in self.purged
        ]

    def _take(self, step: Step) -> bool:
        """Whether it was taken."""
        new_id = self.parts.ids.new(self.now)
        puts = changed(step, now=self.now, new_id=new_id)
        if self.dry_run:
            self.planned |= {memory.id: memory for memory in puts}
            self.purged.update(step.memory_ids if step.action is Action.PURGED else ())
        elif not self._apply(step, puts):
            self.report.overtaken += 1
            return False
        self.report.add(step)
        return True

    def _apply(self, step: Step, puts: tuple[Memory, ...]) -> bool:
        """False when one of its memories is no longer as it was when the step was planned."""
        is_purge = step.action is Action.PURGED
        if is_purge:
            # A search that returned it may not have been logged yet.
            self.parts.behind.flush()
        if self.parts.store.get(self.scope, step.memory_ids) != list(step.memories):
            return False
        changes = self.parts.changes(
            self.scope,
            step.action.value,
            step.reason,
            at=self.now,
            puts=puts,
            renewed=tuple(memory for memory in puts if memory.version == 1),
        )
        changes = replace(changes, purges=step.memory_ids if is_purge else ())
        try:
            if step.action in FALLING:
                cascade.apply(self.parts, changes)
            else:
                self.parts.store.apply(changes)
        except Conflict:
            return False
        if is_purge:
            self.parts.forget(step.memories[0].content)
        return True


def _comes_again(memory: Memory, bits: bytearray) -> bool:
    """Whether ``bits`` has its statement, or seems to; from now on it does."""
    hashed = int(digest(repr(statement_of(memory)))[:16], 16) % STATEMENTS
    byte, bit = hashed // 8, 1 << hashed % 8
    was_there = bool(bits[byte] & bit)
    bits[byte] |= bit
    return was_there
