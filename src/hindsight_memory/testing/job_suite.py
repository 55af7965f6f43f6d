"""The contract of Jobs, as tests. A backend's tests subclass JobSuite.

Needs pytest.
"""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.core.jobs import (
    ATTEMPTS,
    LEASE,
    LONGEST,
    Again,
    Dead,
    Done,
    Job,
    JobState,
    Returned,
    settled,
)
from hindsight_memory.core.side_ports import Jobs
from hindsight_memory.testing.samples import NOON

SECOND = timedelta(seconds=1)
EVERY = tuple(JobState)


def a_job(job_id: str = "j1", **changes: Any) -> Job:
    """Ann's, due at noon."""
    plain = Job(
        id=job_id,
        tenant="acme",
        user_id="ann",
        kind="write",
        payload={"content": "用户住在上海", "n": [1, None, {"a": "é"}]},
        created_at=NOON,
        updated_at=NOON,
        due_at=NOON,
    )
    return replace(plain, **changes)


class JobSuite:
    """Subclasses give a fixture ``jobs``, with none in it."""

    def test_a_job_comes_back_as_it_was_put(self, jobs: Jobs) -> None:
        assert jobs.put(a_job()) == a_job()
        assert jobs.get("acme", "j1") == a_job()

    def test_a_job_that_nobody_put_is_none(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        assert jobs.get("acme", "j2") is None
        assert jobs.get("other", "j1") is None

    def test_what_is_put_twice_is_done_once(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        assert jobs.put(a_job(payload={"content": "else"})) == a_job()
        assert ids_claimed(jobs, times=2) == ["j1"]

    def test_one_id_of_two_tenants_is_two_jobs(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        jobs.put(a_job(tenant="other"))
        assert ids_claimed(jobs, times=3) == ["j1", "j1"]

    def test_a_claim_says_who_does_it_and_until_when(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        claim = claimed(jobs)
        expected = a_job(state=JobState.RUNNING, attempts=1, holder="w1", lease_until=NOON + LEASE)
        assert claim == jobs.get("acme", "j1") == expected

    def test_what_came_first_is_claimed_first(self, jobs: Jobs) -> None:
        for job_id in ("j3", "j1", "j2"):
            jobs.put(a_job(job_id))
        assert ids_claimed(jobs, times=4) == ["j3", "j1", "j2"]

    def test_only_the_kinds_asked_for_are_claimed(self, jobs: Jobs) -> None:
        jobs.put(a_job("j1", kind="upkeep"))
        jobs.put(a_job("j2"))
        assert ids_claimed(jobs, times=2) == ["j2"]
        assert jobs.claim("w1", ["upkeep", "write"], now=NOON) is not None
        assert jobs.claim("w1", [], now=NOON) is None

    def test_nothing_is_claimed_before_it_is_due(self, jobs: Jobs) -> None:
        jobs.put(a_job(due_at=NOON + SECOND))
        assert jobs.claim("w1", ["write"], now=NOON) is None
        assert jobs.claim("w1", ["write"], now=NOON + SECOND) is not None

    def test_what_a_clock_ahead_has_timed_waits_for_nothing(self, jobs: Jobs) -> None:
        jobs.put(a_job(due_at=NOON + LONGEST + SECOND))
        assert jobs.claim("w1", ["write"], now=NOON) is not None
        assert jobs.claim("w2", ["write"], now=NOON - 2 * LEASE) is not None

    def test_of_a_lane_only_the_first_is_done_at_a_time(self, jobs: Jobs) -> None:
        for job_id in ("j1", "j2"):
            jobs.put(a_job(job_id, lane="ann"))
        jobs.put(a_job("j3", lane="bob"))
        jobs.put(a_job("j4", lane="ann", tenant="other"))
        first = claimed(jobs)
        assert ids_claimed(jobs, times=3) == ["j3", "j4"]
        settle(jobs, first, Again("later"))
        assert ids_claimed(jobs, times=1) == []
        jobs.claim("w1", ["write"], now=NOON + LONGEST)
        again = jobs.get("acme", "j1")
        assert again is not None
        settle(jobs, again, Done())
        assert ids_claimed(jobs, times=2) == ["j2"]

    def test_a_dead_job_blocks_no_lane(self, jobs: Jobs) -> None:
        for job_id in ("j1", "j2"):
            jobs.put(a_job(job_id, lane="ann"))
        settle(jobs, claimed(jobs), Dead("no such memory"))
        assert ids_claimed(jobs, times=2) == ["j2"]

    def test_a_silent_worker_loses_its_job_at_the_end_of_the_lease(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        lost = claimed(jobs)
        assert jobs.claim("w2", ["write"], now=NOON + LEASE - SECOND) is None
        taken = jobs.claim("w2", ["write"], now=NOON + LEASE)
        assert taken is not None
        assert (taken.holder, taken.attempts) == ("w2", 2)
        assert not jobs.renew(lost, now=NOON + LEASE)
        assert not settle(jobs, lost, Done())
        assert jobs.get("acme", "j1") == taken

    def test_who_says_that_it_lives_keeps_its_job(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        claim = claimed(jobs)
        assert jobs.renew(claim, now=NOON + LEASE / 2)
        assert jobs.claim("w2", ["write"], now=NOON + LEASE) is None
        assert settle(jobs, claim, Done({"memory_id": "m1"}))

    def test_what_is_done_leaves_its_result_and_no_payload(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        settle(jobs, claimed(jobs), Done({"memory_id": "m1"}))
        done = jobs.get("acme", "j1")
        assert done == a_job(
            state=JobState.DONE, attempts=1, payload={}, result={"memory_id": "m1"}
        )
        assert ids_claimed(jobs, times=1) == []

    def test_what_was_handed_back_is_no_attempt(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        settle(jobs, claimed(jobs), Returned())
        assert jobs.get("acme", "j1") == a_job()
        assert ids_claimed(jobs, times=1) == ["j1"]

    def test_what_fails_again_and_again_is_dead_and_tells_why(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        now = NOON
        for _ in range(ATTEMPTS):
            claim = jobs.claim("w1", ["write"], now=now)
            assert claim is not None
            jobs.settle(settled(claim, Again("超时"), now), claim)
            now += LONGEST
        dead = jobs.get("acme", "j1")
        assert dead is not None
        assert (dead.state, dead.reason) == (JobState.DEAD, "given up after 8 attempts: 超时")
        assert dead.payload == a_job().payload
        assert jobs.claim("w1", ["write"], now=now) is None

    def test_what_takes_its_workers_with_it_is_dead(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        jobs.put(a_job("j2"))
        for attempt in range(ATTEMPTS):
            assert jobs.claim("w1", ["write"], now=NOON + attempt * LEASE) is not None
            if attempt == 0:
                second = claimed(jobs)
                settle(jobs, second, Done())
        assert jobs.claim("w1", ["write"], now=NOON + ATTEMPTS * LEASE) is None
        dead = jobs.get("acme", "j1")
        assert dead is not None
        assert dead.state is JobState.DEAD

    def test_a_dead_job_is_retried_as_if_anew(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        assert jobs.retry("acme", "j1", now=NOON) is None
        settle(jobs, claimed(jobs), Dead("no such memory"))
        assert jobs.retry("other", "j1", now=NOON) is None
        later = NOON + SECOND
        again = jobs.retry("acme", "j1", now=later)
        expected = a_job(due_at=later, updated_at=later, reason="no such memory")
        assert again == jobs.get("acme", "j1") == expected
        assert jobs.claim("w1", ["write"], now=later) is not None

    def test_jobs_are_listed_by_state_the_latest_first(self, jobs: Jobs) -> None:
        for job_id in ("j3", "j1", "j2"):
            jobs.put(a_job(job_id))
        jobs.put(a_job("j4", tenant="other"))
        settle(jobs, claimed(jobs), Dead("no"))
        assert listed(jobs) == ["j2", "j1", "j3"]
        assert listed(jobs, states=(JobState.DEAD,)) == ["j3"]
        assert listed(jobs, before="j2", limit=1) == ["j1"]
        assert jobs.counts() == {("write", JobState.QUEUED): 3, ("write", JobState.DEAD): 1}

    def test_what_was_done_long_ago_makes_room(self, jobs: Jobs) -> None:
        for job_id in ("j1", "j2", "j3"):
            jobs.put(a_job(job_id))
        settle(jobs, claimed(jobs), Done())
        settle(jobs, claimed(jobs), Dead("no"))
        assert jobs.expire(NOON) == 0
        assert jobs.expire(NOON + SECOND) == 1
        assert listed(jobs) == ["j3", "j2"]

    def test_a_purge_takes_the_jobs_that_hold_a_content(self, jobs: Jobs) -> None:
        jobs.put(a_job())
        jobs.put(a_job("j2", user_id="bob"))
        jobs.put(a_job("j3", payload={"content": "用户住在北京"}))
        settle(jobs, claimed(jobs), Dead("no"))
        assert jobs.purge("acme", "ann", "用户住在上海") == 1
        assert listed(jobs) == ["j3", "j2"]

    def test_of_racing_workers_each_job_has_one(self, jobs: Jobs) -> None:
        for number in range(20):
            jobs.put(a_job(f"j{number}"))

        def claim_all(holder: str) -> list[str]:
            found = []
            while claim := jobs.claim(holder, ["write"], now=NOON):
                found.append(claim.id)
            return found

        with ThreadPoolExecutor(4) as pool:
            by_worker = list(pool.map(claim_all, "abcd"))
        assert sorted(job_id for each in by_worker for job_id in each) == sorted(
            f"j{number}" for number in range(20)
        )

    @pytest.mark.parametrize("odd", ["", "a:b", "é\n'--", "用户"])
    def test_ids_hold_any_text(self, jobs: Jobs, odd: str) -> None:
        job = a_job(f"j{odd}", lane=odd, holder=odd, reason=odd)
        assert jobs.put(job) == job
        assert jobs.get("acme", f"j{odd}") == job


def claimed(jobs: Jobs) -> Job:
    claim = jobs.claim("w1", ["write"], now=NOON)
    assert claim is not None
    return claim


def ids_claimed(jobs: Jobs, *, times: int) -> list[str]:
    claims = (jobs.claim("w1", ["write"], now=NOON) for _ in range(times))
    return [claim.id for claim in claims if claim is not None]


def settle(jobs: Jobs, claim: Job, end: Again | Dead | Done | Returned) -> bool:
    return jobs.settle(settled(claim, end, NOON), claim)


def listed(
    jobs: Jobs,
    *,
    states: Sequence[JobState] = EVERY,
    before: str | None = None,
    limit: int = 10,
) -> list[str]:
    return [job.id for job in jobs.page("acme", states=states, before=before, limit=limit)]
