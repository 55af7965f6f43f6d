"""The named queries of queries.sql, and running one."""

from collections.abc import Mapping
from typing import Any

import apsw

from hindsight_memory.stores.sql import load_queries

QUERIES = load_queries("hindsight_memory.stores.sqlite")


def run(db: apsw.Connection, name: str, args: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    """All rows of the query called ``name``."""
    return db.execute(QUERIES[name], args).fetchall()
