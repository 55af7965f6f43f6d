"""Each index of a store can be damaged, is found to be, and is made anew from the memories."""

from contextlib import closing
from dataclasses import replace

import pytest

from hindsight_memory.core.model import Memory, Tier
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Evidence, Filter
from hindsight_memory.testing.backends import Backend
from hindsight_memory.testing.samples import (
    ANN,
    EAST,
    NOON,
    NORTH,
    a_memory,
    changed,
    embedded,
    put,
    some_changes,
    superseded,
)

BOTH = {
    "documents miscounted": ("UPDATE scopes SET documents = 7", "do not agree with the memories"),
    "terms miscounted": ("UPDATE scopes SET terms = 7", "do not agree with the word index"),
    "keys lost": ("DELETE FROM keys WHERE seq = 1", "missing from the index of keys"),
    "keys orphaned": ("UPDATE keys SET user_id = 'bob'", "belongs to no memory"),
    "supports lost": ("DELETE FROM supports", "missing from the index of supports"),
    "supports orphaned": (
        "INSERT INTO supports VALUES ('acme', 'x', 1)",
        "nothing rests on 'x'",
    ),
    "vectors lost": ("DELETE FROM vectors WHERE seq = 1", "waits for none"),
    "passages lost": (
        "DELETE FROM vectors WHERE seq = 3 AND passage = 0",
        "lost some of its vectors",
    ),
}
SQLITE = {
    "words lost": ("DELETE FROM words WHERE rowid = 1", "missing from the word index"),
    "words orphaned": (
        "INSERT INTO words (rowid, terms) VALUES (99, '1:tea')",
        "entry 99 without a memory",
    ),
    "vectors orphaned": (
        "PRAGMA foreign_keys = off; UPDATE vectors SET seq = 99 WHERE seq = 1",
        "belongs to no memory",
    ),
    "vectors misplaced": (
        """INSERT INTO scopes (scope, tenant, user_id) VALUES (9, 'acme', 'bob');
        UPDATE vectors SET scope = 9 WHERE seq = 1""",
        "among those of another user",
    ),
    "word index broken": (
        "UPDATE words_data SET block = x'00' WHERE id > 1",
        "",
    ),
}
POSTGRES = {
    "words lost": ("DELETE FROM words WHERE seq = 1", "missing from the word index"),
    "words orphaned": (
        "INSERT INTO postings VALUES ('acme', 1, 'tea', 99, 1, 1)",
        "entry 99 without a memory",
    ),
    "postings lost": ("DELETE FROM postings WHERE seq = 1", "do not agree with the word index"),
    "postings misplaced": (
        "UPDATE postings SET scope = 9 WHERE seq = 1",
        "do not agree with the word index",
    ),
    "vectors orphaned": (
        "SET session_replication_role = replica; UPDATE vectors SET seq = 99 WHERE seq = 1",
        "belongs to no memory",
    ),
    "vectors misplaced": (
        """INSERT INTO scopes (scope, tenant, user_id) OVERRIDING SYSTEM VALUE
        VALUES (9, 'acme', 'bob');
        UPDATE vectors SET scope = 9 WHERE seq = 1""",
        "among those of another user",
    ),
    "middles miscounted": (
        "UPDATE middles SET vectors = 7",
        "the middle of scope 1 does not agree with its vectors",
    ),
    "middles moved": (
        "UPDATE middles SET total = total + total",
        "the middle of scope 1 does not agree with its vectors",
    ),
    "middles lost": (
        "DELETE FROM middles",
        "the middle of scope 1 does not agree with its vectors",
    ),
}
DAMAGES = [
    pytest.param(name, *damage, id=f"{name}: {what}")
    for name, damages in {"sqlite": BOTH | SQLITE, "postgres": BOTH | POSTGRES}.items()
    for what, damage in damages.items()
]


ANOTHERS_VECTOR = {
    "sqlite": """INSERT INTO vectors (scope, model, seq, passage, embedding)
    SELECT scope, model, 1, 0, embedding FROM vectors WHERE seq = 2""",
    "postgres": """INSERT INTO vectors (tenant, scope, model, seq, passage, embedding)
    SELECT tenant, scope, model, 1, 0, embedding FROM vectors WHERE seq = 2;
    UPDATE middles SET vectors = vectors + 1, total = total + '[1,0]'""",
}


@pytest.fixture
def memories(backend: Backend) -> list[Memory]:
    """Tea, milk, and a lesson of two passages that rests on tea."""
    found = [
        a_memory("1", content="green tea"),
        a_memory("2", content="milk"),
        a_memory("3", content="tea and milk", evidence=("1",)),
    ]
    with closing(backend.open()) as store:
        put(store, *found[:2])
        passages = (embedded(found[2], EAST, NORTH),)
        store.apply(some_changes(found[2], passages=passages))
    return found


def silent(_done: int, _total: int | None) -> None:
    """Nobody watches."""


@pytest.mark.parametrize(("backend", "sql", "told"), DAMAGES, indirect=["backend"])
def test_a_damaged_index_is_found_and_made_anew(
    backend: Backend, memories: list[Memory], sql: str, told: str
) -> None:
    backend.run(sql)
    with closing(backend.open()) as store:
        problems = store.problems()
        assert any(told in problem for problem in problems), problems
        store.repair(silent)
        assert store.problems() == []
        assert {e.id for e in found(store, "tea")} == {"1", "3"}
        assert [m.id for m in store.dependants(ANN, ["1"])] == ["3"]
        assert [m.content for m in store.every("acme", after="", limit=9)] == [
            m.content for m in memories
        ]
    with closing(backend.open()) as again:
        assert again.problems() == []


def test_vectors_of_an_archived_memory_are_dropped(
    backend: Backend, memories: list[Memory]
) -> None:
    with closing(backend.open()) as store:
        store.apply(some_changes(changed(memories[0], tier=Tier.ARCHIVED)))
        backend.run(ANOTHERS_VECTOR[backend.name])
        assert store.problems() == ["memory '1' is archived and still has vectors"]
        store.repair(silent)
        assert store.problems() == []


def found(store: Store, word: str) -> list[Evidence]:
    everywhere = Filter(tiers=frozenset(Tier))
    return [
        each
        for each in store.candidates(ANN, (word,), None, where=everywhere, limit=9).evidence
        if each.term_counts
    ]


def test_what_lost_vectors_waits_for_them_and_is_not_compared_by_a_part(
    backend: Backend, memories: list[Memory]
) -> None:
    with closing(backend.open()) as store:
        store.candidates(ANN, (), EAST, where=Filter(), limit=9)  # the copy in memory is filled
        backend.run("DELETE FROM vectors WHERE seq = 3 AND passage = 0")
        assert store.repair(silent) == [
            "words, keys and supports of 3 memories",
            "counts of 1 users",
            "1 vectors dropped that belonged to nothing, or had lost others of theirs",
            "1 memories wait for vectors again",
        ]
        assert [(m.id, has) for m, has in store.unembedded(limit=9)] == [("3", 0)]
        near = store.candidates(ANN, (), EAST, where=Filter(), limit=9).evidence
        assert {e.id for e in near if e.similarity is not None} == {"1", "2"}


def test_to_repair_what_is_sound_changes_nothing_and_tells_how_far_it_is(
    backend: Backend, memories: list[Memory]
) -> None:
    told: list[tuple[int, int | None]] = []
    with closing(backend.open()) as store:
        before = [found(store, "tea"), store.every("acme", after="", limit=9)]
        store.repair(lambda done, total: told.append((done, total)))
        assert [found(store, "tea"), store.every("acme", after="", limit=9)] == before
        assert store.unembedded(limit=9) == []
    assert told == [(1, 3), (2, 3), (3, 3)]


CHAINS = {
    "superseded and current": (
        "UPDATE memories SET superseded_by = '2' WHERE id = '1'",
        "memory '1' is superseded and still counts as current",
    ),
    "in a circle": (
        """UPDATE memories SET superseded_by = CASE id WHEN '1' THEN '2' ELSE '1' END,
        retired_at = created_at WHERE id IN ('1', '2')""",
        "is superseded by itself, in a circle",
    ),
    "two heads": (
        "UPDATE memories SET supersedes = '1' WHERE id IN ('2', '3')",
        "several current memories took the place of '1'",
    ),
    "superseded by nothing": (
        "UPDATE memories SET superseded_by = 'x', retired_at = created_at WHERE id = '1'",
        "memory '1' is superseded by one that does not exist",
    ),
}


@pytest.mark.parametrize(("sql", "told"), CHAINS.values(), ids=CHAINS)
def test_a_chain_has_one_head_and_an_end(
    backend: Backend, memories: list[Memory], sql: str, told: str
) -> None:
    backend.run(sql)
    with closing(backend.open()) as store:
        assert any(told in problem for problem in store.problems())


def test_a_long_chain_is_in_order(backend: Backend) -> None:
    with closing(backend.open()) as store:
        last = a_memory("0000", content="port 0")
        put(store, last)
        for number in range(1, 50):
            gone, last = superseded(last, a_memory(f"{number:04}", content=f"port {number}"))
            put(store, gone, last)
        assert store.problems() == []


def test_one_that_was_restored_may_stand_beside_its_successor(
    backend: Backend, memories: list[Memory]
) -> None:
    backend.run("UPDATE memories SET supersedes = '1' WHERE id IN ('2', '3')")
    backend.run("UPDATE revisions SET operation = 'restored' WHERE memory_id = '3'")
    with closing(backend.open()) as store:
        assert not any("several" in problem for problem in store.problems())


def test_evidence_that_is_not_there_is_named(backend: Backend, memories: list[Memory]) -> None:
    with closing(backend.open()) as store:
        assert store.unresolved() == []
        put(store, a_memory("4", evidence=("1", "gone")))
        assert store.unresolved() == ["4"]
        assert store.problems() == []


def test_rivals_are_few_however_many_there_are(backend: Backend) -> None:
    with closing(backend.open()) as store:
        cities = [a_memory(f"{n:02}", content=f"我住在{n}号城市") for n in range(20)]
        put(store, *(replace(each, tags=frozenset({"home"})) for each in cities))
        groups = [[m.id for m in group] for group in store.rivals()]
    newest = [f"{n:02}" for n in range(4, 20)]
    assert newest in groups
    assert max(map(len, groups)) == 16


def test_rivals_are_current_memories_about_the_same(backend: Backend) -> None:
    with closing(backend.open()) as store:
        put(store, a_memory("1", content="我住在北京"), a_memory("2", content="我住在上海"))
        put(store, a_memory("3", content="我住在广州", user_id="bob"), a_memory("4"))
        put(store, a_memory("5", content="我住在成都", retired_at=NOON))
        assert [[m.id for m in group] for group in store.rivals()] == [["1", "2"]]
