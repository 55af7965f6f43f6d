"""What of the arguments of a call is remembered. Pure.

A file that was written in a call is no part of what made the call work, and may be of any size.
"""

import json
from collections.abc import Mapping
from math import isfinite
from typing import TypeGuard

from hindsight_memory.core.calls import VALUE_CHARACTERS, cut, in_words
from hindsight_memory.core.model import Json
from hindsight_memory.core.places import runs_programs

MOST, CHARACTERS, ITEMS, DEPTH = 24, 240, 20, 4
"""The first so many arguments, the ends of a longer text, of lists the first items, of what is
nested the first levels."""

BYTES = 8_000
"""Of all together; beyond it each is kept in few words."""

REMARKS = frozenset({"description", "explanation", "justification", "rationale", "reason"})
"""What a client has the model say beside a command that it runs, in other words each time."""

_STORED_BITS = 63
"""Longer integers are texts: SQL's JSON functions would lose digits."""


def bounded(arguments: Mapping[str, object]) -> dict[str, Json]:
    """What is short enough stays as it is. Equal arguments stay equal, and doing it again changes
    nothing.
    """
    named = {_name(name): value for name, value in arguments.items()}
    if runs_programs(named):
        named = {name: value for name, value in named.items() if name not in REMARKS}
    kept = {name: _bounded(value, DEPTH) for name, value in list(named.items())[:MOST]}
    if len(json.dumps(kept, ensure_ascii=False).encode("utf-8", "replace")) <= BYTES:
        return kept
    return {name: _shorter(value) for name, value in kept.items()}


def _bounded(value: object, depth: int) -> Json:
    if isinstance(value, Mapping) and depth > 1:
        first = list(value.items())[:ITEMS]
        return {_name(name): _bounded(each, depth - 1) for name, each in first}
    if isinstance(value, list | tuple) and depth > 1:
        return [_bounded(each, depth - 1) for each in value[:ITEMS]]
    return value if _is_plain(value) else cut(_storable(str(value)), CHARACTERS)


def _name(given: object) -> str:
    return cut(_storable(str(given)), VALUE_CHARACTERS)


def _is_plain(value: object) -> TypeGuard[bool | int | float | None]:
    """Whether any store keeps it as it is, however it is bounded."""
    match value:
        case bool() | None:
            return True
        case int():
            return value.bit_length() <= _STORED_BITS
        case float():
            return isfinite(value)
        case _:
            return False


def _storable(text: str) -> str:
    """Without what no store keeps: NUL, and halves of characters."""
    return text.replace("\x00", "").encode("utf-8", "ignore").decode()


def _shorter(value: Json) -> Json:
    return in_words(value) if isinstance(value, str | list | dict) else value
