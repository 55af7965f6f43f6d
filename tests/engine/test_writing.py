"""Writing through the library, on a real store."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.core.model import Caller
from hindsight_memory.core.policy import MemoryType
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import Conflict, InvalidInput, NotFound, Unavailable
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.schemas import EventIn
from hindsight_memory.testing.fakes import BrokenEmbedder, FrozenClock


def contents(memory: Hindsight, query: str, **given: object) -> list[str]:
    found = memory.search(query, **given)  # type: ignore[arg-type]  # a test helper takes any
    return [hit.memory.content for hit in found.hits]


def test_what_is_written_is_found(memory: Hindsight) -> None:
    written = memory.write("用户偏好用中文交流")
    assert (written.outcome, contents(memory, "中文")) == ("stored", ["用户偏好用中文交流"])


def test_every_write_says_what_happened_and_why(memory: Hindsight) -> None:
    first = memory.write("The build needs Node 20")
    again = memory.write("the build needs node 20.")
    assert again.outcome == "merged"
    assert again.memory is not None
    assert first.memory is not None
    assert again.memory.id == first.memory.id
    assert first.memory.id in again.reason


def test_a_bare_greeting_is_skipped(memory: Hindsight) -> None:
    written = memory.write("你好！")
    assert (written.outcome, written.memory) == ("skipped", None)
    assert memory.list().memories == []


def test_an_idempotency_key_writes_once_and_answers_alike(memory: Hindsight) -> None:
    first = memory.write("tea at five", idempotency_key="k")
    again = memory.write("tea at five", idempotency_key="k")
    assert (again.outcome, again.reason, again.memory) == (
        first.outcome,
        first.reason,
        first.memory,
    )
    assert len(memory.list().memories) == 1


def test_a_retry_may_name_the_same_fields_in_another_order(memory: Hindsight) -> None:
    tool = EventIn(tool="pytest", arguments={"path": "tests", "marks": {"slow": 1, "db": 2}})
    same = EventIn(tool="pytest", arguments={"marks": {"db": 2, "slow": 1}, "path": "tests"})
    memory.write("测试都过了", metadata={"a": 1, "b": 2}, event=tool, idempotency_key="k")
    again = memory.write("测试都过了", metadata={"b": 2, "a": 1}, event=same, idempotency_key="k")
    assert again.outcome == "stored"


def test_an_idempotency_key_is_for_one_request(memory: Hindsight) -> None:
    memory.write("tea", idempotency_key="k")
    with pytest.raises(Conflict, match="'k' was used for another write"):
        memory.write("coffee", idempotency_key="k")


def test_superseding_keeps_the_old_one_in_history(memory: Hindsight) -> None:
    old = memory.write("the port is 8000").memory
    assert old is not None
    new = memory.write("the port is 9000", supersedes=old.id)
    assert new.outcome == "superseded"
    assert contents(memory, "port") == ["the port is 9000"]
    assert set(contents(memory, "port", include=["superseded"])) == {
        "the port is 8000",
        "the port is 9000",
    }
    assert memory.history(old.id).revisions[-1].operation == "superseded"


def test_only_a_current_memory_can_be_superseded(memory: Hindsight) -> None:
    old = memory.write("the port is 8000").memory
    assert old is not None
    memory.write("the port is 9000", supersedes=old.id)
    with pytest.raises(InvalidInput, match="name that one"):
        memory.write("the port is 9001", supersedes=old.id)
    with pytest.raises(NotFound, match="'missing'"):
        memory.write("the port is 9001", supersedes="missing")


def test_what_the_writer_left_open_is_recognised(memory: Hindsight) -> None:
    event = memory.write("read_csv failed", event=EventIn(tool="read_csv", outcome="failure"))
    assert event.memory is not None
    assert (event.memory.layer, event.memory.memory_type) == ("episodic", MemoryType.EVENT)
    assert event.memory.event is not None
    assert event.memory.event["tool"] == "read_csv"


def test_no_agent_speaks_for_the_user_in_person(memory: Hindsight, memories: Memories) -> None:
    with pytest.raises(InvalidInput, match="user_explicit"):
        memory.write("tea", source="user_confirmed")
    person = Hindsight(memories, Caller(is_person=True))
    confirmed = person.write("tea", source="user_confirmed").memory
    assert confirmed is not None
    assert confirmed.status == "confirmed"


@pytest.mark.parametrize(
    "given",
    [
        {"content": " "},
        {"content": "a\x00b"},
        {"content": "\ud800"},
        {"content": "x" * 65_537},
        {"content": "x", "metadata": {"k": "v" * 16_384}},
        {"content": "x", "tags": [str(number) for number in range(33)]},
        {"content": "x", "user_id": "a\nb"},
        {"content": "x", "confidence": 1.1},
        {"content": "x", "memory_type": "wish"},
        {"content": "x", "valid_from": "2030-01-02", "valid_to": "2030-01-01"},
    ],
    ids=lambda given: ascii(given)[:40],
)
def test_bad_input_is_refused_and_changes_nothing(
    memory: Hindsight, given: dict[str, object]
) -> None:
    with pytest.raises(InvalidInput):
        memory.write(**given)  # type: ignore[arg-type]  # wrong on purpose
    assert memory.list().memories == []


def test_invisible_characters_are_removed_and_reported(memory: Hindsight) -> None:
    written = memory.write("pay\u202e Ann \u200b5")
    assert written.memory is not None
    assert written.memory.content == "pay Ann 5"
    assert "removed" in written.reason


def test_a_dead_embedder_loses_nothing(memory: Hindsight, memories: Memories) -> None:
    broken = BrokenEmbedder(memories.parts.meaning.embedder)  # type: ignore[arg-type]
    broken.broken = True
    down = Hindsight(with_embedder(memories, broken), memory.caller)
    assert down.write("the port is 8000").outcome == "stored"
    found = down.search("port")
    assert [hit.memory.content for hit in found.hits] == ["the port is 8000"]
    assert "words only" in found.notes[0]


def with_embedder(memories: Memories, embedder: BrokenEmbedder) -> Memories:
    meaning = replace(memories.parts.meaning, embedder=embedder)
    return Memories(replace(memories.parts, meaning=meaning))


def test_a_repetition_refreshes_and_does_not_age_anything(
    memory: Hindsight, clock: FrozenClock
) -> None:
    memory.write("tea")
    clock.advance(timedelta(days=3))
    again = memory.write("tea").memory
    assert again is not None
    assert again.last_accessed_at == clock.now()
    assert again.version == 2


def test_a_closed_store_says_so(memory: Hindsight, memories: Memories) -> None:
    memories.parts.store.close()
    with pytest.raises(Unavailable, match="closed"):
        memory.write("coffee")


def test_a_merge_keeps_to_the_limit_of_tags(memory: Hindsight) -> None:
    memory.write("tea", tags=[f"a{number}" for number in range(32)])
    merged = memory.write("tea", tags=[f"b{number}" for number in range(32)]).memory
    assert merged is not None
    assert sorted(merged.tags) == sorted(f"a{number}" for number in range(32))


@pytest.mark.parametrize("place", [{"visibility": "private"}, {"project": "web"}], ids=str)
def test_nobody_loses_a_memory_to_one_that_they_cannot_see(
    memory: Hindsight, place: dict[str, Any]
) -> None:
    old = memory.write("the port is 80").memory
    assert old is not None
    with pytest.raises(InvalidInput, match="others can read it"):
        memory.write("the port is 81", supersedes=old.id, **place)
    assert memory.show(old.id).retired_at is None


def test_twenty_writers_of_one_statement_leave_one_memory(memory: Hindsight) -> None:
    with ThreadPoolExecutor(20) as pool:
        written = list(pool.map(lambda _: memory.write("tea at five"), range(20)))
    outcomes = sorted(each.outcome.value for each in written)
    assert outcomes == ["merged"] * 19 + ["stored"]
    assert len(memory.list().memories) == 1


def test_updates_without_a_version_follow_each_other(memory: Hindsight) -> None:
    written = memory.write("tea at five").memory
    assert written is not None
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda n: memory.update(written.id, importance=n / 10), range(8)))
    assert memory.show(written.id).version == 9


def test_what_replaces_a_memory_may_be_remembered_already(memory: Hindsight) -> None:
    old = memory.write("tea at five").memory
    other = memory.write("coffee at noon").memory
    assert old is not None
    assert other is not None
    written = memory.write("coffee at noon", supersedes=old.id)
    assert written.outcome == "superseded"
    assert written.memory is not None
    assert written.memory.id == other.id
    assert memory.show(old.id).superseded_by == other.id
