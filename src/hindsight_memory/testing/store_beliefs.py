"""What a store keeps of belief: which memories rest on which, and what was rejected."""

from dataclasses import replace
from datetime import timedelta

from hindsight_memory.core.changes import Rejection
from hindsight_memory.core.ports import Store
from hindsight_memory.testing.samples import (
    ANN,
    BOB,
    NOON,
    a_memory,
    changed,
    put,
    some_changes,
)

REJECTED = Rejection(key="k1", user_id="ann", memory_id="m1", trust=0.9, at=NOON)


class Beliefs:
    """``settle`` is StoreSuite's."""

    def settle(self) -> None:
        raise NotImplementedError

    def test_dependants_are_what_rests_on_any_of_the_ids(self, store: Store) -> None:
        put(store, a_memory("1"), a_memory("2"), a_memory("3", evidence=("1", "2")))
        put(store, a_memory("4", evidence=("2",)), a_memory("5", related_ids=("1",)))
        assert [m.id for m in store.dependants(ANN, ["1"])] == ["3"]
        assert [m.id for m in store.dependants(ANN, ["1", "2"])] == ["3", "4"]
        assert store.dependants(BOB, ["1", "2"]) == []

    def test_dependants_are_also_what_any_of_the_ids_speaks_against(self, store: Store) -> None:
        lesson = a_memory("3", evidence=("1",))
        put(store, a_memory("1"), a_memory("2"), lesson)
        store.apply(some_changes(changed(lesson, counter_examples=("2",))))
        assert [m.id for m in store.dependants(ANN, ["2"])] == ["3"]
        assert store.problems() == []

    def test_a_counter_example_that_is_not_there_leaves_nothing_unresolved(
        self, store: Store
    ) -> None:
        put(store, a_memory("3", counter_examples=("x",)), a_memory("4", evidence=("x",)))
        assert store.unresolved() == ["4"]

    def test_dependants_follow_a_change_of_evidence(self, store: Store) -> None:
        lesson = a_memory("3", evidence=("1",))
        put(store, a_memory("1"), a_memory("2"), lesson)
        store.apply(some_changes(changed(lesson, evidence=("2",))))
        assert store.dependants(ANN, ["1"]) == []
        assert [m.id for m in store.dependants(ANN, ["2"])] == ["3"]

    def test_a_superseded_dependant_counts_and_a_forgotten_one_does_not(self, store: Store) -> None:
        put(store, a_memory("3", evidence=("1",), retired_at=NOON))
        put(store, a_memory("4", evidence=("1",), deleted_at=NOON))
        assert [m.id for m in store.dependants(ANN, ["1"])] == ["3"]

    def test_a_purge_leaves_no_support_behind(self, store: Store) -> None:
        put(store, a_memory("1"), a_memory("2"), a_memory("3", evidence=("1", "2")))
        store.apply(some_changes(purges=("1",)))
        assert store.dependants(ANN, ["1"]) == []
        assert [m.id for m in store.dependants(ANN, ["2"])] == ["3"]
        assert (store.problems(), store.unresolved()) == ([], [])

    def test_a_repair_changes_nothing_that_is_sound(self, store: Store) -> None:
        put(store, a_memory("1"), a_memory("3", evidence=("1",)))
        store.repair(lambda _done, _total: None)
        assert [m.id for m in store.dependants(ANN, ["1"])] == ["3"]
        assert (store.problems(), store.unembedded_count()) == ([], 0)

    def test_a_rejection_is_kept_for_its_user_and_lifted(self, store: Store) -> None:
        store.apply(some_changes(rejections=(REJECTED,)))
        assert store.rejections("acme", "ann", ["k1", "k2"]) == [REJECTED]
        assert store.rejections("acme", "bob", ["k1"]) == []
        store.apply(some_changes(readmitted=(REJECTED,)))
        assert store.rejections("acme", "ann", ["k1"]) == []

    def test_rejecting_again_keeps_the_last_word(self, store: Store) -> None:
        later = replace(REJECTED, trust=1.0, at=NOON + timedelta(days=1))
        store.apply(some_changes(rejections=(REJECTED,)))
        store.apply(some_changes(rejections=(later,)))
        assert store.rejections("acme", "ann", ["k1"]) == [later]

    def test_a_rejection_outlives_its_memory(self, store: Store) -> None:
        put(store, a_memory("m1"))
        store.apply(some_changes(rejections=(REJECTED,)))
        store.apply(some_changes(purges=("m1",)))
        assert store.rejections("acme", "ann", ["k1"]) == [REJECTED]
        assert store.problems() == []

    def test_all_that_was_rejected_comes_page_by_page_in_order(self, store: Store) -> None:
        bobs = replace(REJECTED, user_id="bob", key="k0")
        given = [replace(REJECTED, key=key) for key in ("k2", "k1")]
        store.apply(some_changes(rejections=(bobs, *given)))
        first = store.rejected("acme", after=None, limit=2)
        assert [each.key for each in first] == ["k1", "k2"]
        assert store.rejected("acme", after=first[-1], limit=2) == [bobs]
        assert store.rejected("other", after=None, limit=2) == []
