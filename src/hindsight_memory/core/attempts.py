"""Which of the attempts that a session holds as failed are the call that is about to be made. Pure.

An attempt is told in the words of whoever made it. It is the same call when it names the tool and
all that it was used with, or the command; another value makes it another attempt.
"""

import re
from collections.abc import Iterable, Mapping, Sequence

from hindsight_memory.core.arguments import bounded
from hindsight_memory.core.calls import in_words, normalised
from hindsight_memory.core.model import Json
from hindsight_memory.core.moments import Asked
from hindsight_memory.core.naming import commands, names_tool
from hindsight_memory.core.script import CJK
from hindsight_memory.core.text import fold
from hindsight_memory.core.working import Attempt, ToolCall

_WORD = re.compile(rf"[{CJK}]|[^\W{CJK}]+|(?<!\w)-{{1,2}}(?=\w)")
"""A letter of Chinese, a word of anything else, the dashes of an option; for "utf-8" is two words
wherever it stands, and 用utf-8读 needs no spaces."""

FEWEST_WORDS = 2
"""Of a command or an attempt that is found within the other: one word says too little."""


def repeated(
    asked: Asked, attempts: Iterable[Attempt], history: Iterable[ToolCall]
) -> list[Attempt]:
    """Those that the call would repeat, in their order; none once such a call has worked."""
    arguments = bounded(asked.arguments)
    key = normalised(arguments)
    if any(
        each.tool == asked.tool and each.status == "success" and normalised(each.arguments) == key
        for each in history
    ):
        return []
    return [each for each in attempts if _is_same(asked.tool, arguments, each)]


def _is_same(tool: str, arguments: Mapping[str, Json], attempt: Attempt) -> bool:
    said = _words(attempt.action)
    if run := commands(arguments):
        return any(_is_part(said, _words(each)) or _is_part(_words(each), said) for each in run)
    name = _words(tool)
    is_named = said[: len(name)] == name or names_tool(tool, fold(attempt.action))
    given = (_words(in_words(value)) for value in arguments.values())
    return is_named and all(_holds(said, each) for each in given)


def _is_part(part: Sequence[str], whole: Sequence[str]) -> bool:
    return part == whole or (len(part) >= FEWEST_WORDS and _holds(whole, part))


def _holds(words: Sequence[str], part: Sequence[str]) -> bool:
    """Whether ``part`` stands in it as it is; nothing stands everywhere."""
    size = len(part)
    return any(words[at : at + size] == part for at in range(len(words) - size + 1))


def _words(text: str) -> list[str]:
    return _WORD.findall(fold(text))
