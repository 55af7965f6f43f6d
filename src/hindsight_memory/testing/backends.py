"""Databases of SQL stores, for tests that reach behind a store's back. A new one is a class."""

from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import apsw

from hindsight_memory.core.ports import Store
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.samples import MODEL

if TYPE_CHECKING:  # its packages need not be installed
    from hindsight_memory.testing.postgres_server import Place


class Backend(Protocol):
    """name: of its dialect."""

    name: str

    def open(self) -> Store:
        """One more store on it, for the embedder ``MODEL``."""
        ...

    def run(self, sql: str) -> list[Any]:
        """The rows of the last of these statements."""
        ...


class SqliteFile:
    name = "sqlite"

    def __init__(self, path: Path) -> None:
        self._path = str(path)

    def open(self) -> Store:
        return SqliteStore.open(self._path, fingerprint=MODEL)

    def run(self, sql: str) -> list[Any]:
        with closing(apsw.Connection(self._path)) as db:
            return db.execute(sql).fetchall()


class PostgresDatabase:
    name = "postgres"

    def __init__(self, place: "Place") -> None:
        self._place = place

    def open(self) -> Store:
        from hindsight_memory.stores.postgres.store import PostgresStore

        return PostgresStore.open(self._place.url, fingerprint=MODEL)

    def run(self, sql: str) -> list[Any]:
        import psycopg

        with psycopg.connect(self._place.superuser_url, autocommit=True) as db:
            cursor = db.execute(sql.encode())
            while cursor.nextset():
                pass
            return cursor.fetchall() if cursor.description else []
