"""The words of a text as values see them: one spelling each, and nothing that has no value.

What is spelt two ways, and what says nothing, are rows of ``value_rows``.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Mapping, Sequence

from hindsight_memory.core import value_rows as rows
from hindsight_memory.core.script import SPACELESS
from hindsight_memory.core.text import fold

_LETTER = rf"(?:(?![{SPACELESS}])\w)"
_TOKEN = re.compile(
    rf"(?P<word>[a-z][a-z0-9+.-]*://(?:(?![{SPACELESS}，。、])[^\s<>\"])*[\w/]"
    rf"|{_LETTER}+(?:(?:[-_./\\@&'+=#%~]|(?<=\d):(?=\d)|::)+{_LETTER}+)*)"
    rf"|(?P<cjk>[{SPACELESS}])|(?P<line>\n)|(?P<mark>\S)"
)
_CJK_CHARACTER = re.compile(f"[{SPACELESS}]")
_THOUSANDS = re.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,]|\.\d*,)")
_RAISED = re.compile("[²³¹⁰-ⁿ]")
_FRACTION = re.compile("[¼-¾⅐-⅞↉]")
_SPELLINGS = str.maketrans(dict.fromkeys("’‘ʼ", "'") | dict.fromkeys("‐‑‒–−", "-"))

BREAK = ","
"""In a sequence of words: where a clause ends. A statement is compared without them."""
PAUSE = ";"
"""A break that is part of the meaning: "No, use tabs" is not "no use tabs"."""
ENDS = frozenset({"", BREAK, PAUSE})
_KEPT_MARKS = frozenset("?%@&*#/\\‰§")
_QUOTES = frozenset("\"'`“”„«»‹›《》〈〉「」『』·•")
_TIGHT_MARKS = frozenset("-.!")


def words(text: str, rewrites: rows.Rewrites = rows.SPELLINGS_CHINESE) -> list[str]:
    """Folded words, Chinese characters and marks that carry a value; a break after each clause."""
    # Folding alone would make 10² and 102 one number.
    spelled = text if text.isascii() else _FRACTION.sub(r" \g<0>", _RAISED.sub(r"^\g<0>", text))
    spelled = fold(spelled).translate(_SPELLINGS)
    spelled = _THOUSANDS.sub(lambda number: number[0].replace(",", ""), spelled)
    if not spelled.isascii():
        for pattern, replacement in rewrites:
            spelled = pattern.sub(replacement, spelled)
    return [word for found in _TOKEN.finditer(spelled) for word in _read(found)]


def _read(found: re.Match[str]) -> Sequence[str]:
    token = found[0]
    match found.lastgroup:
        case "mark":
            return _read_mark(found)
        case "line":
            return (BREAK,)
        case "word" if "'" in token or token in rows.CONTRACTIONS:
            return _expanded(token)
        case _:
            return (token,)


def _read_mark(found: re.Match[str]) -> Sequence[str]:
    mark, text = found[0], found.string
    if mark in _QUOTES:
        return ()
    if mark in _TIGHT_MARKS:
        before = text[max(0, found.start() - 1) : found.start()]
        after = text[found.end() : found.end() + 1]
        leads = _is_letter(after) and not _is_letter(before) and before != mark
        trails = mark == "-" and _is_letter(before)  # the grade A- is not A
        return (mark,) if leads or trails or after == "=" else (BREAK,)
    is_punctuation = unicodedata.category(mark).startswith("P") and mark not in _KEPT_MARKS
    return (BREAK,) if is_punctuation else (mark,)


def _is_letter(character: str) -> bool:
    return re.match(_LETTER, character) is not None


def _expanded(word: str) -> Sequence[str]:
    if word in rows.CONTRACTIONS:
        return rows.CONTRACTIONS[word]
    for ending, meaning in rows.CONTRACTED.items():
        if word.endswith(ending) and word != ending:
            return (word.removesuffix(ending), meaning)
    return (word,)


def statement(text: str) -> list[str]:
    """The words that carry the meaning, with their breaks; synonyms are one word."""
    return _worded_alike(_without_fillers(_with_pauses(words(text, rows.MEANINGS_CHINESE))))


def _with_pauses(words: list[str]) -> list[str]:
    """A break after a short clause that denies becomes a pause when more follows."""
    found = list(words)
    last = max((i for i, word in enumerate(words) if word != BREAK), default=0)
    start = 0
    for index in (i for i in range(last) if words[i] == BREAK):
        clause = words[start:index]
        if len(clause) <= rows.DENIAL_WORDS and not rows.NEGATORS.isdisjoint(clause):
            found[index] = PAUSE
        start = index + 1
    return found


def _without_fillers(words: list[str]) -> list[str]:
    return [
        word
        for before, previous, word, following in zip(
            ["", "", *words], ["", *words], words, [*words[1:], ""], strict=False
        )
        if not _is_filler(word, before, previous, following)
    ]


def _is_filler(word: str, before: str, previous: str, following: str) -> bool:
    if word == "a":
        return _is_article(before, previous, following)
    return word in _FILLERS and _FILLERS[word](previous, following)


def _is_article(before: str, previous: str, following: str) -> bool:
    """Not the A of vitamin A, plan A and team A, which is a value."""
    governs = previous in rows.VERBS and before in rows.PERSONS | {"to"} | ENDS
    if not governs and previous not in ENDS | rows.FINITE | rows.PREPOSITIONS:
        return False
    return following not in ENDS | rows.FINITE | rows.PREPOSITIONS


_FILLERS: Mapping[str, Callable[[str, str], bool]] = {
    "the": lambda _previous, following: following not in ENDS,
    "an": lambda _previous, following: following not in ENDS,
    "please": lambda previous, _following: previous != "to",
    "really": lambda previous, following: previous not in rows.NEGATORS and following not in ENDS,
    "very": lambda previous, following: previous not in rows.NEGATORS and following not in ENDS,
    # "Drinks just water" says only water.
    "just": lambda previous, following: previous in ENDS or following in rows.LIKING,
    "that": lambda previous, following: (
        previous in rows.REPORTING and following not in ENDS | rows.FINITE
    ),
}
"""Words that say nothing here, by the word before and the word after them ("" at the ends)."""


def _worded_alike(words: list[str]) -> list[str]:
    found: list[str] = []
    pending = iter(range(len(words)))
    for index in pending:
        word = words[index]
        if found and found[-1] in rows.LIKING and index + 1 < len(words):
            if word == "using":
                continue
            if words[index : index + 2] == ["to", "use"] and index + 2 < len(words):
                next(pending)
                continue
        found.append(_alike(word, found))
    return found


def _alike(word: str, before: list[str]) -> str:
    """The one spelling of ``word`` after the words ``before`` it."""
    same = rows.SYNONYMS.get(word, word)
    if same in rows.LIKING and not rows.NEGATORS.isdisjoint(before[-3:]):
        same = word  # who does not love tea may like it
    previous = before[-1] if before else ""
    if previous in rows.PERSONS:
        return rows.BASE.get(same, same)
    if previous[-1:].isdigit() and same.removesuffix("s") in rows.UNITS:
        return same.removesuffix("s")
    return same


def clauses(words: list[str]) -> Iterator[list[str]]:
    """The clauses that are not empty, without their breaks."""
    clause: list[str] = []
    for word in [*words, BREAK]:
        if word not in ENDS:
            clause.append(word)
        elif clause:
            yield clause
            clause = []


def is_chinese(words: Sequence[str]) -> bool:
    return any(_CJK_CHARACTER.match(word) for word in words)


def joined(words: Sequence[str]) -> str:
    """With spaces only between words that are not Chinese."""
    return re.sub(rf"(?<=[{SPACELESS}]) | (?=[{SPACELESS}])", "", " ".join(words))
