"""Memories as they were: what a read of the past shows of what the store has now."""

from collections.abc import Iterable

from hindsight_memory.core import history
from hindsight_memory.core.filters import matches
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter


def as_then(store: Store, scope: Scope, found: Iterable[Memory], where: Filter) -> list[Memory]:
    """``found`` as ``where`` asks to see it, without what it asks not to see.

    The store finds by what is there now; what an edit since then changed is undone here.
    """
    if not where.is_of_the_past:
        return list(found)
    earlier = (_as_known(store, scope, memory, where) for memory in found)
    return [
        history.as_seen(memory, where)
        for memory in earlier
        if memory is not None and matches(where, memory)
    ]


def _as_known(store: Store, scope: Scope, memory: Memory, where: Filter) -> Memory | None:
    at = where.known_at
    if at is None or memory.updated_at <= at:
        return memory
    if memory.is_forgotten:
        return memory  # what was forgotten stays forgotten, whenever one asks about
    return history.as_known(memory, store.history(scope, memory.id), at)
