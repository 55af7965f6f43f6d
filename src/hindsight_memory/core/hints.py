"""Which memories bear on a tool call: lessons about it, and rules that name it. Pure."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from hindsight_memory.core.calls import Call, normalised
from hindsight_memory.core.mishaps import LASTING, kind_of
from hindsight_memory.core.model import Json, Memory
from hindsight_memory.core.moments import Asked
from hindsight_memory.core.naming import names_program, names_tool, programs, speaks_against
from hindsight_memory.core.places import place, runs_programs
from hindsight_memory.core.policy import MemoryType, Status
from hindsight_memory.core.retrospection.differences import Difference, fits
from hindsight_memory.core.retrospection.model import Pattern, pattern_of, table, text
from hindsight_memory.core.retrospection.tools import SAFEGUARD, holds_at
from hindsight_memory.core.support import OF_THE_USER
from hindsight_memory.core.text import fold

Verdict: TypeAlias = Literal["none", "caution", "prefer", "avoid"]

ADVISING = frozenset(
    {MemoryType.LESSON, MemoryType.PREFERENCE, MemoryType.DECISION, MemoryType.FEEDBACK}
)
"""What may be a rule about a tool. A fact is none, unless the user demands something in it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A memory that speaks of a call. commends: in what to make it otherwise."""

    memory: Memory
    verdict: Verdict
    commends: Difference | None = None


def hints(asked: Asked, memories: Iterable[Memory], calls: Sequence[Call]) -> list[Hint]:
    """In the order of ``memories``, which may be put into context. calls: of the tool."""
    found = (_hint(asked.tool, asked.arguments, memory, calls) for memory in memories)
    return [each for each in found if each is not None]


def names(tool: str, arguments: Mapping[str, Json], memory: Memory) -> bool:
    """Whether ``memory`` is a rule that names the tool, or the program that it is to run."""
    content = fold(memory.content)
    run = programs(arguments)
    if any(speaks_against(each, content) for each in run):
        return memory.memory_type in ADVISING or memory.source in OF_THE_USER
    if memory.memory_type not in ADVISING:
        return False
    is_lesson = memory.memory_type is MemoryType.LESSON
    if is_lesson and any(names_program(each, content) for each in run):
        return True
    return names_tool(tool, content)


def _hint(
    tool: str, arguments: Mapping[str, Json], memory: Memory, calls: Sequence[Call]
) -> Hint | None:
    pattern = pattern_of(memory)
    if pattern is None or not pattern.tool:
        return Hint(memory=memory, verdict="caution") if names(tool, arguments, memory) else None
    if pattern.tool != tool or pattern.kind not in _OF_KINDS:
        return None
    hint = _OF_KINDS[pattern.kind](memory, pattern, arguments, calls)
    is_settled = memory.status is Status.CONFIRMED
    if hint is None or is_settled:
        return hint
    return replace(hint, verdict="caution", commends=None)


def _contrast(
    memory: Memory, pattern: Pattern, arguments: Mapping[str, Json], calls: Sequence[Call]
) -> Hint | None:
    """It holds for the files of a folder, for a host, for a system. Seen at one of them it commends
    nothing for another; and where the call has worked, it is wrong.
    """
    apart = _difference(pattern)
    if not holds_at(pattern, arguments):
        return None
    if not fits(arguments, apart.failed, apart.worked, apart.within):
        return None
    here = place(arguments)
    has_worked = any(
        each.outcome == "success"
        and place(each.arguments) == here
        and fits(each.arguments, apart.failed, apart.worked, apart.within)
        for each in calls
    )
    return None if has_worked else Hint(memory=memory, verdict="caution")


def _failure(
    memory: Memory, pattern: Pattern, arguments: Mapping[str, Json], calls: Sequence[Call]
) -> Hint | None:
    is_such = normalised(arguments) == text(pattern.facts, "key")
    if not is_such or place(arguments) != place(table(pattern.facts, "arguments")):
        return None
    if any(each.outcome == "success" and each.key == normalised(arguments) for each in calls):
        return None
    is_lasting = kind_of(text(pattern.facts, "error")) in LASTING and not runs_programs(arguments)
    return Hint(memory=memory, verdict="avoid" if is_lasting else "caution")


def _habit(
    memory: Memory, pattern: Pattern, arguments: Mapping[str, Json], calls: Sequence[Call]
) -> Hint | None:
    """What was done session after session is done again, unless the direct way is open again."""
    within = {name: str(about) for name, about in table(pattern.facts, "within").items()}
    worked = table(pattern.facts, "worked")
    direct: dict[str, Json] = dict.fromkeys(within, "")
    apart = Difference(failed=direct, worked=worked, within=within)
    is_direct = fits(arguments, direct, worked, within)
    is_open = any(
        each.outcome == "success"
        and each.at >= memory.updated_at
        and fits(each.arguments, direct, worked, within)
        for each in calls
    )
    if not is_direct or is_open or _is_unsafe(worked):
        return None
    return Hint(memory=memory, verdict="prefer", commends=apart)


_OF_KINDS: Mapping[
    str, Callable[[Memory, Pattern, Mapping[str, Json], Sequence[Call]], Hint | None]
] = MappingProxyType({"contrast": _contrast, "failure": _failure, "habit": _habit})


def _difference(pattern: Pattern) -> Difference:
    within = {name: str(about) for name, about in table(pattern.facts, "within").items()}
    return Difference(
        failed=table(pattern.facts, "failed"),
        worked=table(pattern.facts, "worked"),
        within=within,
    )


def _is_unsafe(worked: Mapping[str, Json]) -> bool:
    return any(SAFEGUARD.search(f"{name} {value}") for name, value in worked.items())
