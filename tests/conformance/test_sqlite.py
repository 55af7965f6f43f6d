"""SQLite meets the contract of a store, and what is its own."""

import os
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path

import apsw
import pytest

from hindsight_memory.core.model import Memory
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.errors import (
    Damaged,
    HindsightError,
    Incompatible,
    InvalidInput,
    Unavailable,
)
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.samples import (
    ANN,
    EAST,
    MODEL,
    a_memory,
    put,
)
from hindsight_memory.testing.store_suite import StoreSuite

NOBODY = 65534
MIGRATIONS = Path(__file__).parents[2] / "src/hindsight_memory/stores/sqlite/migrations"


class TestSqliteStore(StoreSuite):
    @pytest.fixture
    def open_store(self, file: Path) -> Iterator[Callable[[str], SqliteStore]]:
        with ExitStack() as opened:

            def open_store(fingerprint: str) -> SqliteStore:
                return opened.enter_context(closing(open_file(file, fingerprint)))

            yield open_store


def open_file(file: Path, fingerprint: str = MODEL, *, timeout: float = 30.0) -> SqliteStore:
    return SqliteStore.open(str(file), fingerprint=fingerprint, busy_timeout_seconds=timeout)


def a_filled(file: Path, count: int = 100) -> list[Memory]:
    """What is in the file, of many pages, that it makes."""
    memories = [a_memory(f"{number:03}", content=f"tea {number} 喝茶") for number in range(count)]
    with closing(open_file(file)) as store:
        put(store, *memories)
    return memories


def test_a_reopened_file_keeps_its_memories(file: Path) -> None:
    memories = a_filled(file)
    with closing(open_file(file)) as store:
        assert store.every("acme", after="", limit=1000) == memories
        found = store.candidates(ANN, ["7"], EAST, where=Filter(), limit=100)
        assert len(found.evidence) == 100
        assert found.statistics.document_counts == {"7": 1}
        assert store.problems() == []


def test_closing_leaves_one_file(file: Path) -> None:
    a_filled(file)
    assert [each.name for each in file.parent.iterdir()] == ["memory.db"]


def test_opening_waits_for_another_that_creates_the_file(file: Path) -> None:
    with closing(apsw.Connection(str(file))) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        with pytest.raises(Unavailable, match="locked"):
            open_file(file, timeout=0.2)
        assert time.monotonic() - began >= 0.2


def test_opening_a_file_changes_nothing_and_waits_for_nobody(file: Path) -> None:
    a_filled(file)
    before = file.read_bytes()
    with closing(apsw.Connection(str(file))) as other:
        other.execute("BEGIN IMMEDIATE")
        with closing(open_file(file, timeout=0.01)) as store:
            assert len(store.every("acme", after="", limit=1000)) == 100
    assert folder_of(file) == {"memory.db": before}


@pytest.mark.parametrize("attempt", range(5))
def test_many_may_open_a_new_file_at_once(file: Path, attempt: int) -> None:
    with ThreadPoolExecutor(8) as pool:
        stores = list(pool.map(open_file, [file] * 8))
    for number, store in enumerate(stores):
        put(store, a_memory(str(number)))
        store.close()
    with closing(open_file(file)) as store:
        assert [m.id for m in store.every("acme", after="", limit=9)] == list("01234567")


def test_an_empty_file_becomes_a_store(file: Path) -> None:
    file.touch()
    assert len(a_filled(file)) == 100


def test_what_is_acknowledged_is_on_the_disk(file: Path) -> None:
    with closing(open_file(file)) as store:
        writer = store._database._writer
        assert (writer.pragma("journal_mode"), writer.pragma("synchronous")) == ("wal", 2)


def test_a_file_that_another_process_writes_can_be_read_but_not_written(file: Path) -> None:
    with closing(open_file(file, timeout=0.01)) as store:
        put(store, a_memory())
        with closing(apsw.Connection(str(file))) as other:
            other.execute("BEGIN IMMEDIATE")
            with pytest.raises(Unavailable, match=r"memory\.db': .*locked"):
                put(store, a_memory("m2"))
            assert store.get(ANN, ["m1"]) == [a_memory()]
            other.execute("ROLLBACK")
        put(store, a_memory("m2"))


@pytest.mark.parametrize(
    ("name", "error", "said"),
    [
        ("", InvalidInput, "path of a file"),
        (":memory:", InvalidInput, "path of a file"),
        ("no/such/folder.db", Unavailable, "folder of 'no/such/folder.db' does not exist"),
        (str(Path(__file__).parent), Unavailable, "unable to open"),
    ],
)
def test_a_path_that_cannot_be_a_store(name: str, error: type[HindsightError], said: str) -> None:
    with pytest.raises(error, match=said):
        SqliteStore.open(name)


def test_a_newer_file_is_refused_and_left_as_it_is(file: Path) -> None:
    a_filled(file)
    with closing(apsw.Connection(str(file))) as db:
        db.pragma("user_version", 99)
        db.pragma("journal_mode", "delete")
    before = file.read_bytes()
    known = len(list(MIGRATIONS.glob("*.sql")))
    told = f"has format 99, and this version reads up to {known}; upgrade"
    with pytest.raises(Incompatible, match=told):
        open_file(file)
    assert folder_of(file) == {"memory.db": before}


@pytest.mark.parametrize("statement", ["PRAGMA application_id = 7", "CREATE TABLE notes (text)"])
def test_the_file_of_another_program_is_refused_and_left_as_it_is(
    file: Path, statement: str
) -> None:
    with closing(apsw.Connection(str(file))) as db:
        db.execute(statement)
    before = file.read_bytes()
    with pytest.raises(Incompatible, match="not a file of memories; name another"):
        open_file(file)
    assert folder_of(file) == {"memory.db": before}


BROKEN: dict[str, Callable[[bytes], bytes]] = {
    "not a database": lambda _: b"shopping list: tea, " * 500,
    "shorter than a header": lambda _: b"tea",
    "cut in half": lambda whole: whole[: len(whole) // 2],
    "without its first page": lambda whole: bytes(8192) + whole[8192:],
    "schema overwritten": lambda whole: whole.replace(b"CREATE TABLE", b"\xff" * 12),
}


@pytest.mark.parametrize("broken", BROKEN.values(), ids=BROKEN)
def test_a_broken_file_is_reported_and_left_as_it_is(
    file: Path, broken: Callable[[bytes], bytes]
) -> None:
    a_filled(file)
    file.write_bytes(broken(file.read_bytes()))
    before = file.read_bytes()
    with pytest.raises(Damaged, match="it is left as it is: restore a backup"):
        open_file(file).close()
    assert folder_of(file) == {"memory.db": before}


DAMAGED: dict[str, Callable[[bytes, int], bytes]] = {
    "overwritten": lambda whole, page: whole[: page - 8192] + b"\xff" * 8192 + whole[page:],
    "zeroed": lambda whole, page: whole[: page - 8192] + bytes(8192) + whole[page:],
    "one byte": lambda whole, page: whole[: page - 8189] + b"\xff" + whole[page - 8188 :],
    "cut off": lambda whole, _: whole[:-5000],
}


@pytest.mark.parametrize("damaged", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_page_is_found(file: Path, damaged: Callable[[bytes, int], bytes]) -> None:
    a_filled(file)
    file.write_bytes(damaged(file.read_bytes(), end_of_a_page_of_memories(file)))
    before = file.read_bytes()
    with closing(open_file(file)) as store:
        assert store.problems() != []
    assert folder_of(file) == {"memory.db": before}


def test_a_damaged_page_is_named_when_it_is_read(file: Path) -> None:
    a_filled(file)
    file.write_bytes(DAMAGED["overwritten"](file.read_bytes(), end_of_a_page_of_memories(file)))
    with (
        closing(open_file(file)) as store,
        pytest.raises(Damaged, match=r"memory\.db' is damaged .*: restore a backup"),
    ):
        store.every("acme", after="", limit=1000)


def end_of_a_page_of_memories(file: Path) -> int:
    leaves = "SELECT max(pageno) FROM dbstat WHERE name = 'memories' AND pagetype = 'leaf'"
    with closing(apsw.Connection(str(file))) as db:
        [(page,)] = db.execute(leaves)
    return int(page) * 8192


@contextmanager
def without_privileges() -> Iterator[None]:
    """Root may write everywhere, and tests often run as root."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)


def test_a_folder_without_permission_is_named(file: Path) -> None:
    a_filled(file)
    before = file.read_bytes()
    open_up(file)
    file.parent.chmod(0o555)
    with without_privileges(), pytest.raises(Unavailable, match=r"cannot use '.*memory\.db'"):
        open_file(file)
    file.parent.chmod(0o755)
    assert folder_of(file) == {"memory.db": before}


def test_a_file_without_permission_is_named(file: Path) -> None:
    a_filled(file)
    before = file.read_bytes()
    open_up(file)
    file.chmod(0o444)
    with without_privileges(), pytest.raises(Unavailable, match=r"cannot use '.*memory\.db'"):
        open_file(file)
    assert file.read_bytes() == before


def open_up(file: Path) -> None:
    """Let anyone reach the file; pytest's folders are its user's only."""
    for folder in list(file.parents)[:3]:
        folder.chmod(0o755)


def test_the_schema_is_what_the_migrations_make(file: Path) -> None:
    scripts = sorted(MIGRATIONS.glob("*.sql"))
    assert [script.name[:4] for script in scripts] == [
        f"{n:04}" for n in range(1, len(scripts) + 1)
    ]
    with closing(apsw.Connection("")) as plain:
        for script in scripts:
            plain.execute(script.read_text("utf-8"))
        expected = schema(plain)
    open_file(file).close()
    with closing(apsw.Connection(str(file))) as db:
        assert schema(db) == expected
        assert db.pragma("user_version") == len(scripts)


def schema(db: apsw.Connection) -> list[tuple[object, ...]]:
    return db.execute("SELECT type, name, sql FROM sqlite_schema ORDER BY type, name").fetchall()


def folder_of(file: Path) -> dict[str, bytes]:
    """All files beside it; not the index of the log, which holds page numbers only."""
    return {
        each.name: each.read_bytes()
        for each in file.parent.iterdir()
        if not each.name.endswith("-shm")
    }
