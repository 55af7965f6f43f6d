"""How PostgreSQL answers: by indexes, as exactly as an exact search, ranked as the ranking does."""

from collections.abc import Iterator
from contextlib import closing
from typing import Any

import numpy as np
import psycopg
import pytest

from hindsight_memory.core.model import Scope, Tier, Vector
from hindsight_memory.core.relevance import bm25, rarities
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postgres.database import Database, Limits
from hindsight_memory.stores.postgres.queries import QUERIES, text
from hindsight_memory.stores.postgres.store import PostgresStore
from hindsight_memory.stores.postgres.vectors import PgVectors
from hindsight_memory.testing.postgres_server import Place
from hindsight_memory.testing.samples import ANN, EAST, MODEL, a_memory, embedded, put, some_changes

MANY, DIMENSIONS, TOP = 1_000, 32, 10
OWNERS = (ANN, Scope("acme", "bob", "ada"), Scope("other", "ann", "ada"))
FILTERS = {
    "none": Filter(),
    "a fifth": Filter(tags=frozenset({"fifth"})),
    "a hundredth": Filter(tags=frozenset({"hundredth"})),
    "two of a thousand": Filter(session_id="s1"),
}


@pytest.fixture
def store(place: Place) -> Iterator[PostgresStore]:
    with closing(PostgresStore.open(place.url, fingerprint=MODEL)) as store:
        yield store


def opened(place: Place, *, exact: int) -> PostgresStore:
    database = Database(place.url, Limits(connections=1))
    database.open()
    return PostgresStore(database, PgVectors(MODEL, exact=exact), fingerprint=MODEL)


def random_vectors(count: int, seed: int) -> list[Vector]:
    """Near to one of twenty directions, as what people talk about is."""
    rng = np.random.default_rng(seed)
    topics = np.random.default_rng(0).standard_normal((20, DIMENSIONS))
    rows = topics[rng.integers(20, size=count)] + rng.standard_normal((count, DIMENSIONS))
    return list((rows / np.linalg.norm(rows, axis=1, keepdims=True)).astype("f4"))


def fill(store: PostgresStore) -> None:
    for seed, scope in enumerate(OWNERS, start=1):
        found = [
            a_memory(
                f"{seed}-{number:04}",
                tenant=scope.tenant,
                user_id=scope.user_id,
                session_id="s1" if number in {3, 700} else "",
                tags=frozenset({"fifth"} if number % 5 == 0 else ())
                | frozenset({"hundredth"} if number % 100 == 0 else ()),
            )
            for number in range(MANY)
        ]
        vectors = zip(found, random_vectors(MANY, seed), strict=True)
        passages = tuple(embedded(memory, vector) for memory, vector in vectors)
        store.apply(some_changes(*found, tenant=scope.tenant, passages=passages))


def near(store: PostgresStore, scope: Scope, where: Filter, query: Vector) -> list[str]:
    found = store.candidates(scope, (), query, where=where, limit=TOP).evidence
    return [each.id for each in sorted(found, key=lambda each: -(each.similarity or 0))]


def test_the_index_finds_what_an_exact_search_finds_also_under_filters(place: Place) -> None:
    """Of those of one user among three times as many."""
    with closing(opened(place, exact=0)) as indexed, closing(opened(place, exact=9_999)) as exact:
        fill(indexed)
        for name, where in FILTERS.items():
            shares = []
            for scope in OWNERS:
                for query in random_vectors(10, seed=99):
                    wanted = near(exact, scope, where, query)
                    assert len(wanted) == min(TOP, 2 if name == "two of a thousand" else TOP)
                    found = near(indexed, scope, where, query)
                    shares.append(len(set(found) & set(wanted)) / len(wanted))
            assert float(np.mean(shares)) >= 0.99, name


def test_what_is_found_by_the_index_is_compared_exactly(place: Place) -> None:
    """The index holds half precision."""
    with closing(opened(place, exact=0)) as indexed, closing(opened(place, exact=9_999)) as exact:
        fill(indexed)
        [query] = random_vectors(1, seed=98)
        one, other = (
            store.candidates(ANN, (), query, where=Filter(), limit=TOP).evidence
            for store in (indexed, exact)
        )
    assert one == other


def test_the_best_by_words_are_those_that_the_ranking_takes_for_the_best(
    store: PostgresStore,
) -> None:
    chance = np.random.default_rng(5)
    words = [f"w{number}" for number in range(12)]
    found = [
        a_memory(
            f"{number:03}", content=" ".join([*chance.choice(words, 1 + number % 30), f"x{number}"])
        )
        for number in range(80)
    ]
    put(store, *found, vector=None)
    asked = ["w1", "w5", "w11", "absent"]
    everything = store.candidates(ANN, asked, None, where=Filter(), limit=80)
    known = rarities(everything.statistics.document_counts, everything.statistics)
    average = everything.statistics.average_terms
    ranked = sorted(everything.evidence, key=lambda each: -bm25(each, known, average))
    for limit in (1, 5, 20):
        best = store.candidates(ANN, asked, None, where=Filter(), limit=limit).evidence
        assert {each.id for each in best} == {each.id for each in ranked[:limit]}


WHERE = Filter(session_id="s1", tiers=frozenset(Tier))
SEARCHES: dict[str, dict[str, Any]] = {
    "get": {"ids": '["m1"]'},
    "page": {"before": None, "limit": 9},
    "calls": {"tool": "t", "limit": 9},
    "kin": {"keys": '["k1"]', "exact_project": "", "id": "m1", "limit": 9},
    "dependants": {"ids": '["m1"]'},
    "document_counts": {"terms": '["tea"]'},
    "by_words": {"rarities": '{"tea": 1}', "average": 1, "k1": 1, "b": 1, "scope": 1, "depth": 9},
    "nearest": {"scope": 1, "model": 1, "query": [1, 0], "depth": 9},
    "nearest_wanted": {"scope": 1, "model": 1, "query": [1, 0]},
    "nearness": {"scope": 1, "model": 1, "query": [1, 0], "seqs": "[1]"},
    "beside": {"seqs": "[1]"},
    "evidence": {"seqs": "[1]", "reach": 2},
    "term_counts": {"scope": 1, "terms": '["tea"]', "seqs": "[1]"},
}


def plan(place: Place, query: str, args: dict[str, Any]) -> str:
    """Of the serving role, where an index may cost what it likes."""
    with psycopg.connect(place.url) as db:
        db.execute("SELECT set_config('hindsight_memory.tenant', 'acme', true)")
        db.execute("SET enable_seqscan = off")
        rows = db.execute(text(f"EXPLAIN {query}"), args).fetchall()
    return "\n".join(line for (line,) in rows)


@pytest.mark.parametrize("name", SEARCHES)
def test_no_query_of_a_search_reads_a_whole_table(
    store: PostgresStore, place: Place, name: str
) -> None:
    put(store, a_memory(session_id="s1"))
    wanted = Wanted.by(QUERIES, ANN, WHERE)
    told = plan(place, wanted.query(name), {**wanted.args, **SEARCHES[name]})
    assert "Index" in told
    assert "Seq Scan" not in told


def test_a_large_scope_is_searched_by_the_index_of_its_model(
    store: PostgresStore, place: Place
) -> None:
    put(store, a_memory(), vector=EAST)
    wanted = Wanted.by(QUERIES, ANN, Filter())
    query = wanted.query("nearest_indexed")
    query = query.replace("/* model */", "1").replace("/* dimensions */", "2")
    args = {**wanted.args, "scope": 1, "query": EAST.tolist(), "depth": 9}
    with psycopg.connect(place.superuser_url) as db:
        db.execute("DROP INDEX vectors_by_scope")
    told = plan(place, query, args)
    with psycopg.connect(place.superuser_url) as db:
        db.execute("CREATE INDEX vectors_by_scope ON vectors (tenant, scope, model)")
    assert "vectors_near_1" in told


def test_more_dimensions_than_an_index_can_have_are_all_compared(place: Place) -> None:
    wide = np.zeros(4_096, dtype="f4")
    wide[0] = 1
    with closing(opened(place, exact=0)) as store:
        memory = a_memory()
        store.apply(some_changes(memory, passages=(embedded(memory, wide),)))
        [found] = store.candidates(ANN, (), wide, where=Filter(), limit=9).evidence
    assert found.similarity == pytest.approx(1.0, abs=1e-6)
