"""Vectors in pgvector: exact where a scope is small, by an HNSW index where it is large.

The seam for another index beside PostgreSQL is ``VectorIndex``: the rows here stay the truth from
which it can be made anew, so it writes them too, and answers ``nearest`` by itself.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Vector
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postgres.queries import Running
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.searching import Nearness
from hindsight_memory.stores.statements import Args, Rows, Statements
from hindsight_memory.stores.writing import Place

EXACT = 20_000
"""Up to so many vectors of a scope all are compared, in a microsecond each. The index takes 5 ms of
a scope of 100,000; of smaller ones more, because it has to pass over those of others.
"""

MOST_INDEXED = 4_000
"""Dimensions above which pgvector makes no index of half precision."""


class Ranking(Protocol):
    """Memories of one scope by how well they match one side of a query.

    size: how many it ranks, at most.
    """

    @property
    def size(self) -> int: ...

    def wanted(self, wanted: Wanted, depth: int | None) -> Rows:
        """Number, and whether it is current, of those among the ``depth`` best that are
        ``wanted``, or would be if they were current; the best first. depth: None for all.
        """
        ...


class Nearest(Ranking, Protocol):
    """The ranking by one vector."""

    @property
    def note(self) -> str:
        """What could not be asked, and why; "" where all was."""
        ...

    def nearness(self, seqs: Sequence[int]) -> dict[int, Nearness]:
        """Of those of ``seqs`` that have a vector."""
        ...


class VectorIndex(Protocol):
    """Where the vectors of the memories are searched. All of it inside a transaction."""

    def add(self, db: Statements, place: Place, passages: Passages) -> None:
        """What is there already stays as it is."""
        ...

    def drop(self, db: Statements, place: Place) -> None:
        """Those of one memory, of every model."""
        ...

    def renew(self, db: Statements) -> None:
        """Make anew what is derived from the vectors."""
        ...

    def nearest(self, db: Running, place: Place, vector: Vector) -> Nearest | None:
        """None where the scope of ``place`` has no vector of the current model."""
        ...


class PgVectors:
    """Implements VectorIndex. fingerprint: of the model whose vectors are written and searched.

    makes_index: whether near neighbours are looked for here in large scopes. exact: up to so many
    vectors a scope is small, and all are compared.
    """

    def __init__(self, fingerprint: str, *, makes_index: bool = True, exact: int = EXACT) -> None:
        self._fingerprint = fingerprint
        self._makes_index = makes_index
        self._exact = exact
        self._known: int | None = None  # seen by a search, and so committed

    def add(self, db: Statements, place: Place, passages: Passages) -> None:
        if not passages.vectors:
            return
        of_model = place.args | {"model": self._model(db, len(passages.vectors[0]))}
        for number, vector in enumerate(passages.vectors, start=passages.first):
            db.do("insert_vector", of_model | {"passage": number, "embedding": vector.tolist()})
        db.do("count_missing", of_model | {"total": passages.total})

    def drop(self, db: Statements, place: Place) -> None:
        db.do("delete_vectors", place.args)

    def renew(self, db: Statements) -> None:
        for name in ("empty_middles", "fill_middles"):
            db.do(name, {})

    def nearest(self, db: Running, place: Place, vector: Vector) -> "PgNearest | None":
        given = place.args | {"fingerprint": self._fingerprint}
        for model, dimensions, size in db.run("model_of_scope", given):
            self._known = model
            is_exact = size <= self._exact or dimensions > MOST_INDEXED
            args = place.args | {"model": model, "query": vector.tolist()}
            return PgNearest(db, args, size, dimensions, is_exact)
        return None

    def _model(self, db: Statements, dimensions: int) -> int:
        """Its number. Its index is made with its first vector, when it is made in no time."""
        if self._known is not None:
            return self._known
        given = {"fingerprint": self._fingerprint, "dimensions": dimensions}
        found = db.run("model", given)
        if not found:
            db.do("new_model", given)
            found = db.run("model", given)
        [(model, known)] = found
        if known is None:
            given |= {"model": model}
            db.do("set_dimensions", given)
            if self._makes_index:
                db.do("index_vectors", given)
        return int(model)


@dataclass(frozen=True, slots=True)
class PgNearest:
    """args: the scope, the model and the query. size: how many vectors the scope has. is_exact:
    whether all of them are compared.
    """

    db: Running
    args: Args
    size: int
    dimensions: int
    is_exact: bool
    note: str = ""

    def wanted(self, wanted: Wanted, depth: int | None) -> Rows:
        args = {**self.args, "depth": depth}
        if depth is None:
            return self.db.run("nearest_wanted", args, wanted=wanted)
        if self.is_exact:
            return self.db.run("nearest", args, wanted=wanted)
        return self._indexed(wanted, args)

    def nearness(self, seqs: Sequence[int]) -> dict[int, Nearness]:
        found = self.db.run("nearness", {**self.args, "seqs": dump(list(seqs))})
        return {seq: Nearness(*rest) for seq, *rest in found}

    def _indexed(self, wanted: Wanted, args: Args) -> Rows:
        self.db.do("search_index", {})
        query = wanted.query("nearest_indexed")
        for name, value in (("model", args["model"]), ("dimensions", self.dimensions)):
            query = query.replace(f"/* {name} */", str(int(value)))
        return self.db.run_text(query, {**wanted.args, **args})


class PgIndexes:
    """Words, and whichever index of vectors is chosen. Implements Repairable."""

    def __init__(self, vectors: VectorIndex) -> None:
        self._vectors = vectors

    def term(self, scope: int, term: str) -> str:
        return term

    def add_vectors(self, db: Statements, place: Place, passages: Passages) -> None:
        self._vectors.add(db, place, passages)

    def drop_vectors(self, db: Statements, place: Place) -> None:
        self._vectors.drop(db, place)

    def renew_vectors(self, db: Statements) -> None:
        self._vectors.renew(db)
