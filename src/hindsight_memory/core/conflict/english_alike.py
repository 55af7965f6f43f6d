"""English statements in the same words but for one value."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hindsight_memory.core import value_rows
from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.english_clauses import clauses
from hindsight_memory.core.conflict.english_fits import is_time
from hindsight_memory.core.conflict.english_verbs import first_verb
from hindsight_memory.core.conflict.model import Likeness, Polarity, Tense
from hindsight_memory.core.conflict.vocabulary import word_set
from hindsight_memory.core.wording import ENDS, statement

_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_YEAR = re.compile(r"(?:19|20)\d\d")
_GLUED = re.compile(r"#(?:(?!(?:am|pm|st|nd|rd|th)$)[a-z]+)?")
"""A number, or one with its unit: 30s; not 5pm, not 3rd."""
_MONTHS = word_set(
    "january february march april may june july august september october november december jan feb"
    " mar apr jun jul aug sep sept oct nov dec"
)
_NO_UNIT = w.STOPS | w.ADVERBS | w.AUXILIARY | _MONTHS | word_set("am pm o'clock of or")
_NOW = word_set("now currently nowadays instead")
_OVER = re.compile(r"\bno longer (?P<verb>\w+)|\b(?:do|does) not (?P<base>\w+)(?=.* any ?more\b)")
_ANY_MORE = re.compile(r" any ?more\b")
_SOMEBODY = value_rows.UNNAMED - {"we"}
_DOUBTFUL = value_rows.UNCERTAIN | w.CONJUNCTIONS


@dataclass(frozen=True, slots=True)
class _Said:
    """The words of a statement of now, without those of change; is_over: that it holds no more."""

    words: list[str]
    is_now: bool
    is_over: bool


def likeness(old: str, new: str) -> Likeness | None:
    before, after = _said(old), _said(new)
    if before is None or after is None or before.is_over:
        return None
    if after.is_over:
        return Likeness.OVER if _is_said_again(before.words, after.words) else None
    if after.words[0] not in value_rows.PERSONS and _is_another_amount(before.words, after.words):
        return Likeness.ANOTHER_AMOUNT
    is_changed = after.is_now and _is_changed(before.words, after.words)
    return Likeness.CHANGED if is_changed else None


def _said(text: str) -> _Said | None:
    """None for what is not simply said to be so now."""
    heard = " ".join(word for word in statement(text) if word not in ENDS)
    plain = _ANY_MORE.sub("", _OVER.sub(_verb_alone, heard))
    words = [word for word in plain.split() if word not in _NOW]
    is_over, is_now = plain != heard, len(words) < len(plain.split())
    if not words or words[0] in _SOMEBODY or not _DOUBTFUL.isdisjoint(words):
        return None
    if not all(_is_of_now(text, is_over=is_over)):
        return None
    return _Said(words, is_now, is_over)


def _verb_alone(found: re.Match[str]) -> str:
    return found["verb"] or found["base"]


def _is_of_now(text: str, *, is_over: bool) -> Iterator[bool]:
    allowed = Polarity.ENDED if is_over else Polarity.HOLDS
    for clause in clauses(text):
        yield clause.tense is Tense.PRESENT and clause.polarity is allowed and not clause.period


def _is_said_again(before: list[str], after: list[str]) -> bool:
    """With less, but not with more: who sells no rye bread may still sell bread."""
    told = [w.lemma(word) or word for word in before]
    ended = [w.lemma(word) or word for word in after]
    return first_verb(after) is not None and told[: len(ended)] == ended


def _is_another_amount(before: list[str], after: list[str]) -> bool:
    """Of the same thing: 3 cooks and 5 waiters both hold, and platform 3 is no amount."""
    numbers = _NUMBER.findall(" ".join(before)), _NUMBER.findall(" ".join(after))
    frame = [_NUMBER.sub("#", word) for word in before]
    if frame != [_NUMBER.sub("#", word) for word in after] or numbers[0] == numbers[1]:
        return False
    is_one = len(numbers[0]) == 1 and not any(map(_YEAR.fullmatch, (*numbers[0], *numbers[1])))
    return is_one and _is_amount(frame, next(i for i, word in enumerate(frame) if "#" in word))


def _is_amount(frame: list[str], at: int) -> bool:
    previous, following = ["", *frame][at], [*frame, ""][at + 1]
    if not _GLUED.fullmatch(frame[at]) or previous in _MONTHS:
        return False
    if frame[at] != "#" or following in {"%", ""}:
        return frame[at] != "#" or following == "%" or previous in {"is", "are"}
    return following.isalpha() and following not in _NO_UNIT


def _is_changed(before: list[str], after: list[str]) -> bool:
    """Only in what follows a preposition: the verb and its object are the same."""
    start = _common(before, after)
    end = _common(before[start:][::-1], after[start:][::-1])
    one, other = before[start : len(before) - end], after[start : len(after) - end]
    verb = first_verb(after)
    if not one or not other or verb is None or max(len(one), len(other)) > value_rows.VALUE_WORDS:
        return False
    shared = after[verb + 1 : start]
    is_adjunct = len(shared) > 1 and shared[0] not in w.PREPOSITIONS and shared[-1] in _ADJUNCTS
    return is_adjunct and is_time(_singular(one)) == is_time(_singular(other))


_ADJUNCTS = w.PREPOSITIONS - {"of"}


def _singular(words: list[str]) -> str:
    return " ".join(map(w.singular, words))


def _common(one: list[str], other: list[str]) -> int:
    same = (i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b)
    return next(same, min(len(one), len(other)))
