"""Passages of long contents, and what happens to vectors when the model changes."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from hindsight_memory.core.model import Tier
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Evidence, Filter
from hindsight_memory.testing.samples import (
    ANN,
    EAST,
    MODEL,
    NOON,
    NORTH,
    WEST,
    a_memory,
    changed,
    embedded,
    put,
    some_changes,
    toward,
)

OpenStore = Callable[[str], Store]
OTHER = "model-b"
LATER = NOON + timedelta(days=1)


class Vectors:
    """``settle`` is StoreSuite's."""

    def settle(self) -> None:
        raise NotImplementedError

    def near_east(self, store: Store) -> list[Evidence]:
        self.settle()
        return list(store.candidates(ANN, (), EAST, where=Filter(), limit=10).evidence)

    def test_a_memory_is_as_near_as_its_best_passage(self, store: Store) -> None:
        memory = a_memory()
        passages = (embedded(memory, NORTH, toward(0.9), WEST, toward(0.8)),)
        store.apply(some_changes(memory, passages=passages))
        [evidence] = self.near_east(store)
        assert evidence.similarity == pytest.approx(0.9, abs=1e-6)
        assert evidence.passage == 1

    def test_passages_may_be_added_later(self, store: Store) -> None:
        memory = a_memory()
        store.apply(some_changes(memory, passages=(embedded(memory, NORTH, total=3),)))
        assert store.unembedded(limit=9) == [(memory, 1)]
        store.apply(some_changes(passages=(embedded(memory, WEST, EAST, first=1),)))
        assert store.unembedded(limit=9) == []
        [evidence] = self.near_east(store)
        assert [evidence.similarity, evidence.passage] == pytest.approx([1.0, 2], abs=1e-6)

    def test_the_same_passage_twice_is_one(self, store: Store) -> None:
        memory = a_memory()
        put(store, memory, vector=NORTH)
        store.apply(some_changes(passages=(embedded(memory, NORTH),)))
        [evidence] = self.near_east(store)
        assert evidence.similarity == pytest.approx(0.0, abs=1e-6)

    def test_passages_of_an_outdated_content_are_dropped(self, store: Store) -> None:
        old = a_memory(content="old")
        put(store, old, vector=NORTH)
        new = changed(old, content="new")
        put(store, new, vector=None)
        store.apply(some_changes(passages=(embedded(old, EAST),)))
        assert self.near_east(store) == []
        assert store.unembedded(limit=9) == [(new, 0)]

    def test_passages_of_what_is_missing_are_dropped(self, store: Store) -> None:
        put(store, a_memory())
        purged = a_memory("m2")
        store.apply(some_changes(passages=(embedded(purged, EAST),)))
        assert [e.id for e in self.near_east(store)] == ["m1"]

    def test_what_lacks_vectors_comes_oldest_first(self, store: Store) -> None:
        lacking = [a_memory("1", user_id="bob"), a_memory("2", tenant="other"), a_memory("4")]
        for memory in reversed(lacking):
            put(store, memory, vector=None)
        put(store, a_memory("3"))
        put(store, a_memory("5", deleted_at=NOON), vector=None)
        assert store.unembedded(limit=9) == [(memory, 0) for memory in lacking]
        assert store.unembedded(limit=2) == [(memory, 0) for memory in lacking[:2]]

    def test_an_archived_memory_leaves_the_vectors_and_is_still_found_by_words(
        self, store: Store
    ) -> None:
        memory = a_memory(content="tea")
        put(store, memory)
        archived = changed(memory, tier=Tier.ARCHIVED)
        store.apply(some_changes(archived))
        everywhere = Filter(tiers=frozenset(Tier))
        assert store.candidates(ANN, (), EAST, where=everywhere, limit=9).evidence == ()
        [evidence] = store.candidates(ANN, ("tea",), EAST, where=everywhere, limit=9).evidence
        assert evidence.similarity is None
        assert (store.unembedded(limit=9), store.problems()) == ([], [])

    def test_a_memory_that_is_archived_no_more_is_to_be_embedded(self, store: Store) -> None:
        memory = a_memory(tier=Tier.ARCHIVED)
        put(store, memory, vector=None)
        assert store.unembedded(limit=9) == []
        back = changed(memory, tier=Tier.ACTIVE)
        store.apply(some_changes(back))
        assert store.unembedded(limit=9) == [(back, 0)]
        store.apply(some_changes(passages=(embedded(back, EAST),)))
        assert [e.similarity for e in self.near_east(store)] == pytest.approx([1], abs=1e-6)

    def test_vectors_that_come_late_for_an_archived_memory_are_dropped(self, store: Store) -> None:
        memory = a_memory(tier=Tier.ARCHIVED)
        put(store, memory, vector=None)
        store.apply(some_changes(passages=(embedded(memory, EAST),)))
        store.adopt_model()
        assert (store.unembedded_count(), store.problems()) == (0, [])

    def test_what_could_not_be_embedded_waits_until_it_is_due(self, store: Store) -> None:
        poison, other = a_memory("1"), a_memory("2")
        put(store, poison, other, vector=None)
        store.apply(some_changes(postponed={"1": LATER}))
        assert store.unembedded(limit=9, due_at=NOON) == [(other, 0)]
        assert store.unembedded(limit=9, due_at=LATER) == [(poison, 0), (other, 0)]
        assert store.unembedded(limit=9) == [(poison, 0), (other, 0)]
        assert (store.unembedded_count(), store.unembeddable()) == (2, ["1"])

    def test_a_postponement_ends_with_vectors_with_another_content_and_with_a_new_model(
        self, store: Store
    ) -> None:
        memories = [a_memory("1"), a_memory("2"), a_memory("3")]
        put(store, *memories, vector=None)
        store.apply(some_changes(postponed={memory.id: LATER for memory in memories}))
        store.apply(some_changes(passages=(embedded(memories[0], EAST),)))
        put(store, changed(memories[1], content="new"), vector=None)
        assert store.unembeddable() == ["3"]
        store.adopt_model()
        assert store.unembeddable() == []

    def test_a_change_of_anything_but_the_content_postpones_no_less(self, store: Store) -> None:
        memory = a_memory()
        put(store, memory, vector=None)
        store.apply(some_changes(postponed={"m1": LATER}))
        store.apply(some_changes(changed(memory, importance=0.9)))
        assert store.unembeddable() == ["m1"]

    def test_vectors_of_another_model_are_not_compared(
        self, store: Store, open_store: OpenStore
    ) -> None:
        put(store, a_memory("1"), vector=EAST)
        other = open_store(OTHER)
        assert self.near_east(other) == []
        put(other, a_memory("2"), vector=NORTH)
        assert [e.id for e in self.near_east(other)] == ["2"]
        assert [e.id for e in self.near_east(store)] == ["1"]

    def test_models_may_differ_in_dimensions(self, store: Store, open_store: OpenStore) -> None:
        put(store, a_memory("1"), vector=EAST)
        other = open_store(OTHER)
        wide = embedded(a_memory("1"), NORTH.repeat(2) / 2**0.5)
        other.apply(some_changes(passages=(wide,)))
        query = EAST.repeat(2) / 2**0.5
        [evidence] = other.candidates(ANN, (), query, where=Filter(), limit=9).evidence
        assert evidence.similarity == pytest.approx(0.0, abs=1e-6)
        assert len(self.near_east(store)) == 1

    def test_a_new_model_is_told_what_it_has_to_embed(
        self, store: Store, open_store: OpenStore
    ) -> None:
        memory = a_memory()
        put(store, memory)
        other = open_store(OTHER)
        assert (other.other_models(), other.unembedded(limit=9)) == ([MODEL], [])
        other.adopt_model()
        assert other.unembedded(limit=9) == [(memory, 0)]
        other.apply(some_changes(passages=(embedded(memory, NORTH),)))
        assert other.unembedded(limit=9) == []

    def test_adopting_the_model_in_use_asks_for_nothing(self, store: Store) -> None:
        put(store, a_memory())
        store.adopt_model()
        assert (store.other_models(), store.unembedded(limit=9)) == ([], [])

    def test_dropping_other_models_keeps_the_vectors_of_this_one(
        self, store: Store, open_store: OpenStore
    ) -> None:
        put(store, a_memory("1"))
        other = open_store(OTHER)
        put(other, a_memory("2"))
        assert len(self.near_east(store)) == len(self.near_east(other)) == 1
        other.drop_other_models()
        assert other.other_models() == []
        assert store.other_models() == [OTHER]
        assert [e.id for e in self.near_east(other)] == ["2"]
        assert self.near_east(store) == []

    def test_stores_on_the_same_memories_see_each_others_writes(
        self, store: Store, open_store: OpenStore
    ) -> None:
        other = open_store(MODEL)
        put(store, a_memory("1"), vector=NORTH)
        assert [e.id for e in self.near_east(other)] == ["1"]
        put(store, a_memory("2"), vector=EAST)
        assert [e.id for e in self.near_east(other)] == ["1", "2"]
        put(store, changed(a_memory("1"), content="new"), vector=EAST)
        assert [e.similarity for e in self.near_east(other)] == pytest.approx([1, 1], abs=1e-6)
        store.apply(some_changes(purges=("2",)))
        put(store, a_memory("3"), vector=WEST)
        found = {e.id: e.similarity for e in self.near_east(other)}
        assert found == {"1": pytest.approx(1, abs=1e-6), "3": pytest.approx(-1, abs=1e-6)}
