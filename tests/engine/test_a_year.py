"""Months of a chat user at a slower pace; 400 days at full pace are ``benchmarks/life.py``."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from hindsight_memory.core.model import Caller, Tier
from hindsight_memory.core.values import same_statement
from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.ids import UuidSevens
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.chat_life import KEPT, ChatLife, Count, Kept
from hindsight_memory.testing.fakes import FrozenClock

DAYS = 160
TOLD = [each for each in KEPT if each.told < DAYS]


@pytest.fixture(scope="module")
def lived(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[ChatLife, list[Count]]]:
    path = tmp_path_factory.mktemp("life") / "memory.db"
    counts: list[Count] = []
    with ExitStack() as stack:
        life = a_life(path, stack)
        life.live(DAYS, every=8, tell=counts.append)
        yield life, counts


def a_life(path: Path, stack: ExitStack) -> ChatLife:
    embedder, clock = HashingEmbedder(256), FrozenClock()
    parts = Parts(
        store=stack.enter_context(
            closing(SqliteStore.open(str(path), fingerprint=embedder.fingerprint))
        ),
        meaning=Meaning(embedder=embedder),
        clock=clock,
        ids=UuidSevens(),
        behind=stack.enter_context(closing(Behind())),
    )
    memory = Hindsight(Memories(parts), Caller())
    return ChatLife(memory, clock, busy_days=40, busy_writes=4, usual_writes=1)


@pytest.mark.parametrize("kept", TOLD, ids=lambda kept: kept.question)
def test_what_matters_is_still_the_first_answer(
    lived: tuple[ChatLife, list[Count]], kept: Kept
) -> None:
    life, _ = lived
    assert life.memory.search(kept.question).hits[0].memory.content == kept.content


def test_an_allergy_that_nobody_ever_asked_for_is_among_them() -> None:
    assert [each.content for each in TOLD if not each.is_asked] == [
        "The user is allergic to peanuts",
        "用户对青霉素过敏",
    ]


def test_what_is_active_stops_growing_while_writing_goes_on(
    lived: tuple[ChatLife, list[Count]],
) -> None:
    _, counts = lived
    most, last = max(count.active for count in counts), counts[-1]
    assert last.written > 1.5 * most
    assert last.active < 0.9 * most
    assert last.active + last.cold + last.archived >= last.written
    assert last.kept == len(TOLD)


def test_each_rule_had_its_part(lived: tuple[ChatLife, list[Count]]) -> None:
    life, _ = lived
    assert set(life.steps) == {"expired", "cooled", "compressed", "archived"}
    assert life.memory.memories.parts.store.problems() == []


def test_what_was_retired_comes_back_and_is_found(lived: tuple[ChatLife, list[Count]]) -> None:
    life, _ = lived
    gone = [memory for memory in life.all() if memory.tier is not Tier.ACTIVE]
    assert len(gone) > 100
    for memory in gone[::5]:
        assert life.memory.update(memory.id, restore=True).tier == "active"
        if memory.valid_to is not None:
            continue  # a task that is over is told last, restored or not
        found = [hit.memory.content for hit in life.memory.search(memory.content).hits]
        assert any(same_statement(content, memory.content) for content in found)
