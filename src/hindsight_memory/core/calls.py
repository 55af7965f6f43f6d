"""Tool calls as episodes: how one is worded, and when two are alike. Pure."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, Protocol

from hindsight_memory.core.model import Event, Json, Layer, Memory
from hindsight_memory.core.text import fold

SCENE = "tool_use"
ROLE = "tool"

VALUE_CHARACTERS, ERROR_CHARACTERS, CALL_CHARACTERS = 80, 300, 600
"""Longest value, error and whole call in words; what is longer is cut in the middle."""

Outcome = Literal["success", "failure", "unknown"]


class Ended(Protocol):
    """What describes a call that ended."""

    @property
    def tool(self) -> str: ...

    @property
    def arguments(self) -> Mapping[str, Json]: ...

    @property
    def outcome(self) -> Outcome: ...

    @property
    def error(self) -> str: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool call that was remembered."""

    memory_id: str
    session_id: str
    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    outcome: Outcome = "unknown"
    error: str = ""
    at: datetime

    @property
    def key(self) -> str:
        return normalised(self.arguments)


def call_of(memory: Memory) -> Call | None:
    """None for what is no call of a tool."""
    event = memory.event
    if event is None or not event.tool or memory.layer is not Layer.EPISODIC:
        return None
    return Call(
        memory_id=memory.id,
        session_id=memory.session_id,
        tool=event.tool,
        arguments=event.arguments,
        outcome=event.outcome,
        error=event.error,
        at=memory.happened_at,
    )


def event_of(call: Ended) -> Event:
    return Event(
        role=ROLE,
        action="call",
        tool=call.tool,
        arguments=call.arguments,
        outcome=call.outcome,
        error=call.error,
    )


def described(call: Ended) -> str:
    """The call in one line: ``read_csv(path=a.csv, encoding=utf-8) failed: UnicodeDecodeError``."""
    said = f"{call.tool}({worded(call.arguments)})"
    said = cut(said, CALL_CHARACTERS)
    match call.outcome:
        case "failure":
            error = cut(" ".join(call.error.split()), ERROR_CHARACTERS)
            return f"{said} failed: {error}" if error else f"{said} failed"
        case "success":
            return f"{said} worked"
        case _:
            return f"{said} was called"


def worded(arguments: Mapping[str, Json]) -> str:
    """``name=value, name=value``, each value in few words."""
    return ", ".join(f"{name}={in_words(value)}" for name, value in arguments.items())


def normalised(arguments: Mapping[str, Json]) -> str:
    """Equal for calls that do the same kind of thing: paths by their ending, and ids, numbers,
    dates, hashes and addresses by their kind. Names of parameters stay, and so do words, because
    ``encoding=gbk`` is not ``encoding=utf-8``.
    """
    return json.dumps(_general(dict(arguments)), sort_keys=True, ensure_ascii=False)


def error_kind(error: str) -> str:
    """The class of an error, by which repetitions count as one: its first line, generalised."""
    first = error.strip().splitlines()[0] if error.strip() else ""
    return _generalised(fold(first))[:120]


_NAME = r"[\w@~-]+(?:\.[\w@~-]+)*"
_FOLDERS = r"(?<![\w.])(?:[A-Za-z]:)?(?:\.{0,2}[/\\])?(?:[\w.@~ -]+[/\\])*"

_GENERAL: tuple[tuple[re.Pattern[str], str], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), kind)
    for pattern, kind in (
        (r"\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b", "<id>"),
        (r"https?://[^\s'\"]+", "<url>"),
        (r"\b\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d(?::\d\d)?(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?)?", "<date>"),
        (_FOLDERS + _NAME + r"\.([a-z]\w{0,7})\b(?![/\\(])", r"<file .\1>"),
        (r"(?<![\w.])(?:[A-Za-z]:)?\.{0,2}[/\\](?:[\w.@~-]+[/\\]?)+", "<path>"),
        (r"\b(?=[0-9a-f]*[0-9])(?=[0-9a-f]*[a-f])[0-9a-f]{7,64}\b", "<hash>"),
        (r"(?<![A-Za-z_-])\d+(?:[.,]\d+)*(?![A-Za-z_-])", "<n>"),
    )
)
"""What varies between calls of one kind, most telling first. ``gbk`` and ``utf-8`` are no ids: a
hash has both digits and letters, and a number stands alone."""


def _general(value: Json) -> Json:
    match value:
        case bool() | None:
            return value
        case int() | float():
            return "<n>"
        case str():
            return _generalised(" ".join(value.split()))
        case list():
            return [_general(each) for each in value[:20]]
        case _:
            return {name: _general(each) for name, each in sorted(value.items())}


def _generalised(text: str) -> str:
    """Until nothing varies any more: what stands for one thing may set free another beside it."""
    before = ""
    while text != before:
        before = text
        for pattern, kind in _GENERAL:
            text = pattern.sub(kind, text)
    return text


def in_words(value: Json) -> str:
    """At most ``VALUE_CHARACTERS`` of them."""
    said = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return cut(" ".join(said.split()), VALUE_CHARACTERS)


def cut(text: str, most: int) -> str:
    """Both ends, where it is longer: errors end with what matters, and paths too."""
    if len(text) <= most:
        return text
    half = (most - 1) // 2
    return f"{text[:half]}…{text[-half:]}"
