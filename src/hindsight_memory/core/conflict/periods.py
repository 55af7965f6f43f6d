"""Years that a text names, so that what it says of an older time retires nothing newer.

Only what orders two statements is read: years, and months beside a year. A year in a text is never
a reason to retire something, only a reason not to.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import NamedTuple

from hindsight_memory.core.conflict.model import Period

ENDLESS = 9999 * 12
"""The last month of a time without an end."""

_MONTHS = ["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"]
_MONTH_NAME = (
    "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    "|sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
)
_YEAR = r"(?:19|20)\d\d"


def _point(name: str) -> str:
    month = rf"(?P<{name}_month>{_MONTH_NAME})(?: \d{{1,2}})?,? "
    number = rf"(?:-(?P<{name}_number>\d\d)(?:-\d\d)?)?"
    return rf"(?:{month})?(?P<{name}>{_YEAR}){number}"


def _han(name: str) -> str:
    return rf"(?P<{name}>{_YEAR})年(?:(?P<{name}_number>\d{{1,2}})月(?:份|\d{{1,2}}[日号])?)?"


class Dated(NamedTuple):
    """The time that a text names, if any, and the text without it."""

    period: Period | None
    rest: str


def _span(found: re.Match[str]) -> Period:
    until = _months(found, "until")[1] if found["until"] else ENDLESS
    return _months(found, "since")[0], until


def _since(found: re.Match[str]) -> Period:
    return _months(found, "since")[0], ENDLESS


def _until(found: re.Match[str]) -> Period:
    return 0, _months(found, "until")[1]


def _within(found: re.Match[str]) -> Period:
    return _months(found, "since")


def _months(found: re.Match[str], name: str) -> Period:
    start = int(found[name]) * 12
    spelt = found.groupdict().get(f"{name}_month")
    if spelt:
        month = _MONTHS.index(spelt[:3])
    elif number := found.groupdict().get(f"{name}_number"):
        month = min(max(int(number), 1), 12) - 1
    else:
        return start, start + 11
    return start + month, start + month


_TO, _TODAY = "(?:to|until|till|through|and|-)", "now|present|today"
_ENGLISH = (
    (rf"\b(?:(?:from|between) )?{_point('since')} {_TO} (?:{_point('until')}|{_TODAY})\b", _span),
    (rf"\b(?:since|starting(?: in)?|as of|from) {_point('since')}\b", _since),
    (rf"\b(?:until|till|before|by) {_point('until')}\b", _until),
    (rf"\b(?:in|during|throughout|on|for|of) (?:early |mid |late )?{_point('since')}\b", _within),
    (rf"(?<='s ){_point('since')}(?= )", _within),
)
_CHINESE = (
    (rf"[从自]?{_han('since')}[到至-]+(?:{_han('until')}|今|现在)", _span),
    (rf"[从自]?{_han('since')}(?:起|开始|以来|以后|之后)", _since),
    (rf"{_han('until')}(?:以前|之前|为止|前)", _until),
    (rf"[在于]?{_han('since')}", _within),
)


@cache
def _rows() -> tuple[tuple[re.Pattern[str], Callable[[re.Match[str]], Period], str], ...]:
    """On first use: few texts name a year."""
    return (
        *((re.compile(pattern), read, " ") for pattern, read in _ENGLISH),
        *((re.compile(pattern), read, "") for pattern, read in _CHINESE),
    )


def dated(text: str) -> Dated:
    """text: folded, English words apart by single spaces."""
    if "19" not in text and "20" not in text:
        return Dated(None, text)
    for pattern, read, gap in _rows():
        if found := pattern.search(text):
            before, after = text[: found.start()].rstrip(), text[found.end() :].lstrip()
            return Dated(read(found), f"{before}{gap}{after}".strip())
    return Dated(None, text)


def is_older(new: Period, old: Period) -> bool:
    """Whether ``new`` began before ``old`` did, or ended before it."""
    began_before = (new[0] or new[1]) < old[0]
    return began_before or (old[1] != ENDLESS and new[1] < old[1])
