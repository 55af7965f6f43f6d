"""Long-term memory for LLM agents that knows what can still be believed."""

from typing import TYPE_CHECKING, Any

from hindsight_memory.errors import (
    Conflict,
    Damaged,
    HindsightError,
    Incompatible,
    InvalidInput,
    NotFound,
    Unavailable,
)

if TYPE_CHECKING:
    from hindsight_memory.interfaces.library import Hindsight

__all__ = [
    "Conflict",
    "Damaged",
    "Hindsight",
    "HindsightError",
    "Incompatible",
    "InvalidInput",
    "NotFound",
    "Unavailable",
]


def __getattr__(name: str) -> Any:
    """``Hindsight`` on first use: the MCP server lists its tools without what it would import."""
    if name != "Hindsight":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from hindsight_memory.interfaces.library import Hindsight

    return Hindsight
