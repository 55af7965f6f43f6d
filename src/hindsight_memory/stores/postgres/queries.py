"""The named queries of the .sql files here, and running them in a transaction."""

import re
from functools import cache
from typing import Any, TypeAlias

import psycopg

from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.sql import load_queries
from hindsight_memory.stores.statements import Args, Rows

QUERIES = load_queries("hindsight_memory.stores.postgres")

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

_ARGUMENT = re.compile(r"(?<![:\w]):(?=[a-z])(\w+)")


@cache
def text(query: str) -> str:
    """``query`` with its arguments as psycopg writes them; a cast, ``::type``, is none."""
    return _ARGUMENT.sub(r"%(\1)s", query)


class Running:
    """The transaction that a connection is in. Implements Statements."""

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    def run(self, name: str, args: Args, *, wanted: Wanted | None = None) -> Rows:
        if wanted is None:
            return self.run_text(QUERIES[name], args)
        return self.run_text(wanted.query(name), {**wanted.args, **args})

    def change(self, name: str, args: Args) -> int:
        return self._connection.execute(text(QUERIES[name]), args).rowcount

    def run_text(self, query: str, args: Args) -> Rows:
        """As ``run``, for a query that was composed of named ones."""
        cursor = self._connection.execute(text(query), args)
        return cursor.fetchall() if cursor.description else []
