"""What a conversation states that a later session can use: single statements, by rules. Pure.

``admission`` says which turns may be forgotten at once; here is asked for more: that a sentence
tells something lasting about its speaker, or about the work, in words that stand alone. Each item
keeps who said it, where in the turn, and whether it was hedged. Cues are rows of
``extraction_rows``.
"""

import re
from dataclasses import dataclass

from hindsight_memory.core import extraction_rows as rows
from hindsight_memory.core.admission import admit_turn, classify
from hindsight_memory.core.policy import MemoryType
from hindsight_memory.core.text import fold

_SENTENCE = re.compile(r"[^.!?。！？…\n]*(?:[.!?](?=\S)[^.!?。！？…\n]*)*[.!?。！？…]*\n?")
_CLAUSE = re.compile(r"(?:(?!\s[-–—]+\s)[^,;，；、:：])+")
LEAST_CHARACTERS = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """A statement. start, end: where it stands in the turn. is_hedged: its speaker was not sure."""

    content: str
    memory_type: MemoryType
    start: int
    end: int
    is_hedged: bool = False
    reason: str = ""


def extracted(turn: str, *, role: str = "user") -> list[Item]:
    """The statements of a turn, in order; empty for small talk, advice, wishes and questions.

    role: who speaks; of an "assistant" only decisions and lessons are taken, because the rest is
    advice that nobody has followed yet.
    """
    found = []
    for match in _SENTENCE.finditer(turn):
        sentence = match[0].strip()
        if len(sentence) >= LEAST_CHARACTERS:
            start = match.start() + match[0].index(sentence)
            found.append(_item(sentence, start, role))
    return [item for item in found if item is not None]


def _item(sentence: str, start: int, role: str) -> Item | None:
    admission = admit_turn(sentence, role=role)
    if admission.verdict == "skip" or rows.TALK.search(sentence):
        return None
    clauses = [found[0].strip() for found in _CLAUSE.finditer(fold(sentence).replace("’", "'"))]
    if _is_question(sentence):
        clauses = clauses[:-1]  # 我喜欢摄影，你有推荐吗？ tells something before it asks
    clauses = [each for each in clauses if not rows.COURTESY.search(each)]
    reason = next((name for name, cue in rows.TELLING if _tells(cue, clauses)), "")
    memory_type = classify(sentence, is_event=False)
    if not reason or (role == "assistant" and memory_type not in rows.OF_AN_ASSISTANT):
        return None
    if memory_type is MemoryType.FACT:
        memory_type = rows.TYPES.get(reason, memory_type)
    return Item(
        content=sentence,
        memory_type=memory_type,
        start=start,
        end=start + len(sentence),
        is_hedged=admission.verdict == "tentative",
        reason=reason,
    )


def _tells(cue: re.Pattern[str], clauses: list[str]) -> bool:
    return any(cue.search(each) and not rows.EMPTY.search(each) for each in clauses)


def _is_question(sentence: str) -> bool:
    return sentence.endswith(("?", "？", "吗", "呢"))
