"""What ``extraction`` listens for, over folded clauses of two languages. A new cue is a line."""

import re
from typing import TypeAlias

from hindsight_memory.core.policy import MemoryType

Row: TypeAlias = tuple[str, re.Pattern[str]]


def _any(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(f"(?:{alternative})" for alternative in alternatives))


_ME = r"\b(?:i|i'm|i've|i'd|we|we're|we've)\b"
_MY = r"\b(?:my|our)\b"
_ADVERBS = (
    r"(?:(?:really|also|just|always|usually|often|still|actually|recently|finally|even|\w+ly) )*"
)

TELLING: tuple[Row, ...] = (
    (
        "identity",
        _any(
            r"\bmy name(?:'s| is)\b|\bcall me\b|\bi(?:'m| am) (?:a|an|from|originally)\b",
            r"\bi (?:work|live|study|teach)\b|\bi(?:'m| am) \d+\b",
            "我(?:的名字)?[叫是](?!否)|我姓|我今年|我(?:住在?|来自|在.{1,12}(?:工作|上班|上学|读书))",
        ),
    ),
    (
        "constraint",
        _any(
            r"\ballerg|\b(?:always|never|must(?: not)?(?! have\b| be (?:\w+ly )?(?:so|nice|hard"
            r"|tough|great|special|amazing))|mustn't|don't ever|do not|don't use)\b.*\w",
            r"\bfrom now on\b|\bno longer\b|\bstopped \w+ing\b|\bgave up\b|\bquit\b",
            "过敏|忌口|必须|不要|不能|不许|不吃|不喝|以后.{0,4}(?:都|请|用|要|别)|戒[了掉]|不再|一律|禁止|务必",
        ),
    ),
    (
        "preference",
        _any(
            rf"{_ME} {_ADVERBS}(?:like|love|loved|enjoy|enjoyed|prefer|hate|dislike|adore|fancy)\b",
            rf"{_MY} (?:\w+ )?favou?rite\b|\binto \w+ing\b|\bfan of\b|\bone of the reasons i\b",
            r"\bi(?:'m| am) (?:more |really |so )?(?:into|fond of|passionate about|obsessed)\b",
            "我.{0,12}(?:喜欢|喜爱|热爱|热衷|偏爱|讨厌|不爱|最爱|爱(?:好|看|听|吃|喝|玩))|我的爱好",
        ),
    ),
    (
        "decision",
        _any(
            r"\b(?:decided|agreed|settled on|chose|picked|going with|will use|switched to)\b",
            r"\bwe(?:'ll| will) (?:use|go with|keep|move)\b",
            "(?:^|我们?|团队|公司|最[终后]|已经?|一致|经过).{0,6}(?<!没)(?<!的)(?:决定|选定|选择|敲定)(?!之?前|一个|因素|性)",
            "改用|采用|定了|换成",
        ),
    ),
    (
        "plan",
        _any(
            rf"{_ME} {_ADVERBS}(?:plan|planning|hope to|want to|aim|intend"
            rf"|going to)\b(?! (?:let|be here))",
            r"\bon my list\b|\bi(?:'d| would) love to\b|\blooking forward to (?:my|our|the"
            r"|having)\b",
            "我.{0,8}(?:打算|计划|准备(?!好)|想去|要去|将要|即将)|在计划|(?:^|最近)打算",
        ),
    ),
    (
        "event",
        _any(
            rf"{_ME} {_ADVERBS}(?:went|visited|met|moved|started|began|joined|finished|won"
            rf"|bought|got(?! (?:this|you|it)\b)|made|"
            r"built|found|lost|had|took|attended|adopted|volunteered|graduated|married|learned|"
            r"learnt|read|watched|wrote|ran|played|tried|saw|helped|received|signed|passed"
            r"|failed)\b",
            rf"\b(?:i've|we've|i have|we have) {_ADVERBS}(?:been|had|known|started|"
            r"lived|worked|joined|finished|tried|moved)\b",
            r"\bbeen \w+ing\b.*\b(?:for|since|lately)\b|\b(?:my|our) trips?\b",
            "我.{0,16}(?:[去买做写读看听学玩跑参跟遇收搬换考得跳吃喝](?:过|了)|参加|收到|遇到|入选|发现|品尝)",
            "(?:今天|昨天|前天|上周|上个?月|去年|刚刚?|最近).{0,20}(?:[去买做写读看学跑考步](?:了|到)|在[看学做写])|最近.{0,12}困难",
        ),
    ),
    (
        "state",
        _any(
            rf"{_ME} (?:have|own|use|run|keep|need|struggle|am working|usually"
            rf"|often)\b(?! (?:your|each|no doubt))",
            rf"\bi(?:'m| am) {_ADVERBS}(?:working|learning|studying|struggling|training|doing"
            rf"|taking|trying to)\b",
            rf"{_MY} (?!pleasure|point|bad)\w+(?: \w+)? (?:is|are|has|have|was|were|loves?"
            rf"|likes?|lives?|works?)\b",
            r"\b(?:he|she|they) (?:love|loves|like|likes|live|lives|work|works|is a|are)\b",
            r"\b(?:helps me|makes me feel|helps with)\b",
            "我.{0,8}(?:有(?!些|点|什么|没有|听)|家里|养了?|会(?:弹|说|做|骑)|一直(?!很)|正在|在学|每[天周月]|经常|常常)",
            "我.{0,16}(?:困惑|有些困难|很紧张|迷茫|失眠|压力)",
            "我的(?!朋友|建议|荣幸).{1,10}(?:是|在|叫|有)|学习.{1,6}(?:有些|很)困难",
        ),
    ),
    (
        "work",
        _any(
            r"\b(?:server|database|api|port|repo|branch|build|deploy\w*|version|config\w*|endpoint"
            r"|timeout|password policy|test suite|service|release)\b.*\b(?:is|are|uses?|runs?"
            r"|needs?"
            r"|listens?|lives?|requires?|has|was|moved)\b",
            "(?:服务器?|数据库|接口|端口|仓库|分支|部署|版本|配置|环境|测试|服务|项目).{0,12}(?:是|用|在|跑|需要|为|有)",
        ),
    ),
)  # fmt: skip
"""What a clause tells, the most telling first."""

COURTESY = _any(
    r"\byour (?:support|advice|help|kindness|encouragement|words)\b|\bthanks? (?:you|for)\b",
    r"\b(?:good luck|fingers crossed|keep it up|you got this|here for you|congrat\w*|way to go)\b",
    r"\bi(?:'ll| will) (?:keep|try|let|check|be|do|make sure|look)\b|\blet's (?:continue|keep)\b",
    r"\blet me know\b|\bi wish (?:i|you)\b|\bglad (?:i|we|you|to)\b|\bby the way,? (?:i've got"
    r"|check)",
    "(?:谢谢|感谢)(?:你|您)|你的(?:建议|帮助|陪伴|支持|话)|我会(?:注意|尝试|努力|尽力|认真|记住|虚心|去看)",
    "我(?:一定|尽量)会?|祝(?:你|您)|希望(?:你|您|能)|和你.{0,4}(?:分享|聊|谈)|想分享|跟我聊",
)
"""Polite, and of no use to a later session."""

EMPTY = _any(
    r"^(?:we got this|i (?:see|understand|agree|know|hope|guess|mean)|we all)\b",
    r"^(?:i|we) (?:had|have) (?:a )?(?:good|great|fun|no)\b.{0,12}$|\bi'm (?:here|glad"
    r"|happy) (?:for|to)\b",
    "^(?:我(?:也)?(?:知道|明白|理解|同意|觉得|认为|相信)|我可以|我很乐意|我建议|如果你|你可以)",
)
"""Begins that tell nothing, whatever follows."""

OF_AN_ASSISTANT = frozenset({MemoryType.DECISION, MemoryType.LESSON})
