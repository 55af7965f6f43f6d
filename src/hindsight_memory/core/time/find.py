"""Finds the time that a text speaks of: first the names of times, then the words beside them."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache, lru_cache, partial
from typing import TypeVar

from hindsight_memory.core.text import fold
from hindsight_memory.core.time.periods import Frame, Period
from hindsight_memory.core.time.relations import (
    PARTS_OF,
    RANGES,
    SIDES,
    Ends,
    PartOf,
    Range,
    Side,
    Words,
)
from hindsight_memory.core.time.rows import ROWS

_Made = TypeVar("_Made")
_LONGEST_QUERY = 2000
"""Characters. What is longer is a document pasted for a query, and its times are its own."""
_LONGEST_CUE = 40
"""Characters before a time that may belong to it; "the second quarter before the " has 26."""


@dataclass(frozen=True, slots=True)
class TimeSpan:
    """UTC instants in [since, until); None leaves that end open.

    text: the words that say so, as they stand in the query.
    """

    since: datetime | None
    until: datetime | None
    text: str = ""


@dataclass(frozen=True, slots=True)
class _Name:
    """A time named at [start, end) of the text; see Row for the rest."""

    start: int
    end: int
    resolve: Callable[[Frame], Period]
    cycle_days: int
    bare: bool


@dataclass(frozen=True, slots=True)
class _Beside:
    """The words of a cue, and where they and the time begin and end."""

    words: Words
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Said:
    """A time with the words beside it, at [start, end) of the text."""

    start: int
    end: int
    ends: Ends


def find_time(text: str, now: datetime, zone: tzinfo = UTC) -> TimeSpan | None:
    """The narrowest time that ``text`` speaks of, the first among equals; None without one.

    Days, weeks (from Monday) and months begin at midnight in ``zone``. What leaves its year open
    is the latest that has begun, so 5月2日 said in March is a day of last year.
    ``now`` must be aware.
    """
    folded, origins = _fold(text[:_LONGEST_QUERY])
    folded = re.sub(
        r"《[^《》]*》", lambda title: "《" * len(title[0]), folded
    )  # a name, not a time
    local = now.astimezone(zone)
    found: list[TimeSpan] = []
    for said in _said(folded, Frame(now=local, latest=local)):
        words = text[origins[said.start] : origins[said.end - 1] + 1].strip()
        if (span := _attempt(partial(_utc, said.ends, words))) is not None:
            found.append(span)
    return min(found, key=_width, default=None)


def _fold(text: str) -> tuple[str, list[int]]:
    """``text`` folded, with single spaces and none in "2 月 3 日", and each letter's origin."""
    letters = [(letter, i) for i, char in enumerate(text) for letter in _fold_letter(char)]
    kept: list[tuple[str, int]] = []
    for index, (letter, origin) in enumerate(letters):
        if letter == " " and _is_needless(letters[index - 1 : index + 2]):
            continue
        kept.append((letter, origin))
    return "".join(letter for letter, _ in kept), [origin for _, origin in kept]


@lru_cache(maxsize=4096)
def _fold_letter(char: str) -> str:
    return " " if char.isspace() else fold(char)


def _is_needless(around: Sequence[tuple[str, int]]) -> bool:
    """A second space, or one between a number and its Chinese unit."""
    before, after = (around[0][0], around[-1][0]) if around else (" ", " ")
    return (
        before == " "
        or (before.isdigit() and after in "年月日号天周个小分季世")
        or (before in "年月" and after.isdigit())
    )


def _attempt(make: Callable[[], _Made]) -> _Made | None:
    """None for what the calendar lacks: 30 February, or a day after the year 9999."""
    try:
        return make()
    except (ValueError, OverflowError):
        return None


def _utc(ends: Ends, words: str) -> TimeSpan:
    since, until = (end and end.astimezone(UTC) for end in ends)
    if since and until and since >= until:
        raise ValueError("ends before it begins")
    return TimeSpan(since, until, words)


def _width(span: TimeSpan) -> timedelta:
    return span.until - span.since if span.since and span.until else timedelta.max


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """Unlike in the cache of ``re``, none makes room for another; there are as many as rows."""
    return re.compile(pattern)


def _names(text: str, frame: Frame) -> list[_Name]:
    """In order and apart: the earliest wins, and of those the longest."""
    found = [
        _Name(*words.span(), partial(row.resolve, words), row.cycle_days, row.bare)
        for row in ROWS
        for words in _compiled(row.pattern).finditer(text)
    ]
    apart: list[_Name] = []
    for name in sorted(found, key=lambda name: (name.start, -name.end)):
        is_free = not apart or name.start >= apart[-1].end
        if is_free and _attempt(partial(name.resolve, frame)) is not None:
            apart.append(_narrowed(name, text, frame))
    return apart


def _narrowed(name: _Name, text: str, frame: Frame) -> _Name:
    """With the words beside it that make it a part of itself, one after the other."""
    for part in PARTS_OF:
        if not (beside := _beside(part, text, name)):
            continue
        resolve = partial(_narrow, part, beside.words, name.resolve)
        if _attempt(partial(resolve, frame)):
            narrower = _Name(beside.start, beside.end, resolve, name.cycle_days, bare=False)
            return _narrowed(narrower, text, frame)
    return name


def _narrow(part: PartOf, words: Words, resolve: Callable[[Frame], Period], frame: Frame) -> Period:
    return part.narrow(words, resolve(frame))


def _beside(cue: PartOf | Side | Range, text: str, name: _Name) -> _Beside | None:
    begin = max(0, name.start - _LONGEST_CUE)
    before = _compiled(rf"(?:{cue.before})\Z").search(text, begin, name.start)
    after = _compiled(cue.after).match(text, name.end)
    if not (before and after):
        return None
    return _Beside(after if cue.after else before, before.start(), after.end())


def _said(text: str, frame: Frame) -> Iterator[_Said]:
    names = _names(text, frame)
    while names:
        first, *names = names
        if names and (joined := _joined(first, names[0], text, frame)):
            yield joined
            names.pop(0)
        elif alone := _alone(first, text, frame):
            yield alone


def _joined(first: _Name, second: _Name, text: str, frame: Frame) -> _Said | None:
    both = replace(first, end=second.end)
    for span in RANGES:
        if not span.joins_bare and first.bare and second.bare:
            continue
        if not _compiled(span.between).fullmatch(text, first.end, second.start):
            continue
        if (beside := _beside(span, text, both)) and (
            ends := _attempt(partial(_from_to, first, second, frame))
        ):
            return _Said(beside.start, beside.end, ends)
    return None


def _from_to(first: _Name, second: _Name, frame: Frame) -> Ends:
    """What one leaves open, the other settles: from March to May 2023; 去年三月到五月."""
    start = first.resolve(replace(frame, latest=second.resolve(frame).start)).start
    if second.cycle_days:
        turn = timedelta(days=second.cycle_days - 1)
        return start, second.resolve(replace(frame, latest=start + turn)).end
    return start, second.resolve(frame).end


def _alone(name: _Name, text: str, frame: Frame) -> _Said | None:
    period = name.resolve(frame)
    for side in SIDES:
        if (beside := _beside(side, text, name)) and (
            ends := _attempt(partial(side.reach, beside.words, period))
        ):
            return _Said(beside.start, beside.end, ends)
    return None if name.bare else _Said(name.start, name.end, (period.start, period.end))
