"""What was true then, and what we knew then. Pure.

Two times answer two questions: ``as_of`` asks the world, ``known_at`` asks the record.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime

from hindsight_memory.core import codec
from hindsight_memory.core.changes import Revision
from hindsight_memory.core.model import Json, Memory
from hindsight_memory.core.retrieval import Filter


def was_current(where: Filter, memory: Memory) -> bool:
    """Whether no newer memory had taken its place: in the record then, or in the world then.

    One that was retired without an end of its validity was found never to have been true. True of
    one that was changed since ``known_at``: only its history tells what it was (``as_known``).
    """
    return (
        memory.retired_at is None
        or _was_changed(where, memory)
        or (
            where.as_of is not None
            and memory.valid_to is not None
            and memory.valid_to > where.as_of
        )
    )


def held(where: Filter, memory: Memory) -> bool:
    """Whether it was true at ``where.as_of``; True of one that began by then and was changed since
    ``known_at``, when another end may have been known.
    """
    at = where.as_of
    if at is None:
        return True
    if memory.happened_at > at:
        return False
    return memory.valid_to is None or memory.valid_to > at or _was_changed(where, memory)


def _was_changed(where: Filter, memory: Memory) -> bool:
    changed = max(memory.updated_at, memory.retired_at or memory.updated_at)
    return where.known_at is not None and changed > where.known_at


def as_known(memory: Memory, revisions: Sequence[Revision], at: datetime) -> Memory | None:
    """``memory`` as the record had it at ``at``; None when it was not there yet.

    revisions: its whole history, in order. Counters of access and heat are not kept in it, and when
    it was updated only as far as a version tells.
    """
    if memory.created_at > at:
        return None
    fields = codec.to_json(memory)
    for revision in reversed(revisions):
        if revision.at <= at:
            known = codec.from_json({**fields, "version": revision.version})
            return replace(known, updated_at=min(memory.updated_at, revision.at))
        fields |= revision.before
    return None


def versions(memory: Memory, revisions: Sequence[Revision]) -> Iterator[dict[str, Json]]:
    """The fields of each version, the newest first; of those that are not in the history, such as
    ``updated_at``, always what they are now.

    revisions: its whole history, in order.
    """
    said = codec.to_json(memory)
    for revision in reversed(revisions):
        said["version"] = revision.version
        yield said
        said = {**said, **revision.before}


def as_seen(memory: Memory, where: Filter) -> Memory:
    """``memory`` as an answer for that time: one that was current then is not shown as retired."""
    if memory.retired_at is not None and not where.superseded and was_current(where, memory):
        return replace(memory, retired_at=None)
    return memory
