"""What a row of ``chinese_table`` is, and the pieces that its patterns are made of."""

import re
from dataclasses import dataclass
from enum import StrEnum
from functools import cache

from hindsight_memory.core.conflict.attributes import CHINESE_NOUN
from hindsight_memory.core.conflict.model import Polarity
from hindsight_memory.core.conflict.vocabulary import entries


class Form(StrEnum):
    """How the parts of a pattern are read."""

    PLAIN = "plain"
    FIXED = "fixed"
    """The predicate says the value, before its "=": 结婚 is married."""
    KIND = "kind"
    """The kind of the value says which attribute: 改用火狐."""
    MOVE = "move"
    """A place or an employer: 在, 搬到."""
    ANYTHING = "anything"
    """Ends whatever has that value: 戒了咖啡."""
    INVERSE = "inverse"
    """The subject is the value: 张三负责支付."""
    NOUN = "noun"
    """The attribute is named by a noun: 数据库的端口是."""
    SWAP = "swap"
    """One value, or one attribute, is given up ``to`` another: 把编辑器换成."""
    GIVE = "give"
    """A thing is handed over: 把支付交给李四."""
    VERB = "verb"
    """What somebody likes or does, and the verb: 喜欢喝."""
    THING = "thing"
    """A pet or a vehicle, if its kind says so."""
    FAVORITE = "favorite"
    CLOCK = "clock"
    """When something is done every day: 6点起床."""
    TALLY = "tally"
    """How many of a thing there are."""


_ADVERB = (
    "不但|不仅|既|先|已经?|永久|都|也|还|又|一直|刚刚?|终于|正式|完全|彻底|真的|就|只|主要|通常|平时|一般|从此|开始|决定"
    "|后来|最终|最后|全部|统一|一律|总是|每天|每周|每月|经常|特别|非常|很|比较|有点|严重|轻微|正在?|重新|全面"
    "|在(?=[学看读玩练吃喝写])"
)
_NEGATION = "不再|再也不|已不|并不|并非|没有?|从不|从未|不会|不|未|无法|别"
_TIMELY = (
    r"(?=.*(?:\d+[点号日月:时]|[一二三四五六七八九十]+[点号月]|周[一二三四五六日天末]|星期|[早晚]上|[上下]午"
    r"|月底|年底|明天|后天|季度|\d+-\d+))"
)
_PIECES = {
    "s": "(?P<s>[^,]{0,24}?)",
    "n": f"(?P<adv>(?:{_ADVERB})*)(?P<neg>(?:{_NEGATION})?)(?:{_ADVERB})*",
    "v": "(?P<v>.{1,30}?)",
    "to": "(?P<to>.{1,20}?)",
    "noun": f"(?P<noun>{CHINESE_NOUN})",
    "end": "(?:了|啦|的)?",
    "timely": _TIMELY,
    "role": (
        "(?P<role>[^的]{0,8}(?:师|(?<!会)员|医生|学生|研究生|博士生|手|作家|画家|专家|科学家|董事长|校长|店长|组长"
        "|经理|总监|主管|老师|教授|顾问|助理|工人|司机|律师|编辑|设计|开发|老板|合伙人))"
    ),
    "trade": (
        "(?:做|搞|写|管)(?:后端|前端|全栈|开发|研发|测试|运维|算法|架构|数据|产品|运营|设计|销售|市场|财务|会计|人事"
        "|行政|客服|采购|法务|科研|研究|实习)(?:工作|开发)?"
    ),
    "turned": (
        "(?:换成|换到|换|切换到|切换成|迁移到|迁到|改用|改成|改为|改到|转到|转向|转为|搬到|跳槽到)"
    ),
    "made": (
        "(?:换成|改成|改为|切换到|切换成|迁移到|迁到|搬到|升级到|升级为|更新为|调整为|调到|设为|设置为|改用"
        "|转用)"
    ),
    "purpose": "(?:来|去)?(?:做|写|搞|跑|开发|管理|处理|存|部署|记)",
    "changed": (
        "(?:改为|改成|改到|改用|变成|变为|换成|换到|升到|升级到|升级为|降级为|降级到|涨到|降到|调到|调整为|调整到"
        "|更新为|推迟到|提前到|延期到|延到|改名为|更名为|重命名为|搬到|迁到)"
    ),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class ChinesePredicate:
    """cues: one of them is in every clause that fits; looking for them first spares the pattern.

    is_word: the verb is one character, and counts only where it is a word: not 打 of 打印机.
    The other fields are those of Predicate in ``english_table``.
    """

    attribute: str
    cues: tuple[str, ...]
    pattern: str
    value: str = ""
    form: Form = Form.PLAIN
    polarity: Polarity = Polarity.HOLDS
    replaces: bool = False
    is_word: bool = False


_POLARITIES = {"ended": Polarity.ENDED, "denied": Polarity.DENIED}


def predicates(table: str) -> tuple[ChinesePredicate, ...]:
    """The rows of a table: "form attribute flags: cues", then the pattern, in lines with an indent.

    attribute: "_" for a space, "-" for none, and after "=" the value that a FIXED one says.
    flags: of "replaces", "ended", "denied", "word".
    """
    return tuple(_predicate(head.split(), *rest.split("\n", 1)) for head, rest in entries(table))


def _predicate(head: list[str], cues: str, pattern: str) -> ChinesePredicate:
    form, named, *flags = head
    attribute, _, value = named.replace("_", " ").partition("=")
    polarities = [_POLARITIES[flag] for flag in flags if flag in _POLARITIES]
    return ChinesePredicate(
        attribute=attribute.removeprefix("-"),
        value=value,
        cues=tuple(cues.split()),
        pattern=_spelt_out(pattern.replace("\n", "")),
        form=Form(form),
        replaces="replaces" in flags,
        polarity=(polarities or [Polarity.HOLDS])[0],
        is_word="word" in flags,
    )


def _spelt_out(pattern: str) -> str:
    for name, piece in _PIECES.items():
        pattern = pattern.replace(f"{{{name}}}", piece)
    return pattern


@cache
def compiled(pattern: str) -> re.Pattern[str]:
    """On first use: all of them take 100 ms, and English never needs one."""
    return re.compile(pattern)
