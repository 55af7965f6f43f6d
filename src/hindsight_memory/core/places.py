"""Where a tool call does its work: what of its arguments names that, and not how it is done. Pure.

``encoding=gbk`` that worked on the orders says nothing about the customers. Two calls are at the
same place when what names it is equal: words, files but for their numbers and dates, hosts, the
program of a command.
"""

import json
import re
from collections.abc import Collection, Iterable, Mapping
from urllib.parse import urlsplit

from hindsight_memory.core.calls import normalised
from hindsight_memory.core.model import Json
from hindsight_memory.core.retrospection.differences import is_id_name

LONGEST_NAME = 80
"""Characters of a word that names something; a longer one is content."""

PROGRAM_WORDS = 2
"""Words of a command that say what it does: ``pip install``, ``git push``."""

_RUNS = re.compile(r"(?:^|_)(?:command|commands|cmd|script|code|shell|bash|args)$")
_SEPARATOR = re.compile(r"[/\\]+")
_FILE = re.compile(r"[^/\\]*\.[A-Za-z]\w{0,7}")
_COUNTED = re.compile(
    r"\d+|(?<![a-z])(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)(?![a-z])"
    "|[一二三四五六七八九十]+月|第?[一二三四]季度",
    re.IGNORECASE,
)
"""In what the parts of one series differ."""


def place(
    arguments: Mapping[str, Json], *, but: Collection[str] = (), is_wide: bool = False
) -> str:
    """Equal for calls at one place. but: names of arguments that say how. is_wide: the files of one
    folder count as one place.
    """
    return json.dumps(named_places(arguments, but=but, is_wide=is_wide))


def named_places(
    arguments: Mapping[str, Json], *, but: Collection[str] = (), is_wide: bool = False
) -> dict[str, str]:
    """What of a place each argument names, by its name, in order; without those that name none."""
    named = {
        name: _named(value, is_wide=is_wide)
        for name, value in arguments.items()
        if name not in but and not is_id_name(name)
    }
    return {name: told for name, told in sorted(named.items()) if told}


def runs_programs(names: Iterable[str]) -> bool:
    """Whether what a call does is written in one of its arguments, as in a shell: whether that
    fails hangs on the state of a whole machine.
    """
    return any(_RUNS.search(name.casefold()) for name in names)


def _named(value: Json, *, is_wide: bool) -> str:
    """What of a value names a place; "" for what names none, such as an amount or a switch."""
    if not isinstance(value, str):
        return ""
    words = value.split()
    if len(words) != 1:
        return normalised({"": " ".join(words[:PROGRAM_WORDS])}) if words else ""
    if "://" in value:
        return _host(value)
    parts = _SEPARATOR.split(value)
    if len(parts) > 1 or _FILE.fullmatch(value):
        return _file(parts, is_wide=is_wide)
    general = normalised({"": value})
    is_a_name = len(value) <= LONGEST_NAME and "<" not in general
    return value if is_a_name else general[:LONGEST_NAME]


def _host(url: str) -> str:
    try:
        return urlsplit(url).netloc
    except ValueError:  # half of an address
        return url[:LONGEST_NAME]


def _file(parts: list[str], *, is_wide: bool) -> str:
    """With the last of its folders: what is above that differs from machine to machine."""
    *above, last = [each for each in parts if each] or [""]
    stem, dot, ending = last.rpartition(".")
    if is_wide and dot and above:
        stem = "*"
    folders = [_COUNTED.sub("#", each) for each in above[-1:]]
    return "/".join([*folders, _COUNTED.sub("#", stem) + dot + ending if dot else last])
