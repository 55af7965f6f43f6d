"""A filter as SQL. Only the conditions that are asked: each costs its time on every row.

A new condition of core.filters is a query of that name in each store, and a row of ``CONDITIONS``.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from hindsight_memory.core.codec import iso
from hindsight_memory.core.model import Scope
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.stores.rows import dump, tag_text

CONDITIONS: Mapping[str, Callable[[Scope, Filter], bool]] = MappingProxyType(
    {
        "in_tenant": lambda scope, where: True,
        "of_user": lambda scope, where: scope.user_id is not None,
        "seen_by_agent": lambda scope, where: scope.agent_id is not None,
        "in_tiers": lambda scope, where: True,
        "forgotten": lambda scope, where: where.forgotten,
        "not_forgotten": lambda scope, where: not where.forgotten,
        "not_superseded": lambda scope, where: not where.superseded and not where.is_of_the_past,
        "current_then": lambda scope, where: not where.superseded and where.is_of_the_past,
        "held_then": lambda scope, where: where.as_of is not None,
        "known_then": lambda scope, where: where.known_at is not None,
        "of_project": lambda scope, where: where.project is not None,
        "in_session": lambda scope, where: where.session_id is not None,
        "in_some_session": lambda scope, where: bool(where.session_id),
        "of_types": lambda scope, where: bool(where.memory_types),
        "of_statuses": lambda scope, where: bool(where.statuses),
        "in_layers": lambda scope, where: bool(where.layers),
        "happened_since": lambda scope, where: where.since is not None,
        "happened_until": lambda scope, where: where.until is not None,
        "tentative_of_agent": lambda scope, where: where.tentative_of is not None,
    }
)
"""When each condition is asked."""

JOINED = MappingProxyType({"any": " OR ", "all": " AND "})


CURRENCY = frozenset({"not_superseded", "current_then"})
"""Which of them ask whether a memory is current."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a scope and a filter ask of the row ``m``, and the arguments for it.

    current: whether it is current, where that is asked; otherwise: all else.
    """

    queries: Mapping[str, str]
    current: str
    otherwise: str
    args: Mapping[str, Any]

    @classmethod
    def by(cls, queries: Mapping[str, str], scope: Scope, where: Filter) -> "Wanted":
        """queries: the named ones of the store, with the conditions among them."""
        names = [name for name, is_asked in CONDITIONS.items() if is_asked(scope, where)]
        current = [queries[name] for name in names if name in CURRENCY]
        asked = [queries[name] for name in names if name not in CURRENCY]
        tags = {f"tag_{number}": tag_text(tag) for number, tag in enumerate(sorted(where.tags))}
        if tags:
            each = [queries["has_tag"].replace(":tag", f":{name}") for name in tags]
            asked.append(f"({JOINED[where.tag_match].join(each)})")
        return cls(
            queries,
            current[0] if current else "1 = 1",
            " AND ".join(asked),
            _args(scope, where) | tags,
        )

    def query(self, name: str) -> str:
        """The query called ``name`` with these conditions in it."""
        return _composed(self.queries[name], self.current, self.otherwise)


@cache
def _composed(query: str, current: str, otherwise: str) -> str:
    return (
        query.replace("/* wanted */", f"{otherwise} AND {current}")
        .replace("/* otherwise wanted */", otherwise)
        .replace("/* current */", current)
    )


def scope_args(scope: Scope) -> dict[str, Any]:
    return {"tenant": scope.tenant, "user_id": scope.user_id, "agent_id": scope.agent_id}


def _args(scope: Scope, where: Filter) -> dict[str, Any]:
    return scope_args(scope) | {
        "tiers": dump(sorted(where.tiers)),
        "project": where.project,
        "session_id": where.session_id,
        "memory_types": dump(sorted(where.memory_types)),
        "statuses": dump(sorted(where.statuses)),
        "layers": dump(sorted(where.layers)),
        "since": None if where.since is None else iso(where.since),
        "until": None if where.until is None else iso(where.until),
        "tentative_of": where.tentative_of,
        "as_of": None if where.as_of is None else iso(where.as_of),
        "known_at": None if where.known_at is None else iso(where.known_at),
    }
