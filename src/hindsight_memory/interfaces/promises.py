"""What is done later, as operations: what became of a queued write, and the jobs of a tenant."""

from dataclasses import KW_ONLY
from datetime import datetime
from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import BaseModel, Field
from pydantic.dataclasses import dataclass

from hindsight_memory.core.hygiene import check_identifier
from hindsight_memory.core.jobs import Job, JobState
from hindsight_memory.core.model import Caller, Outcome, Scope
from hindsight_memory.interfaces.schemas import STRICT, MemoryOut, Whole, WriteOut

if TYPE_CHECKING:  # the engine takes 0.1 s to import, and listing tools needs none of it
    from hindsight_memory.engine.memories import Memories

JobStateOut = Literal["queued", "running", "done", "dead"]


@dataclass(config=STRICT)
class WrittenIn:
    write_id: Annotated[str, Field(description="As the queued write answered it.")]


@dataclass(config=STRICT)
class JobsIn:
    _: KW_ONLY
    state: Annotated[
        list[JobStateOut] | None, Field(description="Default: all but what is done.")
    ] = None
    limit: Annotated[Whole, Field(ge=1, le=1000)] = 50
    before: Annotated[str | None, Field(description="`next` of the page before.")] = None


@dataclass(config=STRICT)
class RetryIn:
    job_id: Annotated[str, Field(description="Of a dead job.")]


class JobOut(BaseModel):
    id: str
    kind: str
    state: JobStateOut
    user_id: str = Field(description="Whom it is for; empty for nobody.")
    attempts: int = Field(description="How often it was begun.")
    created_at: datetime
    due_at: datetime
    content: str = Field(description="What is to be written, in the shell only.")
    reason: str = Field(description="Why it is not done, if it failed.")

    @classmethod
    def of(cls, job: Job, caller: Caller) -> "JobOut":
        """Its content only for a person: it may be private to some agent."""
        return cls(
            id=job.id,
            kind=job.kind,
            state=job.state.value,
            user_id=job.user_id,
            attempts=job.attempts,
            created_at=job.created_at,
            due_at=job.due_at,
            content=str(job.payload.get("content", "")) if caller.is_person else "",
            reason=job.reason,
        )


class JobsOut(BaseModel):
    jobs: list[JobOut]
    next: str | None = Field(default=None, description="`before` of the next page, if any.")


def memory_written(memories: "Memories", caller: Caller, given: WrittenIn) -> WriteOut:
    """What became of a queued write: `queued` while it waits, then what any write answers, or
    `failed`, and why.
    """
    write_id = check_identifier(given.write_id, "write_id")
    return write_out(memories, caller, memories.promises.get(caller.tenant, write_id))


def memory_jobs(memories: "Memories", caller: Caller, given: JobsIn) -> JobsOut:
    """Work that waits, runs, or was given up, the latest first."""
    states = given.state or ["queued", "running", "dead"]
    found = memories.promises.page(
        caller.tenant,
        states=[JobState(state) for state in states],
        before=given.before,
        limit=given.limit,
    )
    is_full = len(found) == given.limit
    return JobsOut(
        jobs=[JobOut.of(job, caller) for job in found], next=found[-1].id if is_full else None
    )


def memory_retry(memories: "Memories", caller: Caller, given: RetryIn) -> JobOut:
    """Try a job again that was given up, when its cause is mended."""
    job_id = check_identifier(given.job_id, "job_id")
    return JobOut.of(memories.promises.retry(caller.tenant, job_id), caller)


def write_out(memories: "Memories", caller: Caller, job: Job) -> WriteOut:
    """A queued write, as far as it is."""
    if job.state is JobState.DEAD:
        return WriteOut(outcome=Outcome.FAILED, reason=job.reason, write_id=job.id)
    if job.state is not JobState.DONE:
        waits = job.reason or "it is kept, and written as soon as a worker comes to it"
        return WriteOut(outcome=Outcome.QUEUED, reason=waits, write_id=job.id)
    scope = Scope(caller.tenant, job.user_id, caller.agent_id)
    found = memories.parts.store.get(scope, [str(job.result["memory_id"])])
    return WriteOut(
        outcome=Outcome(str(job.result["outcome"])),
        memory=MemoryOut.of(found[0]) if found else None,
        reason=str(job.result["reason"]),
        write_id=job.id,
    )
