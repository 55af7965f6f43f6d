"""How people name a time, in English and Chinese: one row for each way to say it.

A new way to say a time is a row of ``ROWS``; a new word for one is an entry of a table of
hindsight_memory.core.time.words. Words that only change a time said beside them ("since", 之前,
"morning") are rows of hindsight_memory.core.time.relations.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from hindsight_memory.core.time.periods import (
    Frame,
    Period,
    ahead_of,
    back_from,
    choose,
    day_of_week,
    hours,
    midnight,
    months_of,
    occurrences,
    shift,
    third,
    unit_around,
    weekend,
)
from hindsight_memory.core.time.words import (
    COUNT,
    COUNT_OR_FEW,
    COUNT_ZH,
    DAY,
    DAY_PARTS,
    DAY_ZH,
    DAYS,
    HALVES,
    ISO_DAY,
    ISO_MONTH,
    MONTH,
    MONTH_ZH,
    MONTHS,
    NO_MONTH_ZH,
    NUMERAL,
    OF_YEAR,
    OPEN_DAY_ZH,
    OPEN_MONTH_ZH,
    PARTS,
    SEASON,
    SEASON_ZH,
    STRETCH,
    STRETCH_ZH,
    STRETCHES,
    THIRDS,
    TURN,
    TURN_ZH,
    TURNS,
    UNIT,
    UNIT_ZH,
    UNITS,
    WEEK_ZH,
    WEEKDAY,
    WEEKDAY_ZH,
    WEEKDAYS,
    WHICH,
    YEAR_DIGITS,
    YEAR_ZH,
    YEARS,
    english,
    han,
    latin,
    number,
)

Words = re.Match[str]


@dataclass(frozen=True, slots=True)
class Row:
    """One way to name a time. ``resolve`` raises ValueError for a day that does not exist.

    cycle_days: how soon such a time comes again when its words leave the year (365), the month
    (28) or the week (7) open; 0 when they leave nothing open.
    bare: names a time only beside a word that says so ("in 2022"; 2022 alone may be a count).
    """

    pattern: str
    resolve: Callable[[Words, Frame], Period]
    cycle_days: int = field(default=0, kw_only=True)
    bare: bool = field(default=False, kw_only=True)


def _named(words: Words, group: str) -> str:
    """The words of a group; empty when the pattern has no such group or left it out."""
    return words.groupdict().get(group) or ""


def _day(words: Words, frame: Frame) -> Period:
    return unit_around(frame.now, "day", DAYS[_named(words, "day")])


def _day_part(words: Words, frame: Frame) -> Period:
    offset, part = DAY_PARTS[_named(words, "part")]
    return hours(unit_around(frame.now, "day", offset), *PARTS[part])


def _today(_words: Words, frame: Frame) -> Period:
    return unit_around(frame.now, "day")


def amount(words: Words) -> tuple[str, int]:
    """The unit and how many of it; a half is so many of a smaller unit."""
    unit, count = UNITS[_named(words, "unit")], _named(words, "n") or "one"
    return HALVES[unit] if count.startswith(("half", "半")) else (unit, number(count))


def _ago(words: Words, frame: Frame) -> Period:
    """The whole calendar unit, as "two weeks ago" is a week; minutes ago is within that hour."""
    unit, count = amount(words)
    if unit == "minute":
        return unit_around(shift(frame.now, unit, -count), "hour")
    return unit_around(frame.now, unit, -count)


def _back(words: Words, frame: Frame) -> Period:
    return back_from(frame.now, *amount(words))


def _ahead(words: Words, frame: Frame) -> Period:
    return ahead_of(frame.now, *amount(words))


def _turn(words: Words, frame: Frame) -> Period:
    unit, turn = _named(words, "unit"), TURNS[_named(words, "turn")]
    if unit in {"weekend", "末"}:
        return weekend(frame.now, turn)
    return unit_around(frame.now, UNITS[unit], turn)


def _day_of_turned_month(words: Words, frame: Frame) -> Period:
    month = unit_around(frame.now, "month", TURNS[words["turn"]])
    return unit_around(month.start.replace(day=number(words["day"])), "day")


def _weekday(words: Words, frame: Frame) -> Period:
    """``turn`` is that of the week (上周三, next Monday), ``which`` that of the day."""
    weekday, turn = WEEKDAYS[_named(words, "weekday")[:3]], _named(words, "turn")
    if turn:
        return day_of_week(frame.now, weekday, TURNS[turn])
    nearby = [day_of_week(frame.latest, weekday, week) for week in (-1, 0)]
    return choose(WHICH[_named(words, "which")], nearby, frame)


def _latest_weekend(_words: Words, frame: Frame) -> Period:
    return choose("", [weekend(frame.latest, week) for week in (-1, 0)], frame)


def _in_year(words: Words, frame: Frame, make: Callable[[int], Period]) -> Period:
    """What ``make`` gives for the year named, else for the year that ``which`` or nothing means."""
    if year := _named(words, "year"):
        return make(_year_number(year, frame))
    nearby = occurrences(make, range(frame.latest.year - 9, frame.latest.year + 2))
    return choose(WHICH[_named(words, "which")], nearby, frame)


def _year_number(year: str, frame: Frame) -> int:
    return frame.now.year + YEARS[year] if year in YEARS else number(year.removesuffix("年"))


def _date(words: Words, frame: Frame) -> Period:
    month = MONTHS.get(_named(words, "month")[:3]) or number(words["month"])
    first = _named(words, "day") or "1"
    last = _named(words, "last_day") or first
    unit = "day" if _named(words, "day") else "month"

    def make(year: int) -> Period:
        start = midnight(frame.now).replace(year=year, month=month, day=number(first))
        return Period(start, unit_around(start.replace(day=number(last)), unit).end)

    return _in_year(words, frame, make)


def _day_of_month(words: Words, frame: Frame) -> Period:
    def make(turn: int) -> Period:
        month = unit_around(frame.latest, "month", turn)
        return unit_around(month.start.replace(day=number(words["day"])), "day")

    return choose("", occurrences(make, range(-2, 1)), frame)


def _years(words: Words, frame: Frame) -> Period:
    first = _year_number(_named(words, "year"), frame)
    last = _year_number(_named(words, "last_year") or str(first), frame)
    start, end = (midnight(frame.now).replace(year=year, month=1, day=1) for year in (first, last))
    return Period(start, unit_around(end, "year").end)


def _stretch(words: Words, frame: Frame) -> Period:
    def make(year: int) -> Period:
        first_of_year = frame.now.replace(year=year, month=1, day=1)
        return months_of(first_of_year, *STRETCHES[_named(words, "stretch")])

    return _in_year(words, frame, make)


def _third_of_current(words: Words, frame: Frame) -> Period:
    unit, part = UNITS[words["unit"]], THIRDS[words["third"]]
    nearby = [third(unit_around(frame.latest, unit, turn), part) for turn in (-1, 0)]
    return choose("", nearby, frame)


def _decade(words: Words, frame: Frame) -> Period:
    """Of "1990", or of "90" without its century."""
    decade = number(words["decade"])
    if decade < _CENTURY:
        last_century = decade >= _FIRST_SHORT_DECADE or _named(words, "century")
        decade += 1900 if last_century else 2000
    start = midnight(frame.now).replace(year=decade, month=1, day=1)
    return Period(start, unit_around(start, "year", 9).end)


_CENTURY = 100
_FIRST_SHORT_DECADE = 30
"""20年代 is taken for the 2020s, 30年代 for the 1930s."""
_TO_DAY = " ?(?:-|–|to|and) ?(?P<last_day>[0-3]?\\d)(?:st|nd|rd|th)?"

ROWS: tuple[Row, ...] = (
    # Days and their parts
    Row(english(rf"(?P<day>{latin(DAYS)})"), _day),
    Row(english(rf"(?P<part>{latin(DAY_PARTS)})"), _day_part),
    Row(english("now|present"), _today, bare=True),
    Row(rf"(?<!先天)(?<![光文证说声之以目面当往如先最])(?P<day>{han(DAYS)})(?!头条|方舟)", _day),
    Row(rf"(?<![如至光])(?P<part>{han(DAY_PARTS)})", _day_part),
    Row("现在|如今|今(?![天年日早晚夜晨后])", _today, bare=True),
    # So many units ago, until now, from now
    Row(english(f"{COUNT} {UNIT} ago"), _ago),
    Row(english(f"(?:the )?(?:last|past|previous) {COUNT_OR_FEW} {UNIT}"), _back),
    Row(english(rf"(?:(?:the )?past|the last) {UNIT}(?! (?:of|in|before)\b)"), _back),
    Row(english(f"(?:the )?(?:next|coming) {COUNT} {UNIT}"), _ahead),
    Row(rf"{COUNT_ZH}{UNIT_ZH}[之以]?前(?![往来端台置沿])", _ago),
    Row(
        rf"(?:最近|过去|(?<![附将接靠贴临邻远最])近|这(?!一))的?{COUNT_ZH}{UNIT_ZH}(?:以来|[之以]?[内里])?",
        _back,
    ),
    Row(
        rf"(?:最近|过去|(?<![附将接靠贴临邻远最])近|这|(?<![之以目面])前)(?P<n>几){UNIT_ZH}", _back
    ),
    Row(rf"(?:未来|接下来|今后|往后)的?{COUNT_ZH}{UNIT_ZH}(?:[之以]?[内里])?", _ahead),
    # Last, this, next
    Row(english(rf"{TURN} (?P<unit>week|weekend|month|quarter|year)(?! of\b)"), _turn),
    Row(english("the (?P<unit>week|weekend|month|year) (?P<turn>before last|after next)"), _turn),
    Row(english("the weekend"), _latest_weekend, cycle_days=7, bare=True),
    Row(rf"{TURN_ZH}(?P<unit>{WEEK_ZH}|季度|月(?!{NO_MONTH_ZH}))", _turn),
    Row(rf"{TURN_ZH}{WEEK_ZH}(?P<unit>末)", _turn),
    Row("周末", _latest_weekend, cycle_days=7),
    Row(rf"{TURN_ZH}月份?的?{DAY_ZH}", _day_of_turned_month),
    # Days of the week
    Row(english(f"(?P<which>last|previous) {WEEKDAY}"), _weekday),
    Row(english(f"(?P<turn>this|next|coming) {WEEKDAY}"), _weekday),
    Row(english(f"{WEEKDAY} (?:of )?{TURN} week"), _weekday),
    Row(english(WEEKDAY), _weekday, cycle_days=7, bare=True),
    Row(rf"{TURN_ZH}{WEEK_ZH}{WEEKDAY_ZH}", _weekday),
    Row(rf"(?<![每{NUMERAL}两几个\d]){WEEK_ZH}{WEEKDAY_ZH}", _weekday, cycle_days=7),
    # Dates
    Row(english(f"{MONTH} {DAY}{OF_YEAR}"), _date),
    Row(english(f"{MONTH} {DAY}"), _date, cycle_days=365),
    Row(english(f"{MONTH} {DAY}{_TO_DAY}{OF_YEAR}"), _date),
    Row(english(f"{MONTH} {DAY}{_TO_DAY}"), _date, cycle_days=365),
    Row(english(f"(?:the )?{DAY} (?:of )?{MONTH}{OF_YEAR}"), _date),
    Row(english(f"(?:the )?{DAY} (?:of )?{MONTH}"), _date, cycle_days=365),
    Row(english(f"{MONTH}{OF_YEAR}"), _date),
    Row(english(f"(?P<which>last|next) {MONTH}"), _date),
    Row(english(rf"(?P<which>this) (?!may\b){MONTH}"), _date),
    Row(english(MONTH), _date, cycle_days=365, bare=True),
    Row(english(ISO_DAY), _date),
    Row(english(ISO_MONTH), _date),
    Row(rf"{YEAR_ZH}的?{MONTH_ZH}(?:的?{DAY_ZH})?", _date),
    Row(rf"{OPEN_MONTH_ZH}的?{DAY_ZH}", _date, cycle_days=365),
    Row(rf"{OPEN_MONTH_ZH}(?![{NUMERAL}])", _date, cycle_days=365),
    Row(OPEN_DAY_ZH, _day_of_month, cycle_days=28, bare=True),
    # Years and their parts
    Row(english(f"(?P<year>{YEAR_DIGITS})"), _years, bare=True),
    Row(english(f"(?P<year>{YEAR_DIGITS}) ?[-–] ?(?P<last_year>{YEAR_DIGITS})"), _years, bare=True),
    Row(YEAR_ZH, _years),
    Row(r"(?<!\d)(?P<year>[12]\d{3})[-~–—到至](?P<last_year>[12]\d{3})年(?![级代])", _years),
    Row(english(r"the (?P<decade>(?:1[89]|20)\d0|[3-9]0)s"), _decade),
    Row(
        rf"(?P<century>(?:20|上)世纪)?(?P<decade>(?<!\d)(?:[12]\d)?\d0|[{NUMERAL}]十)年代", _decade
    ),
    Row(english(STRETCH + OF_YEAR), _stretch),
    Row(english(f"(?P<which>last|this|next) {SEASON}"), _stretch),
    Row(english("(?P<stretch>q[1-4])"), _stretch, cycle_days=365, bare=True),
    Row(rf"{YEAR_ZH}的?{STRETCH_ZH}", _stretch),
    Row(r"(?<!年)第(?P<stretch>[一二三四1-4])季度", _stretch, cycle_days=365),
    Row(rf"(?P<which>[上这下])个?{SEASON_ZH}", _stretch),
    Row(rf"(?<![年{NUMERAL}])(?P<stretch>[上下])半年", _stretch, cycle_days=365),
    Row(r"(?<![年今去明前本多青月\d])(?P<unit>[年月])(?P<third>[初底末])", _third_of_current),
)
