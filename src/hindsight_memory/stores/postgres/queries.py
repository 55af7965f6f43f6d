"""The named queries of the .sql files here, and running them in a transaction."""

import re
from functools import cache
from typing import Any, TypeAlias

import psycopg

from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.sql import SHARED, load_queries
from hindsight_memory.stores.statements import Args, Rows

QUERIES = load_queries(SHARED, "hindsight_memory.stores.postgres")

Connection: TypeAlias = psycopg.Connection[tuple[Any, ...]]

Asked: TypeAlias = psycopg.Cursor[tuple[Any, ...]]
"""Its ``fetchall`` waits for the rows."""

_ARGUMENT = re.compile(r"(?<![:\w]):(?=[a-z])(\w+)")


@cache
def text(query: str) -> str:
    """``query`` with its arguments as psycopg writes them; a cast, ``::type``, is none."""
    return _ARGUMENT.sub(r"%(\1)s", query)


class Running:
    """The transaction that a connection is in. Implements Statements.

    In a pipeline: what nobody waits for is sent with what comes next.
    """

    def __init__(self, connection: Connection, pipeline: psycopg.Pipeline | None = None) -> None:
        self._connection, self._pipeline = connection, pipeline

    def run(self, name: str, args: Args, *, wanted: Wanted | None = None) -> Rows:
        return self.ask(name, args, wanted=wanted).fetchall()

    def ask(self, name: str, args: Args, *, wanted: Wanted | None = None) -> Asked:
        """As ``run``, without waiting: what is asked before it is needed takes one round trip."""
        if wanted is None:
            return self._connection.execute(text(QUERIES[name]), args)
        return self._connection.execute(text(wanted.query(name)), {**wanted.args, **args})

    def do(self, name: str, args: Args) -> None:
        self._connection.execute(text(QUERIES[name]), args)

    def change(self, name: str, args: Args) -> int:
        cursor = self._connection.execute(text(QUERIES[name]), args)
        if self._pipeline is not None:
            self._pipeline.sync()
        return cursor.rowcount

    def run_text(self, query: str, args: Args) -> Rows:
        """As ``run``, for a query that was composed of named ones."""
        return self._connection.execute(text(query), args).fetchall()
