"""What every door accepts as JSON, before anybody looks at what it says."""

import json
from typing import Any, NoReturn

from hindsight_memory.errors import InvalidInput

MAX_MESSAGE_BYTES = 1024 * 1024
"""Longest request. The largest content (64 KiB) with every byte escaped (\\u0041) takes 384 KiB,
its metadata (16 KiB) 96 KiB."""

MAX_DEPTH = 64
"""Deepest nesting: metadata may have 32 levels, and a tool call wraps them in three more."""


def decode(raw: bytes) -> Any:
    """The value that ``raw`` spells as JSON in UTF-8.

    Lone surrogates and NUL inside strings are kept: whoever takes the string decides.
    Raises InvalidInput, also for NaN, infinities, integers of over 4,300 digits and deep nesting,
    which Python would read and other readers would not.
    """
    try:
        value = json.loads(raw.decode(), parse_constant=_not_json, parse_float=_finite)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"not JSON: {error}") from error
    if _nests_deeper(value, MAX_DEPTH):
        raise InvalidInput(f"JSON nested deeper than {MAX_DEPTH} levels")
    return value


def _not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _finite(digits: str) -> float:
    number = float(digits)
    if number in {float("inf"), float("-inf")}:
        raise ValueError("a number is too large")
    return number


def _nests_deeper(value: Any, levels: int) -> bool:
    level = [value]
    for _ in range(levels):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return True


def _children(value: Any) -> list[Any]:
    match value:
        case dict():
            return list(value.values())
        case list():
            return value
        case _:
            return []
