"""Exact nearest neighbours: the vectors of recently used scopes, kept in memory.

A scan of 20,000 vectors of 384 floats takes 1 to 2 ms this way, and 17 ms inside SQLite. The file
stays the truth: a copy is brought up to date from it before each search, whoever wrote.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from hindsight_memory.core.model import Vector
from hindsight_memory.stores.searching import Nearness

NewerVectors = Callable[[int], Iterable[tuple[int, int, int, bytes]]]
"""Reads the (vector, seq, passage, embedding) rows written after vector number ``after``."""

BUDGET_BYTES = 96 * 2**20
"""Vectors kept in memory: 65,000 of 384 floats. The least recently used scope goes first."""

BATCH = 1_000
"""Vectors read at a time, so that a large scope is not in memory twice."""


@dataclass(slots=True)
class Matrix:
    """The vectors of one scope and model, in the order they were written.

    last: number of the newest vector in it. shrunk: the scope's count of removals it knows of.
    """

    dimensions: int
    shrunk: int
    last: int = 0
    size: int = 0
    rows: NDArray[np.float32] = field(init=False)
    seqs: NDArray[np.int64] = field(init=False)
    passages: NDArray[np.int32] = field(init=False)
    total: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        self._allocate(16)
        self.total = np.zeros(self.dimensions)

    @property
    def size_bytes(self) -> int:
        return self.rows.nbytes + self.seqs.nbytes + self.passages.nbytes

    def extend(self, newer: Iterable[tuple[int, int, int, bytes]]) -> None:
        """Add (vector, seq, passage, embedding) rows."""
        rows = iter(newer)
        while batch := list(islice(rows, BATCH)):
            vectors, seqs, passages, embeddings = zip(*batch, strict=True)
            end = self.size + len(batch)
            self._reserve(end)
            added = np.frombuffer(b"".join(embeddings), dtype="<f4").reshape(len(batch), -1)
            self.rows[self.size : end] = added
            self.seqs[self.size : end] = seqs
            self.passages[self.size : end] = passages
            self.total += added.sum(axis=0, dtype="f8")
            self.last, self.size = vectors[-1], end

    def similarities(self, query: Vector) -> NDArray[np.float32]:
        """Cosine of ``query`` and each vector, in the order of the rows."""
        # Not ``@``: BLAS shares this among threads, and waits for the last one up to 40 ms where
        # another process keeps a core busy; alone it takes as long as this, 0.8 ms for 20,000.
        cosines: NDArray[np.float32] = np.vecdot(self.rows[: self.size], query)
        return cosines

    def middle(self) -> Vector:
        """The direction of the mean of all vectors; zero where there is none."""
        length = float(np.linalg.norm(self.total))
        return np.asarray(self.total / length if length else self.total, dtype="f4")

    def _reserve(self, size: int) -> None:
        """Room for ``size`` rows. Searches under way go on in the arrays that they began with."""
        if size > len(self.seqs):
            self._allocate(max(size, 2 * len(self.seqs)))

    def _allocate(self, capacity: int) -> None:
        rows = np.empty((capacity, self.dimensions), dtype="f4")
        seqs = np.empty(capacity, dtype="i8")
        passages = np.empty(capacity, dtype="i4")
        if self.size:
            rows[: self.size] = self.rows[: self.size]
            seqs[: self.size] = self.seqs[: self.size]
            passages[: self.size] = self.passages[: self.size]
        self.rows, self.seqs, self.passages = rows, seqs, passages


class Nearest:
    """How near each memory of a scope is to a query, by its best passage."""

    def __init__(self, matrix: Matrix, query: Vector) -> None:
        self._rows, self._middle = matrix.rows[: matrix.size], matrix.middle()
        self._cosines = matrix.similarities(query)
        self._seqs = matrix.seqs[: matrix.size]
        self._passages = matrix.passages[: matrix.size]

    def top(self, depth: int) -> tuple[list[int], bool]:
        """The memories of the ``depth`` best passages, and whether these are all there are.

        All of those that are as near as the last of them: what is cut off is never a coin toss.
        """
        last = max(0, len(self._cosines) - depth)
        rows = np.flatnonzero(self._cosines >= np.partition(self._cosines, last)[last])
        return self._ranked(rows), len(rows) == len(self._cosines)

    def among(self, wanted: AbstractSet[int]) -> list[int]:
        """All of ``wanted`` that have a vector, the nearest first."""
        return self._ranked(self._rows_of(wanted))

    def best(self, seqs: Collection[int]) -> dict[int, Nearness]:
        """The best passage of those of ``seqs`` that have a vector."""
        rows = self._rows_of(seqs)
        # The best last, and the earlier of two equals: the last one of a memory is what it gets.
        rows = rows[np.lexsort((-self._passages[rows], self._cosines[rows]))]
        columns = (
            self._seqs[rows],
            self._cosines[rows],
            np.vecdot(self._rows[rows], self._middle),
            self._passages[rows],
        )
        return {
            seq: Nearness(*nearness)
            for seq, *nearness in zip(*(column.tolist() for column in columns), strict=True)
        }

    def _rows_of(self, seqs: Collection[int]) -> NDArray[np.intp]:
        return np.flatnonzero(np.isin(self._seqs, np.fromiter(seqs, dtype="i8")))

    def _ranked(self, rows: NDArray[np.intp]) -> list[int]:
        """The memories of these rows, each once, the nearest first, then the older."""
        order = rows[np.lexsort((self._seqs[rows], -self._cosines[rows]))]
        return list(dict.fromkeys(self._seqs[order].tolist()))


class VectorCache:
    """Matrices by scope number, the most recently used ones, up to a budget. One lock owns it."""

    def __init__(self, budget_bytes: int = BUDGET_BYTES) -> None:
        self._budget_bytes = budget_bytes
        self._lock = threading.Lock()
        self._matrices: OrderedDict[int, Matrix] = OrderedDict()

    def nearest(
        self, scope: int, shrunk: int, query: Vector, newer: NewerVectors
    ) -> Nearest | None:
        """None when the scope has no vector. ``newer(after)`` reads what the file has since."""
        with self._lock:
            matrix = self._matrices.get(scope)
            if matrix is None or matrix.shrunk != shrunk:
                matrix = Matrix(dimensions=len(query), shrunk=shrunk)
            matrix.extend(newer(matrix.last))
            self._keep(scope, matrix)
            return Nearest(matrix, query) if matrix.size else None

    def drop(self, scope: int) -> None:
        with self._lock:
            self._matrices.pop(scope, None)

    def _keep(self, scope: int, matrix: Matrix) -> None:
        self._matrices[scope] = matrix
        self._matrices.move_to_end(scope)
        while len(self._matrices) > 1 and self._size_bytes() > self._budget_bytes:
            self._matrices.popitem(last=False)

    def _size_bytes(self) -> int:
        return sum(matrix.size_bytes for matrix in self._matrices.values())
