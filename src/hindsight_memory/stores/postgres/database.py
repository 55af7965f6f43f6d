"""Connections to one PostgreSQL database, and transactions on them. Implements SqlDatabase."""

import random
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import psycopg
import structlog
from psycopg.adapt import AdaptersMap
from psycopg.types.string import TextLoader
from psycopg_pool import ConnectionPool

from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postgres.failures import TRY_AGAIN, our_errors
from hindsight_memory.stores.postgres.queries import QUERIES, Connection, Running, text
from hindsight_memory.stores.statements import Args, Result, Rows, Statements

log = structlog.get_logger(__name__)

AS_TEXT = ("timestamptz", "json", "jsonb")
"""Types that stores.rows reads from text, as in every SQL store."""

TRIES = 8
"""Of a transaction that the server undoes because of another one. Each waits a little longer; with
as many writers on one row as a pool has connections, the third nearly always succeeds.
"""

FIRST_WAIT_SECONDS = 0.01

PLANS = {"begin_reading": "force_custom_plan", "begin_writing": "auto"}
"""How the statements of a transaction are planned, by what begins it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """connections: most of this process at once. wait: for a free one, and for another that holds
    the same row. statement: how long one may take; upkeep may take as long as it does.
    connect: how long to wait at the start for a server that is not there yet.
    """

    connections: int = 10
    wait_seconds: float = 30.0
    statement_seconds: float = 30.0
    connect_seconds: float = 60.0


class Database:
    """Safe to share between threads; each transaction has a connection to itself."""

    def __init__(self, url: str, limits: Limits) -> None:
        """url: anything that libpq takes. Nothing is connected before ``open``."""
        self._limits = limits
        self._pool: ConnectionPool[Connection] = ConnectionPool(
            url,
            kwargs={"autocommit": True, "context": _adapters()},
            min_size=1,
            max_size=limits.connections,
            timeout=limits.wait_seconds,
            open=False,
            name="hindsight-memory",
        )

    def open(self) -> None:
        with our_errors():
            self._pool.open(wait=True, timeout=self._limits.wait_seconds)

    def rows(
        self, tenant: str | None, name: str, args: Args, *, wanted: Wanted | None = None
    ) -> Rows:
        """In one round trip, on a connection that is alive."""

        def ask(connection: Connection) -> Rows:
            with connection.pipeline():
                self._begin(connection, tenant, "begin_reading")
                asked = Running(connection).ask(name, args, wanted=wanted)
                connection.execute(text(QUERIES["commit"]))
                return asked.fetchall()

        with our_errors():
            connection, found = self._living(ask)
            self._pool.putconn(connection)
            return found

    @contextmanager
    def snapshot(self, tenant: str | None) -> Iterator[Running]:
        with our_errors(), self._transaction(tenant, "begin_reading") as running:
            yield running

    def write(self, tenant: str | None, work: Callable[[Statements], Result]) -> Result:
        with our_errors():
            for attempt in range(1, TRIES):
                try:
                    return self._write(tenant, work)
                except TRY_AGAIN as error:
                    log.info("transaction_repeated", attempt=attempt, reason=type(error).__name__)
                    time.sleep(_wait_seconds(attempt))
            return self._write(tenant, work)

    def wipe(self, *, is_due: bool) -> None:
        """What was deleted stays in the files until the server vacuums, which is its own affair."""

    def damages(self) -> list[str]:
        """The server checks its pages when it reads them."""
        return []

    def close(self) -> None:
        self._pool.close()

    def _write(self, tenant: str | None, work: Callable[[Statements], Result]) -> Result:
        with self._transaction(tenant, "begin_writing") as running:
            return work(running)

    @contextmanager
    def _transaction(self, tenant: str | None, begin: str) -> Iterator[Running]:
        """It is committed together with whatever was sent last."""

        def start(connection: Connection) -> None:
            with connection.pipeline():
                self._begin(connection, tenant, begin)

        connection, _ = self._living(start)
        try:
            with connection.pipeline() as pipeline:
                yield Running(connection, pipeline)
                connection.execute(text(QUERIES["commit"]))
        except BaseException:
            _undo(connection)
            raise
        finally:
            self._pool.putconn(connection)

    def _living(self, use: Callable[[Connection], Result]) -> tuple[Connection, Result]:
        """A connection of the pool, and what ``use`` makes of it, which changes nothing. Those that
        died in the pool, as all do when the server is restarted, are passed over.
        """
        for left in range(self._limits.connections, -1, -1):
            connection = self._pool.getconn()
            try:
                return connection, use(connection)
            except BaseException:
                is_dead = connection.broken
                _undo(connection)
                self._pool.putconn(connection)
                if not left or not is_dead:
                    raise
        raise AssertionError  # the last one raises

    def _begin(self, connection: Connection, tenant: str | None, begin: str) -> None:
        limits = self._limits
        statement_seconds = 0 if tenant is None else limits.statement_seconds
        args = {
            "tenant": tenant or "",
            "upkeep": "on" if tenant is None else "off",
            "statement_timeout": f"{statement_seconds * 1000:.0f}",
            "lock_timeout": f"{limits.wait_seconds * 1000:.0f}",
            "plans": PLANS[begin],
        }
        connection.execute(text(QUERIES[begin]))
        connection.execute(text(QUERIES["enter"]), args)


def _undo(connection: Connection) -> None:
    try:
        connection.execute(text(QUERIES["rollback"]))
    except psycopg.Error:
        connection.close()  # the server undoes what it was doing for it


def _wait_seconds(attempt: int) -> float:
    """Longer each time, and by chance, so that those who met do not meet again."""
    return random.uniform(0, FIRST_WAIT_SECONDS * 2**attempt)  # noqa: S311  # no secret


def _adapters() -> AdaptersMap:
    adapters = AdaptersMap(psycopg.adapters)
    for name in AS_TEXT:
        adapters.register_loader(name, TextLoader)
    return adapters
