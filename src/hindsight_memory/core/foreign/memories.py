"""Memories of mem0 and OpenMemory, as their APIs list them and their exports hold them."""

from collections.abc import Iterator, Mapping
from typing import Any

from hindsight_memory.core.foreign.chats import instant

KEYS = ("memories", "results", "items", "data")
"""Under which of them the list stands."""

GONE = frozenset({"deleted", "archived", "paused"})


def fits(document: Any) -> bool:
    found = _memories(document) or []
    return found != [] and all(isinstance(each, Mapping) and _content(each) for each in found[:5])


def rows(document: Any) -> Iterator[dict[str, Any]]:
    for each in _memories(document) or ():
        if not isinstance(each, Mapping) or not _content(each):
            yield {"left": "a memory without content"}
        elif str(each.get("state", "")) in GONE or each.get("deleted_at"):
            yield {"left": "deleted or archived there"}
        else:
            yield {"note": _note(each)}


def _memories(document: Any) -> list[Any] | None:
    if isinstance(document, Mapping):
        found = next((document[key] for key in KEYS if key in document), None)
        return found if isinstance(found, list) else None
    return document if isinstance(document, list) else None


def _content(memory: Mapping[str, Any]) -> str:
    """mem0 says ``memory``; OpenMemory says ``content`` beside a ``state`` or an ``id``."""
    said = memory.get("memory") or memory.get("text")
    if not said and ("state" in memory or "created_at" in memory) and "role" not in memory:
        said = memory.get("content")
    return said if isinstance(said, str) else ""


def _note(memory: Mapping[str, Any]) -> dict[str, Any]:
    """user_id stays: several people share such an export."""
    categories = memory.get("categories") or memory.get("tags") or []
    note: dict[str, Any] = {
        "content": _content(memory),
        "source": "agent_inference",
        "tags": [str(each) for each in categories if each],
    }
    said_at = memory.get("updated_at") or memory.get("created_at")
    if isinstance(said_at, str | int | float):
        note["said_at"] = instant(said_at)
    if isinstance(memory.get("user_id"), str) and memory["user_id"]:
        note["user_id"] = memory["user_id"]
    return note
