"""Work that is promised now and done later, by whichever process takes it. Pure.

A worker claims a job for a time, its lease, and says at intervals that it still lives. A job whose
worker fell silent is claimed again: so it may be begun twice, and what it does must be safe to
repeat. What a run came to is a value, an ``End``; a new kind of ending is a class here and a row of
``_SETTLED``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from enum import StrEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from hindsight_memory.core.model import Json

LEASE = timedelta(seconds=60)
"""How long a worker may be silent; it says three times as often that it lives."""

DELAYS = tuple(timedelta(seconds=each) for each in (5, 30, 120, 600, 1_800, 3_600, 3_600))
"""Before each repetition: an outage of a minute delays little, one of two hours loses nothing."""

ATTEMPTS = len(DELAYS) + 1

LONGEST = max(DELAYS)
"""Nothing waits longer. What seems to was timed by a clock that has been set back since."""

KEPT = timedelta(days=7)
"""How long one may ask what became of a job that is done."""

REASON_LENGTH = 1_000


class JobState(StrEnum):
    QUEUED = "queued"
    RUNNING = "running"
    DONE = "done"
    DEAD = "dead"
    """Given up: it waits until a person retries it."""


UNFINISHED = frozenset({JobState.QUEUED, JobState.RUNNING})


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """kind: names who does it. user_id: whom it is for, "" for nobody.

    payload: what it needs; gone when it is done, kept when it is dead.
    lane: jobs of one lane are done one after the other, in the order they came; "" for none.
    attempts: how often it was claimed. due_at: not before. holder: who claimed it, until
    ``lease_until`` at least. result: what it came to. reason: why it is not done.
    """

    id: str
    tenant: str
    user_id: str = ""
    kind: str
    lane: str = ""
    payload: Mapping[str, Json] = field(default_factory=dict)
    state: JobState = JobState.QUEUED
    attempts: int = 0
    created_at: datetime
    updated_at: datetime
    due_at: datetime
    holder: str = ""
    lease_until: datetime | None = None
    result: Mapping[str, Json] = field(default_factory=dict)
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Done:
    result: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Again:
    """It could not be done, and may be later."""

    reason: str


@dataclass(frozen=True, slots=True)
class Dead:
    """It can never be done: to repeat it would not help."""

    reason: str


@dataclass(frozen=True, slots=True)
class Returned:
    """The worker stops and hands it back: this was no attempt."""


End: TypeAlias = Done | Again | Dead | Returned


def new_job(
    job_id: str,
    tenant: str,
    kind: str,
    payload: Mapping[str, Json],
    *,
    at: datetime,
    user_id: str = "",
    lane: str = "",
) -> Job:
    return Job(
        id=job_id,
        tenant=tenant,
        user_id=user_id,
        kind=kind,
        lane=lane,
        payload=payload,
        created_at=at,
        updated_at=at,
        due_at=at,
    )


def is_due(job: Job, now: datetime) -> bool:
    """Whether it may be claimed, by itself: its lane may still be in the way."""
    match job.state:
        case JobState.QUEUED:
            return job.due_at <= now or job.due_at > now + LONGEST
        case JobState.RUNNING:
            until = job.lease_until or now
            return until <= now or until > now + LEASE
        case _:
            return False


def claimed(job: Job, holder: str, now: datetime) -> Job:
    """For ``holder`` until its lease ends; or dead, where it took a worker with it too often."""
    if job.attempts >= ATTEMPTS:
        reason = f"given up: its worker fell silent {job.attempts} times; last said: {job.reason}"
        return replace(_given_up(job, reason), updated_at=now)
    return replace(
        job,
        state=JobState.RUNNING,
        attempts=job.attempts + 1,
        updated_at=now,
        holder=holder,
        lease_until=now + LEASE,
    )


def renewed(job: Job, now: datetime) -> Job:
    return replace(job, lease_until=now + LEASE)


def is_same_claim(found: Job, claim: Job) -> bool:
    """Whether a job, as it is now, is still his who claimed it so."""
    is_held = found.state is JobState.RUNNING
    return is_held and (found.holder, found.attempts) == (claim.holder, claim.attempts)


def settled(job: Job, end: End, now: datetime) -> Job:
    """What becomes of a claimed ``job`` after a run that came to ``end``."""
    free = replace(job, holder="", lease_until=None, updated_at=now)
    return _SETTLED[type(end)](free, end, now)


def retried(job: Job, now: datetime) -> Job:
    """A dead job, to be tried as if anew."""
    return replace(job, state=JobState.QUEUED, attempts=0, due_at=now, updated_at=now)


def _done(job: Job, end: Done, _now: datetime) -> Job:
    return replace(job, state=JobState.DONE, payload={}, result=end.result, reason="")


def _again(job: Job, end: Again, now: datetime) -> Job:
    if job.attempts >= ATTEMPTS:
        return _given_up(job, f"given up after {job.attempts} attempts: {end.reason}")
    due_at = now + DELAYS[job.attempts - 1]
    reason = end.reason[:REASON_LENGTH]
    return replace(job, state=JobState.QUEUED, due_at=due_at, reason=reason)


def _dead(job: Job, end: Dead, _now: datetime) -> Job:
    return _given_up(job, end.reason)


def _returned(job: Job, _end: Returned, now: datetime) -> Job:
    return replace(job, state=JobState.QUEUED, attempts=job.attempts - 1, due_at=now)


def _given_up(job: Job, reason: str) -> Job:
    text = reason[:REASON_LENGTH]
    return replace(job, state=JobState.DEAD, holder="", lease_until=None, reason=text)


_SETTLED: Mapping[type, Callable[[Job, Any, datetime], Job]] = MappingProxyType(
    {Done: _done, Again: _again, Dead: _dead, Returned: _returned}
)
