"""How SQLite answers: by indexes, from a cache of vectors, in one snapshot."""

from contextlib import closing
from pathlib import Path
from typing import Any

import apsw
import pytest

from hindsight_memory.core.model import Scope, Tier
from hindsight_memory.core.retrieval import Filter, Found
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.sqlite.queries import QUERIES
from hindsight_memory.stores.sqlite.search import ByWords, Search
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.samples import ANN, EAST, MODEL, NORTH, a_memory, changed, put, toward


def open_file(file: Path) -> SqliteStore:
    return SqliteStore.open(str(file), fingerprint=MODEL)


SEARCHES: dict[str, dict[str, Any]] = {
    "get": {"ids": '["m1"]'},
    "page": {"before": None, "limit": 9},
    "wanted_of": {"seqs": "[1]"},
    "all_wanted": {},
    "beside": {"seqs": "[1]"},
    "evidence": {"seqs": "[1]", "reach": 2},
    "kin": {"keys": '["k1"]', "exact_project": "", "id": "m1", "limit": 9},
    "calls": {"tool": "", "limit": 9},
    "injected": {},
    "purge_injections": {"ids": '["m1"]'},
    "same_content": {"identity": ""},
    "history": {"id": "m1"},
    "every": {"after": "", "limit": 9},
    "newer_vectors": {"scope": 1, "model": 1, "after": 0},
    "recall": {"id": "r1"},
    "receipt": {"key": "k1"},
    "accessed": {"ids": '["m1"]', "at": ""},
    "unlink": {"ids": '["m1"]'},
    "link_successor": {"id": "m1", "superseded_by": None},
}


@pytest.mark.parametrize("name", SEARCHES)
def test_no_query_reads_all_memories(file: Path, name: str) -> None:
    wanted = Wanted.by(QUERIES, ANN, Filter(session_id="s1", tiers=frozenset(Tier)))
    open_file(file).close()
    with closing(apsw.Connection(str(file))) as db:
        args = {**wanted.args, **SEARCHES[name]}
        plan = [row[-1] for row in db.execute("EXPLAIN QUERY PLAN " + wanted.query(name), args)]
    assert [step for step in plan if step.startswith("SCAN") and step.split()[1] in TABLES] == []
    assert [step for step in plan if step.startswith("SEARCH")] != []


TABLES = {"m", "c", "memories", "revisions", "vectors", "recalls", "receipts", "injections", "r"}


def test_a_searched_scope_makes_room_for_the_next(file: Path) -> None:
    with closing(open_file(file)) as store:
        store._cache._budget_bytes = 700  # two of them
        users = [Scope("acme", f"u{number}", None) for number in range(5)]
        for scope in users:
            put(store, a_memory(scope.user_id or "", user_id=scope.user_id))
            assert nearest(store, scope) == [(scope.user_id, 1.0)]
        assert list(store._cache._matrices) == [4, 5]
        assert nearest(store, users[0]) == [("u0", 1.0)]


def nearest(store: SqliteStore, scope: Scope = ANN) -> list[tuple[str, float | None]]:
    return ids_and_cosines(store.candidates(scope, (), EAST, where=Filter(), limit=9))


def ids_and_cosines(found: Found) -> list[tuple[str, float | None]]:
    return [(e.id, e.similarity and round(e.similarity, 5)) for e in found.evidence]


def test_a_search_keeps_to_its_snapshot_whatever_the_cache_has_seen_since(file: Path) -> None:
    with closing(open_file(file)) as store:
        put(store, a_memory("1"), vector=toward(0.6))
        with store._database.reading() as db:
            earlier = Search(db, store._cache, MODEL, Wanted.by(QUERIES, ANN, Filter()), 9)
            assert ids_and_cosines(earlier.run((), EAST)) == [("1", 0.6)]
            put(store, changed(a_memory("1"), content="new"), a_memory("2"), vector=NORTH)
            assert nearest(store) == [("1", 0.0), ("2", 0.0)]
            assert ids_and_cosines(earlier.run((), EAST)) == [("1", 0.6)]
        assert nearest(store) == [("1", 0.0), ("2", 0.0)]


def test_the_rarest_words_decide_alone_where_they_are_in_enough_memories(file: Path) -> None:
    contents = ("green tea", "black tea", "oolong tea", "oolong tea in a big pot")
    with closing(open_file(file)) as store:
        put(store, *(a_memory(str(n), content=text) for n, text in enumerate(contents, start=1)))
        with store._database.reading() as db:
            counts = {"1:tea": 4, "1:oolong": 2}
            assert ByWords(db, counts, enough=2).top(9) == ([3, 4], False)
            assert ByWords(db, counts, enough=3).top(9) == ([3, 4, 1, 2], True)
            assert ByWords(db, counts, enough=2).among({4, 2}) == [4, 2]
