"""PostgreSQL keeps tenants apart by itself, whatever is asked of it."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from typing import Any

import psycopg
import pytest
from psycopg import sql

from hindsight_memory.core.changes import Injection, Rejection
from hindsight_memory.core.model import Scope
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.errors import Conflict
from hindsight_memory.stores.postgres.database import Database, Limits
from hindsight_memory.stores.postgres.store import PostgresStore
from hindsight_memory.stores.postgres.vectors import PgVectors
from hindsight_memory.testing.job_suite import a_job
from hindsight_memory.testing.postgres_server import Place
from hindsight_memory.testing.samples import (
    ANN,
    EAST,
    MODEL,
    NOON,
    a_memory,
    a_recall,
    a_receipt,
    put,
    some_changes,
    toward,
)
from hindsight_memory.testing.session_suite import a_session

NOBODY = frozenset[str]()
OTHER = Scope("other", "ann", "ada")


@pytest.fixture
def store(place: Place) -> Iterator[PostgresStore]:
    """With one connection, which every call gets. Two tenants have rows in every table."""
    with psycopg.connect(place.superuser_url) as db:
        db.execute("INSERT INTO feeding VALUES (1)")  # else its outbox stays empty
    one = Limits(connections=1)
    with closing(PostgresStore.open(place.url, fingerprint=MODEL, limits=one)) as store:
        fill(store, "acme", toward(0.9))
        fill(store, "other", EAST)
        yield store


def fill(store: PostgresStore, tenant: str, vector: Any) -> None:
    names = [f"{tenant}-{number}" for number in range(3)]
    found = [
        a_memory(name, tenant=tenant, content=f"tea {name}", evidence=("e",)) for name in names
    ]
    put(store, *found, vector=vector)
    put(store, a_memory(f"{tenant}-x", tenant=tenant), vector=None)
    kept = some_changes(
        tenant=tenant,
        receipt=a_receipt(),
        recall=a_recall(tenant=tenant),
        injections=(
            Injection(user_id="ann", session_id="s", memory_id=names[0], digest="d", at=NOON),
        ),
        rejections=(Rejection(key="k", user_id="ann", memory_id="m", trust=1.0, at=NOON),),
    )
    store.apply(kept)
    store.working.put(replace(a_session(), tenant=tenant))
    store.jobs.put(a_job(tenant=tenant))


def tables(place: Place) -> list[str]:
    """Those with a column that says whose a row is."""
    with psycopg.connect(place.superuser_url) as db:
        found = db.execute(
            "SELECT DISTINCT table_name FROM information_schema.columns"
            " WHERE column_name = 'tenant' AND table_schema = 'public' ORDER BY 1"
        ).fetchall()
    return [name for (name,) in found]


def seen(db: psycopg.Connection[Any], place: Place) -> dict[str, set[str]]:
    """Whose rows there are, by table."""
    names = tables(place)
    return {
        name: {
            tenant
            for (tenant,) in db.execute(
                sql.SQL("SELECT DISTINCT tenant FROM {}").format(sql.Identifier(name))
            ).fetchall()
        }
        for name in names
    }


@pytest.mark.usefixtures("store")
class TestByItself:
    def test_every_table_of_tenants_forces_row_level_security(self, place: Place) -> None:
        with psycopg.connect(place.superuser_url) as db:
            forced = db.execute(
                "SELECT relname FROM pg_class WHERE relrowsecurity AND relforcerowsecurity"
            ).fetchall()
        assert set(tables(place)) - {name for (name,) in forced} == set()
        assert {"memories", "vectors", "postings", "audit", "sessions"} < set(tables(place))

    def test_the_test_itself_fills_every_table(self, place: Place) -> None:
        with psycopg.connect(place.superuser_url) as db:
            assert seen(db, place) == dict.fromkeys(tables(place), frozenset({"acme", "other"}))

    @pytest.mark.parametrize("role", ["url", "admin_url"])
    def test_without_a_tenant_there_are_no_rows(self, place: Place, role: str) -> None:
        with psycopg.connect(getattr(place, role)) as db:
            assert seen(db, place) == dict.fromkeys(tables(place), NOBODY)

    @pytest.mark.parametrize("nobody", ["", "nobody", "%", "acme' OR 'a' = 'a"])
    def test_for_a_tenant_that_there_is_not_there_are_no_rows(
        self, place: Place, nobody: str
    ) -> None:
        with psycopg.connect(place.url) as db:
            be(db, nobody)
            assert seen(db, place) == dict.fromkeys(tables(place), NOBODY)

    def test_a_tenant_sees_its_own_rows_in_every_table(self, place: Place) -> None:
        with psycopg.connect(place.url) as db:
            be(db, "acme")
            assert seen(db, place) == dict.fromkeys(tables(place), frozenset({"acme"}))

    def test_a_tenant_changes_and_removes_only_its_own_rows(self, place: Place) -> None:
        with psycopg.connect(place.url) as db:
            be(db, "acme")
            assert db.execute("UPDATE memories SET heat = 0").rowcount == 4
            assert db.execute("DELETE FROM jobs").rowcount == 1
        with psycopg.connect(place.superuser_url) as db:
            assert db.execute("SELECT DISTINCT tenant FROM jobs").fetchall() == [("other",)]

    @pytest.mark.parametrize(
        "statement",
        [
            "INSERT INTO scopes (tenant, user_id) VALUES ('other', 'mallory')",
            "UPDATE scopes SET tenant = 'other'",
        ],
    )
    def test_a_tenant_gives_no_row_to_another(self, place: Place, statement: str) -> None:
        with psycopg.connect(place.url) as db:
            be(db, "acme")
            with pytest.raises(psycopg.errors.InsufficientPrivilege, match="row-level security"):
                db.execute(statement.encode())

    @pytest.mark.parametrize(
        "statement",
        [
            "ALTER TABLE memories DISABLE ROW LEVEL SECURITY",
            "DROP POLICY of_tenant ON memories",
            "CREATE TABLE mine (a text)",
            "TRUNCATE memories CASCADE",
        ],
    )
    def test_the_serving_role_can_change_nothing_of_that(
        self, place: Place, statement: str
    ) -> None:
        with (
            psycopg.connect(place.url) as db,
            pytest.raises(psycopg.errors.InsufficientPrivilege),
        ):
            db.execute(statement.encode())

    def test_a_search_by_vector_never_leaves_the_tenant(self, place: Place) -> None:
        """Those of another are nearer, and nothing but the policy holds them back."""
        with psycopg.connect(place.url) as db:
            be(db, "acme")
            near = "SELECT tenant FROM vectors ORDER BY embedding <=> '[1,0]' LIMIT 10"
            assert db.execute(near.encode()).fetchall() == [("acme",)] * 3

    def test_nor_does_it_by_the_index(self, place: Place) -> None:
        with psycopg.connect(place.url) as db:
            be(db, "acme")
            db.execute("SET enable_seqscan = off")
            db.execute("SET enable_sort = off")
            db.execute("SET hnsw.iterative_scan = strict_order")
            near = (
                "SELECT tenant FROM vectors WHERE model = 1"
                " ORDER BY embedding::halfvec(2) <#> '[1,0]'::halfvec(2) LIMIT 10"
            )
            plan = str(db.execute(f"EXPLAIN {near}".encode()).fetchall())
            assert "vectors_near_1" in plan
            assert db.execute(near.encode()).fetchall() == [("acme",)] * 3


def be(db: psycopg.Connection[Any], tenant: str) -> None:
    db.execute("SELECT set_config('hindsight_memory.tenant', %s, true)", (tenant,))


@pytest.mark.parametrize("exact", [0, 20_000], ids=["by the index", "exactly"])
def test_the_store_finds_those_of_the_tenant_only(
    store: PostgresStore, place: Place, exact: int
) -> None:
    database = Database(place.url, Limits(connections=1))
    database.open()
    with closing(PostgresStore(database, PgVectors(MODEL, exact=exact), fingerprint=MODEL)) as one:
        for scope in (ANN, OTHER):
            found = one.candidates(scope, ["tea"], EAST, where=Filter(), limit=10)
            assert [each.id for each in found.evidence] == [f"{scope.tenant}-{n}" for n in range(3)]


CALLS = {
    "a read": lambda store: store.get(ANN, ["acme-1"]),
    "a search": lambda store: store.candidates(ANN, ["tea"], EAST, where=Filter(), limit=3),
    "a write": lambda store: put(store, a_memory("new")),
    "work for all tenants": lambda store: store.problems(),
}


@pytest.mark.parametrize("call", CALLS.values(), ids=CALLS)
def test_a_pooled_connection_keeps_no_tenant(store: PostgresStore, place: Place, call: Any) -> None:
    call(store)
    assert_nobody(store, place)


def test_nor_does_it_after_a_failure(store: PostgresStore, place: Place) -> None:
    with pytest.raises(Conflict):
        put(store, a_memory("acme-1", content="new"))
    assert_nobody(store, place)


def assert_nobody(store: PostgresStore, place: Place) -> None:
    with store._database._pool.connection() as db:
        assert seen(db, place) == dict.fromkeys(tables(place), NOBODY)


@pytest.mark.parametrize(
    ("role", "state", "said"),
    [
        ("url", "ok", "'serving' cannot see rows of another"),
        ("admin_url", "note", "'owner' owns the tables"),
        ("superuser_url", "problem", "'postgres', which is a superuser"),
    ],
)
def test_it_is_told_how_well_a_role_is_kept_to_its_tenant(
    place: Place, role: str, state: str, said: str
) -> None:
    with closing(PostgresStore.open(getattr(place, role))) as store:
        told_state, told = store.walls()
    assert told_state == state
    assert said in told
