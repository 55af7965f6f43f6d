"""What is worth a model's attention unasked: near enough to the task, or always wanted. Pure.

A search answers somebody who asked, and may answer weakly; what is put into a context has to earn
its place there.
"""

import re
from collections.abc import Sequence
from datetime import datetime

from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import Source
from hindsight_memory.core.retrieval import Answer, Hit

SHARE = 0.5
"""Of the score of the best hit: what is far behind the best is not about the same."""

SURE = 0.5
"""Calibrated similarity of a typical answer, which is enough by itself."""

SHARED_WORDS, LIKELY = 0.2, 0.2
"""Of a hit with words of the task: their part of its score, and the similarity it needs besides,
because "the users table" shares a word with whatever is said of a user."""

TOPICAL = 1.0
"""The lift of a memory of what the task is after: food for a restaurant. Lesser lifts say only
that it is of a likely type."""

IMPORTANT = 0.8
"""Importance from which a preference is wanted always (a lesson begins there)."""

_STANDING = re.compile(
    r"\b(?:repl(?:y|ies)|answer(?:s|ing)?|respon(?:d|se|ses|ding)|explanations?|communicat\w+|"
    r"speak|talk|tone|wording|verbos\w+|concise(?:ly)?|brief(?:ly)?|emojis?|call me|address me|"
    r"(?:in|prefers?|use) (?:english|chinese|german|french|spanish|japanese))\b"
    "|回答|回复|答复|交流|沟通|说话|语气|称呼|叫我|用(?:简体|繁体)?(?:中文|英文|英语)|简洁|简短|表情符号",
    re.IGNORECASE,
)
"""How to speak with the user: of use in every task."""


def near(answer: Answer) -> Sequence[Hit]:
    """The hits that may be shown unasked, best first."""
    if answer.abstained or not answer.hits:
        return ()
    best = answer.hits[0].score
    return [hit for hit in answer.hits if hit.score >= SHARE * best and _is_near(hit)]


def _is_near(hit: Hit) -> bool:
    if hit.parts.get("relevance.intent", 0.0) >= TOPICAL:
        return True
    has_words = hit.parts.get("relevance.words", 0.0) >= SHARED_WORDS
    if hit.similarity is None:  # nothing but words to go by
        return has_words
    return hit.similarity >= SURE or (has_words and hit.similarity >= LIKELY)


def is_standing(memory: Memory) -> bool:
    """Whether the user wants it in whatever task: how to be spoken to, or what they gave weight."""
    if memory.source not in {Source.USER_CONFIRMED, Source.USER_EXPLICIT}:
        return False
    return memory.importance >= IMPORTANT or _STANDING.search(memory.content) is not None


def weight(memory: Memory) -> tuple[float, int, datetime, str]:
    """Orders what no task tells apart: what matters, what was used, what is new."""
    return memory.importance, memory.used_count, memory.happened_at, memory.id
