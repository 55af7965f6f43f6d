"""Derived memories stand on their evidence: what becomes of one when some of it falls. Pure."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from hindsight_memory.core import codec
from hindsight_memory.core.changes import Revision
from hindsight_memory.core.compression import is_summary
from hindsight_memory.core.induction import DECIDED, Induction, Rule, noted, rule_of, weigh
from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import Source, Status

CASCADED = "cascaded"
"""The operation under which the version history has a change that falling evidence caused."""

RETROSPECTED = "retrospected"
"""The operation of a change that looking back over episodes made."""

OF_THE_USER = frozenset({Source.USER_EXPLICIT, Source.USER_CONFIRMED})

OURS = frozenset({CASCADED, RETROSPECTED})
"""A status that any other operation gave is somebody's decision, and not weighed anew."""


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


def required(dependant: Memory) -> int:
    """Pieces of its evidence that have to stand, for it to be asserted at all: one; of a summary
    all, because it says what each of them says.
    """
    return len(dependant.evidence) if is_summary(dependant) else 1


def rejudged(
    dependant: Memory,
    evidence: Collection[Memory],
    history: Sequence[Revision],
    now: datetime,
    *,
    against: Collection[Memory] = (),
) -> Judged | None:
    """What has to change about ``dependant``; None when nothing does.

    evidence, against: what its evidence and its counter-examples name, as they will be.
    history: its own, oldest first.
    What was induced is weighed anew (core.induction). Of anything else: without the evidence that
    it needs it is deprecated, and a summary forgotten; when that stands again, and only such a fall
    had ended it, it is what it was before. What a person has confirmed stands on their word.
    """
    if dependant.source is Source.USER_CONFIRMED:
        return None
    if rule_of(dependant) is not None:
        found = weighed(dependant, evidence, against)
        after = believed(dependant, found, now)
        is_due = is_weighable(dependant, history) and _belief(after) != _belief(dependant)
        return Judged(after, found.reason) if is_due else None
    if not dependant.evidence:
        return None
    needed, standing = required(dependant), sum(map(stands, evidence))
    counted = f"evidence required {needed}, standing {standing} of {len(dependant.evidence)}"
    if standing < needed and not _has_fallen(dependant):
        return Judged(_fallen(dependant, now), f"its support fell: {counted}")
    if standing >= needed and _has_fallen(dependant):
        before = _before_the_fall(dependant, history)
        if before is not None:
            again = replace(before, updated_at=now, version=dependant.version + 1)
            return Judged(again, f"its support stands again: {counted}")
    return None


def weighed(
    memory: Memory,
    evidence: Iterable[Memory],
    against: Iterable[Memory] = (),
    *,
    shown: Collection[Memory] = (),
) -> Induction:
    """What an induced ``memory`` deserves by those of its episodes that stand.

    shown: episodes that bear it out, and that count zero because it had been shown there.
    """
    return weigh(
        rule_of(memory) or Rule(),
        filter(stands, [*evidence, *shown]),
        filter(stands, against),
        injected={each.id for each in shown},
        is_users_word=memory.source in OF_THE_USER,
    )


def is_weighable(memory: Memory, history: Sequence[Revision]) -> bool:
    """Whether episodes may change its status, or it is gone, or somebody has decided about it."""
    is_gone = memory.is_forgotten or memory.is_superseded
    if is_gone or memory.status is Status.QUARANTINED or memory.source is Source.USER_CONFIRMED:
        return False
    if (noted(memory) or {}).get(DECIDED) is True:
        return False
    last = next((each for each in reversed(history) if "status" in each.before), None)
    return last is None or last.operation in OURS


def believed(memory: Memory, found: Induction, now: datetime) -> Memory:
    """``memory`` with what its episodes amount to, as its next version.

    What the user has said keeps the confidence of their word.
    """
    is_said = memory.source in OF_THE_USER
    return replace(
        memory,
        status=found.status,
        confidence=memory.confidence if is_said else found.score,
        updated_at=now,
        version=memory.version + 1,
    )


def _belief(memory: Memory) -> tuple[Status, float]:
    return memory.status, memory.confidence


def _has_fallen(memory: Memory) -> bool:
    return memory.is_forgotten if is_summary(memory) else memory.status is Status.DEPRECATED


def _fallen(memory: Memory, now: datetime) -> Memory:
    after = replace(memory, updated_at=now, version=memory.version + 1)
    if is_summary(memory):
        return replace(after, deleted_at=now)
    return replace(after, status=Status.DEPRECATED)


def _before_the_fall(memory: Memory, history: Sequence[Revision]) -> Memory | None:
    """What it was, if a fall of support has ended it and not somebody's decision."""
    name = "deleted_at" if is_summary(memory) else "status"
    for revision in reversed(history):
        if name in revision.before:
            if revision.operation != CASCADED:
                return None
            return codec.from_json({**codec.to_json(memory), name: revision.before[name]})
    return None
