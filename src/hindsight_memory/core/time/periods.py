"""Calendar periods on a local clock: days, weeks from Monday, months, quarters, years, seasons.

Every datetime here is aware and of one zone. Adding to it moves the hands of the wall clock, so
a day runs from midnight to midnight also where it has 23 or 25 hours.
A new unit is a row of ``_FLOORS`` and one of ``_MONTHS``, ``_DAYS`` or ``_CLOCK``.
"""

from calendar import monthrange
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Period:
    """Half-open: ``start`` belongs to it and ``end`` does not."""

    start: datetime
    end: datetime


@dataclass(frozen=True, slots=True)
class Frame:
    """The reader's place in time. What leaves its year open began by ``latest`` at the latest."""

    now: datetime
    latest: datetime


def midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


_FLOORS: Mapping[str, Callable[[datetime], datetime]] = {
    "minute": lambda moment: moment.replace(second=0, microsecond=0),
    "hour": lambda moment: moment.replace(minute=0, second=0, microsecond=0),
    "day": midnight,
    "week": lambda moment: midnight(moment) - moment.weekday() * DAY,
    "month": lambda moment: midnight(moment.replace(day=1)),
    "quarter": lambda moment: midnight(
        moment.replace(day=1, month=(moment.month - 1) // 3 * 3 + 1)
    ),
    "year": lambda moment: midnight(moment.replace(month=1, day=1)),
}
_MONTHS: Mapping[str, int] = {"month": 1, "quarter": 3, "year": 12}
_DAYS: Mapping[str, int] = {"day": 1, "week": 7}
_CLOCK: Mapping[str, timedelta] = {"minute": timedelta(minutes=1), "hour": timedelta(hours=1)}


def shift(moment: datetime, unit: str, count: int) -> datetime:
    """``count`` units later. A day that the month lacks becomes its last day.

    Raises OverflowError or ValueError outside the years 1 to 9999.
    """
    if unit in _CLOCK:  # an hour is an hour, whatever the wall clock does meanwhile
        return (moment.astimezone(UTC) + count * _CLOCK[unit]).astimezone(moment.tzinfo)
    if unit in _DAYS:
        return moment + count * _DAYS[unit] * DAY
    year, month = divmod(moment.year * 12 + moment.month - 1 + count * _MONTHS[unit], 12)
    last_day = monthrange(year, month + 1)[1]
    return moment.replace(year=year, month=month + 1, day=min(moment.day, last_day))


def unit_around(moment: datetime, unit: str, count: int = 0) -> Period:
    """The calendar unit that holds ``moment``, or the one ``count`` units later."""
    start = shift(_FLOORS[unit](moment), unit, count)
    return Period(start, shift(start, unit, 1))


def day_of_week(moment: datetime, weekday: int, weeks: int = 0) -> Period:
    """A day, 0 for Monday, of the week that holds ``moment`` or of one ``weeks`` later."""
    return unit_around(unit_around(moment, "week", weeks).start, "day", weekday)


def weekend(moment: datetime, weeks: int = 0) -> Period:
    """Saturday and Sunday of the week that holds ``moment`` or of one ``weeks`` later."""
    return Period(day_of_week(moment, 5, weeks).start, day_of_week(moment, 6, weeks).end)


def back_from(now: datetime, unit: str, count: int) -> Period:
    """The last ``count`` units: all of today and of the first day, or to the instant for hours."""
    start = shift(now, unit, -count)
    return Period(start, now) if unit in _CLOCK else Period(midnight(start), _day_after(now))


def ahead_of(now: datetime, unit: str, count: int) -> Period:
    """The next ``count`` units: all of today and of the last day, or to the instant for hours."""
    end = shift(now, unit, count)
    return Period(now, end) if unit in _CLOCK else Period(midnight(now), _day_after(end))


def hours(day: Period, first: int, last: int) -> Period:
    """From ``first`` to ``last`` o'clock; above 24 is the next morning."""
    return Period(day.start + timedelta(hours=first), day.start + timedelta(hours=last))


def third(whole: Period, part: int) -> Period:
    """Early (0), middle (1) or late (2): the 1st, 11th and 21st of a month, four months of a year.

    This is how 旬 divides a month; the same rule serves "early May" and 年底.
    """
    if shift(whole.start, "year", 1) == whole.end:
        return Period(*(shift(whole.start, "month", 4 * n) for n in (part, part + 1)))
    days = (whole.end - whole.start).days
    is_month = shift(whole.start, "month", 1) == whole.end
    cuts = (0, 10, 20, days) if is_month else (0, days // 3, 2 * days // 3, days)
    return Period(whole.start + cuts[part] * DAY, whole.start + cuts[part + 1] * DAY)


def months_of(year: datetime, first: int, count: int) -> Period:
    """``count`` months from month ``first``, which may run into the next year, as a winter does."""
    start = midnight(year).replace(month=first, day=1)
    return Period(start, shift(start, "month", count))


def occurrences(make: Callable[[int], Period], turns: Iterable[int]) -> list[Period]:
    """What ``make`` gives for each turn, without those that the calendar lacks (29 February)."""
    made = []
    for turn in turns:
        with suppress(ValueError, OverflowError):
            made.append(make(turn))
    return made


def choose(which: str, around: list[Period], frame: Frame) -> Period:
    """One of ``around``, earliest first: the "last" that is over, "this", or the "next" to begin.

    An empty ``which`` is the newest that has begun. Raises ValueError when there is none.
    """
    now = frame.now
    chosen = {
        "last": [p for p in around if p.end <= now][-1:],
        "this": [p for p in around if p.start <= now < p.end]
        or [p for p in around if p.start.year == now.year],
        "next": [p for p in around if p.start > now][:1],
        "": [p for p in around if p.start <= frame.latest][-1:],
    }[which]
    if not chosen:
        raise ValueError(f"no {which!r} one around {now}")
    return chosen[0]


def _day_after(moment: datetime) -> datetime:
    return midnight(moment) + DAY
