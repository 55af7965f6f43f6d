"""Purging: nothing of the memory is left, and all the rest is as it was."""

from dataclasses import replace

import pytest

from hindsight_memory.core.model import Memory
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.testing.samples import (
    ALL,
    ANN,
    EAST,
    NOON,
    NORTH,
    a_memory,
    a_recall,
    a_receipt,
    changed,
    put,
    some_changes,
)


class Purges:
    """``settle`` is StoreSuite's."""

    def settle(self) -> None:
        raise NotImplementedError

    def test_a_purged_memory_is_gone_from_every_read(self, store: Store) -> None:
        secret = a_memory("secret", content="green tea", session_id="s1")
        other = a_memory("other", content="tea", session_id="s1")
        put(store, secret, vector=EAST)
        put(store, other, vector=NORTH)
        assert reads(store, secret) == (["other", "secret"], ["other", "secret"], 1, 2)
        store.apply(some_changes(purges=("secret",)))
        assert reads(store, secret) == (["other"], ["other"], 0, 1)

    def test_a_purged_memory_is_nobodys_kin(self, store: Store) -> None:
        probe = a_memory("probe", content="Tea!")
        put(store, a_memory("1", content="tea"))
        assert [each.id for each in store.kin(ANN, probe, limit=9)] == ["1"]
        store.apply(some_changes(purges=("1",)))
        assert store.kin(ANN, probe, limit=9) == []

    def test_a_purge_leaves_no_neighbour_and_no_work(self, store: Store) -> None:
        for name in "123":
            put(store, a_memory(name, content=f"w{name}", session_id="s1"), vector=None)
        store.apply(some_changes(purges=("2",)))
        [evidence, _] = store.candidates(ANN, ["w1"], None, where=Filter(), limit=9).evidence
        assert (evidence.id, evidence.later) == ("1", ("3",))
        assert [memory.id for memory, _ in store.unembedded(limit=9)] == ["1", "3"]

    def test_a_purge_takes_the_receipts_and_recalls_that_name_the_memory(
        self, store: Store
    ) -> None:
        put(store, a_memory("m1"), a_memory("m2"))
        store.apply(some_changes(receipt=a_receipt(), recall=a_recall(hit_ids=("m2", "m1"))))
        used = a_recall(id="r2", hit_ids=("m2",), used_ids=("m1",))
        kept = a_recall(id="r3", hit_ids=("m2", "m11"))
        store.apply(some_changes(receipt=a_receipt(key="k2", memory_id="m2"), recall=used))
        store.apply(some_changes(recall=kept))
        store.apply(some_changes(purges=("m1",)))
        assert store.receipt("acme", "ann", "k1") is None
        assert store.receipt("acme", "ann", "k2") == a_receipt(key="k2", memory_id="m2")
        assert [store.recall("acme", name) for name in ("r1", "r2", "r3")] == [None, None, kept]

    def test_links_to_a_purged_memory_are_removed(self, store: Store) -> None:
        links = ("a", "m1", "m11")
        linked = a_memory("m2", related_ids=links, evidence=links[1:], counter_examples=("m1",))
        foreign = replace(linked, id="m3", user_id="bob", content="m3")
        alone = a_memory("m4", related_ids=("a",))
        put(store, a_memory(), linked, foreign, alone)
        store.apply(some_changes(purges=("m1",)))
        found = store.get(ALL, ["m2", "m3", "m4"])
        rest = (("a", "m11"), ("m11",), ())
        links_of = [(m.related_ids, m.evidence, m.counter_examples) for m in found]
        assert links_of == [rest, rest, (("a",), (), ())]

    @pytest.mark.parametrize("purged", ["2", "23", "32", "1", "4", "14"])
    def test_a_version_chain_closes_over_what_is_purged(self, store: Store, purged: str) -> None:
        put_chain(store)
        store.apply(some_changes(purges=tuple(purged)))
        rest = [name for name in "1234" if name not in purged]
        chain = [(m.supersedes, m.id, m.superseded_by) for m in store.get(ANN, list("1234"))]
        names = [None, *rest, None]
        assert chain == list(zip(names, names[1:], names[2:], strict=False))
        assert store.problems() == []

    def test_what_a_purged_memory_retired_stays_retired(self, store: Store) -> None:
        put_chain(store)
        store.apply(some_changes(purges=("4",)))
        [third] = store.get(ANN, ["3"])
        assert (third.superseded_by, third.retired_at) == (None, NOON)
        assert store.page(ANN, Filter(), before=None, limit=9) == []

    def test_the_rest_is_as_it_was(self, store: Store) -> None:
        rest = [a_memory(f"{number}", content=f"tea {number}") for number in range(3)]
        put(store, *rest, a_memory("purged", content="tea"))
        put(store, changed(rest[0], tags=frozenset({"a"})))
        history = store.history(ANN, "0")
        store.apply(some_changes(purges=("purged",)))
        assert store.get(ANN, ["0", "1", "2"]) == [changed(rest[0], tags={"a"}), *rest[1:]]
        assert store.history(ANN, "0") == history
        found = store.candidates(ANN, ["tea"], EAST, where=Filter(), limit=9)
        assert [e.similarity for e in found.evidence] == pytest.approx([1, 1, 1], abs=1e-6)
        assert store.problems() == []

    def test_purging_stays_inside_the_tenant(self, store: Store) -> None:
        put(store, a_memory())
        put(store, a_memory("linked", tenant="other", related_ids=("m1",)))
        store.apply(some_changes(tenant="other", purges=("m1", "missing")))
        assert store.get(ANN, ["m1"]) == [a_memory()]
        store.apply(some_changes(purges=("m1",)))
        assert store.get(ANN, ["m1"]) == []

    def test_a_purged_content_may_be_written_again(self, store: Store) -> None:
        put(store, a_memory("1", content="tea"))
        store.apply(some_changes(purges=("1",)))
        put(store, a_memory("1", content="tea"), vector=NORTH)
        [evidence] = store.candidates(ANN, ["tea"], EAST, where=Filter(), limit=9).evidence
        assert (evidence.term_counts, evidence.term_total) == ({"tea": 1}, 1)
        assert evidence.similarity == pytest.approx(0, abs=1e-6)
        assert len(store.history(ANN, "1")) == 1


def reads(store: Store, memory: Memory) -> tuple[list[str], list[str], int, int]:
    """Ids by listings, ids by search, length of its history, documents with its last word."""
    found = store.candidates(ANN, ["green", "tea"], EAST, where=Filter(), limit=9)
    listed = [
        store.every("acme", after="", limit=9),
        store.page(ANN, Filter(), before=None, limit=9)[::-1],
        store.get(ANN, ["other", memory.id]),
    ]
    assert listed == [listed[0]] * 3
    assert (store.same_content(memory) is None) == (memory not in listed[0])
    assert found.statistics.documents == len(listed[0])
    return (
        [each.id for each in listed[0]],
        [each.id for each in found.evidence],
        len(store.history(ANN, memory.id)),
        found.statistics.document_counts["tea"],
    )


def put_chain(store: Store) -> None:
    """1 was superseded by 2, 2 by 3, and 3 by 4, which is forgotten."""
    names = [None, *"1234", None]
    for supersedes, name, superseded_by in zip(names, names[1:], names[2:], strict=False):
        assert name is not None
        memory = a_memory(
            name,
            supersedes=supersedes,
            superseded_by=superseded_by,
            retired_at=NOON if superseded_by else None,
            deleted_at=None if superseded_by else NOON,
        )
        put(store, memory)
