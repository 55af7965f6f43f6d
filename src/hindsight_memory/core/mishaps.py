"""What an error says about the next call like the one that failed. Rules in two languages. Pure.

A new wording is a line of a table; a new kind is a member of ``Kind`` and a row of ``_KINDS``.
"""

import re
from collections.abc import Callable, Sequence
from enum import StrEnum

from hindsight_memory.core.retrospection import failures


class Kind(StrEnum):
    """Why a call failed, as far as its error tells."""

    PASSING = "passing"
    """The way was closed or somebody stopped it: it says nothing about the next call."""

    LIMIT = "limit"
    """Too many calls at once: the next one is to come later."""

    TARGET = "target"
    """What it was pointed at is missing, closed or not ready, and may be there by now."""

    FORM = "form"
    """The tool takes no such arguments, whatever they are about."""

    UNFIT = "unfit"
    """A value does not fit what it was used on, and would not fit it the next time."""

    UNKNOWN = "unknown"


LASTING = frozenset({Kind.FORM, Kind.UNFIT})
"""What fails again when it is repeated."""


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{each})" for each in alternatives), re.IGNORECASE)


_BUSY = _any(
    r"\bbusy\b|\b(?:is|was|database) locked\b|deadlock|try again|temporar|overloaded|\b529\b",
    "稍后(?:再|重)?试|繁忙|死锁|被锁|暂时",
)
_FORM = _any(
    r"unexpected keyword|unrecogni[sz]ed (?:argument|option|flag)|no such option",
    r"(?:unknown|invalid|illegal|unsupported) (?:option|argument|parameter|flag|field|key)\b",
    r"missing \d+ required|missing (?:a )?required|required (?:argument|parameter|property|field)",
    r"takes (?:exactly |from )?\d+ positional|extra (?:inputs|fields|keys)|field required",
    r"additional propert(?:y|ies)",
    "(?:未知|无效|不支持|无法识别|不存在)的?(?:参数|选项|字段)|缺少.{0,4}参数|参数(?:缺失|未知|多余)",
)
_STATE = _any(
    r"api.?key|credential|(?<!unexpected )\btoken\b|expired|log ?in|sign ?in|licen[cs]e",
    r"\bassert|exit (?:code|status)|tests? (?:have )?failed|\d+ failed",
    r"(?:module|import) ?(?:not ?found|error)|no module named|merge conflict|\bstale\b|out of date",
    r"already (?:running|in use|open)|in use|not (?:ready|started)",
    "密钥|凭证|登录|过期|断言|测试(?:失败|未通过|不通过)|没有(?:该|这个)?模块|占用|冲突|未(?:启动|就绪)",
)
"""What changes while nobody looks: a test is mended, a key renewed, a port freed."""

_UNFIT = _any(
    r"unicode|codec|decod|charset|\bpars(?:e|ing|er)|invalid|malformed|illegal|\bformat",
    r"unexpected (?:token|character|end of)|exceeds? (?:the )?(?:max|limit|allowed)",
    r"syntax ?error|unsupported|not supported|validation|\b4(?:00|06|15|22)\b|bad request",
    r"type ?error|value ?error|cannot (?:convert|cast)|mismatch|out of (?:range|bounds)",
    r"too (?:long|large|short|small)",
    "乱码|编码|解码|字符集|格式|语法|无效|非法|不合法|不支持|类型(?:错误|不匹配)|校验|超出范围|解析",
)


def _is(pattern: re.Pattern[str]) -> Callable[[str], bool]:
    return lambda error: pattern.search(error) is not None


_KINDS: Sequence[tuple[Kind, Callable[[str], bool]]] = (
    (Kind.PASSING, failures.is_interrupted),
    (Kind.LIMIT, failures.is_limited),
    (Kind.PASSING, failures.is_outage),
    (Kind.PASSING, _is(_BUSY)),
    (Kind.FORM, _is(_FORM)),
    (Kind.TARGET, failures.is_about_target),
    (Kind.TARGET, _is(_STATE)),
    (Kind.UNFIT, _is(_UNFIT)),
)
"""The first that applies decides: what may pass stands before what lasts."""


def kind_of(error: str) -> Kind:
    said = failures.told(error)
    return next((kind for kind, applies in _KINDS if applies(said)), Kind.UNKNOWN)
