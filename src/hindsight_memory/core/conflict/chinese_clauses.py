"""A Chinese text taken apart: clauses without times and cues, and who each is about."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from hindsight_memory.core import value_rows
from hindsight_memory.core.conflict.model import UNKNOWN, Period, Tense
from hindsight_memory.core.conflict.periods import dated
from hindsight_memory.core.text import segment
from hindsight_memory.core.wording import BREAK, joined, words

_FORMER = re.compile(
    r"曾经|曾(?=[在是住用任做为有当去就喜担])|从前|过去(?=[^的])|原先|(?<![\d月日号年周天])(?:以前|之前)(?!的)"
)
_OPEN = re.compile(
    r"可能|也许|大概|或许|如果|要是|假如|打算|计划(?=[在去来用搬换改买学把])|准备(?=[在去来用搬换改买学把])"
    r"|考虑|希望|想要?(?=[在去来用搬换改买学把吃喝养])|即将|(?<![不周例年晨早晚大聚协商机社])会(?=[搬换去改离跳])|将(?=[在会于搬换改])"
    r"|明年|下个?月|下周|明天|应该|似乎|好像|据说|听说|尝试|试着|[吗?]"
)
_NOW = re.compile("现在|如今|从今(?:天|以后|往后)?(?:起|开始)?|今后|^以后|以后(?=[用请都改])")
_AFTERWARDS = re.compile("^.{2,12}(?:以后|之后|后)(?=我|用户)")
_OPENING = re.compile(
    "^(?:其实|实际上|事实上|更正|但是|不过|但|可是|然而|却|而且|并且|并(?![不非没])|同时|另外|此外|因为|由于"
    "|所以|因此|后来|最后|结果|最终|终于|原来是?|发现|才?知道|确认|查明|排查|记住|注意)+"
)
_NOT_BUT = re.compile(
    "(^|[。,，;；])([^。,，;；]{0,30}?)(?:并)?不(是|在|出在)([^。,，;；]{1,30}?)[,，]?而(?:是|在|出在)"
)
"""原因不是甲而是乙 says two things of the cause."""
_WHEN = re.compile(
    "今年|去年|前年|上个?月|这个?月|上周[一二三四五六日天]?|本周|昨天|今天|最近|近来|前不久|前天|上半年|下半年"
    "|目前|当前|眼下|这几天|这段时间|一直以来|从小"
)
"""Times near enough to now that they order nothing."""
_WAS = re.compile("去年|前年|上个?月|上周|上星期|昨天|昨晚|前天|上半年|前不久|上个?季度")
"""Times that are over: what only is so then says nothing of now. With 了 it came about then."""
_PLACES = "家|公司|单位|办公室|学校|宿舍|外面|路上|车上|国外|老家"
_STAGES = "测试|生产|开发|预发布?|线上|线下|本地|演示|灰度|原型|正式|试点"
_DAYS = (
    "周末|工作日|平日|节假日|假期|假日|早上|早晨|清晨|上午|中午|下午|傍晚|晚上|夜里|深夜|睡前|饭后|春天|夏天"
    "|秋天|冬天|夏季|冬季|周[一二三四五六日天]|星期[一二三四五六日天]"
)
_SCENE = (
    rf"(?:在)?(?:{_STAGES})(?:环境|阶段|集群|机房|服务器|版本?)?(?:里|中|上|下|的)?"
    rf"|(?:每到?|一到|在)?(?:{_DAYS})(?:的时候|时|里)?|在(?:{_PLACES})(?:里|时|的时候)?"
    r"|在?[^的在,]{1,8}(?:的时候|期间|阶段|场景下?|(?<=.)时)|(?:在|对于?|针对)[^,]{1,12}(?:里|中|上|下|内)"
    r"|(?:在|做|写)[^,的]{1,10}(?:项目|工程|应用|文件|代码)(?:里|中|上|时)?"
)
_SCENE_FIRST = re.compile(rf"(?:{_SCENE})(?=.|$)")
_SCENE_LAST = re.compile(rf"(.*?)({_SCENE})")
_SCENE_ALONE = re.compile(
    rf"(?:每天?|{_DAYS}|{_PLACES}|{_STAGES}|[^,]*(?:家|家里|的时候|时间))+(?:里|时)?"
)
_UNIVERSAL = re.compile("所有|全部|任何|每个|各种|一切|默认")
_USER = frozenset({"我", "用户", "本人", "自己", "俺", ""})
_WE = frozenset({"我们", "咱们", "我方", "团队", "我们团队"})
_SOMEBODY = frozenset(
    [
        "他",
        "她",
        "它",
        "他们",
        "她们",
        "它们",
        "这",
        "那",
        "这个",
        "那个",
        "其",
        "对方",
        "你",
        "您",
        "你们",
        "大家",
        "有人",
    ]
)
_CARRIED = frozenset(["他", "她", "它", "其"])


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """A clause without the words that say when and how sure.

    words: the clause as it was. number: which clause of its text, from 0. was: told of a time that
    is over, and not as a change.
    """

    text: str
    words: str
    tense: Tense
    is_now: bool
    was: bool
    period: Period | None
    number: int


def heard(text: str) -> Iterator[Heard]:
    """The clauses between marks. One of them may hold two (``chinese_parts``)."""
    for number, said in enumerate(spoken(text)):
        yield hear(said, number, is_asked=is_asked(text))


def is_asked(text: str) -> bool:
    return "?" in text or "？" in text


def spoken(text: str) -> Iterator[str]:
    """What stands between marks, in order."""
    clause: list[str] = []
    text = _NOT_BUT.sub(r"\1\2不\3\4，\2\3", text)
    for word in [*words(text, value_rows.MEANINGS_CHINESE), BREAK]:
        if word != BREAK:
            clause.append(word)
        elif clause:
            yield joined(clause)
            clause = []


def hear(said: str, number: int, *, is_asked: bool) -> Heard:
    when = dated(_AFTERWARDS.sub("", _OPENING.sub("", said)))
    tense = Tense.PRESENT
    rest = _FORMER.sub("", when.rest)
    if rest != when.rest:
        tense = Tense.FORMER
    if is_asked or _OPEN.search(rest):
        tense = Tense.OPEN
    plain = _NOW.sub("", _OPEN.sub("", rest))
    return Heard(
        text=_WHEN.sub("", plain),
        words=said,
        tense=tense,
        is_now=_NOW.search(rest) is not None,
        was=_WAS.search(rest) is not None and "了" not in rest,
        period=when.period,
        number=number,
    )


def is_scene(said: str) -> bool:
    """Whether it tells when, or in which of the places of a day: 晚上, 在家."""
    return _SCENE_ALONE.fullmatch(said) is not None


def subject_and_scene(said: str, last: str) -> tuple[str, frozenset[str]]:
    """Who a clause is about, "" when nobody knows, and what limits it. last: who was before."""
    said = said.strip("的 ")
    scene: set[str] = set()
    while said and said not in _USER | _WE:
        first = _SCENE_FIRST.match(said)
        whole = _SCENE_LAST.fullmatch(said)
        if (
            first
            and first.end()
            and (first.end() == len(said) or said[first.end() :] in _USER | _WE)
        ):
            scene.add(first[0])
            said = said[first.end() :].strip("的 ")
        elif whole and whole[1]:
            scene.add(whole[2])
            said = whole[1].strip("的 ")
        else:
            break
    limits = frozenset(_bare(limit) for limit in scene if not _UNIVERSAL.search(limit))
    return who(said, last), limits


def _bare(scene: str) -> str:
    return re.sub(
        "^(?:在|每到?|一到|对于?|针对)|(?:的时候|环境|阶段|里|中|上|下|内|时|的)+$", "", scene
    )


def who(said: str, last: str) -> str:
    """The one name of a subject. Without one the speaker speaks of himself, or goes on."""
    said = said.removeprefix("我的").removeprefix("用户的").removesuffix("自己") or said
    if said in _CARRIED:
        return last or UNKNOWN
    if not said and last:
        return last
    if said in _USER:
        return "user"
    if said in _WE:
        return "we"
    return UNKNOWN if said in _SOMEBODY else said


def cuts_no_word(text: str, start: int, end: int) -> bool:
    """Whether a word ends at ``start`` and at ``end``: 打 is no word in 打印机."""
    place, ends = 0, {0}
    for word in segment(text):
        place += len(word)
        ends.add(place)
    return start in ends and end in ends
