"""Each place of working memory meets the contract of Sessions; and what is SQLite's own."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from hindsight_memory.errors import Damaged
from hindsight_memory.stores.sessions import SqlSessions
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.fakes import LocalSessions
from hindsight_memory.testing.session_suite import FULL, SessionSuite, a_session, got


class TestSqliteSessions(SessionSuite):
    @pytest.fixture
    def sessions(self, file: Path) -> Iterator[SqlSessions]:
        with closing(SqliteStore.open(str(file))) as store:
            yield store.working


class TestLocalSessions(SessionSuite):
    @pytest.fixture
    def sessions(self) -> LocalSessions:
        return LocalSessions()


def test_a_session_survives_a_restart(file: Path) -> None:
    with closing(SqliteStore.open(str(file))) as store:
        store.working.put(a_session(document=FULL))
    with closing(SqliteStore.open(str(file))) as store:
        assert got(store.working) == a_session(document=FULL)
        assert store.problems() == []


def test_a_deleted_session_leaves_no_byte(file: Path) -> None:
    with closing(SqliteStore.open(str(file))) as store:
        for version in range(1, 30):
            store.working.put(a_session(document=FULL, version=version))
        assert "导入一月订单".encode() in written(file)
        store.working.delete("acme", "ann")
        assert "导入一月订单".encode() not in written(file)


def test_a_document_that_was_never_written_is_damage(file: Path) -> None:
    with closing(SqliteStore.open(str(file))) as store:
        store.working.put(a_session())
        with closing(apsw.Connection(str(file))) as db:
            db.execute("UPDATE sessions SET document = '{}'")
        with pytest.raises(Damaged, match=r"session 's1' cannot be read .*restore a backup"):
            got(store.working)


def written(file: Path) -> bytes:
    files = (each for each in file.parent.iterdir() if not each.name.endswith("-shm"))
    return b"".join(each.read_bytes() for each in files)
