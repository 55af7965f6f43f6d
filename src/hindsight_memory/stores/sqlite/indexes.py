"""Words and vectors as a SQLite file has them. Implements Repairable."""

import apsw
import numpy as np

from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Vector
from hindsight_memory.stores.sqlite.queries import run
from hindsight_memory.stores.statements import Statements
from hindsight_memory.stores.writing import Place


class SqliteIndexes:
    """shrunk: the scopes whose vectors became fewer."""

    def __init__(self, fingerprint: str) -> None:
        self._fingerprint = fingerprint
        self.shrunk: set[int] = set()

    def term(self, scope: int, term: str) -> str:
        return scoped(scope, term)

    def add_vectors(self, db: Statements, place: Place, passages: Passages) -> None:
        model = self._model(db)
        of_model = {"scope": place.scope, "model": model, "seq": place.seq}
        for number, vector in enumerate(passages.vectors, start=passages.first):
            db.do("insert_vector", of_model | {"passage": number, "embedding": blob(vector)})
        db.do("count_missing", {"seq": place.seq, "model": model, "total": passages.total})

    def drop_vectors(self, db: Statements, place: Place) -> None:
        if db.change("delete_vectors", {"seq": place.seq}):
            db.do("shrink", {"scope": place.scope})
            self.shrunk.add(place.scope)

    def renew_vectors(self, db: Statements) -> None:
        """Copies of the vectors in the memory of any process are read anew."""
        db.do("shrink_all", {})

    def _model(self, db: Statements) -> int:
        db.do("new_model", {"fingerprint": self._fingerprint})
        models: dict[str, int] = {name: number for number, name in db.run("models", {})}
        return models[self._fingerprint]


def blob(vector: Vector) -> bytes:
    return np.asarray(vector, dtype="<f4").tobytes()


def scoped(scope: int, term: str) -> str:
    """A term as it is indexed."""
    return f"{scope}:{term}"


def renew_words(db: apsw.Connection) -> None:
    """The empty index of words, made by its own definition: to empty a damaged one may fail."""
    definitions = dict(run(db, "word_tables", {}))
    for name in ("drop_vocabulary", "drop_words"):
        run(db, name, {})
    for table in ("words", "words_vocabulary"):
        db.execute(definitions[table])
