"""What a turn of a session means for working memory, by rules.

``working.brings_news`` then says whether the turn is worth an update; a language model, where there
is one, reads such turns more closely (core.notekeeping). A new kind of entry is a class here and a
case in each function.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from hindsight_memory.core import calls, hygiene
from hindsight_memory.core.calls import cut, described, worded
from hindsight_memory.core.extraction import extracted
from hindsight_memory.core.fence import CLOSE, OPEN
from hindsight_memory.core.model import Json
from hindsight_memory.core.patches import filled, patches_from
from hindsight_memory.core.policy import Source
from hindsight_memory.core.working import FACT_CHARACTERS, Patch, Turn
from hindsight_memory.errors import InvalidInput

SAID_BY: Mapping[str, Source] = {
    "user": Source.USER_EXPLICIT,
    "assistant": Source.AGENT_INFERENCE,
}
ENTRIES = 50
"""The most in one call."""

TURN_CHARACTERS = 1_000
"""Of what a language model reads of a turn."""

_BLOCK = re.compile(rf"{OPEN}.*?{CLOSE}", re.DOTALL)
"""What memory itself had put into a prompt that is told as a turn: no news."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """role: "user", "assistant", or whoever else."""

    role: str
    content: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Called:
    """A tool call that ended."""

    tool: str
    arguments: Mapping[str, Json] = field(default_factory=dict)
    outcome: Literal["success", "failure", "unknown"] = "unknown"
    error: str = ""


Entry: TypeAlias = Said | Called


def entries_from(given: object) -> list[Entry]:
    """The entries that a list of objects spells: ``{role, content}`` for what was said, ``{tool,
    arguments, outcome, error}`` for a call.

    Raises InvalidInput, naming the entry and field, when any of them is wrong: all or none.
    """
    if not isinstance(given, list):
        raise InvalidInput(f"entries must be a list of objects, not {type(given).__name__}")
    hygiene.check_count(given, "entries", ENTRIES)
    return [_entry(each, f"entries.{number}") for number, each in enumerate(given)]


def patches_of(entries: Iterable[Entry]) -> list[Patch]:
    """Of a call itself, and where it failed the attempt; of what was said, each statement that is
    sure, short and lasting, as a fact.
    """
    return [patch for entry in entries for patch in _patches(entry)]


def turns_of(entries: Iterable[Entry]) -> list[Turn]:
    """For a language model, each in one line, so that nothing said looks like the next turn."""
    return [_turn(entry) for entry in entries]


def _entry(given: object, path: str) -> Entry:
    if not isinstance(given, dict):
        raise InvalidInput(f"{path} must be an object, not {type(given).__name__}")
    if "tool" in given:
        return filled(Called, given, path, "a call")
    return filled(Said, given, path, "what was said")


def _patches(entry: Entry) -> list[Patch]:
    match entry:
        case Said():
            return _of_said(entry)
        case Called():
            return _of_called(entry)


def _of_said(said: Said) -> list[Patch]:
    source = SAID_BY.get(said.role, Source.EXTERNAL)
    stated = [
        {"op": "add_fact", "fact": item.content, "source": source.value}
        for item in extracted(_own(said), role=said.role)
        if not item.is_hedged and len(item.content) <= FACT_CHARACTERS
    ]
    return [patch for each in stated for patch in patches_from([each])]


def _of_called(called: Called) -> list[Patch]:
    call = {"op": "append_call", "tool": called.tool, "arguments": dict(called.arguments)}
    patches = [{**call, "status": called.outcome}]
    if called.outcome == "failure":
        action = f"{called.tool}({worded(called.arguments)})"
        patches.append({"op": "record_attempt", "action": action, "error": called.error})
    return patches_from(patches)


def _turn(entry: Entry) -> Turn:
    match entry:
        case Said():
            own = " ".join(_own(entry).split())
            return Turn(speaker=entry.role, text=cut(own, TURN_CHARACTERS))
        case Called():
            return Turn(speaker=calls.ROLE, text=described(entry))


def _own(said: Said) -> str:
    return _BLOCK.sub("\n", said.content)
