"""Of writers that race for one slot one stays: who comes second plans again."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import datetime, timedelta
from threading import Barrier, Lock

import pytest

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock

RACES = {
    "a thing": [f"The API listens on port {port}" for port in range(8000, 8008)],
    "a person": [f"I moved to {city}" for city in ("Oslo", "Bonn", "Rome", "Bern", "Kyiv", "Riga")],
    "一个人": [f"我搬到{city}了" for city in ("上海", "杭州", "北京", "成都", "深圳", "武汉")],
}


class TickingClock(FrozenClock):
    """A second goes by with each look, so that no two statements are of one time."""

    def __init__(self) -> None:
        super().__init__()
        self._lock = Lock()

    def now(self) -> datetime:
        with self._lock:
            self.advance(timedelta(seconds=1))
            return super().now()


@pytest.mark.parametrize("statements", RACES.values(), ids=RACES)
def test_one_head_is_left_of_a_race_for_one_slot(memories: Memories, statements: list[str]) -> None:
    memory = Hindsight(Memories(replace(memories.parts, clock=TickingClock())), Caller())
    start = Barrier(len(statements))

    def write(content: str) -> str:
        start.wait()
        return memory.write(content, source="user_explicit").outcome.value

    with ThreadPoolExecutor(len(statements)) as pool:
        outcomes = list(pool.map(write, statements))
    assert "disputed" not in outcomes
    [head] = memory.list().memories
    everything = {each.id: each for each in memory.list(include=["superseded"]).memories}
    assert sorted(each.content for each in everything.values()) == sorted(statements)
    successors = {each.id: each.superseded_by for each in everything.values()}
    assert {last(each, successors) for each in successors} == {head.id}
    assert memories.parts.store.problems() == []


def last(memory_id: str, successors: dict[str, str | None]) -> str:
    """Of the chain that goes on from this memory."""
    successor = successors[memory_id]
    return memory_id if successor is None else last(successor, successors)


@pytest.mark.parametrize(
    ("before", "crowd", "after"),
    [
        ("用户住在上海", "用户喜欢第{}号沙发", "我搬到杭州了"),
        ("The user lives in Oslo", "The user likes sofa S{}", "The user moved to Bonn"),
    ],
    ids=["zh", "en"],
)
def test_a_head_is_found_among_many_with_the_same_tags(
    memories: Memories, before: str, crowd: str, after: str
) -> None:
    """By words alone, so that no vector helps."""
    wordy = replace(memories.parts, meaning=replace(memories.parts.meaning, embedder=None))
    memory = Hindsight(Memories(replace(wordy, clock=TickingClock())), Caller())
    memory.write(before, tags=["home"], source="user_explicit")
    for number in range(40):
        memory.write(crowd.format(number), tags=["home"], source="user_explicit")
    assert memory.write(after, tags=["home"], source="user_explicit").outcome == "superseded"
