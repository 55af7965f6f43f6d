"""Memories in one SQLite file. Implements hindsight_memory.core.ports.Store."""

from collections.abc import Sequence
from typing import Self

from hindsight_memory.core.changes import Changes
from hindsight_memory.core.model import Scope, Vector
from hindsight_memory.core.ports import Progress
from hindsight_memory.core.retrieval import Filter, Found
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.repairing import repair
from hindsight_memory.stores.sqlite.database import Database
from hindsight_memory.stores.sqlite.indexes import SqliteIndexes, renew_words
from hindsight_memory.stores.sqlite.queries import QUERIES, Running
from hindsight_memory.stores.sqlite.search import Search
from hindsight_memory.stores.sqlite.vectors import VectorCache
from hindsight_memory.stores.statements import Statements
from hindsight_memory.stores.store import SqlStore
from hindsight_memory.stores.writing import Writing


class SqliteStore(SqlStore):
    """Safe to share between threads, and its file between processes."""

    _database: Database

    def __init__(self, database: Database, *, fingerprint: str) -> None:
        indexes = SqliteIndexes(fingerprint)
        super().__init__(database, indexes, queries=QUERIES, fingerprint=fingerprint)
        self._cache = VectorCache()

    @classmethod
    def open(cls, path: str, *, fingerprint: str = "", busy_timeout_seconds: float = 30.0) -> Self:
        """Open or create the database at ``path``.

        fingerprint: that of the embedder whose vectors are searched and written.
        """
        database = Database(path, busy_timeout_seconds=busy_timeout_seconds)
        return cls(database, fingerprint=fingerprint)

    def apply(self, changes: Changes) -> None:
        indexes = SqliteIndexes(self._fingerprint)

        def work(db: Statements) -> None:
            Writing(db, changes, indexes).apply()

        self._database.write(changes.tenant, work)
        for scope in indexes.shrunk:
            self._cache.drop(scope)
        self._database.wipe(is_due=bool(changes.purges))

    def candidates(
        self,
        scope: Scope,
        terms: Sequence[str],
        vector: Vector | None,
        *,
        where: Filter,
        limit: int,
    ) -> Found:
        wanted = Wanted.by(QUERIES, scope, where)
        with self._database.reading() as db:
            search = Search(db, self._cache, self._fingerprint, wanted, limit)
            return search.run(terms, vector)

    def repair(self, progress: Progress) -> list[str]:
        with self._database.writing() as db:
            renew_words(db)
            return repair(Running(db), self._indexes, progress)
