"""What of an agent's turns and tool calls is worth writing, and as what. Pure.

Written is what a later session can use: failures, what worked after one, what the user states
about themselves or the work, and what differs from what memory advised. All else is counted and
left. A new kind of entry is a class here and a row of ``_WRITES``.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Literal, TypeAlias

from hindsight_memory.core import values
from hindsight_memory.core.calls import described, normalised
from hindsight_memory.core.extraction import Item, extracted
from hindsight_memory.core.model import Json
from hindsight_memory.core.text import fold

Write: TypeAlias = dict[str, Any]
"""The arguments of one ``memory_write``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    role: Literal["user", "assistant"]
    content: str
    at: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A tool call that ended. was_advised: memory had something to say about it before."""

    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    outcome: Literal["success", "failure", "unknown"]
    error: str = ""
    at: datetime
    was_advised: bool = False


Entry: TypeAlias = Said | Called


class Batch:
    """Takes entries in their order and gives what to write; remembers what it gave already.

    One for each session. ``seen`` and ``kept`` count entries and writes, for who wants to know how
    selective it is. injected: lines that memory itself gave, which are nothing new.
    """

    def __init__(self) -> None:
        self.seen = 0
        self.kept = 0
        self._written: list[str] = []
        self._failed: dict[str, set[str]] = {}
        self._injected: set[str] = set()

    def injected(self, block: str) -> None:
        """``block`` was shown to the model: what repeats a line of it is no news."""
        self._injected.update(fold(line).strip(" -") for line in block.splitlines())

    def take(self, entries: Iterable[Entry]) -> list[Write]:
        writes: list[Write] = []
        for entry in entries:
            self.seen += 1
            writes += [write for write in self._of(entry) if self._is_new(write["content"])]
        self.kept += len(writes)
        return writes

    def _of(self, entry: Entry) -> list[Write]:
        return self._said(entry) if isinstance(entry, Said) else self._called(entry)

    def _said(self, said: Said) -> list[Write]:
        items = extracted(said.content, role=said.role)
        return [_write_of_item(item, said) for item in items if not self._is_echo(item.content)]

    def _called(self, called: Called) -> list[Write]:
        """A failure, and the success that ends a run of them; a success that nobody doubted is
        what was to be expected.
        """
        key = normalised(called.arguments)
        failed = self._failed.setdefault(called.tool, set())
        if called.outcome == "failure":
            failed.add(key)
        elif called.outcome == "success" and (failed or called.was_advised):
            failed.clear()
        else:
            return []
        return [_write_of(called)]

    def _is_echo(self, sentence: str) -> bool:
        folded = fold(sentence).strip(" -")
        return any(folded in line for line in self._injected if line)

    def _is_new(self, content: str) -> bool:
        if any(values.same_statement(each, content) for each in self._written):
            return False
        self._written.append(content)
        return True


def _write_of_item(item: Item, said: Said) -> Write:
    """What a speaker was not sure of is nobody's word yet, but an inference."""
    is_word = said.role == "user" and not item.is_hedged
    return {
        "content": item.content,
        "memory_type": item.memory_type.value,
        "source": "user_explicit" if is_word else "agent_inference",
        "metadata": {"said_by": said.role, "span": [item.start, item.end]},
        "valid_from": said.at.isoformat(),
    }


def _write_of(called: Called) -> Write:
    return {
        "content": described(called),
        "layer": "episodic",
        "scene": "tool_use",
        "source": "tool_result",
        "valid_from": called.at.isoformat(),
        "event": {
            "role": "tool",
            "action": "call",
            "tool": called.tool,
            "arguments": dict(called.arguments),
            "outcome": called.outcome,
            "error": called.error,
        },
    }
