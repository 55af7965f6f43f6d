"""Keeping vectors complete: the job that embeds what nobody waited for, and a change of model."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import islice

import structlog

from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Memory, Scope, Vector
from hindsight_memory.core.ports import Embedder, Progress
from hindsight_memory.engine.meaning import split
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import HindsightError, Unavailable

log = structlog.get_logger(__name__)

BATCH = 16
"""Passages embedded in one step: about half a second, so that a process can end soon."""

RETRY_AFTER = timedelta(days=1)
"""Before a text that could not be embedded is tried again; ``reembed`` does not wait for it."""


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

    Returns how many memories have got some. Can be stopped at any time and goes on from there.
    Raises Unavailable without an embedder, or when it does not answer.
    """
    parts.store.adopt_model()
    total = left = parts.store.unembedded_count()
    progress(0, total)
    while _step(parts):
        left = parts.store.unembedded_count()
        progress(total - left, total)
    parts.store.drop_other_models()
    return total - left


def _step(parts: Parts) -> int:
    """Embed at most ``BATCH`` passages, or find out which cannot be; returns of how many memories.

    Raises what the embedder raises when it answers nothing at all.
    """
    embedder = parts.meaning.embedder
    if embedder is None:
        raise Unavailable(parts.meaning.why_absent)
    now = parts.clock.now()
    pieces = list(_pieces(parts.store.unembedded(limit=BATCH, due_at=now)))
    if not pieces:
        return 0
    try:
        made = _embedded(embedder, pieces)
    except Exception:
        if not _answers(parts, embedder):
            raise
        made = [each for piece in pieces for each in _alone(embedder, piece)]
    _keep(parts, pieces, made, now)
    return len(pieces)


def _embedded(embedder: Embedder, pieces: Sequence[Piece]) -> list[Passages]:
    texts = [text for piece in pieces for text in piece.texts]
    vectors = iter(embedder.passages(texts))
    return [_passages(piece, vectors) for piece in pieces]


def _answers(parts: Parts, embedder: Embedder) -> bool:
    """Whether it answers for a text without fault, which is new so that no cache answers."""
    try:
        embedder.passages([parts.ids.new(parts.clock.now())])
    except HindsightError:
        return False
    return True


def _alone(embedder: Embedder, piece: Piece) -> list[Passages]:
    """Nothing for one that cannot be embedded, whatever the reason: the others come first."""
    try:
        return _embedded(embedder, [piece])
    except HindsightError as error:
        log.warning("not_embedded", memory_id=piece.memory.id, code=error.code, error=str(error))
    except Exception:  # a worker loop outlives the bug of one text
        log.exception("embedding_broke", memory_id=piece.memory.id)
    return []


def _keep(parts: Parts, pieces: Sequence[Piece], made: Sequence[Passages], now: datetime) -> None:
    """The vectors that were made, and when to try again for those that were not, by tenant."""
    by_id = {passages.memory_id: passages for passages in made}
    for tenant in sorted({piece.memory.tenant for piece in pieces}):
        ids = [piece.memory.id for piece in pieces if piece.memory.tenant == tenant]
        changes = parts.changes(
            Scope(tenant, None, None),
            "embedded",
            "",
            at=now,
            passages=tuple(by_id[each] for each in ids if each in by_id),
        )
        failed = {each: now + RETRY_AFTER for each in ids if each not in by_id}
        parts.store.apply(replace(changes, postponed=failed))


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
