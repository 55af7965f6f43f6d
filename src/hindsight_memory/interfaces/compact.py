"""JSON schemas without what only costs tokens: every session of every agent carries them."""

from collections.abc import Iterator, Mapping
from typing import Any

SAID_BY_NAME = frozenset({"title"})
"""Keywords that say no more than the name of the field."""

ONLY_FOR_CALLERS = frozenset({"default", "format", "description", "enum"})
"""Keywords that help to fill a field in; who reads a result sees the value."""

_NAMED = frozenset({"properties", "$defs"})
"""Below these stand names of ours, and a field may well be called ``title``."""


def input_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Of arguments. A field that may be left out does not say that it may be null, too."""
    return {key: _without(value, SAID_BY_NAME, key) for key, value in _kept(schema, SAID_BY_NAME)}


def output_schema(schema: Mapping[str, Any]) -> dict[str, Any]:
    """Of a result: what it always holds, and its optional parts that have parts themselves. Other
    optional fields come by their names, when not empty.
    """
    dropped = SAID_BY_NAME | ONLY_FOR_CALLERS
    definitions = {
        name: _always(definition) for name, definition in schema.get("$defs", {}).items()
    }
    kept = {
        name: _plain(each, definitions)
        for name, each in schema.get("properties", {}).items()
        if name in schema.get("required", ())
        or any("properties" in definitions[part] for part in _parts(each))
    }
    used = _used(kept, definitions)
    bare = {key: value for key, value in schema.items() if key != "$defs"}
    whole = {**bare, "properties": kept, **({"$defs": used} if used else {})}
    return {key: _without(value, dropped, key) for key, value in _kept(whole, dropped)}


def _always(definition: Mapping[str, Any]) -> Mapping[str, Any]:
    """A nested object with only those properties that are never left out."""
    if "properties" not in definition:
        return definition
    required = definition.get("required", ())
    kept = {name: each for name, each in definition["properties"].items() if name in required}
    return {**definition, "properties": kept}


def _plain(node: Mapping[str, Any], definitions: Mapping[str, Any]) -> Mapping[str, Any]:
    """Without the name of an object of which nothing is always there."""
    is_bare = any(definitions[part].get("properties") == {} for part in _parts(node))
    return {"type": "object"} if "$ref" in node and is_bare else node


def _parts(node: Any) -> Iterator[str]:
    """The names of the definitions that a schema refers to."""
    if isinstance(node, list):
        for each in node:
            yield from _parts(each)
    if isinstance(node, Mapping):
        if "$ref" in node:
            yield node["$ref"].rpartition("/")[2]
        yield from _parts(list(node.values()))


def _used(node: Any, definitions: Mapping[str, Any]) -> dict[str, Any]:
    """Those of the definitions that are needed for ``node``, in their order."""
    waiting, needed = list(_parts(node)), set[str]()
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed.add(name)
            waiting += _parts(definitions[name])
    return {name: each for name, each in definitions.items() if name in needed}


def _without(node: Any, dropped: frozenset[str], under: str) -> Any:
    if isinstance(node, list):
        return [_without(each, dropped, "") for each in node]
    if not isinstance(node, Mapping):
        return node
    if under in _NAMED:
        return {name: _without(each, dropped, "") for name, each in node.items()}
    return {key: _without(value, dropped, key) for key, value in _kept(node, dropped)}


def _kept(node: Mapping[str, Any], dropped: frozenset[str]) -> list[tuple[str, Any]]:
    return [
        (key, value)
        for key, value in _not_null(node).items()
        if key not in dropped and not (key == "default" and value is None)
    ]


def _not_null(node: Mapping[str, Any]) -> Mapping[str, Any]:
    """``{"anyOf": [X, {"type": "null"}], ...}`` as ``X`` with the rest."""
    kinds = [kind for kind in node.get("anyOf", ()) if kind != {"type": "null"}]
    if len(kinds) != 1:
        return node
    return {**kinds[0], **{key: value for key, value in node.items() if key != "anyOf"}}
