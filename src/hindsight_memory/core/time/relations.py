"""Words beside a time that change what it means: a part of it, a side of it, or its other end.

A new one is a row of ``PARTS_OF``, ``SIDES`` or ``RANGES``. In each, ``before`` and ``after`` are
patterns of what stands directly before and after the time; a row may leave one of them empty.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from hindsight_memory.core.time.periods import Period, hours, shift, third
from hindsight_memory.core.time.rows import amount
from hindsight_memory.core.time.words import (
    COUNT,
    NUMERAL,
    ORDINALS,
    PARTS,
    THIRDS,
    UNIT,
    han,
    latin,
    number,
)

Words = re.Match[str]
Ends = tuple[datetime | None, datetime | None]
"""Start and end of a time; None leaves that side open."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PartOf:
    """``narrow`` raises ValueError where such a part makes no sense ("the morning of May")."""

    narrow: Callable[[Words, Period], Period]
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Side:
    reach: Callable[[Words, Period], Ends]
    before: str = ""
    after: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Range:
    """Two times with ``between`` between them. joins_bare: even two that alone would mean none."""

    between: str
    before: str = ""
    after: str = ""
    joins_bare: bool = field(default=False)


def _part_of_day(words: Words, day: Period) -> Period:
    if day.end - day.start != timedelta(days=1):
        raise ValueError("only a day has a morning")
    return hours(day, *PARTS[words["part"]])


def _third(words: Words, whole: Period) -> Period:
    if whole.end - whole.start < timedelta(days=7):
        raise ValueError("too short to have an early and a late part")
    return third(whole, THIRDS[words["third"]])


def _week_of_month(words: Words, month: Period) -> Period:
    if shift(month.start, "month", 1) != month.end:
        raise ValueError("only the weeks of a month are counted")
    start = month.start + timedelta(weeks=number(words["nth"]) - 1)
    return Period(
        min(start, month.end - timedelta(weeks=1)), min(start + timedelta(weeks=1), month.end)
    )


def _units_before(words: Words, period: Period) -> Ends:
    unit, count = amount(words)
    return shift(period.start, unit, -count), shift(period.start, unit, 1 - count)


def _units_after(words: Words, period: Period) -> Ends:
    unit, count = amount(words)
    return shift(period.end, unit, count - 1), shift(period.end, unit, count)


def _within(_words: Words, period: Period) -> Ends:
    return period.start, period.end


def _since(_words: Words, period: Period) -> Ends:
    return period.start, None


def _after(_words: Words, period: Period) -> Ends:
    return period.end, None


def _before(_words: Words, period: Period) -> Ends:
    return None, period.start


def _until(_words: Words, period: Period) -> Ends:
    return None, period.end


def _word(pattern: str) -> str:
    return rf"(?<![a-z0-9_'-])(?:{pattern}) (?:the )?"


PARTS_OF: tuple[PartOf, ...] = (
    PartOf(narrow=_part_of_day, after=rf" (?P<part>{latin(PARTS)})(?![a-z])"),
    PartOf(narrow=_part_of_day, before=_word(rf"(?P<part>{latin(PARTS)}) of")),
    PartOf(narrow=_part_of_day, after=rf"的?(?P<part>{han(PARTS)})"),
    PartOf(narrow=_third, before=rf"(?<![a-z])(?:the )?(?P<third>{latin(THIRDS)})[ -](?:the )?"),
    PartOf(
        narrow=_third,
        after=r"的?[年月]?(?P<third>初(?![中级一二三恋步衷学])|[上中下]旬|底(?![下层部板气线价薪])|末)",
    ),
    PartOf(narrow=_week_of_month, before=_word(rf"(?P<nth>{latin(ORDINALS)}) week (?:of|in)")),
    PartOf(narrow=_week_of_month, after=r"的?第(?P<nth>[一二三四])(?:周|个?星期)"),
)

SIDES: tuple[Side, ...] = (
    Side(reach=_units_before, before=_word(f"(?:(?:{COUNT}|the) )?{UNIT} before")),
    Side(reach=_units_after, before=_word(f"(?:(?:{COUNT}|the) )?{UNIT} after")),
    Side(reach=_since, before=_word("since")),
    Side(reach=_since, before="(?:自从?)?", after=r"以来|起(?![来床飞身诉])"),
    Side(reach=_since, before="从", after="开始"),
    Side(reach=_after, before=_word("after|following")),
    Side(reach=_after, after=r"之后|以后|(?<=[日号月年])后(?![端台来半续方面任期])"),
    Side(reach=_before, before=_word("before|prior to")),
    Side(reach=_before, after=rf"之前|以前|(?<=[日号月年])前(?![端台往来半面任期{NUMERAL}两几\d])"),
    Side(reach=_until, before=_word("until|till|up to")),
    Side(reach=_until, before="截[至止]到?|直?到", after="为止"),
    Side(reach=_until, before="截[至止]到?"),
    Side(reach=_since, before="自从?"),
    Side(
        reach=_within, before=_word("in|on|during|of|from|over|at|throughout|around|as of|by|for")
    ),
    Side(reach=_within, before="[在于从]"),
)

RANGES: tuple[Range, ...] = (
    Range(before=_word("between"), between=" and (?:the )?", joins_bare=True),
    Range(before=_word("from"), between=" (?:to|until|till|through|-) | ?[–—~] ?", joins_bare=True),
    Range(between=" (?:to|until|till|through|-) | ?[–—~] ?"),
    Range(
        before="(?:[从自在])?",
        between="[起]?(?:到|至|[-~—–])",
        after="(?:之间|期间|为止)?",
        joins_bare=True,
    ),
    Range(between="[和与跟]", after="之间|期间"),
)
