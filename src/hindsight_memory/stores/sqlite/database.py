"""One SQLite file: a writer, a reader for each thread, transactions, migrations, errors."""

import threading
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from importlib import resources
from pathlib import Path
from typing import Any
from weakref import WeakSet

import apsw

from hindsight_memory.errors import Conflict, Damaged, Incompatible, InvalidInput, Unavailable

APPLICATION_ID = 0x48534D31
"""What the header of our files says they are: "HSM1"."""

PAGE_BYTES = 8192
"""Holds five vectors of 384 floats with 4 % left over; 4,096 bytes hold two and lose a quarter."""

DAMAGES = (apsw.CorruptError, apsw.NotADBError)
OUTAGES = (
    apsw.BusyError,
    apsw.CantOpenError,
    apsw.ConnectionClosedError,
    apsw.FullError,
    apsw.IOError,
    apsw.LockedError,
    apsw.NoMemError,
    apsw.PermissionsError,
    apsw.ProtocolError,
    apsw.ReadOnlyError,
)
"""What happens to us. Any other apsw.Error is a bug of ours and stays itself."""


class Database:
    """Safe to share between threads. Writers take turns; readers never wait for them."""

    def __init__(self, path: str, *, busy_timeout_seconds: float) -> None:
        """Open or create the file at ``path`` and bring its schema up to date.

        Raises Incompatible for a file of a newer version or of another program, and Damaged for
        one that is broken; neither is changed.
        """
        if path in {"", ":memory:"}:
            raise InvalidInput("a SQLite store needs the path of a file: sqlite:///memory.db")
        if not Path(path).absolute().parent.is_dir():
            raise Unavailable(f"the folder of {path!r} does not exist; create it first")
        self.path = path
        self._busy_milliseconds = int(busy_timeout_seconds * 1000)
        self._closed = False
        self._lock = threading.Lock()
        self._local = threading.local()
        self._readers: WeakSet[apsw.Connection] = WeakSet()
        with self._our_errors():
            self._writer = self._connect(apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
            self._prepare()

    def _prepare(self) -> None:
        try:
            _refuse_foreign(self._writer, self.path)
            self._writer.pragma("page_size", PAGE_BYTES)
            self._writer.pragma("journal_mode", "WAL")
            self._writer.pragma("synchronous", "FULL")
            self._writer.pragma("secure_delete", value=True)
            self._writer.pragma("foreign_keys", value=True)
            with self.writing() as db:
                _migrate(db, self.path)
        except BaseException:
            self._writer.close()
            raise

    @contextmanager
    def writing(self) -> Iterator[apsw.Connection]:
        """The writer, in one transaction that is undone when the block raises.

        Not ``with self._writer``: apsw then keeps the GIL while it waits for a lock or the disk.
        """
        with self._lock, self._our_errors():
            if self._closed:
                raise Unavailable("the store is closed")
            self._writer.execute("BEGIN IMMEDIATE")
            try:
                yield self._writer
                self._writer.execute("COMMIT")
            finally:
                if self._writer.in_transaction:
                    self._writer.execute("ROLLBACK")

    @contextmanager
    def reading(self) -> Iterator[apsw.Connection]:
        """The connection of the calling thread, in one snapshot for all statements of the block."""
        with self._our_errors():
            reader = self._reader()
            reader.execute("BEGIN")
            try:
                yield reader
            finally:
                if reader.in_transaction:
                    reader.execute("ROLLBACK")

    def read(self, query: str, args: Mapping[str, Any]) -> list[tuple[Any, ...]]:
        """The rows of one ``query``."""
        with self._our_errors():
            return list(self._reader().execute(query, args))

    def wipe_log(self) -> None:
        """Move the write-ahead log into the file and empty it, so that no old page stays in it."""
        with self._lock, self._our_errors():
            self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)

    def damages(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when it is sound.

        On a connection of its own: one that has searched before still holds FTS5's older list of
        pages, and then integrity_check of SQLite 3.54 calls a page damaged that a purge emptied.
        """
        with self._our_errors(), closing(self._connect(apsw.SQLITE_OPEN_READONLY)) as db:
            found = [str(line) for (line,) in db.execute("PRAGMA integrity_check")]
        return [] if found == ["ok"] else found

    def close(self) -> None:
        """No call may be running. Readers of threads that ended are closed already."""
        self._closed = True
        with self._our_errors():
            for connection in (*self._readers, self._writer):
                connection.close()

    def _reader(self) -> apsw.Connection:
        reader: apsw.Connection | None = getattr(self._local, "reader", None)
        if self._closed:
            raise Unavailable("the store is closed")
        if reader is None:
            reader = self._local.reader = self._connect(apsw.SQLITE_OPEN_READONLY)
            self._readers.add(reader)
        return reader

    def _connect(self, flags: int) -> apsw.Connection:
        connection = apsw.Connection(self.path, flags)
        connection.set_busy_timeout(self._busy_milliseconds)
        return connection

    @contextmanager
    def _our_errors(self) -> Iterator[None]:
        """The one place where SQLite's errors become ours."""
        try:
            yield
        except apsw.ConstraintError as error:
            raise Conflict(f"another write came first ({error}); read again and retry") from error
        except DAMAGES as error:
            message = f"{self.path!r} is damaged or no database ({error}); it is left as it is: "
            raise Damaged(message + "restore a backup, or name another file") from error
        except OUTAGES as error:
            raise Unavailable(f"SQLite cannot use {self.path!r}: {error}") from error


def _refuse_foreign(db: apsw.Connection, path: str) -> None:
    if db.pragma("application_id") not in {0, APPLICATION_ID}:
        raise Incompatible(f"{path!r} belongs to another program; name another file")
    if db.pragma("application_id") == 0 and db.pragma("schema_version") != 0:
        raise Incompatible(f"{path!r} is a database, but not of memories; name another file")


def _migrate(db: apsw.Connection, path: str) -> None:
    """Apply the migrations that this file has not seen, oldest first."""
    scripts = sorted(_migrations(), key=lambda script: script.name)
    done = db.pragma("user_version")
    if done > len(scripts):
        message = f"{path!r} has format {done}, and this version reads up to {len(scripts)}"
        raise Incompatible(f"{message}; upgrade hindsight-memory")
    for number, script in enumerate(scripts[done:], start=done + 1):
        db.execute(script.read_text("utf-8"))
        db.pragma("user_version", number)
    db.pragma("application_id", APPLICATION_ID)


def _migrations() -> list[Any]:
    return list((resources.files("hindsight_memory.stores.sqlite") / "migrations").iterdir())
