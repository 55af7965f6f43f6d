"""Patches of working memory as JSON: what an agent or a language model gives, read strictly.

A new patch is a row of ``OPS``; a new field of one, or of a turn, is a row of ``_READ``.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import MISSING, fields
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from hindsight_memory.core import hygiene
from hindsight_memory.core.calls import cut, in_words
from hindsight_memory.core.model import Json
from hindsight_memory.core.policy import Source
from hindsight_memory.core.working import (
    ACTION_CHARACTERS,
    ARGUMENTS_BYTES,
    ERROR_CHARACTERS,
    FACT_CHARACTERS,
    GOAL_CHARACTERS,
    ITEM_CHARACTERS,
    LEAST_URGENT,
    MOST_URGENT,
    REASON_CHARACTERS,
    AddFact,
    AppendCall,
    Ended,
    Patch,
    PopItem,
    PushItem,
    RecordAttempt,
    Reprioritise,
    SetGoal,
)
from hindsight_memory.errors import InvalidInput

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

PATCHES = 50
"""The most in one call."""

TOOL_CHARACTERS = 128
ROLE_CHARACTERS = 64
SAID_CHARACTERS = 16_000
"""Of one turn: what is longer is a document, whose ends say best what it is."""

Filled = TypeVar("Filled", bound="DataclassInstance")

OPS: Mapping[str, type[Patch]] = MappingProxyType(
    {
        "set_goal": SetGoal,
        "add_fact": AddFact,
        "push_item": PushItem,
        "pop_item": PopItem,
        "reprioritise": Reprioritise,
        "record_attempt": RecordAttempt,
        "append_call": AppendCall,
    }
)


def patches_from(given: object) -> list[Patch]:
    """The patches that a list of objects spells, each with its ``op``; a field that is null counts
    as left out. Goals, facts and items are kept word for word; actions, reasons, errors and
    arguments that are too long are shortened in the middle.

    Raises InvalidInput, naming the patch and field, when any of them is wrong: all or none.
    """
    if not isinstance(given, list):
        raise InvalidInput(f"patch must be a list of objects, not {type(given).__name__}")
    hygiene.check_count(given, "patch", PATCHES)
    return [patch_from(each, f"patch.{number}") for number, each in enumerate(given)]


def shortened(arguments: Mapping[str, Json]) -> dict[str, Json]:
    """``arguments`` in at most ``ARGUMENTS_BYTES`` of JSON: long values are cut, then those that
    come last are left out.
    """
    if _size_bytes(arguments) <= ARGUMENTS_BYTES:
        return dict(arguments)
    kept: dict[str, Json] = {}
    for name, value in arguments.items():
        said = value if _is_short(value) else in_words(value)
        if _size_bytes({**kept, name: said}) > ARGUMENTS_BYTES:
            break
        kept[name] = said
    return kept


def patch_from(given: object, path: str) -> Patch:
    """One of them. Raises InvalidInput that begins with ``path``."""
    if not isinstance(given, dict):
        raise InvalidInput(f"{path} must be an object, not {type(given).__name__}")
    op = given.get("op")
    made = OPS.get(op) if isinstance(op, str) else None
    if made is None:
        raise InvalidInput(f"{path}.op: no operation {op!r}; known: {', '.join(OPS)}")
    return filled(made, {name: given[name] for name in given if name != "op"}, path, str(op))


def filled(made: type[Filled], given: Mapping[Any, object], path: str, kind: str) -> Filled:
    """A dataclass whose fields are all rows of ``_READ``, read from ``given``; a null is left out.

    kind: what it is called in messages. Raises InvalidInput.
    """
    told = {name: value for name, value in given.items() if value is not None}
    known = {each.name: each for each in fields(made)}
    if unknown := sorted(map(str, told.keys() - known.keys())):
        raise InvalidInput(f"{path}: {kind} takes no {unknown[0]!r}; it takes: {', '.join(known)}")
    if lacking := [name for name, each in known.items() if name not in told and _is_needed(each)]:
        raise InvalidInput(f"{path}: {kind} needs {lacking[0]!r}")
    return made(**{name: _READ[name](value, f"{path}.{name}") for name, value in told.items()})


def _is_needed(each: Any) -> bool:
    return each.default is MISSING and each.default_factory is MISSING


def _exact(limit: int) -> Callable[[object, str], str]:
    """Kept word for word, or refused: half a fact is another fact."""

    def read(value: object, path: str) -> str:
        text = hygiene.check_text(_text(value, path), path, limit)
        try:
            return hygiene.clean_content(text).text.strip()
        except InvalidInput as error:
            raise InvalidInput(f"{path}: {error}") from error

    return read


def _roughly(limit: int) -> Callable[[object, str], str]:
    """Output of programs: controls become spaces, and of what is too long both ends are kept."""

    def read(value: object, path: str) -> str:
        said = "".join(each if each.isprintable() else " " for each in _text(value, path))
        return cut(" ".join(said.split()), limit)

    return read


def _said(value: object, path: str) -> str:
    """As ``_roughly``, with its line ends: they end sentences."""
    text = _text(value, path).replace("\r\n", "\n")
    shown = "".join(each if each.isprintable() or each == "\n" else " " for each in text)
    return cut(shown.strip(), SAID_CHARACTERS)


def _named(limit: int) -> Callable[[object, str], str]:
    roughly = _roughly(limit)

    def read(value: object, path: str) -> str:
        if said := roughly(value, path):
            return said
        raise InvalidInput(f"{path} is blank")

    return read


def _goal(value: object, path: str) -> str:
    """Blank takes it away."""
    text = _text(value, path)
    return _exact(GOAL_CHARACTERS)(text, path) if text.strip() else ""


def _source(value: object, path: str) -> Source:
    """A person confirms memories, by review; nobody here."""
    known = [each.value for each in Source if each is not Source.USER_CONFIRMED]
    if value not in known:
        raise InvalidInput(f"{path}: no source {value!r}; known: {', '.join(known)}")
    return Source(value)


def _priority(value: object, path: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidInput(f"{path} must be a whole number, not {type(value).__name__}")
    if not LEAST_URGENT <= value <= MOST_URGENT:
        raise InvalidInput(f"{path} is {value}; give {LEAST_URGENT} to {MOST_URGENT}")
    return value


def _arguments(value: object, path: str) -> dict[str, Json]:
    return shortened(hygiene.check_metadata(value, name=path))


def _status(value: object, path: str) -> Any:
    if value not in get_args(Ended):
        raise InvalidInput(f"{path}: no status {value!r}; known: {', '.join(get_args(Ended))}")
    return value


def _text(value: object, path: str) -> str:
    if not isinstance(value, str):
        raise InvalidInput(f"{path} must be text, not {type(value).__name__}")
    return value


def _is_short(value: Json) -> bool:
    return isinstance(value, bool | int | float | None)


def _size_bytes(value: Mapping[str, Json]) -> int:
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


_READ: Mapping[str, Callable[[Any, str], Any]] = MappingProxyType(
    {
        "goal": _goal,
        "fact": _exact(FACT_CHARACTERS),
        "source": _source,
        "item": _exact(ITEM_CHARACTERS),
        "priority": _priority,
        "action": _named(ACTION_CHARACTERS),
        "reason": _roughly(REASON_CHARACTERS),
        "error": _roughly(ERROR_CHARACTERS),
        "tool": _named(TOOL_CHARACTERS),
        "arguments": _arguments,
        "status": _status,
        "role": _named(ROLE_CHARACTERS),
        "content": _said,
        "outcome": _status,
    }
)
