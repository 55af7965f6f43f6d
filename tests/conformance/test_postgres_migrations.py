"""Tables that are made, brought up to date and refused; servers of two releases side by side."""

from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager

import psycopg
import pytest

from hindsight_memory.errors import Incompatible, Unavailable
from hindsight_memory.stores.postgres.migrating import Migration, known, migrate
from hindsight_memory.stores.postgres.queries import Connection
from hindsight_memory.stores.postgres.store import PostgresStore
from hindsight_memory.testing.postgres_server import SERVING, Place, PostgresProcess
from hindsight_memory.testing.samples import MODEL, a_memory, put

ADD = Migration(90, "pre", "ALTER TABLE memories ADD COLUMN mood text")
MOVE = Migration(91, "pre", "ALTER TABLE memories ADD COLUMN temper text")
REMOVE = Migration(90, "post", "ALTER TABLE memories DROP COLUMN scene")
FAIL = Migration(92, "pre", "ALTER TABLE memories ADD COLUMN last text; SELECT 1 / 0")


@pytest.fixture
def empty(postgres: PostgresProcess) -> Iterator[Place]:
    """A database without tables, and without pgvector."""
    place = postgres.new_database(template="template1")
    yield place
    postgres.drop(place)


@pytest.fixture
def tables(postgres: PostgresProcess) -> Iterator[Place]:
    """One to be migrated further."""
    place = postgres.new_database()
    yield place
    postgres.drop(place)


@contextmanager
def connected(url: str) -> Iterator[Connection]:
    with psycopg.connect(url, autocommit=True) as connection:
        yield connection


def extend(place: Place) -> None:
    with connected(place.superuser_url) as db:
        db.execute("CREATE EXTENSION vector")


def columns(place: Place) -> set[str]:
    with connected(place.superuser_url) as db:
        found = db.execute(
            "SELECT column_name FROM information_schema.columns WHERE table_name = 'memories'"
        ).fetchall()
    return {name for (name,) in found}


def test_migrations_are_numbered_and_each_begins_with_what_it_adds() -> None:
    numbers = [each.number for each in known() if each.half == "pre"]
    assert numbers == list(range(1, len(numbers) + 1))
    assert [each.number for each in known() if each.number not in numbers] == []


@pytest.mark.parametrize("attempt", range(2))
def test_many_servers_may_start_at_once_on_an_empty_database(empty: Place, attempt: int) -> None:
    extend(empty)

    def start(number: int) -> None:
        with closing(
            PostgresStore.open(empty.url, admin_url=empty.admin_url, fingerprint=MODEL)
        ) as store:
            put(store, a_memory(str(number)))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(start, range(6)))
    with closing(PostgresStore.open(empty.url, fingerprint=MODEL)) as store:
        assert [each.id for each in store.every("acme", after="", limit=9)] == list("012345")
        assert store.problems() == []


def test_one_role_may_be_all_there_is(empty: Place) -> None:
    extend(empty)
    with closing(PostgresStore.open(empty.admin_url, fingerprint=MODEL)) as store:
        put(store, a_memory())
        assert store.problems() == []


def test_a_role_that_may_make_no_tables_is_told_which_setting_helps(empty: Place) -> None:
    extend(empty)
    with pytest.raises(Unavailable, match=r"permission denied .*HINDSIGHT_MEMORY_STORE_ADMIN_URL"):
        PostgresStore.open(empty.url)


def test_without_pgvector_it_is_said_how_to_add_it(empty: Place) -> None:
    with pytest.raises(Unavailable, match="let a superuser run: CREATE EXTENSION vector"):
        PostgresStore.open(empty.url, admin_url=empty.admin_url)


def test_a_superuser_adds_pgvector(empty: Place) -> None:
    with closing(PostgresStore.open(empty.url, admin_url=empty.superuser_url)) as store:
        put(store, a_memory())
        assert store.walls()[0] == "ok"


def test_who_starts_when_all_is_up_to_date_needs_no_owner_and_writes_nothing(place: Place) -> None:
    with connected(place.url) as db:
        db.execute("SET default_transaction_read_only = on")
        migrate(db, SERVING, known())


def test_what_a_newer_release_added_does_not_keep_this_one_from_working(tables: Place) -> None:
    with connected(tables.admin_url) as db:
        migrate(db, SERVING, [*known(), ADD])
    assert "mood" in columns(tables)
    with closing(PostgresStore.open(tables.url, fingerprint=MODEL)) as store:
        put(store, a_memory())
        assert store.problems() == []


def test_what_a_release_takes_away_goes_when_the_next_one_starts(tables: Place) -> None:
    with connected(tables.admin_url) as db:
        migrate(db, SERVING, [*known(), ADD, REMOVE])
        assert "scene" in columns(tables)
        migrate(db, SERVING, [*known(), ADD, REMOVE, MOVE])
    assert "scene" not in columns(tables)
    assert {"mood", "temper"} < columns(tables)


def test_a_server_whose_needs_were_taken_away_is_refused(tables: Place) -> None:
    with connected(tables.admin_url) as db:
        migrate(db, SERVING, [*known(), ADD, REMOVE, MOVE])
    ours = max(each.number for each in known())
    told = f"has format 90, and this version reads up to {ours}; upgrade"
    with pytest.raises(Incompatible, match=told):
        PostgresStore.open(tables.url)


def test_a_migration_that_fails_leaves_all_as_it_was(tables: Place) -> None:
    before = columns(tables)
    with connected(tables.admin_url) as db:
        with pytest.raises(psycopg.errors.DivisionByZero):
            migrate(db, SERVING, [*known(), ADD, FAIL])
        assert columns(tables) == before
        migrate(db, SERVING, [*known(), ADD])
    assert columns(tables) == before | {"mood"}


def test_a_new_role_gets_what_it_needs(tables: Place, postgres: PostgresProcess) -> None:
    with connected(tables.superuser_url) as db:
        db.execute('CREATE ROLE "second role" LOGIN')
    url = tables.url.replace("serving@", "second%20role@")
    with closing(PostgresStore.open(url, admin_url=tables.admin_url, fingerprint=MODEL)) as store:
        put(store, a_memory())
        assert store.problems() == []


def test_tables_of_another_program_are_left_as_they_are(empty: Place) -> None:
    extend(empty)
    with connected(empty.admin_url) as db:
        db.execute("CREATE TABLE sessions (theirs text)")
        db.execute("INSERT INTO sessions VALUES ('kept')")
        with pytest.raises(Incompatible, match=r'tables of another program: .*"sessions"'):
            PostgresStore.open(empty.url, admin_url=empty.admin_url)
        assert db.execute("SELECT theirs FROM sessions").fetchall() == [("kept",)]
        assert columns(empty) == set()


def test_tables_may_have_a_schema_of_their_own(tables: Place) -> None:
    with connected(tables.superuser_url) as db:
        db.execute("CREATE SCHEMA elsewhere AUTHORIZATION owner")
    there = "&options=-csearch_path%3Delsewhere,public"
    with closing(
        PostgresStore.open(
            tables.url + there, admin_url=tables.admin_url + there, fingerprint=MODEL
        )
    ) as store:
        put(store, a_memory())
        assert store.problems() == []
    with closing(PostgresStore.open(tables.url)) as store:
        assert store.every("acme", after="", limit=9) == []
