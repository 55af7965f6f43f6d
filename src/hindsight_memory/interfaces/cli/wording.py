"""Values as a person reads them in a terminal."""

import re
from datetime import datetime, timedelta, tzinfo

_UNITS = (
    (timedelta(days=365), "y"),
    (timedelta(days=30), "mo"),
    (timedelta(days=1), "d"),
    (timedelta(hours=1), "h"),
    (timedelta(minutes=1), "min"),
)

_UNSAFE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\ud800-\udfff]"
)

LINE_CHARACTERS = 300
"""Where lists cut a memory; four to five lines of a terminal."""


def safe(text: str) -> str:
    r"""Without what a terminal would obey: controls become ``\x1b``, line ends and tabs stay."""
    return _UNSAFE.sub(lambda found: repr(found[0])[1:-1], text)


def cut(text: str) -> str:
    """On one line, and of bearable length; ``show`` tells the rest."""
    line = " ".join(safe(text).split())
    return line if len(line) <= LINE_CHARACTERS else line[: LINE_CHARACTERS - 1] + "…"


def age(instant: datetime, now: datetime) -> str:
    """The largest whole unit, as in ``3 d``; ``now`` below a minute, ``in 3 d`` for the future."""
    apart = abs(now - instant)
    for unit, name in _UNITS:
        if apart >= unit:
            return f"{'in ' if instant > now else ''}{apart // unit} {name}"
    return "now"


def clock(instant: datetime, zone: tzinfo) -> str:
    """To the second, with the zone that it is shown in."""
    return f"{instant.astimezone(zone):%Y-%m-%d %H:%M:%S %Z}"
