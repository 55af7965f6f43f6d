"""What is worth remembering, and as what: rules in two languages, no model.

What may be skipped is listed; all else is kept, because a chat line too many costs little and a
fact that was skipped is gone. Phrases and cues are rows of ``admission_rows``.
"""

import re
import unicodedata
from dataclasses import dataclass
from typing import Literal

from hindsight_memory.core import admission_rows as rows
from hindsight_memory.core.policy import MemoryType
from hindsight_memory.core.text import fold

_SENTENCE_END = re.compile(r"(?<=[.!?])\s+|(?<=[。！？…\n])")
_CLAUSE_END = re.compile(r"[^\w\s'’-]+|\s-+\s|\n")
_NAME = re.compile(r"[A-Z][a-z]+")
_DATES = re.compile(
    r"(?:mon|tues|wednes|thurs|fri|satur|sun)day|today|tomorrow|tonight|yesterday|noon|morning"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
)
_TRAIL = 4
"""Characters at the end of a sentence among which a question mark makes it a question."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What becomes of a conversation turn, and why, for the person who asks."""

    verdict: Literal["keep", "tentative", "skip"]
    reason: str


def classify(text: str, *, is_event: bool) -> MemoryType:
    """The type of a memory whose writer gave none: what happened is an event, else by its cues."""
    if is_event:
        return MemoryType.EVENT
    folded = _folded(text)
    cued = (kind for kind, cues in rows.CUES.items() if cues.search(folded))
    return next(cued, MemoryType.FACT)


def is_greeting(text: str) -> bool:
    """Whether it is a greeting, thanks or an acknowledgement, with nothing else in it."""
    clauses = _clauses(text)
    if not clauses:
        return any(unicodedata.category(character) == "So" for character in text)
    return all(_kind(clauses, index, role="user") == "greeting" for index in range(len(clauses)))


def admit_turn(text: str, *, role: str) -> Admission:
    """Whether to remember a turn of an ingested conversation.

    role: who speaks; "assistant" also offers help, which nobody needs to remember.
    """
    said = [_nature(sentence, role=role) for sentence in _SENTENCE_END.split(text)]
    telling = [nature for nature in said if nature not in _SKIPPED]
    if not telling:
        return Admission("skip", _SKIPPED[next(kind for kind in _SKIPPED if kind in said)])
    if "statement" in telling:
        return Admission("keep", "it states something")
    return Admission("tentative", _HEDGES if "hedge" in telling else _ASKS)


def low_value_note(text: str) -> str | None:
    """Why an explicit write looks of little value; None when it does not. It is stored anyway."""
    admission = admit_turn(text, role="user")
    if admission.verdict == "skip" or admission.reason == _ASKS:
        return f"looks of little value: {admission.reason}; stored because it was asked for"
    return None


_ASKS = "it only asks"
_HEDGES = "an inference or an intermediate state"
_SKIPPED = {
    "passing": "over before anybody could recall it",
    "small talk": "small talk",
    "fragment": "a fragment: no thing and no action in it",
    "greeting": "a greeting, thanks or an acknowledgement",
    "": "nothing is said",
}
"""Natures of a sentence that are not remembered, the most telling first, and why."""


def _nature(sentence: str, *, role: str) -> str:
    """A key of ``_SKIPPED``, or "statement", "hedge" or "question"."""
    clauses = _clauses(sentence)
    kinds = [_kind(clauses, index, role=role) for index in range(len(clauses))]
    telling = [clause for clause, kind in zip(clauses, kinds, strict=True) if kind == "other"]
    if not telling:
        blank = "greeting" if is_greeting(sentence) else ""
        return next((kind for kind in _SKIPPED if kind in kinds), blank)
    # Doubt in what comes first is about all that follows: "maybe we move, if they pay".
    if rows.HEDGES.search(_folded(telling[0])):
        return "hedge"
    # A comma before a question often ends a statement: 我喜欢自然风光，你有推荐吗？
    asks = kinds[-1] == "other" and len(telling) == 1 and _asks(sentence, telling[0])
    return "question" if asks else "statement"


def _asks(sentence: str, clause: str) -> bool:
    marked = not {"?", "？"}.isdisjoint(sentence.rstrip()[-_TRAIL:])
    return marked or clause.endswith(("吗", "嗎", "么", "呢"))


def _kind(clauses: list[str], index: int, *, role: str) -> str:
    clause = _folded(clauses[index])
    if len(clause) > rows.PHRASE_LENGTH:
        return "other"
    if _greets(clauses, index):
        return "greeting"
    if role == "assistant" and rows.OFFERS.fullmatch(clause):
        return "small talk"
    if rows.FRAGMENTS.issuperset(clause.split()):
        return "fragment"
    kinds = (kind for kind, phrases in rows.PHRASES.items() if phrases.fullmatch(clause))
    return next(kinds, "other")


def _greets(clauses: list[str], index: int) -> bool:
    clause = clauses[index]
    folded = _folded(clause)
    if any(p.fullmatch(folded) for p in (rows.CALLING, rows.ACKNOWLEDGING, rows.GREETING_CHINESE)):
        return True
    called = index > 0 and rows.CALLING.fullmatch(_folded(clauses[index - 1])) is not None
    if called and _addresses(clause):
        return True
    call, _, name = clause.rpartition(" ")
    return rows.CALLING.fullmatch(_folded(call)) is not None and _addresses(name)


def _addresses(name: str) -> bool:
    """A name or "everyone"; not the Friday of "thanks, Friday", which may be an answer."""
    folded = _folded(name)
    if rows.AUDIENCE.fullmatch(folded):
        return True
    return _NAME.fullmatch(name) is not None and not _DATES.fullmatch(folded)


def _folded(text: str) -> str:
    return fold(text).replace("’", "'")


def _clauses(text: str) -> list[str]:
    """Its parts between punctuation and emoji, in their own case, without the empty ones."""
    # Full-width letters and punctuation become plain; case stays, because names are told by it.
    plain = unicodedata.normalize("NFKC", text)
    parts = (" ".join(part.split()) for part in _CLAUSE_END.split(plain))
    return [part.strip("'’-_ ") for part in parts if part.strip("'’-_ ")]
