"""What rests on a memory falls with it, and stands up with it."""

from collections.abc import Callable
from dataclasses import replace

import pytest

from hindsight_memory.core.compression import SCENE
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

EVERYONE = Scope("default", None, None)


def derive(
    memories: Memories, clock: FrozenClock, content: str, *evidence: str, scene: str = ""
) -> str:
    """A lesson with this evidence, as retrospection will write them; or what ``scene`` makes."""
    now = clock.now()
    lesson = Memory(
        id=memories.parts.ids.new(now), tenant="default", user_id="default", agent_id="default",
        content=content, scene=scene, memory_type=MemoryType.LESSON, source=Source.RETROSPECTION,
        status=Status.CONFIRMED, evidence=evidence, created_at=now, updated_at=now,
    )  # fmt: skip
    scope = Scope("default", "default", "default")
    changes = memories.parts.changes(
        scope, "derived", "", at=now, puts=(lesson,), renewed=(lesson,)
    )
    memories.parts.store.apply(changes)
    return lesson.id


@pytest.fixture
def episode(memory: Hindsight) -> str:
    written = memory.write("read_csv failed with utf-8 and worked with gbk").memory
    assert written is not None
    return written.id


@pytest.fixture
def lesson(memories: Memories, clock: FrozenClock, episode: str) -> str:
    return derive(memories, clock, "read csv files with gbk", episode)


def status(memories: Memories, memory_id: str) -> Status:
    [found] = memories.parts.store.get(EVERYONE, [memory_id])
    return found.status


def test_a_lesson_falls_with_its_only_support_and_stands_up_with_it(
    memory: Hindsight, memories: Memories, episode: str, lesson: str
) -> None:
    memory.forget(episode)
    [fallen] = memory.search("csv gbk").hits
    assert (fallen.memory.status, fallen.verdict) == ("deprecated", "stale")
    last = memory.history(lesson).revisions[-1]
    assert (last.operation, last.reason) == (
        "cascaded",
        "its support fell: evidence required 1, standing 0 of 1",
    )
    memory.update(episode, restore=True)
    assert status(memories, lesson) is Status.CONFIRMED


def test_a_lesson_with_other_support_stands(
    memory: Hindsight, memories: Memories, clock: FrozenClock, episode: str
) -> None:
    other = memory.write("pandas read the file with gbk at once").memory
    assert other is not None
    lesson = derive(memories, clock, "read csv files with gbk", episode, other.id)
    memory.forget(episode)
    assert status(memories, lesson) is Status.CONFIRMED


def test_a_fall_goes_as_far_as_it_has_to(
    memory: Hindsight, memories: Memories, clock: FrozenClock, episode: str, lesson: str
) -> None:
    conclusion = derive(memories, clock, "our files are Chinese exports", lesson)
    memory.forget(episode)
    assert status(memories, conclusion) is Status.DEPRECATED
    memory.update(episode, restore=True)
    assert status(memories, conclusion) is Status.CONFIRMED


def test_a_superseded_support_supports_nothing(
    memory: Hindsight, memories: Memories, episode: str, lesson: str
) -> None:
    memory.write("read_csv works with utf-8 now", supersedes=episode)
    assert status(memories, lesson) is Status.DEPRECATED


def superseded(memory: Hindsight, source: str) -> None:
    memory.write("read_csv works with utf-8 now", supersedes=source)


def disproved(memory: Hindsight, source: str) -> None:
    memory.update(source, status="deprecated")


def forgotten(memory: Hindsight, source: str) -> None:
    memory.forget(source)


@pytest.mark.parametrize("fall", [superseded, disproved, forgotten])
def test_a_summary_goes_with_any_of_what_it_sums_up(
    memory: Hindsight,
    memories: Memories,
    clock: FrozenClock,
    episode: str,
    fall: Callable[[Hindsight, str], None],
) -> None:
    others = [memory.write(each).memory for each in ("第二次用 gbk 读成功", "gbk worked again")]
    sources = [episode, *(other.id for other in others if other)]
    summary = derive(memories, clock, "gbk worked (3 times)", *sources, scene=SCENE)
    fall(memory, episode)
    shown = memory.history(summary)
    assert (shown.memory.deleted_at, shown.revisions[-1].reason) == (
        clock.now(),
        "its support fell: evidence required 3, standing 2 of 3",
    )


@pytest.fixture
def summary(memories: Memories, clock: FrozenClock, episode: str) -> str:
    """Of the episode, each naming the other."""
    made = derive(memories, clock, "gbk 管用（共1次）", episode, scene=SCENE)
    [source] = memories.parts.store.get(EVERYONE, [episode])
    linked = replace(source, related_ids=(made,), version=2)
    changes = memories.parts.changes(EVERYONE, "compressed", "", at=clock.now(), puts=(linked,))
    memories.parts.store.apply(changes)
    return made


def test_a_summary_comes_back_with_its_source(
    memory: Hindsight, episode: str, summary: str
) -> None:
    memory.forget(episode)
    assert memory.history(summary).memory.deleted_at is not None
    memory.update(episode, restore=True)
    assert memory.history(summary).memory.deleted_at is None


def test_a_summary_that_somebody_forgot_does_not(
    memory: Hindsight, episode: str, summary: str
) -> None:
    memory.forget(summary)
    memory.forget(episode)
    memory.update(episode, restore=True)
    assert memory.history(summary).memory.deleted_at is not None


def test_a_purged_support_is_no_longer_named(
    memory: Hindsight, memories: Memories, episode: str, lesson: str
) -> None:
    memory.forget(episode, hard_delete=True)
    [fallen] = memories.parts.store.get(EVERYONE, [lesson])
    assert (fallen.status, fallen.evidence) == (Status.DEPRECATED, ())
    assert memories.parts.store.problems() == []


def test_what_somebody_deprecated_stays_so(
    memory: Hindsight, memories: Memories, episode: str, lesson: str
) -> None:
    memory.update(lesson, status="deprecated", reason="no longer useful")
    memory.forget(episode)
    memory.update(episode, restore=True)
    assert status(memories, lesson) is Status.DEPRECATED
