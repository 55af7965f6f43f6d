"""What the error of a call says about the call: rules in two languages, no model. Pure.

A new wording is a line of a table.
"""

import re

from hindsight_memory.core.calls import error_kind

ERROR_CHARACTERS = 120
"""Of an error in a lesson."""


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in alternatives), re.IGNORECASE)


def _status(code: str) -> str:
    """A status of HTTP; not the number of a line, a row or a byte."""
    return rf"(?<!line )(?<!row )(?<!byte )(?<!column )(?<!position )\b{code}\b(?! ?[行列])"


OUTAGE = _any(
    r"network (?:is )?(?:unreachable|down)|no route to host|unreachable|\boffline\b",
    r"connection (?:refused|reset|aborted|closed|timed? ?out|error|failed)|connect(?:ion)?error",
    r"could ?n[o']t (?:resolve|connect)|can(?:not|'t) connect|failed to (?:connect|establish)",
    r"name or service not known|temporary failure in name resolution|getaddrinfo|\bdns\b",
    r"timed? ?out|timeout|max retries exceeded|service unavailable|bad gateway",
    _status("50[234]"),
    r"\bE(?:CONN\w+|TIMEDOUT|NETUNREACH|NOTFOUND|AI_AGAIN|HOSTUNREACH)\b|proxy ?error",
    "网络(?:不通|不可达|断|异常|错误|故障|不可用)|断网|没有?网|连接(?:超时|被?拒绝|失败|重置|中断)",
    "超时|无法(?:连接|解析|访问)|连不上|服务不可用|域名解析失败",
)
"""The way there is closed: it says nothing about the call itself."""

LIMITED = _any(
    r"rate.?limit|too many (?:requests|calls|connections)|throttl|slow down|retry.after",
    _status("429"),
    r"quota|\bRESOURCE_EXHAUSTED\b",
    "请求(?:过于|太|过)?(?:频繁|多)|(?:访问|操作|调用)(?:过于|太)频繁|频率(?:限制|过高|超限)|限[流频速]",
    "超出(?:配额|频率|限额)|配额",
)
"""Too many calls at once: the next one is to come later, and may be made as this one was."""

ABOUT_TARGET = _any(
    r"no such file|file ?not ?found|\bENOENT\b|\b404\b|does(?:n't| not) exist|already exists",
    r"(?<!command )\bnot found\b|is a directory|not a directory",
    r"permission ?(?:denied|error)|\bEACCES\b|\b40[13]\b|unauthori[sz]ed|forbidden",
    r"out of memory|no space left|disk full|quota exceeded",
    "文件不存在|找不到(?:文件|路径|目录)|不存在|已存在|没有权限|权限不足|拒绝访问|空间不足",
)
"""What the call was pointed at is missing or closed: another argument would change nothing."""

INTERRUPTED = _any(
    r"keyboard ?interrupt|\binterrupted\b|cancell?ed|\baborted by (?:the )?user\b|rejected by user",
    "已?取消|被?中断|用户拒绝",
)
"""Somebody stopped it: that is no failure of the call."""

_CLASS = re.compile(r"\b[A-Z]\w*(?:Error|Exception|Warning|Timeout|Refused)\b|\bE[A-Z]{4,}\b")
_ENDED = _any(r"(?:(?:command|process) (?:failed|exited) with )?exit (?:code|status):? \d+[:.]?")
"""What a shell puts before the output of a command."""

_TELLING = _any(
    r"\w*(?:Error|Exception)\b|\b(?:failed|failure|fatal|denied|invalid|unknown|cannot|can't)\b",
    r"\b(?:could not|couldn't|not found|no such|not allowed|refused|missing|too many|[45]\d\d)\b",
    "错误|失败|无法|不能|异常|拒绝|找不到|不存在|超时|无效",
)
_STATUS = re.compile(r"\b[45]\d\d\b")


def told(error: str) -> str:
    """The one line of an error that says what it is, of bearable length: of a traceback the last
    that names an exception, else the first that speaks of an error, else the first.
    """
    lines = [" ".join(line.split()) for line in error.splitlines() if line.strip()]
    if not lines:
        return ""
    said = [line for line in lines if not _ENDED.fullmatch(line)] or lines
    if any(line.startswith("Traceback") for line in said):
        line = next(filter(_CLASS.search, reversed(said)), said[-1])
    else:
        line = next(filter(_TELLING.search, said), said[0])
    return line if len(line) <= ERROR_CHARACTERS else f"{line[: ERROR_CHARACTERS - 1]}…"


def class_of(error: str) -> str:
    """By which two errors are of one kind: the name of the exception, else the HTTP status, else
    the line, with what varies generalised.
    """
    line = told(error)
    for pattern in (_CLASS, _STATUS):
        if found := pattern.search(line):
            return found[0].casefold()
    return error_kind(line)


def is_outage(error: str) -> bool:
    """Whether there was no getting through, for whatever it was called with."""
    return OUTAGE.search(error) is not None or is_limited(error)


def is_limited(error: str) -> bool:
    return LIMITED.search(error) is not None


def is_about_target(error: str) -> bool:
    return ABOUT_TARGET.search(error) is not None


def is_interrupted(error: str) -> bool:
    return INTERRUPTED.search(error) is not None


def is_the_calls_own(error: str) -> bool:
    """Whether the way in which it was called may be what failed."""
    return not (is_outage(error) or is_about_target(error) or is_interrupted(error))
