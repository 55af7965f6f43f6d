"""Whether what a Chinese clause says of an attribute only describes it, and gives it no value."""

import re

from hindsight_memory.core.conflict.attributes import Attribute
from hindsight_memory.core.conflict.chinese_rows import ChinesePredicate
from hindsight_memory.core.conflict.kinds import KINDS, STATES, kind_of
from hindsight_memory.core.text import tagged

TIME = re.compile(
    r"(?:下?周|星期)[一二三四五六日天].*|.*\d+[月日号点:].*|.*[早晚上下]午.*|月底|年底|月初"
)
_DATED = frozenset({"deadline", "schedule", "birthday", "hours"})
_SEASON = re.compile("[明后今]天|[春夏秋冬]|[月年季周节假][初底中末]?|点")
_ADJECTIVE_TAGS = frozenset({"a", "ad", "an", "ag", "z", "d", "zg", "u", "uj"})
_DESCRIBED = STATES | frozenset({"status", "theme", "color", "kind", "mood", "name"})


def is_property(text: str, said: ChinesePredicate, row: Attribute, value: str) -> bool:
    """是固定的 tells how a deadline is, and not when."""
    kind = kind_of(value)
    if any(map(str.isdigit, value)) or (kind and kind[0] == row.name):
        return False
    if row.name in _DATED and not said.replaces:
        return not TIME.fullmatch(value) and _SEASON.search(value) is None
    if row.name in KINDS and not value.isascii():
        return True
    is_described = text.endswith("的") or all(tag in _ADJECTIVE_TAGS for _, tag in tagged(value))
    return is_described and row.name not in _DESCRIBED
