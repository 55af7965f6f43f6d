"""Keeping vectors complete: the job that embeds what nobody waited for, and a change of model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby, islice
from operator import itemgetter

from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Memory, Scope, Vector
from hindsight_memory.core.ports import Progress
from hindsight_memory.engine.meaning import split
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import Unavailable

BATCH = 16
"""Passages embedded in one step: about half a second, so that a process can end soon."""


@dataclass(frozen=True, slots=True)
class Piece:
    """Passages of one memory to embed, from number ``first``."""

    memory: Memory
    first: int
    texts: tuple[str, ...]
    total: int


def embed_some(parts: Parts) -> bool:
    """One step of the job that embeds what no caller waited for; whether there is more to do.

    Vectors of another model are left until somebody asks for ``reembed``: it may take hours.
    """
    if parts.meaning.embedder is None or parts.meaning.notice:
        return False
    return _step(parts) > 0


def reembed(parts: Parts, progress: Progress) -> int:
    """Give every memory vectors of the current model, then drop those of others.

    Returns how many memories were lacking some. Can be stopped at any time and goes on from there.
    Raises Unavailable without an embedder.
    """
    parts.store.adopt_model()
    total = parts.store.unembedded_count()
    progress(0, total)
    while _step(parts):
        progress(total - parts.store.unembedded_count(), total)
    parts.store.drop_other_models()
    return total


def _step(parts: Parts) -> int:
    """Embed at most ``BATCH`` passages; returns of how many memories."""
    embedder = parts.meaning.embedder
    if embedder is None:
        raise Unavailable(parts.meaning.why_absent)
    pieces = list(_pieces(parts.store.unembedded(limit=BATCH)))
    if not pieces:
        return 0
    texts = [text for piece in pieces for text in piece.texts]
    vectors = iter(embedder.passages(texts))
    made = [(piece.memory.tenant, _passages(piece, vectors)) for piece in pieces]
    now = parts.clock.now()
    by_tenant = itemgetter(0)
    for tenant, group in groupby(sorted(made, key=by_tenant), key=by_tenant):
        changes = parts.changes(Scope(tenant, None, None), "embedded", "", at=now)
        parts.store.apply(replace(changes, passages=tuple(passages for _, passages in group)))
    return len(pieces)


def _pieces(waiting: Sequence[tuple[Memory, int]]) -> Iterator[Piece]:
    room = BATCH
    for memory, first in waiting:
        texts = split(memory.content)
        wanted = texts[first : first + room]
        yield Piece(memory=memory, first=first, texts=wanted, total=len(texts))
        room -= len(wanted)
        if room <= 0:
            return


def _passages(piece: Piece, vectors: Iterator[Vector]) -> Passages:
    return Passages(
        memory_id=piece.memory.id,
        content=piece.memory.content,
        first=piece.first,
        total=piece.total,
        vectors=tuple(islice(vectors, len(piece.texts))),
    )
