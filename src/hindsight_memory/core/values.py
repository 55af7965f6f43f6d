"""Is this the same statement, who is it about, and is it the same statement with another value?

Vectors hardly see values: port 8000 and port 9000 of one service are nearer to each other than two
wordings of one fact. So what counts as a duplicate, and what as a change, is decided here on words.
Doubt keeps two statements apart: a memory too many is merged later, one merged away is lost.
A new synonym, filler or predicate is a row in ``value_rows``.
"""

import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice, pairwise

from hindsight_memory.core import value_rows as rows
from hindsight_memory.core.remembered import remembered
from hindsight_memory.core.text import fold, tagged
from hindsight_memory.core.wording import BREAK, clauses, is_chinese, joined, statement, words

_CASED = re.compile(
    r"""(?<=["“`])[^"”`\n]{1,80}(?=["”`])"""
    r"|[\w.~-]*[/\\][\w./\\~%?=&#-]*|\b\w*[A-Za-z]_\w+|\b[A-Z][A-Z0-9]+\b"
)


def same_statement(one: str, other: str) -> bool:
    """Whether both say the same thing with the same values, in the same order."""
    return canonical(one) == canonical(other) and cased(one) == cased(other)


@remembered
def cased(text: str) -> tuple[str, ...]:
    """What is spelt with care: quotations, paths, names with an underscore, words in capitals.

    There case is part of the value: /usr/lib is not /usr/Lib, and FOO is not foo. A text all in
    capitals is only loud.
    """
    spelt = unicodedata.normalize("NFKC", text)
    if not any(map(str.islower, spelt)):
        return ()
    return tuple(sorted({found[0] for found in _CASED.finditer(spelt)}))


@remembered
def canonical(text: str) -> tuple[str, ...]:
    """What a text states, so that equal means the same statement; made to be stored and indexed.

    Gone: width, case, script, spacing, punctuation, articles and other words without a value;
    synonyms are one word. All the rest, and its order, stays. Empty only for a blank text.
    """
    stated = tuple(word for word in statement(text) if word != BREAK)
    return stated or tuple(fold(text).split())


@remembered
def subject(text: str) -> str:
    """Who or what the first clause is about, folded; "" when unknown.

    The person whose memory it is (I, the user, 我, 用户) is always "user". An owner stands for what
    is said of its attributes: "the user's name is" is about the user, 数据库的端口是 about 数据库.
    """
    first, *others = list(islice(clauses(words(text)), 2)) or [[]]
    opening = [first, *others] if len(first) <= rows.INTRODUCTION_WORDS else [first]
    found = (_chinese_subject(c) if is_chinese(c) else _english_subject(c) for c in opening)
    return next(filter(None, found), "")


def changed_value(old: str, new: str) -> bool:
    """Whether ``new`` gives another value to the attribute of the subject that ``old`` is about.

    Only for attributes that have one value at a time; False in doubt, and when both say the same.
    """
    before, after = _reading(old), _reading(new)
    return before is not None and after is not None and _replaces(before, after)


@dataclass(frozen=True, slots=True)
class _Reading:
    """A statement taken apart: all but the value, the value, and whether it may be a name."""

    skeleton: tuple[str, ...]
    value: tuple[str, ...]
    named: bool


def _reading(text: str) -> _Reading | None:
    """None for statements beside which another value can be true as well, and for unknown forms."""
    first, *others = list(clauses(statement(text))) or [[]]
    said = [*first, *(word for other in others for word in other)]
    if _is_uncertain(said) or not rows.UNNAMED.isdisjoint(said[:1]):
        return None
    found = _chinese_reading(first) if is_chinese(first) else _english_reading(first)
    if found is None:
        return None
    return _Reading((*found.skeleton, BREAK, *said[len(first) :]), found.value, found.named)


def _is_uncertain(said: list[str]) -> bool:
    # In "May 5" it is a month.
    known = {w for w, after in pairwise([*said, ""]) if not (w == "may" and after.isdigit())}
    chinese = rows.UNCERTAIN_CHINESE.search(joined(said))
    return chinese is not None or not rows.UNCERTAIN.isdisjoint(known)


def _replaces(old: _Reading, new: _Reading) -> bool:
    one, other = old.value, new.value
    if old.skeleton != new.skeleton or _holds(one, other) or _holds(other, one):
        return False
    if _has_digit(one) != _has_digit(other) or not rows.DEICTIC.isdisjoint({*one, *other}):
        return False
    return old.named or _without_numbers(one) == _without_numbers(other)


def _holds(longer: Sequence[str], part: Sequence[str]) -> bool:
    """Google Cloud is Google told more exactly, not another employer."""
    return any(longer[at : at + len(part)] == part for at in range(len(longer) - len(part) + 1))


def _has_digit(words: Sequence[str]) -> bool:
    return any(character.isdigit() for word in words for character in word)


def _without_numbers(words: Sequence[str]) -> list[str]:
    return [re.sub(r"\d+", "0", word) for word in words]


def _english_subject(clause: list[str]) -> str:
    start, end = _noun_phrase(clause)
    phrase = clause[start:end]
    while phrase and _is_adverb(phrase[-1]):
        phrase.pop()
    orders = phrase[:1] and phrase[0] in rows.VERBS and _opens_object(phrase[1:2])
    if orders or not rows.CLAUSAL.isdisjoint(phrase):
        return ""
    return _named(" ".join(_owner(phrase)))


def _named(name: str) -> str:
    """Nobody knows who "he" was when another memory says "he"."""
    if name in rows.UNNAMED:
        return ""
    return rows.USER if name in rows.USERS else name


def _opens_object(word: list[str]) -> bool:
    return bool(word) and (word[0] in rows.DETERMINERS | rows.PREPOSITIONS or word[0].isdigit())


def _noun_phrase(clause: list[str]) -> tuple[int, int]:
    """Where the words before the first verb start and end; an empty span when no verb is known."""
    start = next((i for i, word in enumerate(clause) if word not in rows.LEADING), 0)
    reach = min(len(clause), start + rows.SUBJECT_WORDS)
    verbs = (i for i in range(start + 1, reach) if _is_verb(clause, i))
    return start, next(verbs, start)


def _is_adverb(word: str) -> bool:
    return word in rows.ADVERBS or _ADVERB.search(word) is not None


# Not need, breed and bed; not early and Italy.
_REGULAR_PAST = re.compile(r"[a-z]{2}(?<!e)ed$")
_ADVERB = re.compile(r"[a-z]{4}ly$")


def _is_verb(clause: list[str], index: int) -> bool:
    word = clause[index]
    before = (clause[i] for i in range(index - 1, -1, -1))
    previous = next((earlier for earlier in before if not _is_adverb(earlier)), "")
    following = clause[index + 1] if index + 1 < len(clause) else ""
    if word in rows.AUXILIARIES:
        return True
    if previous in rows.DETERMINERS or previous.endswith("'s") or following in rows.AUXILIARIES:
        return False
    if previous in rows.PERSONS and (word in rows.VERBS or word.endswith("s")):
        return True
    regular_past = _REGULAR_PAST.search(word) is not None
    agrees = word in rows.VERBS and previous.endswith("s")
    return word in rows.FINITE or agrees or regular_past


def _owner(phrase: list[str]) -> list[str]:
    """Whose attribute the phrase names, else the phrase; without its article."""
    if not phrase:
        return phrase
    if phrase[0] in {"the", "a", "an"}:
        return _owner(phrase[1:])
    if "of" in phrase[1:] and phrase[phrase.index("of") - 1] in rows.ATTRIBUTE:
        return _owner(phrase[phrase.index("of") + 1 :])
    if not _names_attribute(phrase):
        return phrase
    if phrase[0] == "my":
        return [rows.USER]
    ends = [i for i, word in enumerate(phrase) if word.endswith("'s")]
    return [*phrase[: ends[-1]], phrase[ends[-1]].removesuffix("'s")] if ends else phrase


def _names_attribute(phrase: Sequence[str]) -> bool:
    head = phrase[phrase.index("of") - 1] if "of" in phrase[1:] else phrase[-1]
    return head in rows.ATTRIBUTE or not rows.SINGULAR.isdisjoint(phrase)


def _english_reading(clause: list[str]) -> _Reading | None:
    start, end = _noun_phrase(clause)
    base = ["is" if word == "am" else rows.BASE.get(word, word) for word in clause[end : end + 3]]
    slot = next((tuple(base[:n]) for n in (3, 2, 1) if tuple(base[:n]) in rows.SLOTS), None)
    if start == end or slot is None:
        return None
    opens = end + len(slot)
    stops = (i for i in range(opens, len(clause)) if clause[i] in rows.PREPOSITIONS)
    closes = next(stops, len(clause))
    if not opens < closes <= opens + rows.VALUE_WORDS:
        return None
    named = rows.SLOTS[slot] or (slot == ("is",) and _names_attribute(clause[start:end]))
    skeleton = (*clause[:opens], BREAK, *clause[closes:])
    return _Reading(skeleton, tuple(clause[opens:closes]), named)


def _chinese_reading(clause: list[str]) -> _Reading | None:
    text = joined(clause)
    for pattern, named in rows.SLOTS_CHINESE:
        if found := pattern.fullmatch(text):
            skeleton = (text[: found.start("value")], text[found.end("value") :])
            return _Reading(skeleton, tuple(words(found["value"])), named)
    return None


def _chinese_subject(clause: list[str]) -> str:
    found = [(word, kind) for word, kind in tagged(joined(clause)) if word != BREAK]
    while found and found[0][1] in rows.LEADING_TAGS:
        found.pop(0)
    ends = (i for i in range(1, len(found)) if _is_chinese_predicate(found, i))
    kinds = [kind[0] for _, kind in found[:2]]
    orders = kinds[:1] == ["v"] and "n" not in kinds
    name = "" if orders else "".join(word for word, _ in found[: next(ends, 0)]).strip()
    if owner := rows.OWNED_CHINESE.fullmatch(name):
        name = owner[1] or owner[2]
    return _named(name)


def _is_chinese_predicate(found: list[tuple[str, str]], index: int) -> bool:
    """A verb, also one taken for a noun, a preposition, an adverb or a time ends a subject."""
    word, kind = found[index]
    following = found[index + 1][0] if index + 1 < len(found) else ""
    is_date = kind == "m" and following.startswith(("年", "月", "日"))
    return kind in rows.VERB_TAGS or word in rows.VERBAL_NOUNS or is_date
