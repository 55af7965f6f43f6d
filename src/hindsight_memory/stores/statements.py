"""What a SQL database must do for what its stores have in common: run named queries.

The names are those of the .sql files beside each store. Every store has all of them, and says in
its own SQL what each means.
"""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from typing import Any, Protocol, TypeAlias, TypeVar

from hindsight_memory.stores.filtering import Wanted

Args: TypeAlias = Mapping[str, Any]
"""By the names in the query. Lists are JSON, and times are as core.codec.iso writes them."""

Rows: TypeAlias = list[tuple[Any, ...]]

Result = TypeVar("Result")


class Statements(Protocol):
    """One transaction."""

    def run(self, name: str, args: Args, *, wanted: Wanted | None = None) -> Rows:
        """All rows of the query called ``name``, with the conditions that are ``wanted`` in it."""
        ...

    def do(self, name: str, args: Args) -> None:
        """As ``run``, for no rows. What goes wrong may be raised by a later call."""
        ...

    def change(self, name: str, args: Args) -> int:
        """How many rows the query called ``name`` has changed."""
        ...


class SqlDatabase(Protocol):
    """tenant: whose rows are read or written; None for upkeep, which looks after all of them.

    Raises Conflict, Incompatible, Damaged or Unavailable for what the database raises.
    """

    def rows(
        self, tenant: str | None, name: str, args: Args, *, wanted: Wanted | None = None
    ) -> Rows:
        """All rows of one query."""
        ...

    def snapshot(self, tenant: str | None) -> AbstractContextManager[Statements]:
        """All queries of the block see the same instant, and change nothing."""
        ...

    def write(self, tenant: str | None, work: Callable[[Statements], Result]) -> Result:
        """What ``work`` returns, in one durable transaction that is undone when it raises.

        Where the database asks for another try, ``work`` is called again, in a new transaction.
        """
        ...

    def wipe(self, *, is_due: bool) -> None:
        """Leave no trace of what was deleted, as far as that can be done.

        is_due: whether something was; else only what could not be done before is tried again.
        """
        ...

    def damages(self) -> list[str]:
        """What the database itself finds wrong with its files; empty when they are sound."""
        ...

    def close(self) -> None:
        """Let go of all connections; twice is harmless."""
        ...
