"""The knowledge graph of the official MCP memory server: JSON Lines of entities and relations."""

from collections.abc import Iterator, Mapping
from typing import Any


class Lines(list[Any]):
    """Values that stood one on a line, as against a JSON list."""


def fits(document: Any) -> bool:
    if isinstance(document, Mapping):
        return "entities" in document or document.get("type") in {"entity", "relation"}
    return isinstance(document, Lines) and any(
        isinstance(each, Mapping) and each.get("type") in {"entity", "relation"}
        for each in document
    )


def rows(document: Any) -> Iterator[dict[str, Any]]:
    for each in _nodes(document):
        match each:
            case {"name": str(name), "observations": list(observations)}:
                kind = str(each.get("entityType", ""))
                for said in observations:
                    yield _observed(name, kind, said)
                if not observations:
                    yield {"left": "an entity of which nothing is said"}
            case {"from": str(start), "to": str(end), "relationType": str(relation)}:
                yield _note(f"{start} {relation.replace('_', ' ')} {end}", [])
            case _:
                yield {"left": "neither an entity nor a relation"}


def _nodes(document: Any) -> list[Any]:
    if isinstance(document, Mapping) and "entities" in document:
        return [*document["entities"], *document.get("relations", [])]
    return [document] if isinstance(document, Mapping) else list(document)


def _observed(name: str, kind: str, said: Any) -> dict[str, Any]:
    text = said if isinstance(said, str) else str(said.get("contents", said))
    is_named = name.casefold() in text.casefold()
    return _note(text if is_named else f"{name}: {text}", [kind] if kind else [])


def _note(content: str, tags: list[str]) -> dict[str, Any]:
    return {"note": {"content": content, "source": "agent_inference", "tags": tags}}
