"""How a list stays small whatever is put into it: its oldest entries go, and are counted. Pure."""

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from hindsight_memory.core.working import Attempt, Fact, Item, ToolCall, Turn

    Entry: TypeAlias = Fact | Item | Attempt | ToolCall | Turn


@dataclass(frozen=True, slots=True, kw_only=True)
class Bound:
    """entries, size_bytes: the most of a list, as compact JSON. gives_way: the index of the entry
    that is folded next.
    """

    entries: int
    size_bytes: int
    gives_way: Callable[[Sequence[Any]], int] = lambda _entries: 0


def _least_urgent(items: Sequence["Item"]) -> int:
    """The oldest of those; items come the most urgent first."""
    return next(index for index, each in enumerate(items) if each.priority == items[-1].priority)


BOUNDS: Mapping[str, Bound] = MappingProxyType(
    {
        "confirmed_facts": Bound(entries=40, size_bytes=6 * 1024),
        "pending_items": Bound(entries=40, size_bytes=4 * 1024, gives_way=_least_urgent),
        "failed_attempts": Bound(entries=20, size_bytes=6 * 1024),
        "tool_call_history": Bound(entries=40, size_bytes=4 * 1024),
        "unread": Bound(entries=20, size_bytes=12 * 1024),
    }
)
"""Of the lists of core.working.Document. What is told, with the goal 24 KiB at most: 6,000 tokens,
of which a session fills few. A longest entry, four bytes a character, fits more than once."""


def folded(name: str, entries: Iterable[Any]) -> tuple[tuple[Any, ...], int]:
    """The entries that the list ``name`` has room for, and how many it has not."""
    bound, kept = BOUNDS[name], list(entries)
    sizes = [size_bytes(each) + 1 for each in kept]
    total, before = sum(sizes), len(kept)
    while len(kept) > bound.entries or total > bound.size_bytes:
        index = bound.gives_way(kept)
        total -= sizes[index]
        del kept[index], sizes[index]
    return tuple(kept), before - len(kept)


def size_bytes(entry: "Entry") -> int:
    """As compact JSON."""
    return len(json.dumps(asdict(entry), ensure_ascii=False, separators=(",", ":")).encode())
