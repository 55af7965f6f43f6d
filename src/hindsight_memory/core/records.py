"""A memory with its version history as one line of an export, and back, exactly; and what was
rejected, as another.

Reading trusts nothing: a file may be damaged, or made by hand. What a field may hold is read off
the dataclasses, so a new field of Memory needs no line here; a new type of field is a row of
``_HOLDS``, a rule of its own a row of ``_RULES``.
"""

import json
import math
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields, replace
from datetime import datetime
from enum import StrEnum
from functools import cache, partial
from types import MappingProxyType, NoneType, UnionType
from typing import Any, Literal, NoReturn, get_args, get_origin

from hindsight_memory.core import codec, hygiene
from hindsight_memory.core.changes import Rejection, Revision
from hindsight_memory.core.model import Event, Json, Memory
from hindsight_memory.errors import Incompatible, InvalidInput

FORMAT = "hindsight-memory"
VERSION = 1
"""Of the lines: rises when an older release could not read them, not for a new optional field."""

START = f'{{"format":"{FORMAT}"'.encode()
"""How every export begins."""

MEMORY = b'{"memory":'
"""How the line of a memory begins."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Record:
    """A memory as it is, and the changes that made it so, oldest first."""

    memory: Memory
    history: tuple[Revision, ...]


def header(
    at: datetime, *, as_of: datetime | None = None, known_at: datetime | None = None
) -> bytes:
    """The first line of an export made ``at`` this instant, of the past where it is of the past."""
    past = {"as_of": as_of, "known_at": known_at}
    times = {name: codec.iso(time) for name, time in past.items() if time is not None}
    return encoded({"format": FORMAT, "version": VERSION, "exported_at": codec.iso(at), **times})


def check_header(given: Mapping[str, Any]) -> None:
    """Raises Incompatible for an export that this version cannot read."""
    if given.get("format") != FORMAT or not _is_count(given.get("version")):
        raise Incompatible(f"the header is not of a {FORMAT} export: {json.dumps(given)[:80]}")
    if given["version"] > VERSION:
        message = f"the export has format {given['version']}, and this version reads up to"
        raise Incompatible(f"{message} {VERSION}; upgrade hindsight-memory")


def line_of(record: Record) -> bytes:
    return encoded(
        {
            "memory": codec.to_json(record.memory),
            "history": [_revision_to_json(revision) for revision in record.history],
        }
    )


def record_of(given: Mapping[str, Any], *, tenant: str) -> Record:
    """The inverse of ``line_of``, in ``tenant``: whose memories are written, no file decides.

    Raises InvalidInput, naming the field, for what no store can have exported.
    """
    _check_names(given, known={"memory", "history"}, needed={"memory", "history"}, path="the line")
    plain, history = given["memory"], given["history"]
    check_fields(Memory, plain, "memory")
    if plain.get("event") is not None:
        check_fields(Event, plain["event"], "memory.event")
    for name, rule in _RULES.items():
        if name in plain:
            rule(plain[name])
    memory = replace(codec.from_json(plain), tenant=tenant)
    if memory.event is not None:
        hygiene.check_event(memory.event, "memory.event")
    if memory.valid_from and memory.valid_to and memory.valid_to < memory.valid_from:
        raise InvalidInput("memory.valid_to is before memory.valid_from")
    return Record(memory=memory, history=_history(history, memory))


def rejection_line(rejection: Rejection) -> bytes:
    return encoded(
        {
            "rejection": {
                "key": rejection.key,
                "user_id": rejection.user_id,
                "memory_id": rejection.memory_id,
                "trust": rejection.trust,
                "at": codec.iso(rejection.at),
            }
        }
    )


def rejection_of(given: Mapping[str, Any]) -> Rejection:
    """The inverse of ``rejection_line``. Raises InvalidInput, naming the field."""
    _check_names(given, known={"rejection"}, needed={"rejection"}, path="the line")
    plain = given["rejection"]
    check_fields(Rejection, plain, "rejection")
    for name, rule in _REJECTION_RULES.items():
        rule(plain[name])
    return Rejection(**{**plain, "at": datetime.fromisoformat(plain["at"])})


def encoded(value: Json) -> bytes:
    """One line. Text stays readable, and no character that some reader breaks lines at is in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return text.translate(_LINE_ENDS).encode() + b"\n"


def decoded(line: bytes) -> dict[str, Any]:
    """The object that ``line`` spells. Raises InvalidInput for anything else."""
    try:
        value = json.loads(line.decode(), parse_constant=_not_json)
        # One pass finds what no store can keep, wherever it is: a lone surrogate, and 1e999.
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"not a line of JSON: {error}") from error
    if not isinstance(value, dict):
        raise InvalidInput(f"a JSON object is needed, not {type(value).__name__}")
    return value


# Inside JSON these can only stand in texts, where the escape means the same.
_LINE_ENDS = {0x85: "\\u0085", 0x2028: "\\u2028", 0x2029: "\\u2029"}


def _not_json(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a JSON number")


def _revision_to_json(revision: Revision) -> dict[str, Json]:
    return {
        "version": revision.version,
        "at": codec.iso(revision.at),
        "actor": revision.actor,
        "operation": revision.operation,
        "reason": revision.reason,
        "before": dict(revision.before),
    }


def _history(given: Any, memory: Memory) -> tuple[Revision, ...]:
    if not isinstance(given, list) or len(given) != memory.version:
        raise InvalidInput(f"history: a list of {memory.version} is needed, one for each version")
    return tuple(_revision(each, memory.id, version) for version, each in enumerate(given, start=1))


def _revision(given: Any, memory_id: str, version: int) -> Revision:
    path = f"history[{version - 1}]"
    if not isinstance(given, dict) or "memory_id" in given:
        raise InvalidInput(f"{path} is not an entry of a version history")
    whole = {**given, "memory_id": memory_id}
    check_fields(Revision, whole, path)
    if given["version"] != version:
        raise InvalidInput(f"{path}.version is {given['version']}, where {version} follows")
    return Revision(**{**whole, "at": datetime.fromisoformat(given["at"])})


def check_fields(kind: type, given: Any, path: str) -> None:
    """Raises InvalidInput for a field that the dataclass ``kind`` lacks, needs or holds otherwise.

    Absent fields that have a default are in order: an older release did not know them.
    """
    if not isinstance(given, dict):
        raise InvalidInput(f"{path}: an object is needed, not {type(given).__name__}")
    checks, needed = _checks(kind)
    _check_names(given, known=checks.keys(), needed=needed, path=path)
    for name, value in given.items():
        if not checks[name](value):
            raise InvalidInput(f"{path}.{name} cannot be {json.dumps(value)[:80]}")


def _check_names(given: Mapping[str, Any], *, known: Any, needed: Any, path: str) -> None:
    if missing := sorted(needed - given.keys()):
        raise InvalidInput(f"{path} lacks {', '.join(map(repr, missing))}")
    if unknown := sorted(given.keys() - known):
        raise InvalidInput(f"{path} has {unknown[0]!r}, which this version does not know")


@cache
def _checks(kind: type) -> tuple[Mapping[str, Callable[[Any], bool]], frozenset[str]]:
    """What each field of a dataclass may hold, and the fields without a default."""
    known = {field.name: _check_of(field.type) for field in fields(kind)}
    needed = [
        field.name
        for field in fields(kind)
        if field.default is MISSING and field.default_factory is MISSING
    ]
    return MappingProxyType(known), frozenset(needed)


def _check_of(kind: Any) -> Callable[[Any], bool]:
    """Whether plain JSON is of a type, as codec writes it."""
    if isinstance(kind, UnionType):
        [one] = [each for each in get_args(kind) if each is not NoneType]
        holds = _check_of(one)
        return lambda value: value is None or holds(value)
    if get_origin(kind) is Literal:
        return get_args(kind).__contains__
    if isinstance(kind, type) and issubclass(kind, StrEnum):
        members = {member.value for member in kind}
        return lambda value: isinstance(value, str) and value in members
    return _HOLDS[kind]


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


def _is_count(value: Any) -> bool:
    return type(value) is int and 0 <= value < 1 << hygiene.INTEGER_BITS


def _is_number(value: Any) -> bool:
    return type(value) in {int, float} and value >= 0 and math.isfinite(value)


def _is_instant(value: Any) -> bool:
    try:
        instant = datetime.fromisoformat(value)
        return instant.tzinfo is not None and codec.iso(instant) != ""
    except (TypeError, ValueError, OverflowError):
        return False


def _are_texts(value: Any) -> bool:
    return isinstance(value, list) and all(isinstance(each, str) for each in value)


def _is_object(value: Any) -> bool:
    return isinstance(value, dict)


_HOLDS: Mapping[Any, Callable[[Any], bool]] = MappingProxyType(
    {
        str: _is_text,
        int: _is_count,
        float: _is_number,
        datetime: _is_instant,
        frozenset[str]: _are_texts,
        tuple[str, ...]: _are_texts,
        Mapping[str, Json]: _is_object,
        Event: _is_object,
    }
)


def _clean(content: str) -> None:
    """Not repaired: what comes back is what was exported, or nothing."""
    if hygiene.clean_content(content).text != content:
        raise InvalidInput("memory.content holds invisible characters; remove them")


def _normal(tags: list[str]) -> None:
    if hygiene.check_tags(tags) != frozenset(tags):
        raise InvalidInput("memory.tags holds one with spaces around or invisible characters")


def _share(path: str) -> Callable[[float], None]:
    def check(value: float) -> None:
        if value > 1:
            raise InvalidInput(f"{path} is {value}, more than 1")

    return check


def _identifier(path: str, *, may_be_empty: bool = False) -> Callable[[str], None]:
    def check(value: str) -> None:
        if value or not may_be_empty:
            hygiene.check_identifier(value, path)

    return check


def _counted(version: int) -> None:
    if version < 1:
        raise InvalidInput(f"memory.version is {version}; the first is 1")


_RULES: Mapping[str, Callable[[Any], object]] = MappingProxyType(
    {
        "content": _clean,
        "tags": _normal,
        "metadata": partial(hygiene.check_metadata, name="memory.metadata"),
        "version": _counted,
        **{name: _share(f"memory.{name}") for name in ("trust", "confidence", "importance")},
        **{name: _identifier(f"memory.{name}") for name in ("id", "user_id", "agent_id")},
        **{
            name: _identifier(f"memory.{name}", may_be_empty=True)
            for name in ("project", "session_id", "scene")
        },
    }
)
"""Limits of single fields, which a write keeps too."""

_REJECTION_RULES: Mapping[str, Callable[[Any], object]] = MappingProxyType(
    {
        "trust": _share("rejection.trust"),
        **{name: _identifier(f"rejection.{name}") for name in ("key", "user_id", "memory_id")},
    }
)
