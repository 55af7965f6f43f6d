"""Memories in PostgreSQL, whose vectors are searched in Qdrant. Implements core.ports.Store."""

from collections.abc import Callable
from typing import Self

import structlog

from hindsight_memory.core.ports import Progress
from hindsight_memory.errors import Unavailable
from hindsight_memory.stores.postgres.connecting import prepare
from hindsight_memory.stores.postgres.database import Database, Limits
from hindsight_memory.stores.postgres.store import PostgresStore
from hindsight_memory.stores.postgres.vectors import PgVectors
from hindsight_memory.stores.qdrant.collection import Collection
from hindsight_memory.stores.qdrant.feeding import Feeder
from hindsight_memory.stores.qdrant.tuning import Address
from hindsight_memory.stores.qdrant.vectors import QdrantVectors

log = structlog.get_logger(__name__)


class QdrantStore(PostgresStore):
    """Everything but the search by vector is PostgreSQL's; while Qdrant is away, that is too."""

    def __init__(self, database: Database, collection: Collection, *, fingerprint: str) -> None:
        kept = PgVectors(fingerprint, makes_index=False)
        super().__init__(database, QdrantVectors(kept, collection), fingerprint=fingerprint)
        self._collection = collection
        self._feeder = Feeder(database, collection, fingerprint)

    @classmethod
    def beside(
        cls,
        url: str,
        vector_url: str,
        *,
        admin_url: str = "",
        fingerprint: str = "",
        limits: Limits = Limits(),  # noqa: B008  # immutable
    ) -> Self:
        """As PostgresStore.open. A Qdrant that does not answer is no reason not to open.

        Raises InvalidInput for a ``vector_url`` that cannot be.
        """
        collection = Collection(Address.parse(vector_url), fingerprint)
        prepare(url, admin_url or url, wait_seconds=limits.connect_seconds)
        database = Database(url, limits)
        database.open()
        store = cls(database, collection, fingerprint=fingerprint)
        store._feeder.begin()
        return store

    def catch_up(self) -> bool:
        try:
            return self._feeder.step()
        except Unavailable as error:
            log.warning("index_waits", error=str(error))
            return False

    def reconcile(self, progress: Progress) -> list[str]:
        counts = self._feeder.reconcile(progress)
        return [
            f"{counts['lacking']} vectors were not in the index, and are now",
            f"{counts['orphaned']} vectors in the index belonged to nothing, and are gone",
            f"{counts['points']} vectors are in the index",
        ]

    def behind(self) -> list[str]:
        told = [f"{waiting} changes wait for it"] if (waiting := self._feeder.waiting()) else []
        return [*told, *self._trouble(self._collection.count)]

    def close(self) -> None:
        self._collection.close()
        super().close()

    def _trouble(self, question: Callable[[], int]) -> list[str]:
        try:
            question()
        except Unavailable as error:
            return [str(error)]
        return []
