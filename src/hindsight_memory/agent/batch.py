"""What of an agent's turns and tool calls is worth writing, and as what. Pure.

Written is what a later session can use: failures, what worked after one, what the user states
about themselves or the work, and what differs from what memory advised. All else is counted and
left. A new kind of entry is a class here and a case of ``Batch._of``.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal, TypeAlias

from hindsight_memory.core import values
from hindsight_memory.core.arguments import bounded
from hindsight_memory.core.calls import described
from hindsight_memory.core.extraction import Item, extracted
from hindsight_memory.core.fence import CLOSE, OPEN
from hindsight_memory.core.model import Json
from hindsight_memory.core.retrospection.differences import difference

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


MOST_FAILED = 50
"""Failures of a tool that still wait for what answers them: the newest."""

Entry: TypeAlias = Said | Called
Arguments: TypeAlias = Mapping[str, Json]

_BLOCK = re.compile(rf"{OPEN}.*?{CLOSE}", re.DOTALL)


class Batch:
    """Takes entries in their order and gives what to write; remembers what it gave already.

    One for each session. ``seen`` and ``kept`` count entries and writes, for who wants to know how
    selective it is.
    """

    def __init__(self) -> None:
        self.seen = 0
        self.kept = 0
        self._written: set[tuple[tuple[str, ...], tuple[str, ...]]] = set()
        self._failed: dict[str, list[Arguments]] = {}

    def take(self, entries: Iterable[Entry]) -> list[Write]:
        writes: list[Write] = []
        for entry in entries:
            self.seen += 1
            writes += [write for write in self._of(entry) if self._is_new(write["content"])]
        self.kept += len(writes)
        return writes

    def _of(self, entry: Entry) -> list[Write]:
        return _said(entry) if isinstance(entry, Said) else self._called(entry)

    def _called(self, called: Called) -> list[Write]:
        """A failure, and the success that answers one: a success that nobody doubted is what was to
        be expected.
        """
        called = replace(called, arguments=bounded(called.arguments))
        failed = self._failed.get(called.tool, [])
        if called.outcome == "failure":
            self._failed[called.tool] = [*failed, called.arguments][-MOST_FAILED:]
            return [_write_of(called)]
        open_still = [each for each in failed if not _answers(called.arguments, each)]
        is_awaited = len(open_still) < len(failed) or called.was_advised
        if called.outcome != "success" or not is_awaited:
            return []
        self._failed[called.tool] = open_still
        return [_write_of(called)]

    def _is_new(self, content: str) -> bool:
        key = values.canonical(content), values.cased(content)
        is_new = key not in self._written
        self._written.add(key)
        return is_new


def _answers(worked: Arguments, failed: Arguments) -> bool:
    """Whether it is the call that had failed, or one that shows what was wrong with it."""
    return worked == failed or difference(failed, worked) is not None


def _said(said: Said) -> list[Write]:
    """Sentence by sentence; but not what memory itself had put into a prompt that was kept."""
    own = _BLOCK.sub("\n", said.content)
    return [_write_of_item(item, said) for item in extracted(own, role=said.role)]


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
