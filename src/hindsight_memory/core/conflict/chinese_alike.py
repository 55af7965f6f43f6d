"""Chinese statements in the same words but for one value."""

import re
from dataclasses import dataclass

from hindsight_memory.core.conflict.chinese_clauses import heard
from hindsight_memory.core.conflict.chinese_fits import TIME
from hindsight_memory.core.conflict.model import Likeness, Tense
from hindsight_memory.core.text import tagged

_NUMBER = re.compile(r"\d+(?:[.:]\d+)*")
_CUES = re.compile("现在(?!的)|如今|目前|当前|今后|从今(?:天|以后|往后)?(?:起|开始)?")
_OVER = re.compile("不再|再也不|已经?不")
_PERSON = re.compile("我(?!们)|用户|本人")
"""Of whom many amounts are true at once: a table has to know the slot."""
_SOMEBODY = re.compile("[他她它你您这那其]")
_DOUBTFUL = re.compile(
    "可能|也许|大概|或许|似乎|好像|据说|听说|应该|应当|必须|如果|要是|除非|打算|计划|考虑|希望|即将|将|想"
    "|(?<![需主重])要|有时|偶尔|经常|常常|也|还|又|并|且|同时|另外|此外|或|和|与|及|但|曾|(?<![经通超])过|以前|之前|当时|原来|原先|昨|前天|[去前明后]年"
    "|[上下]个?[周月季]|没|不|别|未|无|吗|呢|了(?=.)"
)
"""Said of another time, in doubt, in part or on top; 了 inside tells what was done."""
_AMOUNT = re.compile(r"(?<!第)(?<!在)(?<!于)#(?![号楼路班年月日点时期届排站线:#])(?=.)|[是为]#$")
_ADJUNCT = re.compile("[用在从由跟给到往向靠]")
"""Prepositions, which in Chinese stand before the verb with what they govern."""


@dataclass(frozen=True, slots=True)
class _Said:
    """A statement of now without the words of change; is_over: that it holds no more."""

    text: str
    is_now: bool
    is_over: bool


def likeness(old: str, new: str) -> Likeness | None:
    before, after = _said(old), _said(new)
    if before is None or after is None or before.is_over:
        return None
    if after.is_over:
        return Likeness.OVER if before.text.startswith(after.text) else None
    if not _PERSON.match(after.text) and _is_another_amount(before.text, after.text):
        return Likeness.ANOTHER_AMOUNT
    is_changed = after.is_now and _is_changed(before.text, after.text)
    return Likeness.CHANGED if is_changed else None


def _said(text: str) -> _Said | None:
    """None for what is not simply said to be so now, in one clause."""
    told = list(heard(text))
    if len(told) != 1 or told[0].tense is not Tense.PRESENT or told[0].period:
        return None
    said = told[0].words.removesuffix("了")
    lasting = _OVER.sub("", said)
    plain = _CUES.sub("", lasting)
    if _SOMEBODY.match(plain) or _DOUBTFUL.search(plain):
        return None
    return _Said(plain, is_now=plain != lasting, is_over=lasting != said)


def _is_another_amount(before: str, after: str) -> bool:
    """Of the same thing: 3个厨师 and 5个服务员 both hold, and 3号站台 is no amount."""
    one, other = _NUMBER.findall(before), _NUMBER.findall(after)
    frame = _NUMBER.sub("#", before)
    is_alike = frame == _NUMBER.sub("#", after) and one != other
    return is_alike and len(one) == 1 and _AMOUNT.search(frame) is not None


def _is_changed(before: str, after: str) -> bool:
    """Only in what a preposition governs: what is done with it is the same."""
    for found in _ADJUNCT.finditer(after):
        if before[: found.end()] != after[: found.end()]:
            return False
        (one, done), (other, does) = _split(before[found.end() :]), _split(after[found.end() :])
        if one and other and one != other and done == does != "":
            return bool(TIME.fullmatch(one)) == bool(TIME.fullmatch(other))
    return False


def _split(text: str) -> tuple[str, str]:
    """What stands before the first verb, and the rest."""
    place = 0
    for word, kind in tagged(text):
        if kind.startswith("v"):
            return text[:place], text[place:]
        place += len(word)
    return text, ""
