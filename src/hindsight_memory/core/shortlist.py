"""What is left of a ranking: no statement twice, and no more than the caller can read. Pure."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from hindsight_memory.core.retrieval import Hit
from hindsight_memory.core.text import estimated_tokens
from hindsight_memory.core.values import canonical, cased


def collapse(ranked: Iterable[Hit], *, top_k: int) -> list[Hit]:
    """The best ``top_k`` that state different things; each keeps the sources of its duplicates.

    Only equal statements collapse, with all their values: a vector cannot tell port 8000 from 9000.
    """
    kept: dict[tuple[tuple[str, ...], tuple[str, ...]], Hit] = {}
    for hit in ranked:
        statement = canonical(hit.memory.content), cased(hit.memory.content)
        if twin := kept.get(statement):
            kept[statement] = replace(twin, sources=(*twin.sources, hit.memory))
        elif len(kept) < top_k:
            kept[statement] = hit
        else:
            break
    return list(kept.values())


def within_budget(hits: Sequence[Hit], token_budget: int | None) -> tuple[list[Hit], int]:
    """The hits that fit, best first, and how many did not; long ones leave room to short ones."""
    if token_budget is None:
        return list(hits), 0
    fitting: list[Hit] = []
    spent = 0.0
    for hit in hits:
        cost = estimated_tokens(hit.memory.content)
        if spent + cost <= token_budget:  # no float of the budget: integers go beyond floats
            fitting.append(hit)
            spent += cost
    return fitting, len(hits) - len(fitting)
