"""Whether a memory can still be believed, and why: what ``memory_verify`` looks at. Pure.

A new check is a function that gives a ``Check``, and a row of ``_WHEN_FAILED``.
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Literal, TypeAlias

from hindsight_memory.core import belief, codec, records
from hindsight_memory.core.changes import Revision
from hindsight_memory.core.model import Memory, Related
from hindsight_memory.core.planning import same_place
from hindsight_memory.core.policy import TRUST, Source, Status
from hindsight_memory.core.probes import KEY, Observation, Seen
from hindsight_memory.core.support import required, stands
from hindsight_memory.core.validity import is_doubted
from hindsight_memory.errors import InvalidInput

Standing: TypeAlias = Literal["current", "unverified", "disputed", "stale", "broken"]
"""broken: the record itself does not hold together, so that nothing it says can be relied on."""

CheckName: TypeAlias = Literal["integrity", "validity", "conflicts", "evidence", "probe"]


class State(StrEnum):
    OK = "ok"
    WARNING = "warning"
    FAILED = "failed"
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True, kw_only=True)
class Check:
    name: CheckName
    state: State
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Conflicting:
    """A current memory that says otherwise. wins: its word is worth at least as much, and newer."""

    memory: Memory
    reason: str
    wins: bool


def integrity(memory: Memory, history: Sequence[Revision], store_finds: Iterable[str]) -> Check:
    """The row against its whole version history; and what the store finds, audit log included."""
    problems = [*_history_problems(memory, history), *store_finds]
    if problems:
        return Check(name="integrity", state=State.FAILED, detail="; ".join(problems))
    detail = "row, version history and audit log agree"
    return Check(name="integrity", state=State.OK, detail=detail)


def validity(memory: Memory, now: datetime) -> Check:
    """Whether its time is over, or its age beyond what its type allows."""
    over = [told for is_so, told in _ends(memory, now) if is_so]
    if over:
        return Check(name="validity", state=State.FAILED, detail="; ".join(over))
    doubts = [told for is_so, told in _doubts(memory, now) if is_so]
    if doubts:
        return Check(name="validity", state=State.WARNING, detail="; ".join(doubts))
    return Check(name="validity", state=State.OK, detail="neither replaced nor over")


def conflicts(memory: Memory, others: Iterable[Memory]) -> Check:
    """others: what it names as a counter-example, and current memories about the same thing."""
    if memory.status is Status.DISPUTED:
        against = ", ".join(map(repr, memory.counter_examples)) or "see its history"
        detail = f"it is disputed: {against}"
        return Check(name="conflicts", state=State.FAILED, detail=detail)
    found = contradicting(memory, others)
    if not found:
        return Check(name="conflicts", state=State.OK, detail="nothing current says otherwise")
    state = State.FAILED if any(each.wins for each in found) else State.WARNING
    told = "; ".join(f"{each.memory.id!r} says otherwise: {each.reason}" for each in found)
    return Check(name="conflicts", state=state, detail=told)


def contradicting(memory: Memory, others: Iterable[Memory]) -> list[Conflicting]:
    """Those of ``others`` that are current and do not go together with ``memory``.

    What was weighed before, and is named as a counter-example on either side, does not win anew.
    """
    found: list[Conflicting] = []
    for other in others:
        if other.id == memory.id or not stands(other) or not same_place(other, memory):
            continue
        if other.id in memory.counter_examples:
            reason = "it is a counter-example that was weighed before"
            found.append(Conflicting(memory=other, reason=reason, wins=False))
        elif (one := _judged(memory, other)) is not None:
            found.append(one)
    return found


def unsettled(group: Sequence[Memory]) -> list[tuple[Memory, Conflicting]]:
    """What in a group of memories about the same thing does not go together, each pair once, and
    was never weighed.
    """
    found: list[tuple[Memory, Conflicting]] = []
    for index, memory in enumerate(group):
        others = [
            other
            for other in group[index + 1 :]
            if other.id not in memory.counter_examples and memory.id not in other.counter_examples
        ]
        if stands(memory):
            found += ((memory, each) for each in contradicting(memory, others))
    return found


def evidence(memory: Memory, supports: Collection[Memory]) -> Check:
    """supports: those of its evidence that exist."""
    if not memory.evidence:
        return Check(name="evidence", state=State.OK, detail="it rests on no other memory")
    standing = sum(map(stands, supports))
    missing = len(memory.evidence) - len(supports)
    detail = f"{standing} of {len(memory.evidence)} stand" + (
        f", {missing} missing" * (missing > 0)
    )
    if standing == len(memory.evidence):
        return Check(name="evidence", state=State.OK, detail=detail)
    # What a person has confirmed stands on their word.
    is_fallen = standing < required(memory) and memory.source is not Source.USER_CONFIRMED
    state = State.FAILED if is_fallen else State.WARNING
    return Check(name="evidence", state=state, detail=detail)


def probe(seen: Observation | None) -> tuple[Check, ...]:
    """No check for a memory without a probe; that nobody could look is no failure."""
    if seen is None:
        return ()
    return (
        Check(name="probe", state=_SEEN[seen.seen], detail=f"{seen.seen.value}: {seen.detail}"),
    )


def verdict(memory: Memory, checks: Iterable[Check]) -> Standing:
    """The worst that a failed check means; else by whether somebody has confirmed it."""
    failed = {check.name for check in checks if check.state is State.FAILED}
    for name, meaning in _WHEN_FAILED.items():
        if name in failed:
            return meaning
    return "current" if memory.status is Status.CONFIRMED else "unverified"


def reasons(memory: Memory, checks: Iterable[Check]) -> tuple[str, ...]:
    """For people: what is not in order, and who stands behind it."""
    told = [f"{each.name}: {each.detail}" for each in checks if each.state is not State.OK]
    return (*told, f"{memory.status.value}, source {memory.source.value}")


def confirmed(memory: Memory, now: datetime, *, by_person: bool) -> Memory:
    """``memory``, said to be true: by a person, whose word it then is, or by an agent, where the
    source allows.

    Raises InvalidInput where it does not, and for what only a person may release.
    """
    _refuse_quarantined(memory, by_person=by_person)
    if not by_person and TRUST[memory.source].status is not Status.CONFIRMED:
        raise InvalidInput(
            f"source {memory.source.value!r} cannot be confirmed by an agent; a person can, in the "
            "shell, or write it again with the source that confirms it"
        )
    after = _next(memory, now, status=Status.CONFIRMED)
    if not by_person:
        return after
    best = TRUST[Source.USER_CONFIRMED]
    return replace(
        after, source=Source.USER_CONFIRMED, trust=best.trust, confidence=best.confidence
    )


def without_probe(memory: Memory) -> Memory:
    """``memory`` without its probe, which was found to be wrong: what it was, its history tells."""
    kept = {name: value for name, value in memory.metadata.items() if name != KEY}
    return replace(memory, metadata=kept)


def disputed(
    memory: Memory, now: datetime, *, by_person: bool, against: Sequence[str] = ()
) -> Memory:
    """against: ids of memories that say otherwise. Raises InvalidInput for a quarantined one."""
    _refuse_quarantined(memory, by_person=by_person)
    others = tuple(dict.fromkeys((*memory.counter_examples, *against)))
    return replace(_next(memory, now, status=Status.DISPUTED), counter_examples=others)


def rejected(memory: Memory, now: datetime) -> Memory:
    """``memory`` as one that was never true: retired, and true at no time."""
    return replace(
        _next(memory, now, status=memory.status),
        retired_at=memory.retired_at or now,
        valid_to=memory.happened_at,
    )


def undisputed(memory: Memory, history: Sequence[Revision], now: datetime) -> Memory:
    """``memory`` with the status that it had before it was disputed."""
    before = next(
        (
            Status(str(each.before["status"]))
            for each in reversed(history)
            if "status" in each.before
        ),
        TRUST[memory.source].status,
    )
    return _next(memory, now, status=before)


def _history_problems(memory: Memory, history: Sequence[Revision]) -> list[str]:
    versions = [revision.version for revision in history]
    if versions != list(range(1, memory.version + 1)):
        return [f"its history has the versions {versions}, where 1 to {memory.version} belong"]
    fields = codec.to_json(memory)
    for revision in reversed(history):
        try:
            records.check_fields(Memory, fields, f"version {revision.version}")
        except InvalidInput as error:
            return [str(error)]
        fields |= revision.before
    return ["its first version replaced something"] if history[0].before else []


def _ends(memory: Memory, now: datetime) -> Iterable[tuple[bool, str]]:
    by = f" by {memory.superseded_by!r}" if memory.superseded_by else ""
    return (
        (memory.is_forgotten, "it is forgotten"),
        (memory.is_superseded, f"it was replaced{by}" if by else "it was rejected, or replaced"),
        (memory.status is Status.DEPRECATED, "it is deprecated"),
        (memory.is_expired(now) and not memory.is_superseded, "its time is over"),
    )


def _doubts(memory: Memory, now: datetime) -> Iterable[tuple[bool, str]]:
    days = (now - memory.updated_at).days
    return (
        (is_doubted(memory, now), f"nobody has confirmed or repeated it for {days} days"),
        (memory.happened_at > now, "it is true only from a later time on"),
        (memory.status is Status.QUARANTINED, "it is quarantined until a person decides"),
    )


def _judged(memory: Memory, other: Memory) -> Conflicting | None:
    """By the rules of a write, whichever of the two is the newer."""
    is_newer = (other.happened_at, other.id) > (memory.happened_at, memory.id)
    old, new = (memory, other) if is_newer else (other, memory)
    decided = belief.decisions(new, [Related(memory=old)])
    if not decided:
        return None
    was_weighed = memory.id in other.counter_examples
    has_won = decided[0].retires and not is_newer
    wins = other.trust >= memory.trust and not was_weighed and not has_won
    return Conflicting(memory=other, reason=decided[0].reason, wins=wins)


def _refuse_quarantined(memory: Memory, *, by_person: bool) -> None:
    if memory.status is Status.QUARANTINED and not by_person:
        raise InvalidInput("a quarantined memory is released by a person only")


def _next(memory: Memory, now: datetime, *, status: Status) -> Memory:
    return replace(memory, status=status, updated_at=now, version=memory.version + 1)


_SEEN: Mapping[Seen, State] = MappingProxyType(
    {
        Seen.UNCHANGED: State.OK,
        Seen.CHANGED: State.FAILED,
        Seen.UNOBSERVABLE: State.UNKNOWN,
    }
)

_WHEN_FAILED: Mapping[CheckName, Standing] = MappingProxyType(
    {
        "integrity": "broken",
        "validity": "stale",
        "evidence": "stale",
        "conflicts": "disputed",
        "probe": "disputed",
    }
)
"""What a failed check means, the worst first."""
