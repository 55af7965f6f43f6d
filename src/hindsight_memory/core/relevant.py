"""What is near enough to a task to be worth a model's attention unasked. Pure.

A search answers somebody who asked, and may answer weakly; what is put into a context has to earn
its place there.
"""

from collections.abc import Sequence
from datetime import datetime

from hindsight_memory.core.model import Memory
from hindsight_memory.core.retrieval import Answer, Hit

SHARE = 0.5
"""Of the score of the best hit: what is far behind the best is not about the same."""

SURE = 0.5
"""Calibrated similarity of a typical answer, which is enough by itself."""

SHARED_WORDS, LIKELY = 0.2, 0.2
"""Of a hit with words of the task: their part of its score, and the similarity it needs besides,
because "the users table" shares a word with whatever is said of a user."""

CONSTRAINING = 1.0
"""The lift of a constraint on what the task is after, which is wanted however it is worded: an
allergy, for a restaurant. Likings are lifted less (core.lifts)."""

LIKED = 0.25
"""Similarity that a liking needs besides its lift: topics alone take a concert ticket for a flight.
With likings 34 of 40 wanted memories are shown instead of 28 (benchmarks/telling.py)."""


def near(answer: Answer) -> Sequence[Hit]:
    """The hits that may be shown unasked, best first."""
    if answer.abstained or not answer.hits:
        return ()
    best = answer.hits[0].score
    return [
        hit
        for hit in answer.hits
        if _is_after(hit) or (hit.score >= SHARE * best and _is_about(hit))
    ]


def _is_after(hit: Hit) -> bool:
    """Whether it is what the task is after. A constraint lifts its own score so far that likings
    beside it cannot come near, so these are not compared with the best.
    """
    lift = hit.parts.get("relevance.intent", 0.0)
    return lift >= CONSTRAINING or (lift > 0.0 and (hit.similarity or 0.0) >= LIKED)


def _is_about(hit: Hit) -> bool:
    """Whether it speaks of the same as the task."""
    has_words = hit.parts.get("relevance.words", 0.0) >= SHARED_WORDS
    if hit.similarity is None:  # nothing but words to go by
        return has_words
    return hit.similarity >= SURE or (has_words and hit.similarity >= LIKELY)


def weight(memory: Memory) -> tuple[float, int, datetime, str]:
    """Orders what no task tells apart: what matters, what was used, what is new."""
    return memory.importance, memory.used_count, memory.happened_at, memory.id
