"""Which memories bear on a tool call: lessons about it, and rules that name it. Pure."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Literal, TypeAlias

from hindsight_memory.core.calls import Call, normalised
from hindsight_memory.core.contrasts import changed
from hindsight_memory.core.mishaps import LASTING, kind_of
from hindsight_memory.core.model import Json, Memory
from hindsight_memory.core.moments import Asked
from hindsight_memory.core.places import place, runs_programs
from hindsight_memory.core.policy import MemoryType, Status
from hindsight_memory.core.retrospection.differences import Difference, fits
from hindsight_memory.core.retrospection.model import Pattern, pattern_of, table, text
from hindsight_memory.core.retrospection.tools import SAFEGUARD
from hindsight_memory.core.support import OF_THE_USER
from hindsight_memory.core.text import fold

Verdict: TypeAlias = Literal["none", "caution", "prefer", "avoid"]

ADVISING = frozenset(
    {MemoryType.LESSON, MemoryType.PREFERENCE, MemoryType.DECISION, MemoryType.FEEDBACK}
)
"""What may be a rule about a tool. A fact is none, unless the user demands something in it."""

SHORTEST_PROGRAM = 3
LONGEST_COMMAND = 2_000

_PLAIN_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""A tool that is called like a word of the language: Write, read, search."""

_AGAINST = (
    r"(?:\b(?:never|don't|do not|avoid|not|without|instead of|rather than|no longer|stop)\b"
    r"[^.;。；]{{0,20}}|(?:不要|别|禁止|避免|而不是|代替|取代|不用|不再|停止)[^。；;]{{0,8}})"
    r"(?<!\w){0}(?!\w)"
)
_CODE = r"`{0}\b|(?<!\w){0}\(|(?<!\w){0} (?:tool|command)\b|\b(?:tool|command) {0}(?!\w)"
_CHINESE_CODE = r"{0}\s?(?:工具|命令)|(?:工具|命令)\s?{0}"
_NAME = r"(?<![\w-]){0}(?![\w-])"
_JOINT = re.compile(r"&&|\|\||[;|\n]")
_BEFORE = re.compile(r"^(?:sudo|env|time|nohup|exec|\w+=\S*)$")
_PROGRAM = re.compile(r"[a-z][a-z0-9_.+-]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class Hint:
    """A memory that speaks of a call. worked_with: the whole arguments that it commends."""

    memory: Memory
    verdict: Verdict
    worked_with: Mapping[str, Json] | None = None


def hints(asked: Asked, memories: Iterable[Memory], calls: Sequence[Call]) -> list[Hint]:
    """In the order of ``memories``, which may be put into context. calls: of the tool."""
    found = (_hint(asked.tool, asked.arguments, memory, calls) for memory in memories)
    return [each for each in found if each is not None]


def names(tool: str, arguments: Mapping[str, Json], memory: Memory) -> bool:
    """Whether ``memory`` is a rule that names the tool, or the program that it is to run."""
    content = fold(memory.content)
    programs = _programs(arguments)
    if any(_speaks(_AGAINST, each, content) for each in programs):
        return memory.memory_type in ADVISING or memory.source in OF_THE_USER
    if memory.memory_type not in ADVISING:
        return False
    if memory.memory_type is MemoryType.LESSON and any(
        _speaks(_NAME, each, content) for each in programs
    ):
        return True
    return bool(tool) and re.search(_tool_pattern(tool), content) is not None


def _tool_pattern(tool: str) -> str:
    name = re.escape(fold(tool))
    is_plain = _PLAIN_WORD.fullmatch(tool) is not None
    return f"{_CODE}|{_CHINESE_CODE}".format(name) if is_plain else _NAME.format(name)


def _speaks(pattern: str, program: str, content: str) -> bool:
    return re.search(pattern.format(re.escape(program)), content) is not None


def _programs(arguments: Mapping[str, Json]) -> list[str]:
    """The first words of commands: ``npm`` of ``cd app && CI=1 npm install``."""
    if not runs_programs(arguments):
        return []
    texts = [value for value in arguments.values() if isinstance(value, str)]
    return [
        program
        for text in texts
        for command in _JOINT.split(text[:LONGEST_COMMAND])
        if (program := _program(command))
    ]


def _program(command: str) -> str:
    first = next((word for word in command.split() if not _BEFORE.match(word)), "")
    name = fold(re.split(r"[/\\]", first)[-1])
    return name if len(name) >= SHORTEST_PROGRAM and _PROGRAM.fullmatch(name) else ""


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
    return replace(hint, verdict="caution", worked_with=None)


def _contrast(
    memory: Memory, pattern: Pattern, arguments: Mapping[str, Json], calls: Sequence[Call]
) -> Hint | None:
    """It tells not where it holds, so it commends nothing; and where the call has worked, it is
    wrong.
    """
    apart = _difference(pattern)
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
    return Hint(memory=memory, verdict="prefer", worked_with=changed(arguments, apart))


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
