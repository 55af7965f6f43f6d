"""A memory as JSON and back, exactly: for export and import, and for version histories.

A new field of Memory needs no line here: fields are read off the dataclass, and only types that
JSON does not have are named below.
"""

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields
from datetime import UTC, datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, cast

from hindsight_memory.core.model import Draft, Event, Json, Layer, Memory, Tier, Visibility
from hindsight_memory.core.policy import MemoryType, Source, Status

NOT_HISTORY = frozenset(
    {"version", "updated_at", "last_accessed_at", "access_count", "used_count", "heat"}
)
"""Fields that change without a decision, or with every one."""


def iso(instant: datetime) -> str:
    """UTC with microseconds always written, so that text order is time order."""
    return instant.astimezone(UTC).isoformat(timespec="microseconds")


def to_json(memory: Memory) -> dict[str, Json]:
    """Every field, in the order of the dataclass."""
    return {name: _plain(getattr(memory, name)) for name in FIELDS}


def from_json(given: Mapping[str, Json]) -> Memory:
    """The inverse of ``to_json``; absent fields take their defaults.

    Raises TypeError, KeyError or ValueError when ``given`` is not a memory.
    """
    return Memory(**{name: _READ.get(name, _as_is)(value) for name, value in given.items()})


def before(old: Memory, new: Memory) -> dict[str, Json]:
    """The fields of ``old`` that ``new`` decided otherwise."""
    return {
        name: _plain(getattr(old, name))
        for name in FIELDS
        if name not in NOT_HISTORY and getattr(old, name) != getattr(new, name)
    }


def draft_to_json(draft: Draft) -> dict[str, Json]:
    """The fields that ask for something: those at their defaults are left out."""
    return {
        field.name: _plain(getattr(draft, field.name))
        for field in fields(draft)
        if getattr(draft, field.name) not in (None, _default(field))
    }


def draft_from_json(given: Mapping[str, Any]) -> Draft:
    """The inverse of ``draft_to_json``."""
    return Draft(**{name: _READ.get(name, _as_is)(value) for name, value in given.items()})


def event_to_json(event: Event) -> dict[str, Json]:
    return {field.name: _plain(getattr(event, field.name)) for field in fields(event)}


def event_from_json(given: Mapping[str, Any]) -> Event:
    return Event(**{**given, "participants": tuple(given.get("participants", ()))})


def _plain(value: Any) -> Json:
    for kind, plain in _PLAIN:
        if isinstance(value, kind):
            return plain(value)
    return cast("Json", value)


def _default(field: Field[Any]) -> Any:
    return field.default if field.default_factory is MISSING else field.default_factory()


def _as_is(value: Any) -> Any:
    return value


def _instant(value: Any) -> datetime | None:
    return None if value is None else datetime.fromisoformat(value)


_PLAIN: tuple[tuple[type, Callable[[Any], Json]], ...] = (
    (StrEnum, lambda value: value.value),
    (datetime, iso),
    (frozenset, sorted),
    (tuple, list),
    (Mapping, dict),
    (Event, event_to_json),
)

_READ: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "visibility": Visibility,
        "layer": Layer,
        "memory_type": MemoryType,
        "tags": frozenset,
        "related_ids": tuple,
        "event": lambda value: None if value is None else event_from_json(value),
        "status": Status,
        "source": Source,
        "evidence": tuple,
        "notes": tuple,
        "counter_examples": tuple,
        "valid_from": _instant,
        "valid_to": _instant,
        "created_at": _instant,
        "updated_at": _instant,
        "retired_at": _instant,
        "last_accessed_at": _instant,
        "tier": Tier,
        "expires_at": _instant,
        "deleted_at": _instant,
    }
)
FIELDS = tuple(field.name for field in fields(Memory))
