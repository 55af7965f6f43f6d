"""What is done later: who asks for it, and who does it.

A write that nobody waits for, and the upkeep of a tenant. Both are safe to repeat: the write by an
idempotency key, the upkeep because it only does what there still is to do.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime

from hindsight_memory.core import jobs
from hindsight_memory.core.codec import draft_from_json, draft_to_json
from hindsight_memory.core.identity import digest, request_digest
from hindsight_memory.core.jobs import Done, End, Job, JobState, new_job
from hindsight_memory.core.life import Options
from hindsight_memory.core.model import Draft, Json
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.worker import Handler, Pause, Worker
from hindsight_memory.engine.writing import Writer
from hindsight_memory.errors import Conflict, NotFound

WRITE, UPKEEP = "write", "upkeep"


class Promises:
    """Jobs of one store, as callers see them. Safe to share between threads."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._worker = worker(parts, kinds=(WRITE,)) if parts.works else None

    def write(self, tenant: str, draft: Draft, *, heard_in: str = "") -> Job:
        """Promise to write ``draft``, durably; the same for the same idempotency key.

        What is said of now is true from now on, however late it is written. Raises Conflict for a
        key that was used for something else.
        """
        now = self._parts.clock.now()
        asked = request_digest(draft)
        key = draft.idempotency_key
        job_id = self._parts.ids.new(now) if key is None else digest(WRITE, draft.user_id, key)
        kept = replace(draft, valid_from=draft.valid_from or now, idempotency_key=key or job_id)
        payload: dict[str, Json] = draft_to_json(kept)
        payload |= {"heard_in": heard_in, "asked": asked}
        lane = digest(WRITE, draft.user_id)
        job = self._parts.store.jobs.put(
            new_job(job_id, tenant, WRITE, payload, at=now, user_id=draft.user_id, lane=lane)
        )
        if asked not in (job.payload.get("asked"), job.result.get("asked")):
            raise Conflict(f"the idempotency key {key!r} was used for another write; use a new one")
        if self._worker is not None:
            self._parts.behind.submit(self._worker.drain)
        return job

    def get(self, tenant: str, job_id: str) -> Job:
        """Raises NotFound."""
        job = self._parts.store.jobs.get(tenant, job_id)
        if job is None:
            days = jobs.KEPT.days
            raise NotFound(f"no job {job_id!r}; what was done is known for {days} days")
        return job

    def page(
        self, tenant: str, *, states: Sequence[JobState], before: str | None, limit: int
    ) -> list[Job]:
        """See Jobs.page."""
        return self._parts.store.jobs.page(tenant, states=states, before=before, limit=limit)

    def retry(self, tenant: str, job_id: str) -> Job:
        """Queue a dead job anew. Raises NotFound, and Conflict for one that is not dead."""
        now = self._parts.clock.now()
        job = self._parts.store.jobs.retry(tenant, job_id, now=now)
        if job is None:
            state = self.get(tenant, job_id).state
            raise Conflict(f"job {job_id!r} is {state.value}; only what is dead is retried")
        if self._worker is not None:
            self._parts.behind.submit(self._worker.drain)
        return job


def promise_upkeep(parts: Parts) -> None:
    """A job for each tenant, once a day of UTC, however many processes ask for it."""
    now = parts.clock.now()
    for head in parts.store.audit_heads():
        job_id = f"{UPKEEP}-{now.astimezone(UTC).date()}"
        parts.store.jobs.put(new_job(job_id, head.tenant, UPKEEP, {}, at=now))


def worker(
    parts: Parts, *, kinds: Sequence[str] = (WRITE, UPKEEP), pause: Pause = lambda: None
) -> Worker:
    """One that does jobs of ``kinds``."""
    handlers = {kind: handler for kind, handler in _handlers(parts).items() if kind in kinds}
    holder = parts.ids.new(parts.clock.now())
    return Worker(
        parts.store.jobs,
        handlers,
        clock=parts.clock,
        holder=holder,
        pause=pause,
        chore=parts.store.catch_up,
    )


def _handlers(parts: Parts) -> Mapping[str, Handler]:
    writer = Writer(parts)

    def write(job: Job, _pause: Pause) -> End:
        given = dict(job.payload)
        heard_in, asked = str(given.pop("heard_in")), given.pop("asked")
        written = writer.write(job.tenant, draft_from_json(given), heard_in=heard_in)
        memory_id = "" if written.memory is None else written.memory.id
        told: dict[str, Json] = {"outcome": written.outcome.value, "reason": written.reason}
        return Done({**told, "memory_id": memory_id, "asked": asked})

    def upkeep(job: Job, pause: Pause) -> End:
        return Done(keep_up(parts, job.tenant, pause))

    return {WRITE: write, UPKEEP: upkeep}


def keep_up(parts: Parts, tenant: str, pause: Pause) -> dict[str, Json]:
    """All that is done to the memories of a tenant once a day; what it came to, in numbers."""
    from hindsight_memory.engine.enriching import enrich
    from hindsight_memory.engine.maintain import maintain
    from hindsight_memory.engine.retrospecting import retrospect

    enriched = enrich(parts, tenant, pause=pause)
    # Before upkeep, what the day taught: the rules of life then find lessons and what they rest on
    # in use.
    retrospect(parts, tenant, pause=pause)
    report = maintain(parts, tenant, options=Options(cap=parts.episode_cap), pause=pause)
    parts.store.jobs.expire(_long_ago(parts))
    return {"enriched": enriched.sessions, "looked_at": report.looked_at}


def _long_ago(parts: Parts) -> datetime:
    return parts.clock.now() - jobs.KEPT
