"""Probes: what in the world a memory hangs on, so that somebody can look without a model. Pure.

A memory carries one in its metadata, under ``probe``. A new kind is a row of ``KINDS``, and one in
``hindsight_memory.providers.probes``, which looks.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from enum import StrEnum
from types import MappingProxyType

from hindsight_memory.core.model import Json, Memory
from hindsight_memory.errors import InvalidInput

KEY = "probe"
"""Where in the metadata of a memory its probe is."""

WORDS = 32
"""Most words of a command."""

Probe = Mapping[str, Json]


class Seen(StrEnum):
    """unobservable: nobody could look, which says nothing about what there is."""

    UNCHANGED = "unchanged"
    CHANGED = "changed"
    UNOBSERVABLE = "unobservable"


@dataclass(frozen=True, slots=True)
class Observation:
    seen: Seen
    detail: str


@dataclass(frozen=True, slots=True)
class Field:
    """allows: whether a value will do. told: what to give."""

    allows: Callable[[Json], bool]
    told: str
    is_required: bool = True


def probe_of(memory: Memory) -> Probe | None:
    """None for a memory without one; whether what is there can be used, ``check_probe`` tells."""
    probe = memory.metadata.get(KEY)
    return probe if isinstance(probe, dict) else None


def check_metadata(metadata: Mapping[str, Json]) -> None:
    """Raises InvalidInput for a probe that no kind knows."""
    if KEY in metadata:
        check_probe(metadata[KEY])


def check_probe(probe: Json) -> None:
    """Raises InvalidInput, naming the field."""
    if not isinstance(probe, dict):
        raise InvalidInput('metadata.probe must be an object: {"kind": "path_exists", ...}')
    kind = probe.get("kind")
    fields = KINDS.get(kind) if isinstance(kind, str) else None
    if fields is None:
        raise InvalidInput(f"metadata.probe has the kind {kind!r}; known: {', '.join(KINDS)}")
    if unknown := sorted(probe.keys() - fields.keys() - {"kind"}):
        raise InvalidInput(
            f"metadata.probe: {kind} has no {unknown[0]!r}; it has {', '.join(fields)}"
        )
    for name, field in fields.items():
        if name in probe or field.is_required:
            _check(name, field, probe.get(name))


def _check(name: str, field: Field, value: Json) -> None:
    if not field.allows(value):
        raise InvalidInput(
            f"metadata.probe.{name} cannot be {str(value)[:80]!r}; give {field.told}"
        )


_ABSOLUTE = re.compile(r"(?:/|~|[A-Za-z]:[\\/]|\\\\)")
_SHA256 = re.compile(r"[0-9a-fA-F]{64}")


def _is_path(value: Json) -> bool:
    return isinstance(value, str) and _ABSOLUTE.match(value) is not None


def _is_hash(value: Json) -> bool:
    return isinstance(value, str) and _SHA256.fullmatch(value) is not None


def _is_date(value: Json) -> bool:
    return isinstance(value, str) and when_passed(value) is not None


def _is_command(value: Json) -> bool:
    are_words = isinstance(value, list) and all(isinstance(word, str) for word in value)
    return are_words and isinstance(value, list) and 1 <= len(value) <= WORDS and bool(value[0])


def when_passed(text: str) -> date | datetime | None:
    """A day, which has passed when it is over; or an aware instant. None for neither."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        pass
    try:
        instant = datetime.fromisoformat(text)
    except ValueError:
        return None
    return instant if instant.tzinfo is not None else None


_PATH = Field(_is_path, "an absolute path, such as /etc/hosts or ~/project")

KINDS: Mapping[str, Mapping[str, Field]] = MappingProxyType(
    {
        "path_exists": {
            "path": _PATH,
            "exists": Field(
                lambda value: isinstance(value, bool), "true or false", is_required=False
            ),
        },
        "file_hash": {
            "path": _PATH,
            "sha256": Field(_is_hash, "the SHA-256 of the file, 64 hexadecimal digits"),
        },
        "date_passed": {
            "date": Field(_is_date, "a day (2026-05-02), or an instant with its offset"),
        },
        "command": {
            "command": Field(_is_command, f"a list of 1 to {WORDS} words; no shell reads them"),
        },
    }
)
"""The kinds of probes: what each needs besides ``kind``."""
