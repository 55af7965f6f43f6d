"""One SQLite file: a writer, readers, transactions, migrations, errors. Implements SqlDatabase."""

import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from importlib import resources
from pathlib import Path
from typing import Any

import apsw

from hindsight_memory.errors import Conflict, Damaged, Incompatible, InvalidInput, Unavailable
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.sqlite.queries import Running
from hindsight_memory.stores.statements import Args, Result, Rows, Statements

APPLICATION_ID = 0x48534D31
"""What the header of our files says they are: "HSM1"."""

PAGE_BYTES = 8192
"""Holds five vectors of 384 floats with 4 % left over; 4,096 bytes hold two and lose a quarter."""

CACHE_KIB = 8 * 1024
"""Of each reader: a search of 20,000 memories reads 500 pages here and there."""

IDLE_READERS = 4
"""How many are kept open, with what they have cached; more are opened while more are needed."""

WIPE_MILLISECONDS = 1_000
"""Longest wait for other processes to let go of old pages in the log."""

SWITCH_SECONDS = 0.005
"""Between attempts to make a new file one with a log: another takes about a millisecond for it."""

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
        self._readers_lock = threading.Lock()
        self._idle_readers: list[apsw.Connection] = []
        self._to_wipe: list[Callable[[], None]] = []
        with self._our_errors():
            self._writer = self._connect(apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE)
            self._prepare()

    def _prepare(self) -> None:
        try:
            is_current = _is_current(self._writer, self.path)
            self._writer.pragma("page_size", PAGE_BYTES)
            self._keep_log()
            self._writer.pragma("synchronous", "FULL")
            self._writer.pragma("secure_delete", value=True)
            self._writer.pragma("foreign_keys", value=True)
            if not is_current:
                with self.writing() as db:
                    _migrate(db)
        except BaseException:
            self._writer.close()
            raise

    def _keep_log(self) -> None:
        """Switch to the write-ahead log. SQLite itself does not wait for another that does so."""
        deadline = time.monotonic() + self._busy_milliseconds / 1000
        while True:
            try:
                self._writer.pragma("journal_mode", "WAL")
            except apsw.BusyError:
                if time.monotonic() >= deadline:
                    raise
                time.sleep(SWITCH_SECONDS)
            else:
                return

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
        """A connection of the caller's own, in one snapshot for all statements of the block."""
        with self._our_errors(), self._reader() as reader:
            reader.execute("BEGIN")
            try:
                yield reader
            finally:
                if reader.in_transaction:
                    reader.execute("ROLLBACK")

    def rows(
        self, tenant: str | None, name: str, args: Args, *, wanted: Wanted | None = None
    ) -> Rows:
        with self._our_errors(), self._reader() as reader:
            return Running(reader).run(name, args, wanted=wanted)

    @contextmanager
    def snapshot(self, tenant: str | None) -> Iterator[Statements]:
        with self.reading() as reader:
            yield Running(reader)

    def write(self, tenant: str | None, work: Callable[[Statements], Result]) -> Result:
        with self.writing() as db:
            return work(Running(db))

    def wipe(self, *, is_due: bool) -> None:
        """Leave no byte of what was deleted, neither in the file nor in its log: 0.4 s for 20,000
        memories.

        secure_delete is not enough: a page that SQLite rebuilds keeps old cells in its gap, about
        one memory in a thousand; hence VACUUM. While another process is in the way, each later
        call tries again even when nothing new ``is_due``.
        """
        with self._lock, self._our_errors():
            if is_due:
                self._to_wipe = [self._vacuum, self._empty_log]
            with suppress(apsw.BusyError, apsw.FullError):
                while self._to_wipe:
                    self._to_wipe[0]()
                    del self._to_wipe[0]

    def _vacuum(self) -> None:
        self._writer.execute("VACUUM")

    def _empty_log(self) -> None:
        """Writers wait meanwhile: so not for long, should somebody still read old pages."""
        self._writer.set_busy_timeout(min(WIPE_MILLISECONDS, self._busy_milliseconds))
        try:
            self._writer.wal_checkpoint(mode=apsw.SQLITE_CHECKPOINT_TRUNCATE)
        finally:
            self._writer.set_busy_timeout(self._busy_milliseconds)

    def damages(self) -> list[str]:
        """What SQLite itself finds wrong with the file; empty when it is sound.

        On a connection of its own: one that has searched before still holds FTS5's older list of
        pages, and then integrity_check of SQLite 3.54 calls a page damaged that a purge emptied.
        """
        with self._our_errors(), closing(self._connect(apsw.SQLITE_OPEN_READONLY)) as db:
            try:
                found = [str(line) for (line,) in db.execute("PRAGMA integrity_check")]
            except DAMAGES as error:
                return [f"the file cannot be checked to its end: {error}"]
        return [] if found == ["ok"] else found

    def close(self) -> None:
        """A write that is running ends first; a reader that is in use is closed by who uses it."""
        self._closed = True
        with self._lock, self._readers_lock, self._our_errors(), ExitStack() as closing_each:
            for connection in (self._writer, *self._idle_readers):
                closing_each.callback(connection.close)
            self._idle_readers.clear()

    @contextmanager
    def _reader(self) -> Iterator[apsw.Connection]:
        """The reader that was used last, because it has the most in its cache."""
        reader = self._idle_reader() or self._connect(apsw.SQLITE_OPEN_READONLY)
        try:
            reader.pragma("cache_size", -CACHE_KIB)  # a microsecond where it is set already
            yield reader
        finally:
            if not self._takes_back(reader):
                reader.close()

    def _idle_reader(self) -> apsw.Connection | None:
        with self._readers_lock:
            if self._closed:
                raise Unavailable("the store is closed")
            return self._idle_readers.pop() if self._idle_readers else None

    def _takes_back(self, reader: apsw.Connection) -> bool:
        with self._readers_lock:
            has_room = len(self._idle_readers) < IDLE_READERS and not self._closed
            if has_room:
                self._idle_readers.append(reader)
            return has_room

    def _connect(self, flags: int) -> apsw.Connection:
        connection = apsw.Connection(self.path, flags)
        connection.set_busy_timeout(self._busy_milliseconds)
        # Else a statement with a bound LIMIT is compiled anew each time: 0.7 ms of each search.
        connection.config(apsw.SQLITE_DBCONFIG_ENABLE_QPSG, 1)
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


def _is_current(db: apsw.Connection, path: str) -> bool:
    """Whether nothing is left to migrate; looked at before anything is written.

    In one transaction, or else a file that another process is just creating looks foreign.
    Raises Incompatible for what is not a file of ours that we know.
    """
    db.execute("BEGIN")
    try:
        is_ours = db.pragma("application_id") == APPLICATION_ID
        is_new = db.pragma("application_id") == 0 and db.pragma("schema_version") == 0
        done, known = db.pragma("user_version"), len(_migrations())
    finally:
        db.execute("ROLLBACK")
    if not is_ours and not is_new:
        raise Incompatible(f"{path!r} is not a file of memories; name another file")
    if done > known:
        message = f"{path!r} has format {done}, and this version reads up to {known}"
        raise Incompatible(f"{message}; upgrade hindsight-memory")
    return bool(is_ours and done == known)


def _migrate(db: apsw.Connection) -> None:
    """Apply the migrations that this file has not seen, oldest first."""
    scripts = sorted(_migrations(), key=lambda script: script.name)
    done = db.pragma("user_version")
    for number, script in enumerate(scripts[done:], start=done + 1):
        db.execute(script.read_text("utf-8"))
        db.pragma("user_version", number)
    db.pragma("application_id", APPLICATION_ID)


def _migrations() -> list[Any]:
    return list((resources.files("hindsight_memory.stores.sqlite") / "migrations").iterdir())
