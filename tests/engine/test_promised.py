"""What is promised is done: once, in order, and however often workers die."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.codec import draft_from_json, draft_to_json
from hindsight_memory.core.jobs import ATTEMPTS, LEASE, LONGEST, Done, End, Job, JobState
from hindsight_memory.core.model import Draft, Event, Layer, Scope, Visibility
from hindsight_memory.core.policy import MemoryType, Source
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.engine.background import Background
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.promised import WRITE, promise_upkeep, worker
from hindsight_memory.engine.worker import Pause, Worker
from hindsight_memory.errors import Conflict, InvalidInput, NotFound, Unavailable
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

ANN = Scope("default", "ann", None)


@pytest.fixture
def idle(memory: Hindsight) -> Memories:
    """An engine that promises and leaves the work to others."""
    return Memories(replace(memory.memories.parts, works=False))


def a_draft(content: str, **changes: object) -> Draft:
    plain = Draft(content=content, user_id="ann", agent_id="ada", source=Source.USER_EXPLICIT)
    return replace(plain, **changes)  # type: ignore[arg-type]  # fields of a Draft


def state(memories: Memories, job: Job) -> JobState:
    return memories.promises.get("default", job.id).state


def contents(memories: Memories) -> list[str]:
    page = memories.page(ANN, Filter(), before=None, limit=100)
    return [each.content for each in page]


def test_a_queued_write_is_kept_first_and_written_by_a_worker(idle: Memories) -> None:
    job = idle.promises.write("default", a_draft("用户住在上海"))
    assert (state(idle, job), contents(idle)) == (JobState.QUEUED, [])
    work = worker(idle.parts)
    assert work.step()
    assert not work.step()
    done = idle.promises.get("default", job.id)
    assert (done.state, done.payload, contents(idle)) == (JobState.DONE, {}, ["用户住在上海"])


def test_a_process_that_works_writes_what_it_promised_itself(memory: Hindsight) -> None:
    job = memory.memories.promises.write("default", a_draft("tea"))
    memory.memories.settle()
    assert state(memory.memories, job) is JobState.DONE


def test_a_late_write_does_not_replace_what_was_said_after_it(
    idle: Memories, clock: FrozenClock
) -> None:
    idle.promises.write("default", a_draft("I live in Oslo"))
    clock.advance(timedelta(minutes=1))
    idle.write("default", a_draft("I live in Paris"))
    clock.advance(timedelta(minutes=1))
    worker(idle.parts).step()
    assert contents(idle) == ["I live in Paris"]


def test_the_writes_of_a_user_are_done_in_their_order(idle: Memories, clock: FrozenClock) -> None:
    for content in ("I live in Oslo", "I live in Paris", "I live in Rome"):
        idle.promises.write("default", a_draft(content))
        clock.advance(timedelta(seconds=1))
    one, other = worker(idle.parts), worker(idle.parts)
    while one.step() or other.step():
        pass
    assert contents(idle) == ["I live in Rome"]


def test_the_same_key_promises_once(idle: Memories) -> None:
    draft = a_draft("tea", idempotency_key="k")
    first = idle.promises.write("default", draft)
    assert idle.promises.write("default", draft).id == first.id
    worker(idle.parts).step()
    assert idle.promises.write("default", draft).state is JobState.DONE
    assert contents(idle) == ["tea"]
    with pytest.raises(Conflict, match="'k' was used for another write"):
        idle.promises.write("default", a_draft("coffee", idempotency_key="k"))


def test_a_write_that_cannot_be_done_is_dead_and_says_why(idle: Memories) -> None:
    job = idle.promises.write("default", a_draft("tea", supersedes="nobody"))
    worker(idle.parts).step()
    dead = idle.promises.get("default", job.id)
    assert dead.state is JobState.DEAD
    assert "nobody" in dead.reason
    assert dead.payload["content"] == "tea"


def test_what_was_given_up_is_done_when_it_is_retried(idle: Memories) -> None:
    job = idle.promises.write("default", a_draft("tea", supersedes="m1"))
    worker(idle.parts).step()
    kept = idle.write("default", a_draft("coffee")).memory
    assert kept is not None
    with pytest.raises(NotFound):
        idle.promises.retry("default", "nothing")
    idle.promises.retry("default", job.id)
    assert state(idle, job) is JobState.QUEUED
    with pytest.raises(Conflict, match="is queued; only what is dead is retried"):
        idle.promises.retry("default", job.id)


def test_a_worker_that_dies_after_the_write_makes_no_second_one(
    idle: Memories, clock: FrozenClock
) -> None:
    idle.promises.write("default", a_draft("tea", layer=Layer.EPISODIC, event=Event(role="user")))
    claim = idle.parts.store.jobs.claim("dead", [WRITE], now=clock.now())
    assert claim is not None
    given = {key: value for key, value in claim.payload.items() if key not in {"heard_in", "asked"}}
    idle.write("default", draft_from_json(given))
    clock.advance(LEASE)
    assert worker(idle.parts).step()
    assert contents(idle) == ["tea"]


def test_an_outage_is_waited_out(idle: Memories, clock: FrozenClock) -> None:
    outages = iter([Unavailable("no disk"), Conflict("raced"), ValueError("a bug")])

    def handle(_job: Job, _pause: Pause) -> End:
        for outage in outages:
            raise outage
        return Done()

    job = idle.promises.write("default", a_draft("tea"))
    work = a_worker(idle, handle)
    reasons = []
    for _ in range(4):
        assert work.step()
        assert not work.step()
        reasons.append(idle.promises.get("default", job.id).reason)
        clock.advance(LONGEST)
    assert reasons == ["no disk", "raced", "ValueError: a bug", ""]
    assert state(idle, job) is JobState.DONE


def test_what_never_succeeds_is_given_up(idle: Memories, clock: FrozenClock) -> None:
    def handle(_job: Job, _pause: Pause) -> End:
        raise Unavailable("no disk")

    job = idle.promises.write("default", a_draft("tea"))
    work = a_worker(idle, handle)
    for _ in range(ATTEMPTS):
        assert work.step()
        clock.advance(LONGEST)
    assert not work.step()
    assert state(idle, job) is JobState.DEAD


def test_a_stopped_worker_hands_its_job_back(idle: Memories) -> None:
    def handle(_job: Job, pause: Pause) -> End:
        work.stop()
        pause()
        return Done()

    job = idle.promises.write("default", a_draft("tea"))
    work = a_worker(idle, handle)
    work.run()
    back = idle.promises.get("default", job.id)
    assert (back.state, back.attempts) == (JobState.QUEUED, 0)


def test_a_worker_that_lost_its_job_does_not_end_it(idle: Memories, clock: FrozenClock) -> None:
    def handle(_job: Job, _pause: Pause) -> End:
        clock.advance(LEASE)
        assert idle.parts.store.jobs.claim("another", [WRITE], now=clock.now()) is not None
        return Done()

    job = idle.promises.write("default", a_draft("tea"))
    assert a_worker(idle, handle).step()
    held = idle.promises.get("default", job.id)
    assert (held.state, held.holder, held.attempts) == (JobState.RUNNING, "another", 2)


def test_upkeep_is_promised_once_a_day_for_each_tenant(idle: Memories, clock: FrozenClock) -> None:
    for tenant in ("default", "acme"):
        idle.write(tenant, a_draft("tea"))
    promise_upkeep(idle.parts)
    promise_upkeep(idle.parts)
    work = worker(idle.parts)
    assert [work.step() for _ in range(3)] == [True, True, False]
    clock.advance(timedelta(days=1))
    promise_upkeep(idle.parts)
    assert work.step()


def test_long_work_lets_others_go_first(idle: Memories) -> None:
    paused: list[None] = []
    idle.write("default", a_draft("tea"))
    promise_upkeep(idle.parts)
    assert worker(idle.parts, pause=lambda: paused.append(None)).step()
    assert paused


def test_what_was_done_is_known_for_a_week(idle: Memories, clock: FrozenClock) -> None:
    job = idle.promises.write("default", a_draft("tea"))
    work = worker(idle.parts)
    work.step()
    clock.advance(timedelta(days=7))
    promise_upkeep(idle.parts)
    work.step()
    assert state(idle, job) is JobState.DONE
    clock.advance(timedelta(days=1))
    promise_upkeep(idle.parts)
    work.step()
    with pytest.raises(NotFound, match="what was done is known for 7 days"):
        idle.promises.get("default", job.id)


def test_a_purge_takes_what_was_promised_too(idle: Memories) -> None:
    for content in ("my pin is 4711", "tea"):
        idle.promises.write("default", a_draft(content, idempotency_key=content))
    written = idle.write("default", a_draft("my pin is 4711"))
    assert written.memory is not None
    idle.purge(ANN, written.memory.id, reason="")
    left = idle.promises.page("default", states=tuple(JobState), before=None, limit=9)
    assert [job.payload["content"] for job in left] == ["tea"]


def test_another_tenant_has_no_such_job(idle: Memories) -> None:
    job = idle.promises.write("default", a_draft("tea"))
    with pytest.raises(NotFound):
        idle.promises.get("acme", job.id)
    with pytest.raises(InvalidInput):
        idle.promises.retry("acme", job.id)


def a_worker(memories: Memories, handle: Callable[[Job, Pause], End]) -> Worker:
    parts = memories.parts
    return Worker(parts.store.jobs, {WRITE: handle}, clock=parts.clock, holder="w1")


TEXTS = st.text(max_size=5)
INSTANTS = st.none() | st.datetimes(timezones=st.just(UTC))


def drafts() -> st.SearchStrategy[Draft]:
    return st.builds(
        Draft,
        content=TEXTS,
        user_id=TEXTS,
        agent_id=TEXTS,
        visibility=st.sampled_from(Visibility),
        layer=st.none() | st.sampled_from(Layer),
        memory_type=st.none() | st.sampled_from(MemoryType),
        source=st.sampled_from(Source),
        confidence=st.none() | st.floats(0, 1),
        importance=st.none() | st.floats(0, 1),
        tags=st.frozensets(TEXTS, max_size=3),
        metadata=st.dictionaries(TEXTS, st.integers() | TEXTS | st.none(), max_size=3),
        related_ids=st.tuples(TEXTS),
        supersedes=st.none() | TEXTS,
        evidence=st.tuples(TEXTS),
        event=st.none() | st.builds(Event, role=TEXTS, participants=st.tuples(TEXTS)),
        valid_from=INSTANTS,
        valid_to=INSTANTS,
        idempotency_key=st.none() | TEXTS,
        notes=st.tuples(TEXTS),
    )


@given(drafts())
def test_a_draft_is_kept_exactly(draft: Draft) -> None:
    assert draft_from_json(draft_to_json(draft)) == draft


def test_a_server_does_what_an_earlier_process_promised(idle: Memories) -> None:
    job = idle.promises.write("default", a_draft("tea"))
    background = Background(lambda: idle.parts, keeps_up=False, first_seconds=0)
    background.start()
    while state(idle, job) is not JobState.DONE:
        pass
    background.close()
    assert contents(idle) == ["tea"]
