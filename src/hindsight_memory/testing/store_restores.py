"""What a store takes from an export: memories as they were, with their version histories."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.changes import Note, Rejection, Revision
from hindsight_memory.core.model import Memory
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.errors import Conflict
from hindsight_memory.testing.samples import (
    ALL,
    ANN,
    EAST,
    MODEL,
    NOON,
    a_memory,
    changed,
    embedded,
    fresh_tenant,
    memories,
    on_one_store,
    put,
    some_changes,
    superseded,
)

IMPORTED = Note(actor="bob", operation="imported", reason="")
TAKEN: dict[str, Memory] = {
    "id": a_memory(content="other", version=2),
    "id of another user": a_memory(user_id="bob"),
    "id of another tenant": a_memory(tenant="other"),
    "content": a_memory("again", content="m1", version=2),
}


def a_history(memory: Memory) -> tuple[Revision, ...]:
    """As many changes as its version says, each of the one word that it replaced."""
    return tuple(
        Revision(
            memory_id=memory.id,
            version=version,
            at=NOON,
            actor="ada",
            operation="write",
            reason="为什么",
            before={} if version == 1 else {"content": f"v{version - 1}", "tags": ["a"]},
        )
        for version in range(1, memory.version + 1)
    )


def restore(store: Store, *given: Memory, **changes: Any) -> None:
    """All of one tenant, each with ``a_history``."""
    if given:
        wanted = some_changes(*given, tenant=given[0].tenant, note=IMPORTED, **changes)
        store.restore(wanted, {memory.id: a_history(memory) for memory in given})


class Restores:
    @pytest.mark.parametrize("version", [1, 3])
    def test_a_restored_memory_is_what_it_was(self, store: Store, version: int) -> None:
        memory = a_memory(version=version, access_count=7, last_accessed_at=NOON)
        restore(store, memory)
        assert store.get(ANN, ["m1"]) == [memory]
        assert store.history(ANN, "m1") == list(a_history(memory))
        assert store.problems() == []

    def test_a_restored_memory_goes_on_from_its_version(self, store: Store) -> None:
        third = a_memory(version=3)
        restore(store, third)
        put(store, changed(third, content="four"))
        last = store.history(ANN, "m1")[-1]
        assert (last.version, last.before) == (4, {"content": "m1"})
        with pytest.raises(Conflict):
            put(store, changed(third, content="late"))

    def test_a_restored_memory_is_found_by_words_and_waits_for_its_vector(
        self, open_store: Callable[[str], Store]
    ) -> None:
        store = open_store(MODEL)
        memory = a_memory(content="green tea", version=2)
        restore(store, memory)
        found = store.candidates(ANN, ["tea"], None, where=Filter(), limit=9)
        assert [each.id for each in found.evidence] == ["m1"]
        assert store.unembedded(limit=9) == [(memory, 0)]
        store.apply(some_changes(passages=(embedded(memory, EAST),)))
        assert store.unembedded_count() == 0

    def test_a_chain_can_be_restored_in_any_order(self, store: Store) -> None:
        old, new = superseded(a_memory("1", content="tea"), a_memory("2", content="coffee"))
        restore(store, new, old)
        assert store.page(ANN, Filter(), before=None, limit=9) == [new]
        assert store.problems() == []

    def test_what_is_restored_may_lift_a_rejection(self, store: Store) -> None:
        rejected = Rejection(key="k1", user_id="ann", memory_id="m1", trust=0.5, at=NOON)
        store.apply(some_changes(rejections=(rejected, replace(rejected, key="k2"))))
        restore(store, a_memory(), readmitted=(rejected,))
        assert [each.key for each in store.rejections("acme", "ann", ["k1", "k2"])] == ["k2"]

    @pytest.mark.parametrize("memory", TAKEN.values(), ids=TAKEN)
    def test_what_is_taken_is_refused_with_all_that_came_along(
        self, store: Store, memory: Memory
    ) -> None:
        put(store, a_memory())
        before = store.history(ANN, "m1")
        with pytest.raises(Conflict):
            restore(store, a_memory("new", tenant=memory.tenant), memory)
        everything = [each for name in ("acme", "other") for each in store_of(store, name)]
        assert everything == [a_memory()]
        assert (store.history(ANN, "m1"), store.history(ANN, "new")) == (before, [])
        assert store.problems() == []

    @on_one_store
    @given(data=st.data())
    def test_any_memory_can_be_restored(self, store: Store, data: st.DataObject) -> None:
        tenant = fresh_tenant()
        wanted = [
            replace(memory, version=data.draw(st.integers(1, 4)))
            for memory in data.draw(memories(tenant))
        ]
        restore(store, *wanted)
        scope = replace(ALL, tenant=tenant)
        assert store_of(store, tenant) == wanted
        for memory in wanted:
            assert store.history(scope, memory.id) == list(a_history(memory))


def store_of(store: Store, tenant: str) -> list[Memory]:
    return store.every(tenant, after="", limit=100)
