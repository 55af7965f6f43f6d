"""A copy brings all of a store, exactly, however often it is stopped."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from hindsight_memory.core.model import Draft, Scope
from hindsight_memory.core.policy import Source
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.engine.copying import copy
from hindsight_memory.engine.exporting import lines
from hindsight_memory.engine.lines import Fate
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

ANN = Scope("acme", "ann", None)
TENANTS = ("acme", "default")


@pytest.fixture
def source(memory: Hindsight, clock: FrozenClock) -> Memories:
    """Of two tenants: superseded, forgotten, rejected, used and private memories."""
    memories = Memories(replace(memory.memories.parts, works=False))
    for tenant in TENANTS:
        kept = [_written(memories, tenant, content, clock) for content in ("tea", "用户住在上海")]
        _written(memories, tenant, "我搬到杭州了", clock)
        everyone = Scope(tenant, "ann", None)
        memories.forget(everyone, kept[0], reason="asked to")
        untrue = _written(memories, tenant, "The problem lies in the cache", clock)
        memories.settle_belief(everyone, untrue, "reject", reason="no", is_person=True)
    return memories


def _written(memories: Memories, tenant: str, content: str, clock: FrozenClock) -> str:
    clock.advance(timedelta(hours=1))
    draft = Draft(content=content, user_id="ann", agent_id="ada", source=Source.USER_EXPLICIT)
    memory = memories.write(tenant, draft).memory
    assert memory is not None
    return memory.id


def exported(memories: Memories, tenant: str) -> list[bytes]:
    """Without the header, which says when."""
    return list(lines(memories.parts, tenant))[1:]


def test_there_and_back_exports_are_equal(
    source: Memories, another: Callable[[], Memories]
) -> None:
    there, back = another(), another()
    assert copy(source.parts, there.parts).differences == []
    assert copy(there.parts, back.parts).differences == []
    for tenant in TENANTS:
        assert exported(source, tenant) == exported(there, tenant) == exported(back, tenant)
        assert len(exported(source, tenant)) == 5
    assert there.parts.store.problems() == []


def test_a_second_copy_changes_nothing(source: Memories, another: Callable[[], Memories]) -> None:
    there = another()
    first, second = copy(source.parts, there.parts), copy(source.parts, there.parts)
    assert first.memories == second.memories == 8
    assert first.reports["acme"].counts == {Fate.STORED: 5}
    assert second.reports["acme"].counts == {Fate.UNCHANGED: 5}


def test_a_copy_that_was_stopped_goes_on(source: Memories, another: Callable[[], Memories]) -> None:
    there = another()

    def stop(done: int, _total: int | None) -> None:
        if done:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        copy(source.parts, there.parts, stop)
    assert copy(source.parts, there.parts).differences == []


def test_what_differs_is_told(source: Memories, another: Callable[[], Memories]) -> None:
    there = another()
    copy(source.parts, there.parts)
    [memory] = there.page(ANN, Filter(), before=None, limit=9)
    there.forget(ANN, memory.id, reason="")
    assert copy(source.parts, there.parts).differences == [
        f"memory {memory.id!r} of 'acme' is not the same in both"
    ]


def test_what_was_rejected_and_is_said_again_there_is_told(
    source: Memories, another: Callable[[], Memories], clock: FrozenClock
) -> None:
    there = another()
    copy(source.parts, there.parts)
    [rejected] = source.parts.store.rejected("acme", after=None, limit=9)
    clock.advance(timedelta(hours=1))
    there.settle_belief(ANN, rejected.memory_id, "restore", reason="it does", is_person=True)
    assert copy(source.parts, there.parts).differences == [
        f"memory {rejected.memory_id!r} of 'acme' is not the same in both",
        f"the rejection of {rejected.memory_id!r} in 'acme' is not in the target",
    ]


def test_what_waits_to_be_written_is_told(
    source: Memories, another: Callable[[], Memories]
) -> None:
    draft = Draft(content="coffee", user_id="ann", agent_id="ada")
    source.promises.write("default", draft)
    [left] = copy(source.parts, another().parts).left
    assert left.startswith("1 jobs wait in the source")


def test_what_else_is_in_the_target_stays(
    source: Memories, another: Callable[[], Memories]
) -> None:
    there = another()
    there.write("default", Draft(content="coffee", user_id="bob", agent_id="ada"))
    assert copy(source.parts, there.parts).differences == []
    assert len(there.parts.store.every("default", after="", limit=9)) == 5
