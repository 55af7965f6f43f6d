"""The named queries of the .sql files here, and running them on a connection."""

from collections.abc import Mapping
from typing import Any

import apsw

from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.sql import SHARED, load_queries
from hindsight_memory.stores.statements import Args, Rows

QUERIES = load_queries(SHARED, "hindsight_memory.stores.sqlite")


def run(db: apsw.Connection, name: str, args: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """All rows of the query called ``name``."""
    return db.execute(QUERIES[name], args).fetchall()


class Running:
    """The transaction that a connection is in. Implements Statements."""

    def __init__(self, db: apsw.Connection) -> None:
        self._db = db

    def run(self, name: str, args: Args, *, wanted: Wanted | None = None) -> Rows:
        if wanted is None:
            return run(self._db, name, args)
        return self._db.execute(wanted.query(name), {**wanted.args, **args}).fetchall()

    def do(self, name: str, args: Args) -> None:
        run(self._db, name, args)

    def change(self, name: str, args: Args) -> int:
        run(self._db, name, args)
        return self._db.changes()
