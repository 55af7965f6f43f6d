"""How a name may be spelt: case, width, accents, gaps and marks, and what its kind allows. Pure.

A ``Spelling`` of a name finds it in what ``spellings`` gives of a text, and no longer name that
begins or ends the same. What a further kind of identifier allows is a rule of ``_Name``.
"""

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

from hindsight_memory.core.script import SPACELESS
from hindsight_memory.core.text import fold, tagged

_ATOM = re.compile(rf"[{SPACELESS}]|\d|[^\W\d_{SPACELESS}]|[\W_]+")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])")

_APOSTROPHES = str.maketrans("’‘ʼ", "'''")
_ACCENT = re.compile("[\u0300-\u036f]")
"""Of Latin, Greek and Cyrillic; the marks of kana make other letters."""
_LETTERS = str.maketrans({"đ": "d", "ø": "o", "ł": "l", "æ": "ae", "œ": "oe", "ı": "i"})
"""Letters that Unicode does not take apart."""
_TWO_LETTERS = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue", "å": "aa", "ø": "oe"})
"""How they are written where a keyboard lacks them: Müller is Mueller as well as Muller."""

_DOT = r"\s*[\[({]\s*dot\s*[\])}]\s*|\s+dot\s+"
_VEILED = (
    re.compile(rf"(\w[\w.+-]*)\s*[\[({{]\s*at\s*[\])}}]\s*([\w-]+(?:(?:{_DOT}|\.)[\w-]+)+)"),
    re.compile(rf"(\w[\w.+-]*)\s+at\s+([\w-]+(?:(?:{_DOT})[\w-]+)+)"),
)
"""Mail addresses hidden from robots: ann [at] example.com, ann at example dot com."""

_SCHEME = re.compile(r"[a-z][a-z0-9+.-]*://(?:www\.)?")
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?![a-z0-9@-])")
_MAILBOX_TAG = r"(?:\+[\w.-]+)?"
"""ann+shop@example.com is delivered to ann@example.com (RFC 5233)."""
_BANK = re.compile(r"(?<![A-Za-z0-9])[A-Z]{6}[A-Z0-9]{2}(?P<head>XXX)?$")
"""A bank's code, in which XXX stands for the head office and may be left out (ISO 9362)."""

_LONG_NUMBER = re.compile(r"\d(?:[-() ]{0,2}\d){6,}")
"""Grouped at will: telephone, account and book numbers. A shorter one may be two: 2 3 is not 23."""
_DAY = re.compile(r"\d{4}[- ]\d{1,2}[- ]\d{1,2}")
"""Not grouped at will: 2024-1-15 is not 2024-11-5."""
_GROUPED = r"[-.() ]{0,2}"
_COUNTRY = re.compile(r"(?:(?<=\+)|00)(\d{1,3})[-( ]+(?:0\)[- ]*)?(?=\d)")
"""Before a telephone number. At home it is left out, or a 0 stands for it."""
_NO_COUNTRY = "".join(rf"(?<!\+\d{{{digits}}}[-( ])" for digits in (1, 2, 3))
"""What follows is not in another country."""

_GROUP = r"(?:[A-Z0-9]+|[a-z0-9]*\d[a-z0-9]*)"
_CODE = re.compile(
    rf"(?<![A-Za-z0-9])(?:[a-z]{{1,4}}[-_](?=\d))?{_GROUP}(?:[-_.: ]{_GROUP})*(?![A-Za-z0-9])"
)
"""Digits and capitals: a licence, a plate, a serial number, a hardware address."""
_CODE_LETTERS = 6
"""With fewer it may be a word and a number."""
_LONG_CODE_LETTERS = 12
"""From here on a colon is a gap like others, as in a hardware address; before, 12:30 is a time."""

_TELLING = re.compile(r"[@:\\#+&=%]")
"""Marks that are part of a name where they stand between its letters."""
_JOINT = r"[-_./]?"
"""What may stand between any two letters: genitgc denotes gen-itgc too."""
_GAP = r"[-_./\s]*"
"""What may stand where the phrase itself has a gap: "gen-itgc" denotes "gen itgc" too."""
_BEFORE = r"(?<![a-z0-9])(?<![a-z0-9][-_./@:\\#+])"
_AFTER = r"(?![a-z0-9]|[-_./@:\\#+]+[a-z0-9])"
"""A longer name begins or ends here. Chinese on either side is no part of it: 重跑gen-itgc后."""

_PREDICATE = re.compile(r"..+[会是有说住也都不能]")
"""A guessed name and what begins to be said of it: the dictionary cuts 黄丽会说 into 黄丽会 说."""
_GUESSED = "nr"

_PADDED = re.compile(r"(?<![a-z0-9])(0*)(?=\d+(?![a-z0-9]))(?=\d)")
"""Zeros before a number do not count: record 847 is 0000847, and 10.0.0.7 is 10.0.0.007."""
_DECIMAL = re.compile(r"(?<![\d.])\d+\.\d+(?!\.?\d)")
"""There they do: 2.03 is not 2.3."""


def spellings(text: str) -> tuple[str, ...]:
    """``text`` as it is compared: folded, without accents, mail addresses in full; where it has
    umlauts, also with each of them as two letters.
    """
    folded = _unveiled(fold(text).translate(_APOSTROPHES))
    if folded.isascii():
        return (folded,)
    return tuple(dict.fromkeys((_bare(folded), _bare(folded.translate(_TWO_LETTERS)))))


class Spelling:
    """All spellings of a name; one without a letter or digit is found nowhere."""

    def __init__(self, name: str) -> None:
        spaced = _CAMEL.sub("_", name.strip())
        found = dict.fromkeys(_Name(each, spaced).found() for each in spellings(spaced))
        self.is_empty = "" in found
        self._pattern = re.compile(f"{_BEFORE}(?:{'|'.join(found)}){_AFTER}")

    def places(self, text: str) -> Iterator[int]:
        """Where it stands in ``text``, which is one of ``spellings``."""
        for found in () if self.is_empty else self._pattern.finditer(text):
            if _cuts_no_word(text, *found.span()):
                yield found.start()


def identifiers(name: str) -> list[range]:
    """Where codes and long numbers stand in ``name``, gaps and all."""
    numbers = [range(*found.span()) for found in _LONG_NUMBER.finditer(name)]
    codes = [code.places for code in _codes(name)]
    return [*codes, *(each for each in numbers if not any(each[0] in code for code in codes))]


def _unveiled(text: str) -> str:
    if "at" in text:
        for veiled in _VEILED:
            text = veiled.sub(lambda found: f"{found[1]}@{re.sub(_DOT, '.', found[2])}", text)
    return text


def _bare(text: str) -> str:
    unmarked = _ACCENT.sub("", unicodedata.normalize("NFKD", text))
    return unicodedata.normalize("NFC", unmarked).translate(_LETTERS)


@dataclass(frozen=True, slots=True)
class _Letter:
    """A letter or digit of a name, and the gap before it in the name."""

    text: str
    place: int
    gap: str


@dataclass(frozen=True, slots=True)
class _Code:
    """places: of its letters and gaps; gaps: a class of characters; is_grouped: whether the name
    says where its digits are grouped.
    """

    places: range
    gaps: str
    is_grouped: bool


class _Name:
    """One spelling of a name, and what its parts are."""

    def __init__(self, spelt: str, spaced: str) -> None:
        self._text = spelt
        cased = unicodedata.normalize("NFKC", spaced)
        # Where folding changes the length, capitals cannot be told by their place.
        self._cased = cased if len(cased) == len(spelt) else spelt
        self._codes = list(_codes(self._cased))
        self._decimals = _places(_DECIMAL.finditer(spelt))
        self._numbers = [
            range(*run.span()) for run in _LONG_NUMBER.finditer(spelt) if not _DAY.fullmatch(run[0])
        ]
        self._bank = _BANK.search(self._cased)
        self._countries = dict(self._found_countries())
        self._zeros = dict(self._found_zeros())

    def found(self) -> str:
        """A pattern; "" where there is no letter or digit."""
        letters = list(self._letters())
        if not letters:
            return ""
        first, *_ = letters
        opening = r"(?:www\.)?" if _HOST.match(self._text, first.place) else ""
        zeros = r"(?:(?<![.,])0+)?"
        parts = [opening, self._begun(first, zeros), re.escape(first.text)]
        for one, other in pairwise(letters):
            parts += [self._between(one, other), re.escape(other.text)]
        return "".join(parts) + ("(?:xxx)?" if self._bank else "")

    def _letters(self) -> Iterator[_Letter]:
        """Without what may be left out."""
        scheme = _SCHEME.match(self._text)
        start = 0 if scheme is None else scheme.end()
        end = self._bank.start("head") if self._bank and self._bank["head"] else len(self._text)
        left_out = {*self._left_out()}
        gap = ""
        for atom in _ATOM.finditer(self._text, start, end):
            if not (atom[0][0].isalnum()):
                gap = atom[0]
            elif atom.start() not in left_out:
                yield _Letter(text=atom[0], place=atom.start(), gap=gap)
                gap = ""

    def _left_out(self) -> Iterator[int]:
        for place, zeros in self._zeros.items():
            yield from range(place - len(zeros), place)
        for place, (_, start) in self._countries.items():
            yield from range(start, place)

    def _found_countries(self) -> Iterator[tuple[int, tuple[str, int]]]:
        """Where a telephone number goes on after the country's code; the code, and its place."""
        for number in self._numbers:
            if found := _COUNTRY.match(self._text, number.start):
                yield found.end(), (found[1], number.start)

    def _found_zeros(self) -> Iterator[tuple[int, str]]:
        """Where a number begins after its zeros; the zeros."""
        for found in _PADDED.finditer(self._text):
            number = self._number_at(found.start())
            if found.end() not in self._decimals and number in {None, found.start()}:
                yield found.end(), found[1]

    def _number_at(self, place: int) -> int | None:
        """Where the long number at ``place`` begins."""
        return next((each.start for each in self._numbers if place in each), None)

    def _begun(self, letter: _Letter, zeros: str = "0*") -> str:
        """What may stand before a number and belongs to it."""
        if letter.place in self._countries:
            country, _ = self._countries[letter.place]
            return rf"(?:(?:\+|00)?{country}{_GROUPED}(?:0\){_GROUPED})?|0|{_NO_COUNTRY})"
        if letter.place not in self._zeros:
            return ""
        if self._number_at(letter.place) is not None:
            return rf"(?:(?:\+|00)\d{{1,3}}{_GROUPED}(?:0\){_GROUPED})?|0+)?"
        return zeros

    def _between(self, one: _Letter, other: _Letter) -> str:
        for code in self._codes:
            if one.place in code.places and other.place in code.places:
                return self._in_code(code, other, is_number=(one.text + other.text).isdigit())
        number = self._number_at(other.place)
        if number is not None and number == self._number_at(one.place):
            return _GROUPED
        if not other.gap:
            joint = "" if one.text.isdigit() and other.text.isdigit() else _JOINT
            return joint + self._begun(other)
        return self._gap(one, other) + self._begun(other)

    def _in_code(self, code: _Code, other: _Letter, *, is_number: bool) -> str:
        if other.gap:
            zeros = self._zeros.get(other.place)
            return f"{code.gaps}?" if zeros is None else f"(?:{code.gaps}0*|{zeros})"
        if code.is_grouped:
            return "" if is_number else _JOINT
        return f"{code.gaps}?"

    def _gap(self, one: _Letter, other: _Letter) -> str:
        """What may stand in a gap that the name itself has, for one what stands there."""
        if marks := _TELLING.findall(other.gap):
            tag = _MAILBOX_TAG if marks == ["@"] else ""
            return f"{tag}{_GAP}{_GAP.join(map(re.escape, marks))}{_GAP}"
        # Digits with a gap are never digits without: 2.3 is not 23.
        free = r"[-_./\s]+" if one.text.isdigit() and other.text.isdigit() else _GAP
        return free if re.fullmatch(free, other.gap) else f"(?:{free}|{re.escape(other.gap)})"


def _places(found: Iterator[re.Match[str]]) -> frozenset[int]:
    return frozenset(place for each in found for place in range(*each.span()))


def _codes(name: str) -> Iterator[_Code]:
    for run in _CODE.finditer(name):
        letters = list(filter(str.isalnum, run[0]))
        digits = sum(map(str.isdigit, letters))
        is_long = len(letters) >= _LONG_CODE_LETTERS
        if not 2 <= digits < len(letters) or len(letters) < _CODE_LETTERS:  # noqa: PLR2004
            continue
        if is_long or not re.search(r"\d[.:]\d", run[0]):  # no version and no time
            yield _Code(
                places=range(*run.span()),
                gaps=r"[-_.:\s]" if is_long else r"[-_.\s]",
                is_grouped=re.search(r"\d[^A-Za-z0-9]\d", run[0]) is not None,
            )


def _cuts_no_word(text: str, start: int, end: int) -> bool:
    """Whether neither end lies inside a Chinese word, in which case a longer word is meant."""
    inside = [place for place in (start, end) if 0 < place < len(text) and _is_han(text, place)]
    return not inside or set(inside) <= _word_ends(text)


def _is_han(text: str, place: int) -> bool:
    return re.fullmatch(rf"[{SPACELESS}]{{2}}", text[place - 1 : place + 1]) is not None


def _word_ends(text: str) -> set[int]:
    """Where a word ends."""
    place, ends = 0, set[int]()
    for word, kind in tagged(text):
        place += len(word)
        ends.add(place)
        if kind == _GUESSED and _PREDICATE.fullmatch(word):
            ends.add(place - 1)
    return ends
