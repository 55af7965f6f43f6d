"""Which memories a phrase denotes: those that contain it, in any spelling, as a whole. Pure.

For forgetting, where one memory too many is a loss. Nothing that merely resembles counts, and no
longer name that begins or ends the same: gen-itgc is not gen-itgc-2, 张三 is not 张三丰.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

from hindsight_memory.core.text import fold, tagged

_WRAPPERS = (
    re.compile(r"^(?:please\s+)?(?:forget|delete|remove|purge|erase)\s+(?=\S)", re.IGNORECASE),
    re.compile(
        r"^(?:everything|anything|all|(?:all\s+|the\s+)?(?:memory|memories|facts?|notes?))\s+"
        r"(?:about|of|on|with|for)\s+(?=\S)",
        re.IGNORECASE,
    ),
    re.compile(r"^请?(?:忘记|忘掉|删除|删掉|清除)(?:所有|全部)?(?=\S)"),
    re.compile(r"^(?:所有|全部)?(?:关于|有关)(?=\S)"),
    re.compile(r"(?<=\S)的(?:(?:所有|一切|全部)?(?:记忆|信息|内容|记录)|一切|事情?)$"),
)
"""What stands around a name when somebody asks to forget it."""

_MARKS = "\"'“”‘’「」『』《》` \t\r\n,.;:!?，。；：！？"
_HAN = "々〇\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff"
_ATOM = re.compile(rf"[{_HAN}]|\d|[^\W\d_{_HAN}]|(?P<glue>[\W_]+)")
_CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z][a-z])")

_LONG_NUMBER = re.compile(r"\d(?:[- ]?\d){6,}")
"""Grouped at will: telephone, account and book numbers. A shorter one may be two: 2 3 is not 23."""
_GROUPED = r"[- ]?"
_HOST = re.compile(r"[a-z0-9-]+(?:\.[a-z0-9-]+)+(?![a-z0-9@-])")
_MAILBOX_TAG = r"(?:\+[\w.-]+)?"
"""ann+shop@example.com is delivered to ann@example.com (RFC 5233)."""

_TELLING = re.compile(r"[@:\\#+&=%]")
"""Marks that are part of a name where they stand between its letters."""
_PREDICATE = re.compile(r"..+[会是有说住也都不能]")
"""A guessed name and what begins to be said of it: the dictionary cuts 黄丽会说 into 黄丽会 说."""
_NAME = "nr"

_JOINT = r"[-_./]?"
"""What may stand between any two letters: genitgc denotes gen-itgc too."""
_GAP = r"[-_./\s]*"
"""What may stand where the phrase itself has a gap: "gen-itgc" denotes "gen itgc" too."""
_BEFORE = r"(?<![a-z0-9])(?<![a-z0-9][-_./@:\\#+])"
_AFTER = r"(?![a-z0-9]|[-_./@:\\#+]+[a-z0-9])"
"""A longer name begins or ends here. Chinese on either side is no part of it: 重跑gen-itgc后."""


class Phrase:
    """A phrase to look for; one without a letter or digit denotes nothing."""

    def __init__(self, phrase: str) -> None:
        self._pattern = _pattern(unwrapped(phrase))

    @property
    def is_empty(self) -> bool:
        return self._pattern is None

    def denotes(self, content: str) -> bool:
        if self._pattern is None:
            return False
        spelt = fold(content)
        return any(
            _cuts_no_word(spelt, found.start(), found.end())
            for found in self._pattern.finditer(spelt)
        )


def unwrapped(phrase: str) -> str:
    """The name in "forget everything about NAME" and 删除关于NAME的记忆."""
    for wrapper in _WRAPPERS:
        phrase = wrapper.sub("", phrase.strip(_MARKS))
    return phrase.strip(_MARKS)


def _pattern(phrase: str) -> re.Pattern[str] | None:
    spelt = fold(_CAMEL.sub("_", phrase))
    atoms = list(_ATOM.finditer(spelt))
    if all(atom["glue"] for atom in atoms):
        return None
    return re.compile(f"{_BEFORE}{_prefix(spelt)}{''.join(_joined(spelt, atoms))}{_AFTER}")


def _prefix(spelt: str) -> str:
    """What may stand before it and belongs to it."""
    if _LONG_NUMBER.match(spelt):
        return r"(?:\+\d{1,3}[- ]?)?"
    return r"(?:www\.)?" if _HOST.match(spelt) else ""


def _joined(spelt: str, atoms: list[re.Match[str]]) -> Iterator[str]:
    """Each letter or digit, and what may stand between it and the next."""
    long = {place for run in _LONG_NUMBER.finditer(spelt) for place in range(*run.span())}
    yield "" if atoms[0]["glue"] else re.escape(atoms[0][0])
    for one, other in pairwise(atoms):
        if other["glue"]:
            continue
        is_grouped = other[0].isdigit() and {one.start(), other.start()} <= long
        yield _GROUPED if is_grouped else _between(one, other)
        yield re.escape(other[0])


def _between(one: re.Match[str], other: re.Match[str]) -> str:
    if not one["glue"]:
        return "" if one[0].isdigit() and other[0].isdigit() else _JOINT
    if one.start() > 0 and (marks := _TELLING.findall(one[0])):
        tag = _MAILBOX_TAG if marks == ["@"] else ""
        return f"{tag}{_GAP}{_GAP.join(map(re.escape, marks))}{_GAP}"
    # Digits with a gap are never digits without: 2.3 is not 23.
    is_between_digits = one.start() > 0 and one.string[one.start() - 1].isdigit()
    return r"[-_./\s]+" if is_between_digits and other[0].isdigit() else _GAP


def _cuts_no_word(text: str, start: int, end: int) -> bool:
    """Whether neither end lies inside a Chinese word, in which case a longer word is meant."""
    inside = [place for place in (start, end) if 0 < place < len(text) and _is_han(text, place)]
    return not inside or set(inside) <= _word_ends(text)


def _is_han(text: str, place: int) -> bool:
    return re.fullmatch(rf"[{_HAN}]{{2}}", text[place - 1 : place + 1]) is not None


def _word_ends(text: str) -> set[int]:
    """Where a word ends."""
    place, ends = 0, set[int]()
    for word, kind in tagged(text):
        place += len(word)
        ends.add(place)
        if kind == _NAME and _PREDICATE.fullmatch(word):
            ends.add(place - 1)
    return ends
