"""Brings to Qdrant what PostgreSQL has promised it, and compares the two.

A promise says only that the vectors of a memory changed. What they are is read when it is kept, so
to keep one twice, or two at once, comes to the same. One process at a time feeds.
"""

from collections.abc import Iterable, Iterator
from itertools import islice

from hindsight_memory.core.ports import Progress
from hindsight_memory.stores.qdrant.collection import PASSAGE_BITS, Collection, Point, point_id
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.statements import SqlDatabase, Statements

BATCH = 200
"""Memories brought at a time."""

PAGE = 2_000


class Feeder:
    """fingerprint: of the model whose vectors are brought."""

    def __init__(self, database: SqlDatabase, collection: Collection, fingerprint: str) -> None:
        self._database = database
        self._collection = collection
        self._fingerprint = fingerprint

    def begin(self) -> None:
        """From now on changes are promised; the first time, all that is there."""
        self._database.write(None, lambda db: db.change("begin_promising", {}))

    def step(self) -> bool:
        """Keep some promises; whether there were any. Raises Unavailable, and then they stay."""
        return self._database.write(None, self._feed)

    def waiting(self) -> int:
        [(count,)] = self._database.rows(None, "promised_count", {})
        return int(count)

    def reconcile(self, progress: Progress) -> dict[str, int]:
        """Compare every vector, promise what lacks, drop what is too much, and keep all promises.

        Returns how many there were of each. Raises Unavailable.
        """
        for model, dimensions in self._model():
            self._collection.prepare(dimensions)
            lacking, orphaned = self._compared(model, progress)
            while self.step():
                pass
            return {"lacking": lacking, "orphaned": orphaned, "points": self._collection.count()}
        return {"lacking": 0, "orphaned": 0, "points": 0}

    def _feed(self, db: Statements) -> bool:
        [(is_alone,)] = db.run("hold_feed", {})
        if not is_alone:
            return False
        promised = db.run("promised", {"fingerprint": self._fingerprint, "limit": BATCH})
        if not promised:
            return False
        entries, seqs = zip(*promised, strict=True)
        found = db.run(
            "points_of", {"fingerprint": self._fingerprint, "seqs": dump(list(set(seqs)))}
        )
        points = [Point(*row) for row in found]
        for _, dimensions in self._model():
            self._collection.prepare(dimensions)
            self._collection.replace(sorted(set(seqs)), points)
        db.change("keep_promises", {"entries": dump(list(entries))})
        return True

    def _model(self) -> list[tuple[int, int]]:
        """Its number and dimensions, where it has had a vector."""
        found = self._database.rows(None, "model", {"fingerprint": self._fingerprint})
        return [(model, dimensions) for model, dimensions in found if dimensions]

    def _compared(self, model: int, progress: Progress) -> tuple[int, int]:
        truth, there = self._truth(model), self._collection.ids()
        lacking: list[int] = []
        orphaned: list[int] = []
        one, other, done = next(truth, None), next(there, None), 0
        while one is not None or other is not None:
            if other is None or (one is not None and one < other):
                lacking.append(int(one or 0))
                one = next(truth, None)
            elif one is None or other < one:
                orphaned.append(other)
                other = next(there, None)
            else:
                one, other = next(truth, None), next(there, None)
            done += 1
            if done % PAGE == 0:
                progress(done, None)
        self._settle(lacking, orphaned)
        return len(lacking), len(orphaned)

    def _settle(self, lacking: list[int], orphaned: list[int]) -> None:
        for some in _some(orphaned):
            self._collection.drop(some)
        for some in _some(dict.fromkeys(each >> PASSAGE_BITS for each in lacking)):
            args = {"fingerprint": self._fingerprint, "seqs": dump(some)}
            self._database.write(None, lambda db: db.change("promise", args))  # noqa: B023  # called at once

    def _truth(self, model: int) -> Iterator[int]:
        seq, passage = -1, 0
        while rows := self._database.rows(
            None, "points_after", {"model": model, "seq": seq, "passage": passage, "limit": PAGE}
        ):
            yield from (point_id(*row) for row in rows)
            seq, passage = rows[-1]


def _some(ids: Iterable[int]) -> Iterator[list[int]]:
    """Lists of at most ``PAGE``."""
    rest = iter(ids)
    while page := list(islice(rest, PAGE)):
        yield page
