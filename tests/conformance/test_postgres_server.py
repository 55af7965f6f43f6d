"""What befalls a server: it comes late, is restarted, refuses, is slow; many write at once."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from functools import partial
from threading import Barrier, Event

import psycopg
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hindsight_memory import Hindsight
from hindsight_memory.core.model import Scope
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.errors import Conflict, HindsightError, InvalidInput, Unavailable
from hindsight_memory.stores.postgres.database import TRIES, Database, Limits
from hindsight_memory.stores.postgres.queries import Running
from hindsight_memory.stores.postgres.store import PostgresStore
from hindsight_memory.stores.statements import Statements
from hindsight_memory.testing.postgres_server import Place, PostgresProcess
from hindsight_memory.testing.samples import ANN, MODEL, a_memory, fresh_tenant, on_one_store, put

RAISED = "DO $$ BEGIN RAISE EXCEPTION 'undone' USING ERRCODE = '{code}'; END $$"

COMMAND_LINE = "from hindsight_memory.interfaces.cli.main import main; main()"


@pytest.fixture(scope="module")
def own(postgres: PostgresProcess) -> Iterator[PostgresProcess]:
    """One to be stopped; it takes seconds to make. It writes as a server does."""
    with PostgresProcess(is_hasty=False) as own:
        yield own


@pytest.fixture
def database(place: Place) -> Iterator[Database]:
    database = Database(place.url, Limits(connections=2, wait_seconds=0.2, statement_seconds=1.0))
    database.open()
    with closing(database):
        yield database


@pytest.fixture
def store(place: Place) -> Iterator[PostgresStore]:
    with closing(PostgresStore.open(place.url, fingerprint=MODEL)) as store:
        yield store


def run_text(db: Statements, text: str) -> None:
    assert isinstance(db, Running)
    db.run_text(text, {})


def test_a_server_that_comes_late_is_waited_for_and_the_log_says_so(own: PostgresProcess) -> None:
    place = own.new_database()
    own.stop()
    command = [sys.executable, "-c", COMMAND_LINE, "list"]
    settings = {
        "HINDSIGHT_MEMORY_STORE_URL": place.url,
        "HINDSIGHT_MEMORY_EMBEDDER": "none",
        "HINDSIGHT_MEMORY_LOG_FORMAT": "json",
    }
    with subprocess.Popen(
        command, env=os.environ | settings, stderr=subprocess.PIPE, stdout=subprocess.PIPE
    ) as waiting:
        assert waiting.stderr is not None
        told = waiting.stderr.readline().decode()
        own.start()
        assert waiting.wait(timeout=60) == 0
    assert '"waiting_for_postgresql"' in told
    assert '"seconds_left": 60' in told
    assert "Is the server running" in told


def test_a_server_that_never_comes_is_given_up(place: Place) -> None:
    soon = Limits(connect_seconds=0)
    with pytest.raises(Unavailable, match=r"does not answer: .*Is the server running"):
        PostgresStore.open("postgresql://memory@127.0.0.1:1/memory", limits=soon)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (("serving@", "nobody@"), 'role "nobody" does not exist'),
        (("?host=", "-not?host="), r"database .* does not exist"),
    ],
)
def test_what_waiting_does_not_help_ends_at_once(
    place: Place, change: tuple[str, str], said: str
) -> None:
    with pytest.raises(Unavailable, match=said):
        PostgresStore.open(place.url.replace(*change), limits=Limits(connect_seconds=600))


def test_what_is_no_address_is_refused(place: Place) -> None:
    with pytest.raises(InvalidInput, match="HINDSIGHT_MEMORY_STORE_URL: invalid"):
        PostgresStore.open("postgresql://host/memory?no_such_option=1")


def test_a_restart_in_immediate_mode_loses_nothing_that_was_acknowledged(
    own: PostgresProcess,
) -> None:
    place = own.new_database()
    acknowledged: list[str] = []
    enough, resumed = Event(), Event()
    with closing(PostgresStore.open(place.url, fingerprint=MODEL)) as store:

        def write(writer: int) -> None:
            for number in range(125):
                if resumed.is_set() or not enough.is_set() or resumed.wait(timeout=60):
                    write_one(store, f"{writer}-{number:03}", acknowledged)
                if len(acknowledged) > 100:
                    enough.set()

        with ThreadPoolExecutor(4) as pool:
            writers = [pool.submit(write, writer) for writer in range(4)]
            assert enough.wait(timeout=60)
            own.stop("immediate")
            own.start()
            resumed.set()
            for writer in writers:
                writer.result()
        kept = {memory.id for memory in store.every("acme", after="", limit=1000)}
        assert set(acknowledged) - kept == set()
        assert len(acknowledged) > 400
        assert len(kept) - len(acknowledged) <= 4  # of which nobody knew
        assert store.problems() == []


def write_one(store: PostgresStore, name: str, acknowledged: list[str]) -> None:
    try:
        put(store, a_memory(name))
    except Unavailable:
        return
    acknowledged.append(name)


def test_connections_that_died_in_the_pool_are_replaced(place: Place) -> None:
    with closing(PostgresStore.open(place.url, limits=Limits(connections=3))) as store:
        put(store, a_memory())
        barrier = Barrier(3)

        def hold(_: int) -> None:
            with store._database.snapshot("acme"):
                barrier.wait(timeout=60)

        with ThreadPoolExecutor(3) as pool:
            list(pool.map(hold, range(3)))
        with psycopg.connect(place.superuser_url) as db:
            killed = db.execute(
                "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
                " WHERE usename = 'serving' AND datname = current_database()"
            ).fetchall()
        assert killed == [(True,)] * 3
        put(store, a_memory("m2"))
        assert [memory.id for memory in store.get(ANN, ["m1", "m2"])] == ["m1", "m2"]


@pytest.mark.parametrize("code", ["40001", "40P01"], ids=["serialization", "deadlock"])
def test_what_the_server_undoes_because_of_others_is_done_again(
    database: Database, code: str
) -> None:
    tries = 0

    def work(db: Statements) -> str:
        nonlocal tries
        tries += 1
        db.change("new_scope", {"tenant": "acme", "user_id": f"user {tries}"})
        if tries < 3:
            run_text(db, RAISED.format(code=code))
        return "done"

    assert database.write("acme", work) == "done"
    of_acme = {"tenant": "acme", "after": "", "limit": 9}
    assert database.rows("acme", "users", of_acme) == [("user 3",)]


def test_what_is_undone_every_time_is_a_conflict(database: Database) -> None:
    tries = []

    def work(db: Statements) -> None:
        tries.append(1)
        run_text(db, RAISED.format(code="40001"))

    with pytest.raises(Conflict, match="other writers"):
        database.write("acme", work)
    assert len(tries) == TRIES


def test_of_two_that_wait_for_each_other_both_come_to_their_end(place: Place) -> None:
    patient = Database(place.url, Limits(connections=2))
    patient.open()
    both_hold_one = Barrier(2)

    def work(*users: str) -> Callable[[Statements], None]:
        tries = []

        def count(db: Statements) -> None:
            tries.append(1)
            for user_id in users:
                given = {"tenant": "acme", "user_id": user_id, "documents": 1, "terms": 0}
                db.change("count_terms", given)
                if len(tries) == 1 and user_id == users[0]:
                    both_hold_one.wait(timeout=60)

        return count

    with closing(patient):
        for user_id in ("ann", "bob"):
            patient.write("acme", partial(made, user_id=user_id))
        with ThreadPoolExecutor(2) as pool:
            ends = [
                pool.submit(patient.write, "acme", work(*users))
                for users in (("ann", "bob"), ("bob", "ann"))
            ]
            assert [end.result() for end in ends] == [None, None]
        counted = patient.rows("acme", "scope", {"tenant": "acme", "user_id": "ann"})
        assert counted[0][1] == 2


def made(db: Statements, user_id: str) -> None:
    db.change("new_scope", {"tenant": "acme", "user_id": user_id})


def slow(db: Statements) -> None:
    run_text(db, "SELECT pg_sleep(60)")


def held(database: Database) -> Callable[[Statements], None]:
    def work(db: Statements) -> None:
        made(db, "ann")
        database.write("acme", partial(made, user_id="ann"))

    return work


def exhausted(database: Database) -> None:
    with ExitStack() as opened:
        for _ in range(3):
            opened.enter_context(database.snapshot("acme"))


@pytest.mark.parametrize(
    ("use", "said"),
    [
        (lambda database: database.write("acme", slow), "stopped by a timeout"),
        (lambda database: database.write("acme", held(database)), "is writing the same"),
        (exhausted, "no connection to PostgreSQL is free"),
    ],
    ids=["statement", "lock", "pool"],
)
def test_no_call_waits_for_ever(
    database: Database, use: Callable[[Database], object], said: str
) -> None:
    with pytest.raises(Unavailable, match=said):
        use(database)


def test_work_for_all_tenants_may_take_its_time(database: Database) -> None:
    database.write(None, lambda db: run_text(db, "SELECT pg_sleep(1.1)"))


@pytest.mark.parametrize("field", ["content", "project", "session_id"])
def test_a_nul_is_refused_and_says_what_it_is(store: PostgresStore, field: str) -> None:
    with pytest.raises(InvalidInput, match="no text with a NUL"):
        put(store, a_memory(**{field: "a\0b"}))


TEXTS = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), min_size=1)


@given(content=TEXTS)
@example("100 %s of %(id)s :tenant $1 \\' {1} /* wanted */ -- \u2028")
@on_one_store
def test_any_other_text_comes_back_letter_by_letter(store: PostgresStore, content: str) -> None:
    tenant = fresh_tenant()
    put(store, a_memory(tenant, tenant=tenant, content=content))
    [found] = store.get(Scope(tenant, None, None), [tenant])
    assert found.content == content


def test_two_servers_leave_one_head_of_one_subject(place: Place) -> None:
    with ExitStack() as opened:
        servers = [
            opened.enter_context(Hindsight.open(place.url, embedder="hashing:64")) for _ in range(2)
        ]
        both = Barrier(8)

        def write(number: int) -> str:
            both.wait(timeout=60)
            try:
                content = f"The billing API listens on port {8000 + number}"
                return servers[number % 2].write(content, tags=["port"]).outcome.value
            except HindsightError as error:
                return error.code

        with ThreadPoolExecutor(8) as pool:
            told = list(pool.map(write, range(8)))
        store = servers[0].memories.parts.store
        current = store.page(Scope("default", None, None), Filter(), before=None, limit=99)
        assert len(current) == 1
        assert set(told) <= {"stored", "superseded", "conflict"}
        assert store.problems() == []
