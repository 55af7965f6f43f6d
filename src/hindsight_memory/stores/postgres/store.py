"""Memories in PostgreSQL with pgvector. Implements hindsight_memory.core.ports.Store."""

from collections.abc import Sequence
from typing import Self

from hindsight_memory.core.model import Scope, Vector
from hindsight_memory.core.retrieval import Filter, Found
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postgres.connecting import prepare
from hindsight_memory.stores.postgres.database import Database, Limits
from hindsight_memory.stores.postgres.queries import QUERIES
from hindsight_memory.stores.postgres.search import Search
from hindsight_memory.stores.postgres.vectors import PgIndexes, PgVectors, VectorIndex
from hindsight_memory.stores.store import SqlStore


class PostgresStore(SqlStore):
    """Safe to share between threads, and its database between servers."""

    _database: Database

    def __init__(self, database: Database, vectors: VectorIndex, *, fingerprint: str) -> None:
        indexes = PgIndexes(vectors)
        super().__init__(database, indexes, queries=QUERIES, fingerprint=fingerprint)
        self._vectors = vectors

    @classmethod
    def open(
        cls,
        url: str,
        *,
        admin_url: str = "",
        fingerprint: str = "",
        limits: Limits = Limits(),  # noqa: B008  # immutable
    ) -> Self:
        """Connect, and bring the tables up to date.

        admin_url: of the role that owns the tables; by default that of ``url``.
        fingerprint: that of the embedder whose vectors are searched and written.
        """
        prepare(url, admin_url or url, wait_seconds=limits.connect_seconds)
        database = Database(url, limits)
        database.open()
        return cls(database, PgVectors(fingerprint), fingerprint=fingerprint)

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
        with self._database.snapshot(scope.tenant) as db:
            return Search(db, self._vectors, wanted, limit).run(terms, vector)
