"""What a store takes: versions, one current memory per content, counters; all of it or nothing."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.core.changes import Changes
from hindsight_memory.core.model import Layer, Memory, Tier, Visibility
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.errors import Conflict, Unavailable
from hindsight_memory.testing.samples import (
    ALL,
    ANN,
    EAST,
    NOON,
    a_memory,
    a_recall,
    a_receipt,
    changed,
    put,
    some_changes,
    superseded,
)

EPISODE = {"layer": Layer.EPISODIC, "session_id": "s1", "valid_from": NOON}
PRIVATE = {"visibility": Visibility.PRIVATE}
TWICE: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "same place": ({}, {}),
    "another session, not an episode": ({"session_id": "s1"}, {"session_id": "s2"}),
    "another author": ({}, {"agent_id": "bot"}),
    "another type and status": ({}, {"scene": "decision", "confidence": 0.9}),
    "another tier": ({}, {"tier": Tier.ARCHIVED}),
    "the same episode": (EPISODE, EPISODE),
    "private twice": (PRIVATE, PRIVATE),
}
APART: dict[str, tuple[dict[str, Any], dict[str, Any]]] = {
    "retired": ({"retired_at": NOON}, {}),
    "forgotten": ({"deleted_at": NOON}, {}),
    "another project": ({"project": "web"}, {"project": "app"}),
    "another user": ({}, {"user_id": "bob"}),
    "another layer": ({}, {"layer": Layer.EPISODIC}),
    "another agent's private one": (PRIVATE, PRIVATE | {"agent_id": "bot"}),
    "private and shared": (PRIVATE, {}),
    "another session of an episode": (EPISODE, EPISODE | {"session_id": "s2"}),
    "another time of an episode": (EPISODE, EPISODE | {"valid_from": NOON + timedelta(hours=1)}),
    "other letters": ({"content": "Tea"}, {"content": "tea"}),
}
TEA = {"content": "tea"}
BROKEN: dict[str, Changes] = {
    "version": some_changes(a_memory("new"), a_memory("never-there", version=2)),
    "content": some_changes(a_memory("new"), a_memory("again", content="m1")),
    "receipt": some_changes(
        a_memory("new"),
        changed(a_memory(), content="changed"),
        purges=("m2",),
        accessed=("m1",),
        used=("m1",),
        recall=a_recall(),
        receipt=a_receipt(memory_id="new"),
    ),
}


class Writes:
    """``settle`` is StoreSuite's."""

    def settle(self) -> None:
        raise NotImplementedError

    def test_a_memory_grows_one_version_at_a_time(self, store: Store) -> None:
        first = a_memory()
        second, third = changed(first, content="two"), changed(changed(first), content="three")
        for memory in (first, second, third):
            put(store, memory)
            assert store.get(ANN, ["m1"]) == [memory]

    @pytest.mark.parametrize("version", [1, 2, 4])
    def test_only_the_next_version_may_follow(self, store: Store, version: int) -> None:
        put(store, a_memory())
        current = changed(a_memory(), content="two")
        put(store, current)
        with pytest.raises(Conflict):
            put(store, a_memory(content="other", version=version))
        assert store.get(ANN, ["m1"]) == [current]
        assert [revision.version for revision in store.history(ANN, "m1")] == [1, 2]

    @pytest.mark.parametrize("owner", [{"user_id": "bob"}, {"tenant": "other"}])
    def test_a_memory_keeps_its_tenant_and_user(self, store: Store, owner: dict[str, str]) -> None:
        put(store, a_memory())
        for stranger in (a_memory(**owner), changed(a_memory(**owner))):
            with pytest.raises(Conflict):
                put(store, stranger)
        assert store.get(ALL, ["m1"]) == [a_memory()]

    def test_of_many_threads_replacing_a_version_one_wins(self, store: Store) -> None:
        put(store, a_memory())
        rivals = [changed(a_memory(), content=str(number)) for number in range(8)]
        won = [memory for memory in rivals_put(store, rivals) if memory is not None]
        assert store.get(ANN, ["m1"]) == won

    def test_of_many_threads_writing_one_content_one_wins(self, store: Store) -> None:
        rivals = [a_memory(f"m{number}", content="tea") for number in range(8)]
        won = [memory for memory in rivals_put(store, rivals) if memory is not None]
        assert store.page(ANN, Filter(), before=None, limit=9) == won
        assert len(won) == 1

    def test_many_threads_lose_nothing(self, store: Store) -> None:
        memories = [a_memory(f"{number:03}") for number in range(100)]
        assert rivals_put(store, memories) == memories
        assert store.every("acme", after="", limit=200) == memories
        assert store.problems() == []

    def test_searches_go_on_while_others_write(self, store: Store) -> None:
        memories = [a_memory(f"{number:03}", content=f"tea {number}") for number in range(100)]

        def seen(_: int) -> list[str]:
            found = store.candidates(ANN, ["tea"], EAST, where=Filter(), limit=100)
            return [evidence.id for evidence in found.evidence]

        with ThreadPoolExecutor(8) as pool:
            searches = pool.map(seen, range(100))
            rivals_put(store, memories)
        everything = [memory.id for memory in memories]
        assert all(set(found) <= set(everything) for found in searches)
        self.settle()
        assert seen(0) == everything

    @pytest.mark.parametrize(("one", "other"), TWICE.values(), ids=TWICE)
    def test_one_content_is_current_once_in_its_place(
        self, store: Store, one: dict[str, Any], other: dict[str, Any]
    ) -> None:
        first, again = a_memory("1", **TEA | one), a_memory("2", **TEA | other)
        put(store, first)
        assert store.same_content(again) == first
        with pytest.raises(Conflict):
            put(store, again)

    @pytest.mark.parametrize(("one", "other"), APART.values(), ids=APART)
    def test_one_content_in_two_places_is_two_memories(
        self, store: Store, one: dict[str, Any], other: dict[str, Any]
    ) -> None:
        first, second = a_memory("1", **TEA | one), a_memory("2", **TEA | other)
        put(store, first)
        assert store.same_content(second) is None
        put(store, second)
        assert store.get(ALL, ["1", "2"]) == [first, second]
        assert store.same_content(second) == second

    def test_what_was_forgotten_cannot_return_beside_its_like(self, store: Store) -> None:
        forgotten = a_memory("1", deleted_at=NOON, **TEA)
        put(store, forgotten, a_memory("2", **TEA))
        with pytest.raises(Conflict):
            put(store, changed(forgotten, deleted_at=None))

    def test_a_content_is_free_once_its_memory_changed(self, store: Store) -> None:
        put(store, a_memory("1", **TEA))
        put(store, changed(a_memory("1"), content="coffee"))
        put(store, a_memory("2", **TEA))
        assert store.same_content(a_memory(**TEA)) == a_memory("2", **TEA)

    def test_the_order_of_puts_does_not_matter(self, store: Store) -> None:
        """What leaves a place in one call makes room for what comes in the same call."""
        old, new = a_memory("1", **TEA), a_memory("2", scene="decision", **TEA)
        put(store, old)
        gone, new = superseded(old, new)
        put(store, new, gone)
        assert store.get(ANN, ["1", "2"]) == [gone, new]

    def test_a_purge_makes_room_in_the_same_call(self, store: Store) -> None:
        put(store, a_memory("1", **TEA))
        store.apply(some_changes(a_memory("2", **TEA), purges=("1",)))
        assert store.get(ANN, ["1", "2"]) == [a_memory("2", **TEA)]

    @pytest.mark.parametrize("changes", BROKEN.values(), ids=BROKEN)
    def test_a_failed_change_leaves_nothing_behind(self, store: Store, changes: Changes) -> None:
        before = [a_memory(), a_memory("m2")]
        put(store, *before)
        store.apply(some_changes(receipt=a_receipt()))
        with pytest.raises(Conflict):
            store.apply(changes)
        self.settle()
        found = store.candidates(ANN, ["new", "changed"], EAST, where=Filter(), limit=9)
        assert store.every("acme", after="", limit=9) == before
        assert [e.id for e in found.evidence] == ["m1", "m2"]
        assert found.statistics.document_counts == {}
        assert len(store.history(ANN, "m1")) == len(store.history(ANN, "m2")) == 1
        assert (store.history(ANN, "new"), store.recall("acme", "r1")) == ([], None)
        assert store.problems() == []

    def test_a_recalled_memory_remembers_when_and_how_often(self, store: Store) -> None:
        put(store, a_memory("1"), a_memory("2"))
        later = NOON + timedelta(hours=1)
        store.apply(some_changes(accessed=("1", "missing"), at=NOON))
        store.apply(some_changes(accessed=("1",), at=later))
        recalled = a_memory("1", access_count=2, last_accessed_at=later)
        assert store.get(ANN, ["1", "2"]) == [recalled, a_memory("2")]

    def test_a_recall_that_is_told_late_does_not_turn_back_time(self, store: Store) -> None:
        put(store, a_memory())
        store.apply(some_changes(accessed=("m1",), at=NOON))
        store.apply(some_changes(accessed=("m1",), at=NOON - timedelta(hours=1)))
        recalled = a_memory(access_count=2, last_accessed_at=NOON)
        assert store.get(ANN, ["m1"]) == [recalled]

    def test_use_warms_and_is_counted(self, store: Store) -> None:
        put(store, a_memory("1", heat=0.5), a_memory("2"))
        store.apply(some_changes(used=("1", "missing")))
        [used, other] = store.get(ANN, ["1", "2"])
        assert used == a_memory("1", used_count=1, heat=pytest.approx(0.6))
        assert other == a_memory("2")

    def test_use_and_recall_are_no_versions(self, store: Store) -> None:
        put(store, a_memory())
        store.apply(some_changes(used=("m1",), accessed=("m1",)))
        put(store, changed(a_memory(), content="two"))
        assert [r.version for r in store.history(ANN, "m1")] == [1, 2]

    def test_use_and_recall_stay_inside_the_tenant(self, store: Store) -> None:
        put(store, a_memory())
        store.apply(some_changes(tenant="other", used=("m1",), accessed=("m1",)))
        assert store.get(ANN, ["m1"]) == [a_memory()]

    def test_an_idempotency_key_is_used_once(self, store: Store) -> None:
        store.apply(some_changes(receipt=a_receipt()))
        with pytest.raises(Conflict):
            store.apply(some_changes(receipt=a_receipt(request_digest="d2")))
        assert store.receipt("acme", "ann", "k1") == a_receipt()

    def test_a_fresh_store_has_no_problems(self, store: Store) -> None:
        assert store.problems() == []

    def test_closing_twice_is_harmless(self, store: Store) -> None:
        store.close()
        store.close()

    @pytest.mark.parametrize("name", ["apply", "get", "page", "candidates", "problems", "adopt"])
    def test_a_closed_store_is_unavailable(self, store: Store, name: str) -> None:
        put(store, a_memory())
        store.close()
        with pytest.raises(Unavailable):
            CALLS[name](store)


CALLS: dict[str, Callable[[Store], object]] = {
    "apply": lambda store: put(store, a_memory("m2")),
    "get": lambda store: store.get(ANN, ["m1"]),
    "page": lambda store: store.page(ANN, Filter(), before=None, limit=1),
    "candidates": lambda store: store.candidates(ANN, ["tea"], EAST, where=Filter(), limit=1),
    "problems": lambda store: store.problems(),
    "adopt": lambda store: store.adopt_model(),
}


def rivals_put(store: Store, memories: list[Memory]) -> list[Memory | None]:
    """Each as it was put, by eight threads at once; None where another came first."""

    def rival(memory: Memory) -> Memory | None:
        try:
            put(store, memory)
        except Conflict:
            return None
        return replace(memory)

    with ThreadPoolExecutor(8) as pool:
        return list(pool.map(rival, memories))
