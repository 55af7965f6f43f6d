"""What a new content is compared with, at a write and at an edit alike."""

from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Memory, Related, Scope
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.core.text import query_terms
from hindsight_memory.engine.parts import Parts

NEAREST = 8
"""How many near memories are looked at."""

KIN = 32
"""How many memories about the same thing are looked at besides."""

TERMS_COMPARED = 64
"""Words of a new content that are looked up when it, or what it may meet, has no vector yet."""


def neighbours(parts: Parts, scope: Scope, new: Memory, passages: Passages | None) -> list[Related]:
    """Current memories of its project that may say the same: the nearest, the one with the same
    content, and its kin; nearest first.
    """
    store = parts.store
    vector = None if passages is None else passages.vectors[0]
    is_by_words = vector is None or bool(store.unembedded(limit=1))
    terms = query_terms(new.content)[:TERMS_COMPARED] if is_by_words else ()
    where = Filter(project=new.project)
    found = store.candidates(scope, terms, vector, where=where, limit=NEAREST)
    cosines = {each.id: each.similarity for each in found.evidence}
    same = store.same_content(new)
    kin = store.kin(scope, new, limit=KIN)
    known = [*([same] if same else []), *kin, *store.get(scope, list(cosines))]
    near = {each.id: _related(parts, each, new, cosines.get(each.id)) for each in known}
    return sorted(near.values(), key=lambda each: (-(each.similarity or 0.0), each.memory.id))


def _related(parts: Parts, memory: Memory, new: Memory, cosine: float | None) -> Related:
    similarity = None
    if cosine is not None:
        similarity = parts.meaning.calibration.similarity(cosine, memory.content, new.content)
    return Related(memory=memory, similarity=similarity)
