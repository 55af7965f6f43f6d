"""Derived memories stand on their evidence: what becomes of one when some of it falls. Pure."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hindsight_memory.core.changes import Revision
from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import Source, Status

REQUIRED = 1
"""Pieces of evidence that still stand, for a derived memory to be asserted at all."""

CASCADED = "cascaded"
"""The operation under which the version history has a change that falling evidence caused."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A dependant as it has to be, and why: what was required against what there is."""

    memory: Memory
    reason: str


def stands(memory: Memory) -> bool:
    """Whether it can support anything. Being superseded by a newer value ends that, too."""
    return not (
        memory.is_forgotten
        or memory.is_superseded
        or memory.status in {Status.DEPRECATED, Status.QUARANTINED}
    )


def rejudged(
    dependant: Memory,
    evidence: Collection[Memory],
    history: Sequence[Revision],
    now: datetime,
) -> Judged | None:
    """What has to change about ``dependant``; None when nothing does.

    evidence: what its evidence ids name, as it will be. history: its own, oldest first.
    Without standing evidence it is deprecated; when some stands again, and only such a fall had
    deprecated it, it is what it was before. What a person has confirmed stands on their word.
    """
    if dependant.source is Source.USER_CONFIRMED:
        return None
    standing = sum(map(stands, evidence))
    counted = f"evidence required {REQUIRED}, standing {standing} of {len(dependant.evidence)}"
    if standing < REQUIRED and dependant.status is not Status.DEPRECATED:
        fallen = _changed(dependant, Status.DEPRECATED, now)
        return Judged(fallen, f"its support fell: {counted}")
    if standing >= REQUIRED and dependant.status is Status.DEPRECATED:
        before = _status_before_the_fall(history)
        if before is not None:
            return Judged(_changed(dependant, before, now), f"its support stands again: {counted}")
    return None


def _changed(memory: Memory, status: Status, now: datetime) -> Memory:
    return replace(memory, status=status, updated_at=now, version=memory.version + 1)


def _status_before_the_fall(history: Sequence[Revision]) -> Status | None:
    """Of the last change of status, if it was a fall of support and not somebody's decision."""
    for revision in reversed(history):
        if "status" in revision.before:
            return (
                Status(str(revision.before["status"])) if revision.operation == CASCADED else None
            )
    return None
