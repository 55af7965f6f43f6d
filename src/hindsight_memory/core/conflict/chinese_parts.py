"""What a Chinese text says one after the other, also within one clause, and which of it counts.

我住在上海并且喜欢吃辣 says two things without a mark between them. A clause is cut before a word
that adds or contrasts, if what precedes is understood alone: 张三也住在上海 is one. A new joint is
a word of the sets, a new remark that says nothing by itself a row of ``_REMARKS``.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from hindsight_memory.core.conflict.attributes import OTHER, row_of
from hindsight_memory.core.conflict.chinese_clauses import Heard, hear, is_asked, spoken
from hindsight_memory.core.conflict.model import Claim
from hindsight_memory.core.conflict.vocabulary import word_set
from hindsight_memory.core.text import tagged

StandsAlone = Callable[[Heard], bool]

_JOINTS = word_set(
    "并且 而且 但是 不过 可是 然而 同时 另外 此外 因为 所以 因此 但 并 且 还 也 又 却"
)
_ADDING = tuple("也还又")
_DONE = frozenset("养开住做吃喝玩打学看听读写用爱买会要")
"""Verbs that the dictionary joins with what adds: 还养 is no word."""
_MAY_JOIN = re.compile(f"(?<=..)(?:{'|'.join(_JOINTS)})")
_MAY_LIST = re.compile("..(?:和|与|跟|以及|及)..|.(?:和|与|跟|以及|及).")
_LIVES = re.compile("(?:住在|住|居住在|定居在?|现居|常驻)..")
"""What is done there may follow without any joint: 我住在上海做程序员."""
_PLACE = ("ns", "nt")
_DOING = ("v", "p")

_REASON = re.compile("^(?:因为|由于)")
_DEGREE = (
    "(?:我|也|都|还|就|很|挺|非常|特别|比较|相当|真|一直|始终|从来|都是|会|严格|认真|已经?|目前)*"
)
_ABOUT = "(?:已经?|大概|差不多|大约|将近|快|有|整整|才|刚)*"
_SPAN = (
    r"[几多两半一二三四五六七八九十百\d]+(?:多)?个?(?:年|月|周|天|星期|季度|小时)(?:多|半|有余)?"
)
_REMARKS = re.compile(
    "|".join(
        [
            "(?:你好|您好|大家好|嗨|哈喽|谢谢|感谢|多谢|辛苦|拜托)[你您啦了]*",
            "(?:顺便|顺带)(?:说|提)?(?:一下|一句)?",
            "(?:告诉|跟|和|给)(?:你|您|大家)(?:说|讲)?(?:一下|一声)?",
            "请?(?:你|您)?(?:记住|记得|记一下|注意|知悉|留意|别忘)",
            "据我所知|说实话|老实说|准确地?说|具体来说|对了|好的?|是的|没错|嗯|其实|另外|以上|你知道",
            f"{_DEGREE}(?:遵守|坚持|执行|保持|照做|如此|这样|顺利)(?:下来|下去|着)?",
            f"{_DEGREE}(?:喜欢|满意|开心|高兴|舒服|习惯|适应|不错|方便|好)",
            f"(?:住|待|呆|用|干|做|过)?了?{_ABOUT}{_SPAN}",
            f"{_DEGREE}没(?:有)?(?:变|变过|改过|换过)",
            f"{_DEGREE}是(?:这样|如此)?",
            "[这那此].*",
            ".{0,6}[这那](?:里|儿|边)",
            "(?:就|正好|刚好)在.+",
        ]
    )
)
_ENDING = re.compile("[了的呢啊吧哦呀啦]+$")
_NO_NOUN = frozenset(["t", "m", "q", "mq", "ns", "f", "s", "d", "u", "x", "c", "y", "r", "zg"])


def heard_apart(text: str, stands_alone: StandsAlone) -> Iterator[Heard]:
    """The clauses of ``text``, cut where two are told in one."""
    asked = is_asked(text)

    def is_whole(said: str) -> bool:
        return stands_alone(hear(said, 0, is_asked=asked))

    pieces = (piece for said in spoken(text) for piece in _apart(said, is_whole))
    for number, piece in enumerate(pieces):
        yield hear(piece, number, is_asked=asked)


def _apart(said: str, is_whole: Callable[[str], bool]) -> Iterator[str]:
    for place in _cuts(said, is_whole):
        yield said[:place]
        yield from _apart(said[place:], is_whole)
        return
    yield said


def _cuts(said: str, is_whole: Callable[[str], bool]) -> Iterator[int]:
    """Where a second statement begins."""
    if _MAY_JOIN.search(said):
        yield from (place for place in _joints(said) if is_whole(said[:place]))
    if _LIVES.search(said):
        places = _deeds(said)
        yield from (at for at in places if is_whole(said[:at]) and is_whole(said[at:]))


def _joints(said: str) -> Iterator[int]:
    for place, word, _, _ in _words(said):
        is_glued = word.startswith(_ADDING) and word[1:] in _DONE
        if place > 1 and (word in _JOINTS or is_glued):
            yield place


def _deeds(said: str) -> Iterator[int]:
    for place, _, kind, before in _words(said):
        if kind.startswith(_DOING) and before.startswith(_PLACE):
            yield place


def _words(said: str) -> Iterator[tuple[int, str, str, str]]:
    """Where each word stands, the word, what kind it is of, and of what kind the one before is."""
    place, before = 0, ""
    for word, kind in tagged(said):
        yield place, word, kind, before
        place, before = place + len(word), kind


def listed(claim: Claim) -> Iterator[Claim]:
    """One claim for each value: 茶和咖啡 are two that somebody may like, and give up one of."""
    values = [""]
    if _MAY_LIST.search(claim.slot.value) and not claim.slot.is_single_valued:
        for _, word, kind, _ in _words(claim.slot.value):
            values = [*values, ""] if kind == "c" else [*values[:-1], values[-1] + word]
    if not all(values):
        values = [claim.slot.value]
    for value in values:
        yield replace(claim, slot=replace(claim.slot, value=value))


def says_something(words: str, told: Sequence[Claim]) -> bool:
    """Whether a clause is more than a remark on the one before: 很喜欢, 已经五年了, 上午十点.

    told: what it claims. A reason is part of what it is the reason of, unless a table knows what it
    states.
    """
    if _REASON.match(words):
        return any(row_of(claim.slot.attribute) is not OTHER for claim in told)
    said = _ENDING.sub("", words)
    if _REMARKS.fullmatch(said):
        return False
    return bool(told) or any(kind not in _NO_NOUN for _, kind in tagged(said))
