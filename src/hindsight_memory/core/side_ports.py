"""What a store keeps beside memories: working memory, and work for later.

All of it is called from any thread, and may block.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from hindsight_memory.core.jobs import Job, JobState
from hindsight_memory.core.working import Session


class Sessions(Protocol):
    """Where working memory is kept: one document for each session of a user, for a time. The whole
    contract is hindsight_memory.testing.session_suite.
    """

    def get(self, tenant: str, user_id: str, session_id: str, *, now: datetime) -> Session | None:
        """None where there is none, or its time is over."""
        ...

    def of_user(
        self, tenant: str, user_id: str, *, now: datetime, after: str, limit: int
    ) -> list[Session]:
        """Those whose time is not over, in order of their ids from after ``after`` ("" for the
        first).
        """
        ...

    def put(self, session: Session) -> None:
        """Insert (version 1) or replace (version n over n - 1), durably where the store is. What
        was over at its ``updated_at`` makes room. Raises Conflict when it does not follow.
        """
        ...

    def delete(self, tenant: str, user_id: str, session_id: str | None = None) -> int:
        """Remove one session of a user, or all of them, without a trace; returns how many. It may
        take a second.
        """
        ...

    def expire(self, now: datetime) -> int:
        """Remove what is over, of any tenant; returns how much."""
        ...


class Jobs(Protocol):
    """Work for later, core.jobs. The whole contract is hindsight_memory.testing.job_suite.

    Safe for any number of workers, in any number of processes.
    """

    def put(self, job: Job) -> Job:
        """Insert it, durably. Where its id is taken nothing changes, and that job is returned."""
        ...

    def claim(self, holder: str, kinds: Sequence[str], *, now: datetime) -> Job | None:
        """The job of these kinds that is due (core.jobs.is_due) and came first, claimed for
        ``holder``; None where there is none. No other call gets it while its lease holds. Of a
        lane only what came first is given. What was claimed too often is dead, and passed over.
        """
        ...

    def renew(self, job: Job, *, now: datetime) -> bool:
        """Prolong the lease of a claimed job; False when it is not the claim's any more."""
        ...

    def settle(self, job: Job, claim: Job) -> bool:
        """Put ``job`` in place of its ``claim``; False, and nothing is done, when that is not the
        claim's any more.
        """
        ...

    def retry(self, tenant: str, job_id: str, *, now: datetime) -> Job | None:
        """Queue a dead job anew (core.jobs.retried); None where no such one is dead."""
        ...

    def get(self, tenant: str, job_id: str) -> Job | None: ...

    def page(
        self, tenant: str, *, states: Sequence[JobState], before: str | None, limit: int
    ) -> list[Job]:
        """Those in one of ``states``, latest first; ``before``: the last id of the page before."""
        ...

    def counts(self) -> Mapping[tuple[str, JobState], int]:
        """How many there are of each kind and state, of every tenant."""
        ...

    def expire(self, before: datetime) -> int:
        """Remove those that were done before then, of every tenant; returns how many."""
        ...

    def purge(self, tenant: str, user_id: str, content: str) -> int:
        """Remove a user's jobs whose payload has this ``content``, in whatever state, without a
        trace; returns how many. It may take a second.
        """
        ...
