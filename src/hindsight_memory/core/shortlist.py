"""What is left of a ranking: no statement twice, and no more than the caller can read. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hindsight_memory.core.retrieval import Hit
from hindsight_memory.core.text import estimated_tokens
from hindsight_memory.core.values import same_statement

SIMILAR = 0.2
"""Widest gap between the calibrated similarities of two wordings of one statement to one query."""


def collapse(ranked: Iterable[Hit], *, top_k: int) -> list[Hit]:
    """The best ``top_k`` that state different things; each keeps the sources of its duplicates.

    Only equal statements collapse, with all their values: a vector cannot tell port 8000 from 9000.
    """
    kept: list[Hit] = []
    for hit in ranked:
        twin = _twin(hit, kept)
        if twin is not None:
            kept[twin] = replace(kept[twin], sources=(*kept[twin].sources, hit.memory))
        elif len(kept) < top_k:
            kept.append(hit)
        else:
            break
    return kept


def within_budget(hits: Sequence[Hit], token_budget: int | None) -> tuple[list[Hit], int]:
    """The hits that fit, best first, and how many did not; long ones leave room to short ones."""
    if token_budget is None:
        return list(hits), 0
    fitting: list[Hit] = []
    left = float(token_budget)
    for hit in hits:
        cost = estimated_tokens(hit.memory.content)
        if cost <= left:
            fitting.append(hit)
            left -= cost
    return fitting, len(hits) - len(fitting)


def _twin(hit: Hit, kept: Sequence[Hit]) -> int | None:
    for index, other in enumerate(kept):
        if _may_be_equal(hit, other) and same_statement(hit.memory.content, other.memory.content):
            return index
    return None


def _may_be_equal(one: Hit, other: Hit) -> bool:
    """Cheap, to compare few texts: equal statements are about equally near to any query."""
    if one.similarity is None or other.similarity is None:
        return True
    return abs(one.similarity - other.similarity) < SIMILAR
