"""Memories page by page, as a store gives them."""

from collections.abc import Iterator, Sequence

from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.core.paging import pages
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter


def newest_first(
    store: Store, scope: Scope, where: Filter, *, size: int
) -> Iterator[Sequence[Memory]]:
    """All memories that match ``where``, in pages of at most ``size``."""
    start: str | None = None
    return pages(
        lambda before: store.page(scope, where, before=before, limit=size),
        start,
        place=lambda memory: memory.id,
    )
