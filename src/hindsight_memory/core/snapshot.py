"""A memory of an export as it was at another time. Pure."""

from dataclasses import replace
from datetime import datetime

from hindsight_memory.core import codec, history
from hindsight_memory.core.changes import Revision
from hindsight_memory.core.filters import matches
from hindsight_memory.core.records import Record
from hindsight_memory.core.retrieval import Filter

EXPORTED = "exported"
"""The operation under which a version history has what an export of the past changed."""


def as_then(record: Record, where: Filter, *, now: datetime, actor: str) -> Record | None:
    """``record`` as ``where`` asks to see it, with the history that it had; None when it does not.

    What is forgotten now is in no export of the past. What was true then and was replaced since is
    current in it, as what replaced it is not there; a last version, made ``now``, says so.
    """
    if record.memory.is_forgotten:
        return None
    known = _as_known(record, where.known_at)
    if known is None or not matches(where, known.memory):
        return None
    if not known.memory.is_superseded:
        return known
    return _current(known, f"as of {where.as_of:%Y-%m-%d}", now=now, actor=actor)


def _as_known(record: Record, at: datetime | None) -> Record | None:
    if at is None:
        return record
    memory = history.as_known(record.memory, record.history, at)
    if memory is None:
        return None
    return Record(memory=memory, history=record.history[: memory.version])


def _current(record: Record, reason: str, *, now: datetime, actor: str) -> Record:
    before = record.memory
    after = replace(
        before, retired_at=None, superseded_by=None, updated_at=now, version=before.version + 1
    )
    last = Revision(
        memory_id=after.id,
        version=after.version,
        at=now,
        actor=actor,
        operation=EXPORTED,
        reason=reason,
        before=codec.before(before, after),
    )
    return Record(memory=after, history=(*record.history, last))
