"""Work for later beside the memories, in any SQL store. Implements core.side_ports.Jobs."""

from collections.abc import Mapping, Sequence
from datetime import datetime

from hindsight_memory.core import jobs
from hindsight_memory.core.codec import iso
from hindsight_memory.core.jobs import Job, JobState, is_same_claim
from hindsight_memory.stores.job_rows import job_of, job_row
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.statements import Args, SqlDatabase, Statements


class SqlJobs:
    """Safe to share between threads, and its database between processes."""

    def __init__(self, database: SqlDatabase) -> None:
        self._database = database

    def put(self, job: Job) -> Job:
        def work(db: Statements) -> Job:
            db.do("insert_job", job_row(job))
            return _held(db, job.tenant, job.id) or job

        return self._database.write(job.tenant, work)

    def claim(self, holder: str, kinds: Sequence[str], *, now: datetime) -> Job | None:
        args = {
            "kinds": dump(list(kinds)),
            "now": iso(now),
            "longest": iso(now + jobs.LONGEST),
            "lease": iso(now + jobs.LEASE),
        }
        if not self._database.rows(None, "next_job", args):
            return None  # most calls find nothing, and need not wait for a writer
        return self._database.write(None, lambda db: _claimed(db, holder, now, args))

    def renew(self, job: Job, *, now: datetime) -> bool:
        return self.settle(jobs.renewed(job, now), job)

    def settle(self, job: Job, claim: Job) -> bool:
        def work(db: Statements) -> bool:
            found = _held(db, claim.tenant, claim.id)
            if found is None or not is_same_claim(found, claim):
                return False
            return db.change("replace_job", job_row(job)) == 1

        return self._database.write(claim.tenant, work)

    def retry(self, tenant: str, job_id: str, *, now: datetime) -> Job | None:
        def work(db: Statements) -> Job | None:
            found = _held(db, tenant, job_id)
            if found is None or found.state is not JobState.DEAD:
                return None
            again = jobs.retried(found, now)
            db.do("replace_job", job_row(again))
            return again

        return self._database.write(tenant, work)

    def get(self, tenant: str, job_id: str) -> Job | None:
        rows = self._database.rows(tenant, "job", {"tenant": tenant, "id": job_id})
        return job_of(rows[0]) if rows else None

    def page(
        self, tenant: str, *, states: Sequence[JobState], before: str | None, limit: int
    ) -> list[Job]:
        args = {
            "tenant": tenant,
            "states": dump([state.value for state in states]),
            "before": before,
            "limit": limit,
        }
        return [job_of(row) for row in self._database.rows(tenant, "page_of_jobs", args)]

    def counts(self) -> Mapping[tuple[str, JobState], int]:
        found = self._database.rows(None, "count_jobs", {})
        return {(kind, JobState(state)): count for kind, state, count in found}

    def expire(self, before: datetime) -> int:
        args = {"before": iso(before)}
        return self._database.write(None, lambda db: db.change("expire_jobs", args))

    def purge(self, tenant: str, user_id: str, content: str) -> int:
        args = {"tenant": tenant, "user_id": user_id, "content": content}
        gone = self._database.write(tenant, lambda db: db.change("purge_jobs", args))
        self._database.wipe(is_due=gone > 0)
        return gone


def _claimed(db: Statements, holder: str, now: datetime, args: Args) -> Job | None:
    while rows := db.run("hold_next_job", args):
        claim = jobs.claimed(job_of(rows[0]), holder, now)
        db.do("replace_job", job_row(claim))
        if claim.state is JobState.RUNNING:
            return claim
    return None


def _held(db: Statements, tenant: str, job_id: str) -> Job | None:
    """The job, and nobody else changes it meanwhile."""
    rows = db.run("hold_job", {"tenant": tenant, "id": job_id})
    return job_of(rows[0]) if rows else None
