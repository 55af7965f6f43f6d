"""Work for later in the file of the memories. Implements hindsight_memory.core.ports.Jobs."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

import apsw

from hindsight_memory.core import jobs
from hindsight_memory.core.codec import iso
from hindsight_memory.core.jobs import Job, JobState, is_same_claim
from hindsight_memory.stores.job_rows import job_of, job_row
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.sql import load_queries
from hindsight_memory.stores.sqlite.database import Database

QUERIES = load_queries("hindsight_memory.stores.sqlite", "jobs.sql")


class SqliteJobs:
    """Safe to share between threads, and its file between processes: claims take turns."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def put(self, job: Job) -> Job:
        with self._database.writing() as db:
            _run(db, "insert_job", job_row(job))
            return _found(db, job.tenant, job.id) or job

    def claim(self, holder: str, kinds: Sequence[str], *, now: datetime) -> Job | None:
        args = {
            "kinds": dump(list(kinds)),
            "now": iso(now),
            "longest": iso(now + jobs.LONGEST),
            "lease": iso(now + jobs.LEASE),
        }
        if not self._database.read(QUERIES["next_job"], args):
            return None  # most calls find nothing, and need not wait for a writer
        with self._database.writing() as db:
            while rows := list(db.execute(QUERIES["next_job"], args)):
                claim = jobs.claimed(job_of(rows[0]), holder, now)
                _run(db, "replace_job", job_row(claim))
                if claim.state is JobState.RUNNING:
                    return claim
        return None

    def renew(self, job: Job, *, now: datetime) -> bool:
        return self.settle(jobs.renewed(job, now), job)

    def settle(self, job: Job, claim: Job) -> bool:
        with self._database.writing() as db:
            found = _found(db, claim.tenant, claim.id)
            if found is None or not is_same_claim(found, claim):
                return False
            return _run(db, "replace_job", job_row(job)) == 1

    def retry(self, tenant: str, job_id: str, *, now: datetime) -> Job | None:
        with self._database.writing() as db:
            found = _found(db, tenant, job_id)
            if found is None or found.state is not JobState.DEAD:
                return None
            again = jobs.retried(found, now)
            _run(db, "replace_job", job_row(again))
            return again

    def get(self, tenant: str, job_id: str) -> Job | None:
        rows = self._database.read(QUERIES["job"], {"tenant": tenant, "id": job_id})
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
        return [job_of(row) for row in self._database.read(QUERIES["page_of_jobs"], args)]

    def counts(self) -> Mapping[tuple[str, JobState], int]:
        found = self._database.read(QUERIES["count_jobs"], {})
        return {(kind, JobState(state)): count for kind, state, count in found}

    def expire(self, before: datetime) -> int:
        with self._database.writing() as db:
            return _run(db, "expire_jobs", {"before": iso(before)})

    def purge(self, tenant: str, user_id: str, content: str) -> int:
        args = {"tenant": tenant, "user_id": user_id, "content": content}
        with self._database.writing() as db:
            gone = _run(db, "purge_jobs", args)
        self._database.wipe(is_due=gone > 0)
        return gone


def _run(db: apsw.Connection, name: str, args: Mapping[str, Any]) -> int:
    """How many rows it changed."""
    db.execute(QUERIES[name], args)
    return db.changes()


def _found(db: apsw.Connection, tenant: str, job_id: str) -> Job | None:
    rows = list(db.execute(QUERIES["job"], {"tenant": tenant, "id": job_id}))
    return job_of(rows[0]) if rows else None
