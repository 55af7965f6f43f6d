"""What text and metadata may hold before anything else looks at them.

Three answers only: kept, kept after removing what nobody can see (and said so), or refused with
InvalidInput that names the field, the place and what to do. A new kind of hidden character is a
row of ``_INVISIBLE``; a new field with rules of its own is a ``check_*`` function here.
"""

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from hindsight_memory.core.model import Event, Json
from hindsight_memory.core.script import has_han
from hindsight_memory.errors import InvalidInput

Value = TypeVar("Value")

CONTENT_BYTES = 64 * 1024
METADATA_BYTES = 16 * 1024
METADATA_DEPTH = 32
TAGS = 32
TAG_LENGTH = 64
IDENTIFIER_LENGTH = 256
IDENTIFIERS = 64
"""Ids that one call names."""
REASON_LENGTH = 1_000
EVENT_LENGTH = 8_000
"""Characters of an event's error or reflection: what is longer is a document."""
PARTICIPANTS = 32
_EVENT_TEXTS: Mapping[str, int] = {
    **dict.fromkeys(("role", "action", "tool"), IDENTIFIER_LENGTH),
    **dict.fromkeys(("error", "reflection"), EVENT_LENGTH),
}
INTEGER_BITS = 63
"""SQL's JSON functions read longer integers as floats and lose digits."""

_SHOWN = 40
"""Characters of a key shown in messages, so that a path stays short whatever the keys."""

_FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff]")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
_SURROGATE = re.compile("[\ud800-\udfff]")
_CONTROL = re.compile("[\x00-\x1f\x7f-\x9f\ud800-\udfff]")
_CONTROL_NAMES: Mapping[str, str] = {
    "\x00": "NUL",
    "\x08": "backspace",
    "\x0b": "vertical tab",
    "\x0c": "form feed",
    "\r": "carriage return without a line feed",
    "\x1b": "escape, as in terminal colours",
    "\x7f": "delete",
}

_JOINER = re.compile("[\u200c\u200d]")
_SELECTOR = re.compile("[\ufe00-\ufe0f]")
_HAN_SELECTOR = re.compile("[\U000e0100-\U000e01ef]")
# Text that a reader does not see and a model does is how instructions are smuggled, so each kind
# goes: those that reorder, those without width, and those that spell ASCII or bytes invisibly.
_INVISIBLE: Mapping[str, re.Pattern[str]] = {
    "bidirectional controls": re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]"),
    "tag characters": re.compile("[\U000e0000-\U000e00ff\U000e01f0-\U000e0fff]"),
    "joiners": _JOINER,
    "variation selectors": re.compile(f"{_SELECTOR.pattern}|{_HAN_SELECTOR.pattern}"),
    "zero-width characters": re.compile(
        "[\u00ad\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b\u2060-\u2065\u206a-\u206f"
        "\u3164\ufeff\uffa0\ufff0-\ufffb\U0001d173-\U0001d17a]"
    ),
}
_ANY_INVISIBLE = re.compile("|".join(pattern.pattern for pattern in _INVISIBLE.values()))
_KEYCAPS = frozenset("0123456789#*")


@dataclass(frozen=True, slots=True)
class Cleaned:
    """Text that is safe to keep; ``notes`` says what was removed, and is empty when nothing was."""

    text: str
    notes: tuple[str, ...] = ()


def clean_content(text: str) -> Cleaned:
    r"""``text`` with ``\n`` line ends and without invisible characters.

    Joiners stay where a script or an emoji needs them, and so does one variation selector.
    Positions in messages count characters from 0.
    Raises InvalidInput when it is blank, too large, or holds controls or lone surrogates.
    """
    lines = text.replace("\r\n", "\n")
    _refuse_characters(lines, _FORBIDDEN, "content")
    visible, notes = _without_invisible(lines)
    if not visible.strip():
        raise InvalidInput("content is blank; give at least one visible character")
    size_bytes = len(visible.encode())
    if size_bytes > CONTENT_BYTES:
        raise InvalidInput(
            f"content has {size_bytes} bytes in UTF-8, more than the limit of {CONTENT_BYTES}; "
            "shorten it or split it into several memories"
        )
    return Cleaned(visible, notes)


def check_metadata(
    value: object,
    *,
    name: str = "metadata",
    limit_bytes: int = METADATA_BYTES,
    depth: int = METADATA_DEPTH,
) -> dict[str, Json]:
    """``value``, if it is a JSON object of at most ``limit_bytes`` (compact, UTF-8).

    name: the field, for the message.
    depth: the deepest nesting allowed; the object itself is level 1.
    Raises InvalidInput naming the path of what JSON cannot hold, or the size.
    """
    if not isinstance(value, dict):
        raise InvalidInput(f"{name} must be a JSON object, not {type(value).__name__}")
    nodes = 0
    pending: list[tuple[str, int, object]] = [(name, 1, value)]
    while pending:
        path, level, node = pending.pop()
        _check_node(path, level, node, depth)
        children = _children(path, node)
        # Every node is at least one byte, so shared references cannot make this walk long.
        nodes += 1
        if nodes + len(children) > limit_bytes:
            raise InvalidInput(_too_large(name, f"more than {nodes}", limit_bytes))
        pending.extend((where, level + 1, child) for where, child in children)
    size_bytes = len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())
    if size_bytes > limit_bytes:
        raise InvalidInput(_too_large(name, str(size_bytes), limit_bytes))
    return cast("dict[str, Json]", value)


def check_encodable(arguments: Mapping[str, object]) -> None:
    """Refuse texts anywhere in ``arguments`` that no file or message can hold: lone surrogates.

    ``content`` and ``query`` have rules of their own. Deeper levels than metadata may have are
    left to the schema, which has none.
    """
    waiting: list[tuple[str, object, int]] = [
        (name, value, 0) for name, value in arguments.items() if name not in {"content", "query"}
    ]
    while waiting:
        name, value, depth = waiting.pop()
        if isinstance(value, str) and _SURROGATE.search(value):
            raise InvalidInput(
                f"`{name}` holds half a character (a lone surrogate): resend it whole"
            )
        if depth <= METADATA_DEPTH:
            waiting += [(name, each, depth + 1) for each in _parts(value)]


def _parts(value: object) -> Iterable[object]:
    if isinstance(value, Mapping):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else ()


def check_tags(tags: object) -> frozenset[str]:
    """The tags in NFC, stripped, without invisible characters; case, commas and hyphens are kept.

    Raises InvalidInput when there are more than 32, or one is empty, too long or not text.
    """
    if isinstance(tags, str) or not isinstance(tags, Iterable):
        raise InvalidInput(f"tags must be a list of texts, not {type(tags).__name__}")
    found = frozenset(_tag(tag) for tag in tags)
    if len(found) > TAGS:
        raise InvalidInput(f"tags: {len(found)} given, at most {TAGS} are allowed; leave some out")
    return found


def check_identifier(value: object, name: str) -> str:
    """``value`` as it is: identifiers are compared exactly, so nothing is repaired.

    name: the field, for the message.
    Raises InvalidInput when it is not 1 to 256 characters that a person can see.
    """
    text = _text(value, name)
    if not 1 <= len(text) <= IDENTIFIER_LENGTH:
        raise InvalidInput(f"{name} has {len(text)} characters; give 1 to {IDENTIFIER_LENGTH}")
    _refuse_characters(text, _CONTROL, name)
    if text != text.strip():
        raise InvalidInput(f"{name} {text!r} begins or ends with a space; remove it")
    if hidden := _ANY_INVISIBLE.search(text):
        raise InvalidInput(
            f"{name} holds an invisible character (U+{ord(hidden[0]):04X}) "
            f"at position {hidden.start()}; remove it"
        )
    return text


def check_count(values: Sequence[Value], name: str, limit: int) -> Sequence[Value]:
    """``values``, if they are at most ``limit``. Raises InvalidInput."""
    if len(values) > limit:
        raise InvalidInput(
            f"{name}: {len(values)} given, at most {limit} are allowed; leave some out"
        )
    return values


def check_text(text: str, name: str, limit: int) -> str:
    """``text`` as it is, for what is shown and never searched.

    Raises InvalidInput when it has more than ``limit`` characters, or some that no store keeps.
    """
    if len(text) > limit:
        raise InvalidInput(
            f"{name} has {len(text)} characters, more than the limit of {limit}; shorten it"
        )
    _refuse_characters(text, _UNSTORABLE, name)
    return text


def check_event(event: Event, name: str = "event") -> Event:
    """``event`` as it is, if it tells in short what happened. Raises InvalidInput, naming it."""
    check_count(event.participants, f"{name}.participants", PARTICIPANTS)
    for participant in event.participants:
        check_text(participant, f"{name}.participants", IDENTIFIER_LENGTH)
    for field, limit in _EVENT_TEXTS.items():
        check_text(getattr(event, field), f"{name}.{field}", limit)
    check_metadata(event.arguments, name=f"{name}.arguments")
    return event


def _tag(value: object) -> str:
    text = _text(value, "tags")
    _refuse_characters(text, _CONTROL, "tags")
    visible, _ = _without_invisible(text)
    tag = unicodedata.normalize("NFC", visible).strip()
    if not 1 <= len(tag) <= TAG_LENGTH:
        raise InvalidInput(f"tags: {tag!r} has {len(tag)} characters; give 1 to {TAG_LENGTH}")
    return tag


def _text(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{name} must be text, not {type(value).__name__}")
    return value


def _refuse_characters(text: str, forbidden: re.Pattern[str], name: str) -> None:
    found = forbidden.search(text)
    if found is None:
        return
    character = found[0]
    kind = "lone surrogate" if unicodedata.category(character) == "Cs" else "control character"
    known = _CONTROL_NAMES.get(character)
    named = f"U+{ord(character):04X}" + (f", {known}" if known else "")
    raise InvalidInput(
        f"{name} holds a {kind} ({named}) at position {found.start()}; remove or replace it"
    )


def _without_invisible(text: str) -> tuple[str, tuple[str, ...]]:
    """What is left, and notes on what went."""
    kept: list[str] = []
    removed: list[str] = []
    last, end = "", 0
    for found in _ANY_INVISIBLE.finditer(text):
        if found.start() > end:
            kept.append(text[end : found.start()])
            last = text[found.start() - 1]
        end = found.end()
        if _belongs(found[0], last, text[end : end + 1]):
            kept.append(found[0])
            last = found[0]
        else:
            removed.append(found[0])
    kept.append(text[end:])
    return "".join(kept), _notes("".join(removed))


def _notes(removed: str) -> tuple[str, ...]:
    counts = ((kind, len(pattern.findall(removed))) for kind, pattern in _INVISIBLE.items())
    return tuple(f"removed invisible characters: {n} {kind}" for kind, n in counts if n)


def _belongs(character: str, before: str, after: str) -> bool:
    """A joiner between letters that need joining or emoji; a selector after what it selects.

    before: the last character that was kept, so that cleaning twice changes nothing.
    """
    if _JOINER.match(character):
        return _joins(before) and _joins(after) and not _ANY_INVISIBLE.match(after)
    if _SELECTOR.match(character):
        return before in _KEYCAPS or (before > "\x7f" and not _ANY_INVISIBLE.match(before))
    return _HAN_SELECTOR.match(character) is not None and has_han(before)


def _joins(neighbour: str) -> bool:
    """Emoji, and letters of scripts without case (Persian, Hindi ...) but not Han or Latin."""
    if not neighbour or neighbour.isascii() or has_han(neighbour):
        return False
    category = unicodedata.category(neighbour)
    return category in {"Lo", "Mn", "Mc"} or category.startswith("S")


def _check_node(path: str, level: int, node: object, depth: int) -> None:
    match node:
        case dict() | list() | tuple() if level > depth:
            raise InvalidInput(f"{path} is nested deeper than {depth} levels; flatten it")
        case dict():
            for key in node:
                _refuse_characters(_text(key, f"{path}: a key"), _UNSTORABLE, f"{path}: a key")
        case str():
            _refuse_characters(node, _UNSTORABLE, path)
        case float() if not math.isfinite(node):
            raise InvalidInput(f"{path} is {node}, which JSON cannot hold; give a number or null")
        case int() if node.bit_length() > INTEGER_BITS:
            raise InvalidInput(f"{path} is an integer over {INTEGER_BITS} bits; give it as text")
        case None | bool() | int() | float() | list() | tuple():
            pass
        case _:
            raise InvalidInput(f"{path} is a {type(node).__name__}, which JSON cannot hold")


def _children(path: str, node: object) -> list[tuple[str, Any]]:
    match node:
        case dict():
            return [(f"{path}.{key[:_SHOWN]}", child) for key, child in node.items()]
        case list() | tuple():
            return [(f"{path}[{index}]", child) for index, child in enumerate(node)]
        case _:
            return []


def _too_large(name: str, size: str, limit_bytes: int) -> str:
    return (
        f"{name} has {size} bytes as compact JSON, over the limit of {limit_bytes}; "
        "keep what is large elsewhere and refer to it"
    )
