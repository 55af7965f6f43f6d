"""What the user wants in every task, whatever that is about. Pure.

Another way to put how to be spoken to is a line of ``_HOW_TO_SPEAK``, read after ``fold``.
"""

import re
from functools import cache

from hindsight_memory.core.intent_rows import lines
from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import Source
from hindsight_memory.core.text import fold

IMPORTANT = 0.8
"""Importance from which a preference is wanted always (a lesson begins there)."""

_LANGUAGES = (
    "(?:english|chinese|mandarin|german|french|spanish|italian|japanese|korean|portuguese|russian)"
)
_MANNERS = (
    "(?:short|brief|concise|terse|detailed|verbose|direct|simple|plain|formal|casual|friendly)"
)
_SAYING = "(?:reply|replies|answers?|respond|responses?|explanations?)"
_WHOM = "(?:me|us|him|her|them|the user)"
_END = r"(?: *[.,;!]| *$| (?:to|with|for|when|unless|only|and|or)\b)"
_LANGUAGES_ZH = "(?:简体|繁体)?(?:中文|英文|英语|汉语|普通话|日语)"
_SAYING_ZH = "(?:回答|回复|答复|解释|交流|沟通|说话|对话)"
_MANNERS_ZH = "(?:简洁|简短|简练|简单|详细|直接|通俗|口语|正式|客气)"
_MUST_ZH = "(?:时|中|里|要|请|得|都|尽量|一律|必须|应该?|能|[，,])*"
_HOW_TO_SPEAK = lines(
    rf"""
    \b(?:in|prefers?|use) {_LANGUAGES}(?={_END})
    (?<!learn to )(?<!learning to )\bspeak {_LANGUAGES}(?: (?:to|with) {_WHOM}\b|\W*$)
    \b(?:{_SAYING}|explain|talk|speak)\b(?: \w+){{0,3}} (?:in|with) {_MANNERS}\b
    \b{_MANNERS}(?:,? (?:and )?\w+)? (?:{_SAYING}|tone|wording)\b
    (?:^|[.;,!] ?|please |always )(?:be|stay|keep (?:\w+ )?{_SAYING}|keep it) (?:very )?{_MANNERS}\b
    \bemojis?\b
    \b(?:be called|call {_WHOM}|address {_WHOM} as)(?! (?:when|if|on|at|back|a)\b)
    {_SAYING_ZH}{_MUST_ZH}(?:用|先|不要|别|{_MANNERS_ZH})
    (?<!学)[用以]{_LANGUAGES_ZH}(?:来|(?:和|跟|与)(?:我|用户))?{_SAYING_ZH}
    {_MANNERS_ZH}(?:一?[点些])?[地的]?{_SAYING_ZH}
    (?:^|[，。；以后请可以直接])(?:叫|称呼|喊)我
    语气|称呼用户|表情符号
    """
)
"""How to speak with the user, in two languages."""


def is_standing(memory: Memory) -> bool:
    """Whether the user wants it in whatever task: how to be spoken to, or what they gave weight."""
    if memory.source not in {Source.USER_CONFIRMED, Source.USER_EXPLICIT}:
        return False
    return memory.importance >= IMPORTANT or _speaks_of_speaking(memory.content)


def _speaks_of_speaking(content: str) -> bool:
    return _pattern().search(fold(content)) is not None


@cache
def _pattern() -> re.Pattern[str]:
    """On first use: few commands need it."""
    return re.compile("|".join(f"(?:{each})" for each in _HOW_TO_SPEAK))
