"""What a text claims, in either language."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache

from hindsight_memory.core.conflict.attributes import ANY
from hindsight_memory.core.conflict.kinds import is_known, spelt
from hindsight_memory.core.conflict.model import Claim, Part, Polarity, Slot
from hindsight_memory.core.script import has_han
from hindsight_memory.core.values import canonical

LONGEST = 400
"""Characters. A longer text says more than a rule can weigh: it neither retires nor is retired."""

_CORRECTION = re.compile(
    r"\b(?:actually|in fact|correction|i was (?:wrong|mistaken)"
    r"|(?:that|this|it) was (?:wrong|a mistake)|turn(?:s|ed) out|misremembered|mistakenly"
    r"|to correct|not\b.{1,60}\bbut)\b"
    "|其实|实际上|事实上|更正|纠正|[说记弄搞写]错|不[是在出].{1,30}而|原来是|后来发现|查明|并不是",
    re.IGNORECASE,
)
"""Says that what was thought before never was so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    claims: tuple[Claim, ...]
    is_correction: bool


@dataclass(frozen=True, slots=True)
class _Language:
    """parts: of a text and what it claims."""

    claims: Callable[[str], Iterator[Claim]]
    parts: Callable[[str, Sequence[Claim]], Iterator[Part]]


@cache
def _language(*, is_chinese: bool) -> _Language:
    """On first use: the tables of one language take 20 ms to load, and many users write in one."""
    if is_chinese:
        from hindsight_memory.core.conflict import chinese

        return _Language(chinese.claims, chinese.parts)
    from hindsight_memory.core.conflict import english, english_parts

    return _Language(english.claims, english_parts.parts)


@lru_cache(maxsize=4096)
def read(text: str) -> Reading:
    if len(text) > LONGEST:
        return Reading(claims=(), is_correction=False)
    claims = tuple(_language(is_chinese=has_han(text)).claims(text))
    return Reading(
        claims=tuple(replace(each, instead_of=_given_up(each, claims)) for each in claims),
        is_correction=_CORRECTION.search(text) is not None,
    )


def _given_up(claim: Claim, claims: Sequence[Claim]) -> str:
    """What its clause says is over: MySQL in "migrated from MySQL to PostgreSQL"."""
    if not claim.replaces or claim.slot.polarity is not Polarity.HOLDS:
        return ""
    same = (each for each in claims if each.clause == claim.clause)
    over = (each for each in same if each.slot.polarity is Polarity.ENDED)
    values = (each.slot.value for each in over if each.slot.attribute.startswith(ANY))
    return next((spelt(value) for value in values if is_known(value)), "")


@lru_cache(maxsize=1024)
def parts(text: str) -> tuple[Part, ...]:
    """What ``text`` says, clause by clause; () for a long one. Only who may retire it asks."""
    if len(text) > LONGEST:
        return ()
    return tuple(_language(is_chinese=has_han(text)).parts(text, read(text).claims))


@lru_cache(maxsize=4096)
def stated(text: str) -> tuple[str, ...]:
    """The words of a text that carry meaning, to compare it as a whole; () for a long one."""
    return canonical(text) if len(text) <= LONGEST else ()


_NOT = re.compile("不再|再也不|不|没有|没")
_DONE = re.compile("了|已经?|现在")


def is_negated(one: str, other: str) -> bool:
    """Whether one says what the other denies, in Chinese and in otherwise the same words."""
    if not (has_han(one) and has_han(other)):
        return False
    said = [_DONE.sub("", "".join(stated(text))) for text in (one, other)]
    plain = [_NOT.sub("", text, count=1) for text in said]
    return plain[0] == plain[1] and (said[0] == plain[0]) != (said[1] == plain[1])


def slots(text: str) -> tuple[Slot, ...]:
    """The values that ``text`` gives to attributes, in its order; empty when it states none."""
    return tuple(claim.slot for claim in read(text).claims)
