"""What a search has no time for is found behind it, and counts from the next search on."""

from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from hindsight_memory.core.model import Caller, Memory, Scope
from hindsight_memory.core.policy import Source, Status
from hindsight_memory.core.probes import Observation, Probe, Seen
from hindsight_memory.engine.deep import PER_SEARCH
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

EVERYONE = Scope("default", None, None)


class Eyes:
    """A prober that sees what it is told to, and counts its looks."""

    def __init__(self) -> None:
        self.seen, self.looks = Seen.UNCHANGED, 0

    def observe(self, probe: Probe, now: Any) -> Observation:
        self.looks += 1
        return Observation(self.seen, "so it is")


@pytest.fixture
def eyes() -> Eyes:
    return Eyes()


@pytest.fixture
def memories(memories: Memories, eyes: Eyes) -> Memories:
    return Memories(replace(memories.parts, prober=eyes))


def said(memory: Hindsight, content: str, **given: Any) -> str:
    written = memory.write(content, **{"source": "user_explicit", **given}).memory
    assert written is not None
    return written.id


def put(memories: Memories, content: str, **given: Any) -> str:
    """As an import brings it, which compares it with nothing."""
    now = memories.now()
    plain = Memory(
        id=memories.parts.ids.new(now), tenant="default", user_id="default", agent_id="default",
        content=content, source=Source.USER_EXPLICIT, trust=0.9, status=Status.CONFIRMED,
        created_at=now, updated_at=now,
    )  # fmt: skip
    new = replace(plain, **given)
    scope = Scope("default", "default", "default")
    changes = memories.parts.changes(scope, "stored", "", at=now, puts=(new,), renewed=(new,))
    memories.parts.store.apply(changes)
    return new.id


def look(memories: Memories) -> int:
    """Do all that waits behind; how many steps that took."""
    steps = 0
    while memories._deep.step():
        steps += 1
    return steps


PROBED = {"probe": {"kind": "path_exists", "path": "/srv/config.toml"}}


def test_a_change_that_a_probe_sees_is_told_by_the_next_search(
    memory: Hindsight, memories: Memories, eyes: Eyes
) -> None:
    fact = said(memory, "The port is set in config.toml", metadata=PROBED)
    eyes.seen = Seen.CHANGED
    assert memory.search("which port is set").hits[0].verdict == "current"
    assert eyes.looks == 0
    look(memories)
    assert memory.search("which port is set").hits[0].verdict == "disputed"
    last = memory.history(fact).revisions[-1]
    assert (last.operation, last.actor) == ("disputed", "operator")
    assert last.reason == "its probe sees a change: so it is"


@pytest.mark.parametrize("seen", [Seen.UNCHANGED, Seen.UNOBSERVABLE])
def test_what_is_as_it_was_or_cannot_be_observed_changes_nothing(
    memory: Hindsight, memories: Memories, eyes: Eyes, seen: Seen
) -> None:
    fact = said(memory, "The port is set in config.toml", metadata=PROBED)
    eyes.seen = seen
    memory.search("which port is set")
    look(memories)
    assert eyes.looks == 1
    assert memory.show(fact).version == 1


def test_a_memory_is_looked_at_once_a_day(
    memory: Hindsight, memories: Memories, eyes: Eyes, clock: FrozenClock
) -> None:
    said(memory, "The port is set in config.toml", metadata=PROBED)
    for hours in (0, 23, 1):
        clock.advance(timedelta(hours=hours))
        memory.search("which port is set")
        look(memories)
    assert eyes.looks == 2


def test_a_search_leaves_a_few_and_those_first_that_have_more_to_check(
    memory: Hindsight, memories: Memories, eyes: Eyes
) -> None:
    for number in range(6):
        said(memory, f"Service number {number} listens on port 800{number}")
    said(memory, "Some service is set in config.toml", metadata=PROBED)
    assert len(memory.search("service port", top_k=7).hits) == 7
    assert look(memories) == PER_SEARCH
    assert eyes.looks == 1


def test_evidence_that_is_gone_takes_the_lesson_with_it(
    memory: Hindsight, memories: Memories
) -> None:
    put(memories, "read csv files with gbk", source=Source.RETROSPECTION, evidence=("gone",))
    assert memory.search("csv gbk").hits[0].verdict == "current"
    look(memories)
    assert memory.search("csv gbk").hits[0].verdict == "stale"


def test_a_contradiction_that_no_write_compared_disputes_the_older(
    memory: Hindsight, memories: Memories, clock: FrozenClock
) -> None:
    old = said(memory, "我住在北京")
    clock.advance(timedelta(days=1))
    new = put(memories, "我搬到上海了")
    memory.search("用户住在哪里")
    look(memories)
    assert (memory.show(old).status, memory.show(old).counter_examples) == ("disputed", [new])
    assert memory.show(new).status == "confirmed"
    memory.verify(old, action="confirm")
    clock.advance(timedelta(days=1))
    memory.search("用户住在哪里")
    look(memories)
    assert memory.show(old).status == "confirmed"


def test_searches_of_the_past_and_without_an_answer_leave_nothing(
    memory: Hindsight, memories: Memories, clock: FrozenClock
) -> None:
    said(memory, "用户喜欢喝茶")
    memory.search("茶", as_of=clock.now())
    memory.search("zzz qqq")
    assert look(memories) == 0


def test_it_can_be_switched_off(memories: Memories) -> None:
    memory = Hindsight(Memories(replace(memories.parts, deep_checks=False)), Caller())
    said(memory, "用户喜欢喝茶")
    memory.search("茶")
    assert look(memory.memories) == 0


def test_an_opened_store_does_it_by_itself(tmp_path: Path) -> None:
    probe = {"kind": "date_passed", "date": "2020-01-01"}
    with Hindsight.open(f"sqlite:///{tmp_path}/opened.db", embedder="hashing:64") as memory:
        fact = said(memory, "证书在年底前有效", metadata={"probe": probe})
        memory.search("证书")
        for _ in range(10_000):  # what nobody waits for comes after what somebody waits for
            memory.memories.settle()
            if memory.show(fact).status == "disputed":
                break
        assert memory.show(fact).status == "disputed"
