"""Whether a text speaks of a tool, or of the program that a call runs, in two languages. Pure."""

import re
from collections.abc import Mapping

from hindsight_memory.core.model import Json
from hindsight_memory.core.places import runs_programs
from hindsight_memory.core.script import has_han
from hindsight_memory.core.text import fold

SHORTEST_PROGRAM = 3
"""Letters of a name that is no accident."""

LONGEST_COMMAND = 2_000
"""Characters that are read; what is longer is a script."""

_ALSO_WORDS = """
apply batch break cat chat clear comm convert copy cut date diff dig echo edit expand export factor
file find fold free head help history host identify import info install join just kill last less
link local locate look make man mix more mount move nice node open pack paste patch ping play print
pull push read rest route run screen script service set shift sleep sort source split strings sum
swift tail task test time timeout top touch trap tree type update wait watch which who write yes
"""
ALSO_WORDS = frozenset(_ALSO_WORDS.split())
"""Programs whose names are words of English: "don't make assumptions" is no rule for ``make``."""

_PLAIN_WORD = re.compile(r"[A-Z]?[a-z]+|[A-Z]+")
"""A tool that is called like a word of the language: Write, read, search."""

_INSTEAD = r"(?:,|\band\b|\bbut\b) *(?:always |rather |only )?(?:use|prefer|run|try|take)\b"
_AGAINST = (
    r"(?:\b(?:never|don't|do not|avoid|not|without|instead of|rather than|no longer|stop)\b"
    rf"(?:(?!{_INSTEAD})[^.;。；]){{{{0,20}}}}"
    r"|(?:不要|别|禁止|避免|而不是|代替|取代|不用|不再|停止)[^，,。；;]{{0,8}})"
    r"(?<![\w-]){0}(?![\w-])"
)
_CODE = r"`{0}\b|(?<!\w){0}\(|(?<!\w){0} (?:tool|command)\b|\b(?:tool|command) {0}(?!\w)"
_CHINESE_CODE = r"{0}\s?(?:工具|命令)|(?:工具|命令)\s?{0}"
_NAME = r"(?<![\w-]){0}(?![\w-])"
_JOINT = re.compile(r"&&|\|\||[;|\n]")
_BEFORE = re.compile(r"^(?:sudo|env|time|nohup|exec|\w+=\S*)$")
_PROGRAM = re.compile(r"[a-z][a-z0-9_.+-]*")


def names_tool(tool: str, text: str) -> bool:
    """Whether ``text``, folded, speaks of a tool by its name; one that is called like a word has to
    be marked as a tool.
    """
    if not tool:
        return False
    name = re.escape(fold(tool))
    is_plain = _PLAIN_WORD.fullmatch(tool) is not None
    pattern = f"{_CODE}|{_CHINESE_CODE}" if is_plain else _NAME
    return re.search(pattern.format(name), text) is not None


def names_program(program: str, text: str) -> bool:
    return _may_mean(program, text) and _speaks(_NAME, program, text)


def speaks_against(program: str, text: str) -> bool:
    """Whether ``text``, folded, forbids a program or puts another in its place."""
    return _may_mean(program, text) and _speaks(_AGAINST, program, text)


def programs(arguments: Mapping[str, Json]) -> list[str]:
    """What a call runs: ``npm`` of ``cd app && CI=1 npm install``."""
    return [program for command in commands(arguments) if (program := _program(command))]


def commands(arguments: Mapping[str, Json]) -> list[str]:
    """One after the other; none where a call runs no program."""
    if not runs_programs(arguments):
        return []
    texts = [value for value in arguments.values() if isinstance(value, str)]
    return [command for text in texts for command in _JOINT.split(text[:LONGEST_COMMAND])]


def _may_mean(program: str, text: str) -> bool:
    """Whether its name stands for the program there: in Chinese always, in English not where it is
    a word like any other, unless it is marked.
    """
    return program not in ALSO_WORDS or has_han(text) or _speaks(_CODE, program, text)


def _speaks(pattern: str, program: str, text: str) -> bool:
    return re.search(pattern.format(re.escape(program)), text) is not None


def _program(command: str) -> str:
    first = next((word for word in command.split() if not _BEFORE.match(word)), "")
    name = fold(re.split(r"[/\\]", first)[-1])
    return name if len(name) >= SHORTEST_PROGRAM and _PROGRAM.fullmatch(name) else ""
