"""Export, line by line: what is in memory never grows with the store.

A whole export holds memories exactly as they are, forgotten and superseded ones included, and what
was rejected. One of the past holds what a list of that time shows.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime

from hindsight_memory.core import records
from hindsight_memory.core.changes import Rejection
from hindsight_memory.core.model import Memory, Scope, Tier
from hindsight_memory.core.paging import items
from hindsight_memory.core.ports import Progress
from hindsight_memory.core.records import Record
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.core.snapshot import as_then
from hindsight_memory.engine.parts import OPERATOR, Parts

PAGE = 500
"""Memories read at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What to export; None is all of it.

    user_id, project: of exactly these. as_of: what was true then. known_at: what was known then, as
    it was.
    """

    user_id: str | None = None
    project: str | None = None
    as_of: datetime | None = None
    known_at: datetime | None = None

    @property
    def where(self) -> Filter:
        return Filter(tiers=frozenset(Tier), as_of=self.as_of, known_at=self.known_at)


EVERYTHING = Wanted()


def silent(_done: int, _total: int | None) -> None:
    """The progress that nobody wants to hear of."""


def export_lines(
    parts: Parts,
    tenant: str,
    write: Callable[[bytes], object],
    *,
    wanted: Wanted = EVERYTHING,
    progress: Progress = silent,
) -> int:
    """Give ``write`` all ``lines``; returns how many memories there were."""
    done = 0
    for line in lines(parts, tenant, wanted):
        write(line)
        done += line.startswith(records.MEMORY)
        if done % PAGE == 0:
            progress(done, None)
    progress(done, None)
    return done


def lines(parts: Parts, tenant: str, wanted: Wanted = EVERYTHING) -> Iterator[bytes]:
    """A header, then a line for each wanted memory of the tenant in order of id, then one for each
    rejection.

    What was rejected comes last, so that memories that stood beside a rejection come back beside
    it.
    """
    yield records.header(parts.clock.now(), as_of=wanted.as_of, known_at=wanted.known_at)
    for memory in memories(parts, tenant):
        record = _record(parts, memory, wanted)
        if record is not None:
            yield records.line_of(record)
    for each in rejected(parts, tenant):
        if _is_wanted(parts, tenant, each, wanted):
            yield records.rejection_line(each)


def record_of(parts: Parts, tenant: str, memory_id: str) -> Record | None:
    """One memory with its history, whatever its state; None where there is none."""
    found = parts.store.get(Scope(tenant, None, None), [memory_id])
    return _record(parts, found[0], EVERYTHING) if found else None


def memories(parts: Parts, tenant: str) -> Iterator[Memory]:
    """All of a tenant, whatever their state, in order of id."""
    return items(
        lambda after: parts.store.every(tenant, after=after, limit=PAGE),
        "",
        place=lambda memory: memory.id,
    )


def _record(parts: Parts, memory: Memory, wanted: Wanted) -> Record | None:
    """None for a memory that is not wanted, or was purged meanwhile."""
    if wanted.user_id not in {None, memory.user_id}:
        return None
    if wanted.project not in {None, memory.project}:
        return None
    # Another process may have added versions since the page was read.
    history = tuple(
        revision
        for revision in parts.store.history(Scope(memory.tenant, None, None), memory.id)
        if revision.version <= memory.version
    )
    if not history:
        return None
    record = Record(memory=memory, history=history)
    if not wanted.where.is_of_the_past:
        return record
    return as_then(record, wanted.where, now=parts.clock.now(), actor=OPERATOR)


def rejected(parts: Parts, tenant: str) -> Iterator[Rejection]:
    """All that was rejected in a tenant, in order of user and key."""
    start: Rejection | None = None
    return items(
        lambda after: parts.store.rejected(tenant, after=after, limit=PAGE),
        start,
        place=lambda each: each,
    )


def _is_wanted(parts: Parts, tenant: str, given: Rejection, wanted: Wanted) -> bool:
    """A rejection names no project; where its memory was purged, it is of none."""
    if wanted.user_id not in {None, given.user_id}:
        return False
    if wanted.known_at is not None and given.at > wanted.known_at:
        return False
    if wanted.project is None:
        return True
    found = parts.store.get(Scope(tenant, None, None), [given.memory_id])
    return any(memory.project == wanted.project for memory in found)
