"""Does what was promised for later (core.jobs), one job at a time, in whatever thread it is given.

A job may be begun again by another worker after this one died, so a handler must be safe to repeat.
What does a new kind of job is a row of ``handlers``, engine.promised.
"""

import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TypeAlias

import structlog

from hindsight_memory.core.jobs import LEASE, Again, Dead, End, Job, JobState, Returned, settled
from hindsight_memory.core.ports import Clock
from hindsight_memory.core.side_ports import Jobs
from hindsight_memory.errors import Conflict, HindsightError, InvalidInput, Unavailable

log = structlog.get_logger(__name__)

POLL_SECONDS = 1.0
"""How often it looks for what other processes have promised; its own process wakes it."""

Pause: TypeAlias = Callable[[], None]
"""Called between the steps of long work; raises when that has to end."""

Handler: TypeAlias = Callable[[Job, Pause], End]


class Stopped(Exception):
    """Raised by a pause: the worker was told to stop."""


class Lost(Exception):
    """Raised by a pause: the lease ran out, and another worker has the job."""


class Worker:
    """Safe to share between threads; each ``step`` claims a job of its own.

    holder: names it among all workers of the store.
    pause: called between the steps of long work, to let others go first.
    chore: a step of what is no job, when none is due; says whether there may be more of it.
    """

    def __init__(
        self,
        jobs: Jobs,
        handlers: Mapping[str, Handler],
        *,
        clock: Clock,
        holder: str,
        pause: Pause = lambda: None,
        chore: Callable[[], bool] = lambda: False,
    ) -> None:
        self._jobs = jobs
        self._handlers = handlers
        self._clock = clock
        self._holder = holder
        self._pause = pause
        self._chore = chore
        self._stopped = threading.Event()
        self._woken = threading.Event()

    def step(self) -> bool:
        """Do the next job that is due; whether there was one."""
        claim = self._jobs.claim(self._holder, tuple(self._handlers), now=self._clock.now())
        if claim is None:
            return False
        with _Pulse(self._jobs, claim, self._clock).beating() as pulse:
            end = self._attempt(claim, pulse)
        if end is not None:
            self._settle(claim, end)
        return True

    def run(self) -> None:
        """Until ``stop``: what is due, and then what comes."""
        while not self._stopped.is_set():
            self._woken.clear()
            if not self._try_step():
                self._woken.wait(POLL_SECONDS)

    def drain(self) -> None:
        """Do what is due, until nothing is or it is stopped."""
        while not self._stopped.is_set() and (self.step() or self._chore()):
            pass

    def wake(self) -> None:
        """There is something to do."""
        self._woken.set()

    def stop(self) -> None:
        """A job that is running ends at its next pause, and is handed back."""
        self._stopped.set()
        self._woken.set()

    def _settle(self, claim: Job, end: End) -> None:
        job = settled(claim, end, self._clock.now())
        if not self._jobs.settle(job, claim):
            log.warning("job_lost", kind=claim.kind, id=claim.id)
        elif job.state is not JobState.DONE:
            log.warning("job_left", kind=job.kind, id=job.id, state=job.state, reason=job.reason)

    def _try_step(self) -> bool:
        try:
            return self.step() or self._chore()
        except HindsightError as error:
            log.warning("worker_failed", code=error.code, error=str(error))
        except Exception:  # a worker loop outlives the bug of one step
            log.exception("worker_broke")
        return False

    def _attempt(self, claim: Job, pulse: "_Pulse") -> End | None:
        """What it came to; None when another worker has it now."""

        def pause() -> None:
            if self._stopped.is_set():
                raise Stopped
            pulse.check()
            self._pause()

        try:
            return self._handlers[claim.kind](claim, pause)
        except Stopped:
            return Returned()
        except Lost:
            log.warning("job_lost", kind=claim.kind, id=claim.id)
            return None
        except InvalidInput as error:
            return Dead(str(error))
        except (Conflict, Unavailable) as error:
            return Again(str(error))
        except Exception as error:  # one job's bug, which may be mended before it is retried
            log.exception("job_broke", kind=claim.kind, id=claim.id)
            return Again(f"{type(error).__name__}: {error}")


class _Pulse:
    """Says at intervals that the worker of a job lives."""

    def __init__(self, jobs: Jobs, claim: Job, clock: Clock) -> None:
        self._jobs = jobs
        self._claim = claim
        self._clock = clock
        self._ended = threading.Event()
        self._lost = threading.Event()

    @contextmanager
    def beating(self) -> Iterator["_Pulse"]:
        thread = threading.Thread(target=self._beat, name="pulse", daemon=True)
        thread.start()
        try:
            yield self
        finally:
            self._ended.set()
            thread.join()

    def check(self) -> None:
        """Raises Lost."""
        if self._lost.is_set():
            raise Lost

    def _beat(self) -> None:
        while not self._ended.wait(LEASE.total_seconds() / 3):
            if not self._is_ours():
                self._lost.set()
                return

    def _is_ours(self) -> bool:
        try:
            return self._jobs.renew(self._claim, now=self._clock.now())
        except HindsightError as error:  # the lease holds for two more beats
            log.warning("pulse_failed", error=str(error))
            return True
