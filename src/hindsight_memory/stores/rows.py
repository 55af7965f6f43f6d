"""A memory as a row of plain values and back, for every SQL backend.

Reading is on the path of each search, about a hundred rows at a time, hence tables of converters
by position and no parsing of the JSON that most rows leave empty.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from enum import StrEnum
from types import MappingProxyType
from typing import Any, cast

from hindsight_memory.core.changes import Revision
from hindsight_memory.core.codec import FIELDS, event_from_json, event_to_json, iso
from hindsight_memory.core.identity import identity
from hindsight_memory.core.model import Event, Layer, Memory, Tier, Visibility
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.errors import Damaged

NO_TAGS: frozenset[str] = frozenset()


def memory(row: Sequence[Any]) -> Memory:
    """``row`` begins with the fields of Memory in their order; what follows is left alone.

    Raises Damaged for a row that holds what was never written.
    """
    values = dict(zip(FIELDS, row, strict=False))
    try:
        for name, read in READ:
            values[name] = read(values[name])
        return Memory(**values)
    except (KeyError, TypeError, ValueError) as error:
        message = f"memory {row[0]!r} cannot be read ({error}); restore a backup"
        raise Damaged(message) from error


def row(given: Memory) -> dict[str, Any]:
    """The columns of ``given`` by name, with those that are derived from it."""
    columns = {name: WRITE.get(name, _plain)(getattr(given, name)) for name in FIELDS}
    columns["happened_at"] = iso(given.happened_at)
    columns["identity"] = identity(given)
    columns["tool"] = given.event and given.event.tool
    return columns


def revision(row: Sequence[Any]) -> Revision:
    """``row``: id of the memory, version, time, actor, operation, reason, what it held before.

    Raises Damaged, as ``memory`` does.
    """
    memory_id, version, at, actor, operation, reason, before = row
    try:
        return Revision(
            memory_id=memory_id,
            version=version,
            at=datetime.fromisoformat(at),
            actor=actor,
            operation=operation,
            reason=reason,
            before=dict(json.loads(before)),
        )
    except (TypeError, ValueError) as error:
        message = f"version {version} of {memory_id!r} cannot be read ({error}); restore a backup"
        raise Damaged(message) from error


def _members(kind: type[StrEnum]) -> Callable[[str], StrEnum]:
    return {member.value: member for member in kind}.__getitem__


def _instant(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text)


def _tags(text: str) -> frozenset[str]:
    return NO_TAGS if text == "[]" else frozenset(json.loads(text))


def _ids(text: str) -> tuple[str, ...]:
    return () if text == "[]" else tuple(json.loads(text))


def _metadata(text: str) -> Mapping[str, Any]:
    return {} if text == "{}" else cast("dict[str, Any]", json.loads(text))


def _event(text: str | None) -> Event | None:
    return None if text is None else event_from_json(json.loads(text))


def _plain(value: Any) -> Any:
    return value


def _iso(value: datetime | None) -> str | None:
    return None if value is None else iso(value)


def dump(value: Any) -> str:
    """Compact JSON; sorted keys, so that equal values are equal texts."""
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def tag_text(tag: str) -> str:
    """A tag as JSON in which its own quotation marks and commas are escapes.

    So a memory has the tag if and only if the text of its tags contains this text.
    """
    inner = dump(tag)[1:-1].replace('\\"', "\\u0022").replace(",", "\\u002c")
    return f'"{inner}"'


READ: tuple[tuple[str, Callable[[Any], Any]], ...] = (
    ("visibility", _members(Visibility)),
    ("layer", _members(Layer)),
    ("memory_type", _members(MemoryType)),
    ("status", _members(Status)),
    ("source", _members(Source)),
    ("tier", _members(Tier)),
    ("tags", _tags),
    ("metadata", _metadata),
    ("event", _event),
    ("related_ids", _ids),
    ("evidence", _ids),
    ("counter_examples", _ids),
    ("valid_from", _instant),
    ("valid_to", _instant),
    ("created_at", datetime.fromisoformat),
    ("updated_at", datetime.fromisoformat),
    ("retired_at", _instant),
    ("last_accessed_at", _instant),
    ("expires_at", _instant),
    ("deleted_at", _instant),
)

WRITE: Mapping[str, Callable[[Any], Any]] = MappingProxyType(
    {
        "tags": lambda tags: f"[{','.join(map(tag_text, sorted(tags)))}]",
        "metadata": lambda metadata: dump(dict(metadata)),
        "event": lambda event: None if event is None else dump(event_to_json(event)),
        "related_ids": lambda ids: dump(list(ids)),
        "evidence": lambda ids: dump(list(ids)),
        "counter_examples": lambda ids: dump(list(ids)),
        "valid_from": _iso,
        "valid_to": _iso,
        "created_at": iso,
        "updated_at": iso,
        "retired_at": _iso,
        "last_accessed_at": _iso,
        "expires_at": _iso,
        "deleted_at": _iso,
    }
)
