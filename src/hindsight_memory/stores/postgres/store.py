"""Memories in PostgreSQL with pgvector. Implements hindsight_memory.core.ports.Store."""

from collections.abc import Sequence
from typing import Literal, Self

from hindsight_memory.core.model import Scope, Vector
from hindsight_memory.core.retrieval import Filter, Found
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postgres.connecting import prepare
from hindsight_memory.stores.postgres.database import Database, Limits
from hindsight_memory.stores.postgres.queries import QUERIES
from hindsight_memory.stores.postgres.search import Search
from hindsight_memory.stores.postgres.vectors import PgIndexes, PgVectors, VectorIndex
from hindsight_memory.stores.store import SqlStore

MOVED = "the middle of scope {} does not agree with its vectors"

APART = "{versions} keeps tenants apart: {role!r} cannot see rows of another"
OWNS = (
    "{versions} keeps tenants apart, but {role!r} owns the tables and could change that; give the "
    "owner's address in HINDSIGHT_MEMORY_STORE_ADMIN_URL, and serve as another role"
)
ABOVE = (
    "{versions} keeps no tenants apart from {role!r}, which is a superuser or has BYPASSRLS; serve "
    "as a role that is neither"
)


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

    def problems(self) -> list[str]:
        moved = self._rows(None, "moved_middles", {})
        return [*super().problems(), *(MOVED.format(scope) for (scope,) in moved)]

    def walls(self) -> tuple[Literal["ok", "note", "problem"], str]:
        [(server, vector, role, is_above, is_owner)] = self._rows(None, "role", {})
        versions = f"PostgreSQL {server} with pgvector {vector}"
        if is_above:
            return "problem", ABOVE.format(versions=versions, role=role)
        if is_owner:
            return "note", OWNS.format(versions=versions, role=role)
        return "ok", APART.format(versions=versions, role=role)

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
