"""Vectors that are searched in Qdrant, and kept in PostgreSQL. Implements VectorIndex.

A change of vectors leaves a promise in the same transaction (outbox.sql); ``Feeder`` keeps it. What
is promised and not yet there is compared in PostgreSQL, so a search sees every write at once.
Whatever Qdrant finds is looked up in PostgreSQL: what is gone or moved is not found.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Vector
from hindsight_memory.errors import Unavailable
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postgres.queries import Running
from hindsight_memory.stores.postgres.vectors import EXACT, Nearest, PgNearest, PgVectors
from hindsight_memory.stores.qdrant.collection import Collection
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.searching import Nearness
from hindsight_memory.stores.statements import Rows, Statements
from hindsight_memory.stores.writing import Place

BEHIND = 1_000
"""How many promises of one user are looked at; where more wait, the newest."""


class QdrantVectors:
    """Implements VectorIndex."""

    def __init__(self, kept: PgVectors, collection: Collection) -> None:
        self._kept = kept
        self._collection = collection

    def add(self, db: Statements, place: Place, passages: Passages) -> None:
        self._kept.add(db, place, passages)

    def drop(self, db: Statements, place: Place) -> None:
        self._kept.drop(db, place)

    def renew(self, db: Statements) -> None:
        self._kept.renew(db)

    def nearest(self, db: Running, place: Place, vector: Vector) -> Nearest | None:
        near = self._kept.nearest(db, place, vector)
        if near is None or near.size <= self._collection.tuning.exact:
            return near
        return QdrantNearest(near, self._collection, place, vector)


@dataclass(slots=True)
class QdrantNearest:
    """near: the same ranking, in PostgreSQL. note: why it was not asked, if it was not."""

    near: PgNearest
    collection: Collection
    place: Place
    vector: Vector
    note: str = ""

    @property
    def size(self) -> int:
        return self.near.size

    def wanted(self, wanted: Wanted, depth: int | None) -> Rows:
        if depth is None:
            return self.near.wanted(wanted, None)
        try:
            found = self.collection.nearest(self.place.tenant, self.place.scope, self.vector, depth)
        except Unavailable as error:
            return self._without(wanted, depth, error)
        seqs = dump([*found, *self._promised()])
        return self.near.db.run("nearest_among", {**self.near.args, "seqs": seqs}, wanted=wanted)

    def nearness(self, seqs: Sequence[int]) -> dict[int, Nearness]:
        return self.near.nearness(seqs)

    def _promised(self) -> list[int]:
        found = self.near.db.run("promised_here", {**self.near.args, "limit": BEHIND})
        return [seq for (seq,) in found]

    def _without(self, wanted: Wanted, depth: int, error: Unavailable) -> Rows:
        """As well as it can be done: compared one by one where they are few, else by words."""
        if self.size <= EXACT:
            self.note = f"searched without the index of vectors: {error}"
            return self.near.wanted(wanted, depth)
        self.note = f"searched by words only: {error}"
        return []
