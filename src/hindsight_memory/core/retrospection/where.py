"""Where a difference between two calls holds: at which files, which host, which system. Pure.

That gbk worked on the orders says nothing about the customers; that a tool takes no such argument
holds whatever it is pointed at. Cities, queries and users say what a call is about, and not how
the thing behind the tool wants to be called.
"""

import re
from collections.abc import Collection, Mapping

from hindsight_memory.core.model import Json
from hindsight_memory.core.places import named_places

_FILE_NAME = re.compile(
    r"(?:\w*_)?(?:path|file|filename|filepath|src|dst|input|output)s?|文件|路径", re.IGNORECASE
)
_SYSTEM_NAME = re.compile(
    r"\w*(?:service|server|host|endpoint|database|db|schema|table|collection|dataset|bucket|repo"
    r"|repository|cluster|namespace|system|site|queue|topic)|服务|主机|数据库|表|数据集|仓库|系统",
    re.IGNORECASE,
)
"""Names of arguments that say with which thing a tool works; a new one is a word here."""

_IN_A_FOLDER = re.compile(r"[^/]+/[^/]*\.[A-Za-z]\w*")
_BARE_FILE = re.compile(r"[^/]+(\.[A-Za-z]\w*)")


def where(arguments: Mapping[str, Json], *, but: Collection[str] = ()) -> dict[str, str]:
    """By the names of arguments: the folder and the ending of a file, the host of an address, the
    name of a system; empty where nothing of the kind is given.

    but: arguments that differ themselves.
    """
    single = {
        name: value
        for name, value in arguments.items()
        if isinstance(value, str) and len(value.split()) == 1
    }
    found = named_places(single, but=but, is_wide=True)
    return {
        name: _kind(name, told)
        for name, told in found.items()
        if "://" in str(single[name]) or _is_file(name, told) or _SYSTEM_NAME.fullmatch(name)
    }


def _is_file(name: str, told: str) -> bool:
    return _FILE_NAME.fullmatch(name) is not None or _IN_A_FOLDER.fullmatch(told) is not None


def _kind(name: str, told: str) -> str:
    """Of a file without a folder, which is one of those that lie where the agent works."""
    bare = _BARE_FILE.fullmatch(told) if _FILE_NAME.fullmatch(name) else None
    return f"*{bare[1]}" if bare else told
