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
_WO = "(?<![自让对给跟与向使帮教])(?<!(?<!因)为)(?<!(?<!现)在)我(?!们都|并?不|没)"
"""我 as who does something: 自我 and 让我 are not."""

_CLOSE_TO_ME = (
    r"(?:kids?|child(?:ren)?|sons?|daughters?|wife|husband|partner|mom|mum|mother|dad|father"
    r"|parents?|sisters?|brothers?|siblings?|cousins?|aunts?|uncles?|grand\w+|fam(?:ily)?|dogs?"
    r"|cats?|pup(?:s|py|pies)?|pets?|girlfriend|boyfriend|fianc\w+|roommates?|neighbou?rs?"
    r"|mentees?|mentors?|students?|boss|colleagues?|co-?workers?|team(?:mates?)?|company|doctor"
    r"|coach|trips?|vacation|wedding|birthday|hometown)"
)
_CLOSE_TO_ME_CHINESE = (
    "(?:爸爸|妈妈|父母|爸妈|父亲|母亲|老公|老婆|丈夫|妻子|儿子|女儿|孩子|哥哥|姐姐|弟弟|妹妹|爷爷|奶奶"
    "|男朋?友|女朋?友|老板|上司|领导|同事|公司|单位|学校|老师|导师|家里|家人|室友|邻居)"
)
_NOT_NEWS = (
    r"(?:agreed|appreciated|needed|wished|hoped|wanted|noticed|guessed|figured|mentioned|asked"
    r"|believed|promised|thanked|missed|talked|chatted|looked|seemed|sounded|supposed|excited|amazed"
    r"|honou?red|thrilled|stoked|interested|pleased|delighted|impressed|touched|relieved)"
)
"""Past forms that tell what somebody felt or said in this conversation."""

_RULED = (
    r"(?:^\s*(?:please |and |but |so )?|\b(?:i|we|you (?:should|must)|is|are|should|must|can|may"
    r"|will|to be|runs?) )"
)
"""What stands before "always" and "never" where they are a rule, and no praise."""

_NO_RULE = (
    r"(?:an?|the|such|so|been|being|there|here|fun|nice|great|good|worth|happy|up for|on the"
    r"|look\w*|remember|remind\w*|wanted|dream\w*|hopeful|exciting|amazing|awesome|rewarding"
    r"|inspiring|help me|be there|love\w*|liked|enjoy\w*|welcome|proud|open|a\w+ing)\b"
)
_NEVER_YET = (
    r"(?:forget|forgot|know\w*|been|seen|thought|heard|gonna|tried|imagined|had|too|ends?|got|met"
    r"|felt|let|realized|expected|read|played|gets?|stops?|fails|give up)\b"
)
_SUPPOSED = (
    r"(?:have|feel|love|add|look|seem|mean|enjoy|miss|know|sound|see|say|admit"
    r"|be (?:\w+ly |so |very )?(?!(?:in|at|on|of|under|over|below|above|less|more|no|done|kept|sent"
    r"|set|run|written|paid)\b|(?!excit|thrill|tir|pleas|amaz|delight|exhaust|stok|relax|satisf"
    r"|overwhelm|interest)\w+[^e\W]ed\b))"
)
"""What follows "must" where somebody guesses, and demands nothing: must be fun, must have been."""

TELLING: tuple[Row, ...] = (
    (
        "identity",
        _any(
            r"\bmy name(?:'s| is)\b|\bcall me (?!(?:at|when|if|later|back|any\w*|crazy)\b)\w",
            r"\bi(?:'m| am) (?:a|an|from|originally)\b|\bi(?:'m| am) \d+\b(?! ?%)",
            r"\bi (?:work|live|study|teach)\b|\bwhere i (?:grew|was born)\b",
            r"\bas an? (?:\w+ ){1,3}fan\b",
            "我(?:的名字)?[叫是](?!否|不是)|我姓|我今年|叫我.{1,8}吧|我(?:住在?|来自|在.{1,12}(?:工作|上班|上学|读书))",
            "我.{0,8}的?生日",
        ),
    ),
    (
        "constraint",
        _any(
            r"\ballerg|\b(?:mustn't|don't ever|do not|don't use)\b.*\w",
            rf"{_RULED}(?:always (?!{_NO_RULE})|never (?!{_NEVER_YET}))\w",
            rf"\bmust (?!(?:\w+ly )?{_SUPPOSED}\b)\w",
            r"\bfrom now on\b|\bno longer\b|\bstopped \w+ing\b|\bgave up\b|(?<!n't )\bquit\b"
            r"|\bon a diet\b",
            "过敏|忌口|(?<!我)必须|不要|不能|不许|不吃|不喝|以后.{0,4}(?:都|(?<!可以)请|用|要|别)|戒[了掉]",
            "不再(?!那么|这么|感到)|一律|禁止|务必",
        ),
    ),
    (
        "preference",
        _any(
            rf"{_ME} {_ADVERBS}(?:like|love|loved|enjoy|enjoyed|prefer|hate|dislike|adore|fancy"
            r"|admire)\b(?! (?:that you|how|your|what you|to (?:see|hear|say|know|get)|(?:it|them"
            r"|this|to)\W*$))",
            rf"{_MY} (?:\w+ )?favou?rite\b|\binto \w+ing\b|\bfan of\b|\bone of the reasons i\b",
            r"\bi(?:'m| am) (?:more |really |so )?(?:into|fond of|passionate about|obsessed)\b",
            f"{_WO}(?!会).{{0,12}}(?:(?<!被人)喜欢|喜爱|热爱|热衷|偏爱|讨厌|不爱|最爱|爱(?:好|看|听|吃|喝|玩)|倾向于|感兴趣)",
            "我不(?:太|是很)?喜欢|我的爱好|对.{1,12}越来越感兴趣",
        ),
    ),
    (
        "decision",
        _any(
            r"\b(?:decided|agreed (?:to|on|that)|settled on|(?<!you )chose|(?<!you )picked(?! up)"
            r"|(?:i'm|we're|are|am) going with|will use|switched to)\b",
            r"\bwe(?:'ll| will) (?:use|go with|keep (?!\w+ing)|move)\b",
            "(?:^|我们?|团队|公司|最[终后]|已经?|一致|经过).{0,6}(?<![没的出])(?:决定|选定|敲定|(?<!会)选择)",
            "改用|采用|定了|换成",
        ),
    ),
    (
        "plan",
        _any(
            rf"{_ME} {_ADVERBS}(?:plan|planning|hope to|want to|aim|intend"
            rf"|going to)\b(?! (?:let|be here))",
            r"\bon my list\b|\bi(?:'d| would) love to\b(?! (?:see|hear|get|know|chat|meet|check))",
            r"\blooking forward to (?:my|our|the|having)\b",
            r"\bmy (?:\w+ )?(?:goal|dream|plan) (?:is|was)\b",
            f"{_WO}.{{0,8}}(?:打算|计划|准备(?!好)|想去|想要?(?:[写学买做读看换搬]|找(?!一[些个点]))|要去|将要|即将)",
            "在计划|(?:^|最近)打算|(?:最近|一直).{0,4}(?:在?考虑|想要?[写学买做读找换搬])",
        ),
    ),
    (
        "event",
        _any(
            rf"{_ME} {_ADVERBS}(?:went|visited|met|moved|started|began|joined|finished|won(?!')"
            rf"|bought|got(?! (?:(?:you|it)\b|this\W*$))|made|"
            r"built|found|lost|had|took|attended|adopted|volunteered|graduated|married|learned|"
            r"learnt|read|watched|wrote|ran|played|tried|saw|helped|received|signed|passed"
            r"|failed|grew up|set up|gave|sold|broke|drove|flew|hosted|spent|held|led"
            r"|did(?= (?:recently|yesterday|last|an?|the|some|my)\b)|were (?:\w+ )?(?:at|in|near|on"
            r"|able)|was (?:\w+ )?(?:at|in|able))\b",
            rf"\b(?:i|we) {_ADVERBS}(?!{_NOT_NEWS}\b)\w+[^e\W]ed\b",
            rf"\b(?:i've|we've|i have|we have) {_ADVERBS}(?:been|had|known|started|"
            r"lived|worked|joined|finished|tried|moved|made)\b",
            r"\b(?:they|he|she) (?:asked|offered|invited|hired|promoted|gave|told) me\b",
            r"\bbeen \w+ing\b.*\b(?:for|since|lately)\b|\b(?:my|our) (?:\w+ ){0,3}trips?\b",
            f"{_WO}.{{0,16}}(?:[去买做写读看听学玩跑参跟遇收搬换考得跳吃喝](?:过|了))",
            f"{_WO}(?!.{{0,6}}[会将想敢]).{{0,14}}(?:参加|收到|遇到|入选|发现|品尝)",
            f"{_WO}(?!.{{0,6}}(?<!学)[会将想]).{{0,12}}(?:学会|完成|注册|申请|通过|得到|参观|开始|加入|制定|辞|拿到|组了|尝试(?:了|过|学))",
            "我[看去读买学玩写做吃用听]的是|我(?:曾经?|以前|小时候)",
            "(?:今天|昨天|前天|上周|上个?月|去年|刚刚?|最近).{0,20}(?:[去买做写读看学跑考步](?:了|到)|在[看学做写])|最近.{0,12}困难",
            f"(?:(?:最近|近来).{{0,6}}{_CLOSE_TO_ME_CHINESE}|{_CLOSE_TO_ME_CHINESE}.{{0,4}}最近).{{0,8}}(?:[出给让搬病要举]|业绩)",
        ),
    ),
    (
        "state",
        _any(
            rf"{_ME} (?:(?:have|own|use|run|keep|struggle|am working|usually"
            rf"|often)(?= \w)|need(?! to)(?= \w))\b(?! (?:your|each|no doubt))|\bi need to\b",
            rf"\bi(?:'m| am) {_ADVERBS}(?!(?:looking forward|hoping|wondering|kidding|feeling|being"
            r"|going|loving|sending|talking|saying|guessing|thinking|rooting|cheering)\b)\w+ing\b",
            rf"{_ME} .*\b(?:every|each) (?:day|week|month|year|morning|night|weekend|summer)\b",
            rf"{_ME} .*\b(?:once|twice|times) a (?:day|week|month|year)\b",
            rf"{_MY} (?!pleasure|point|bad)\w+(?: \w+)? (?:is|are|has|have|was|were|loves?"
            rf"|likes?|lives?|works?)\b",
            rf"\bmy (?:\w+ ){{0,2}}{_CLOSE_TO_ME}\b",
            r"\bour (?:\w+ )?(?:wedding|company|team|dog|cat|pup|son|daughter|trip|vacation)\b",
            r"\b(?:he|she|they) (?:love|loves|like|likes|live|lives|work|works|is a|are)\b",
            r"\b(?:helps me|makes me feel|helps with|keeps me|motivates me|gives me)\b",
            f"{_WO}.{{0,8}}(?:有(?!些|点|什么|没有|听|你|机会|兴趣|.{{0,3}}(?:疑[惑问]|问题|烦恼))|家里|养了?|会(?:弹|说|做|骑)|一直(?!很)|正在|在学)",
            f"{_WO}.{{0,8}}(?:每[天周月次]|经常|常常|通常|一般|平时|周末|习惯|在(?:练|写|玩|收藏|追|找|研究|考虑))",
            "(?:有时候?|周末|平时).{0,6}会[去做看听在自跟和]|我会先|(?:最近|近来).{0,6}(?:也|还|正)?在(?!想)[练写玩收追找研]",
            "(?:最近|近来|这几天|一直).{0,6}(?:压力|疲[惫劳倦]|焦虑|失眠|睡眠|没有?精神|很忙|孤独)",
            f"^(?!.*今天).*{_WO}.{{0,16}}(?:困惑|有些困难|很紧张|迷茫|失眠|压力)",
            "我的(?!朋友$|建议|荣幸).{1,10}(?:是|在|叫|有|把|给|要|来自)|学习.{1,6}(?:有些|很)困难",
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

TYPES = {"preference": MemoryType.PREFERENCE, "decision": MemoryType.DECISION}
"""What a clause with such a cue is, where the words of the sentence do not tell."""

COURTESY = _any(
    r"\byour (?:support|advice|help|kindness|encouragement|words)\b|\bthanks? (?:you|for)\b",
    r"\b(?:good luck|fingers crossed|keep it up|you got this|here for you|congrat\w*|way to go)\b",
    r"\bi(?:'ll| will) (?:keep|try|let|check|be|do|make sure|look)\b|\blet's (?:continue|keep)\b",
    r"\blet me know\b|\bi wish (?:i|you)\b|\bglad (?:i|we|you|to)\b|\bby the way,? (?:i've got"
    r"|check)",
    "(?:谢谢|感谢)(?:你|您)|你的(?:建议|帮助|陪伴|支持|话)|我会(?:注意|尝试|努力|尽力|认真|记住|虚心|去看)",
    "我(?:一定|尽量)会?|祝(?:你|您)|希望(?:你|您|能|我们)|感激你",
    "(?:和|跟|与|向)(?:你|您).{0,6}(?:分享|聊|谈|说说|请教)|想分享|跟我聊|聊聊|请教|听听你",
)
"""Polite, or about this conversation, and of no use to a later session."""

TALK = _any("(?:和|跟|与)(?:你|您)(?:聊天|交流|交谈)|的聊天", r"\btalking (?:to|with) you\b")
"""In a sentence that is about this conversation, whatever else it says."""

EMPTY = _any(
    r"^(?:we got this|i (?:understand|agree|know|hope|guess|mean)|we all)\b",
    r"^i see(?=\W*$| (?:what|how|that|why|you)\b)",
    r"^(?:i|we) (?:had|have) (?:a )?(?:good|great|fun|no)\b.{0,12}$|\bi'm (?:here|glad"
    r"|happy) (?:for|to)\b",
    "^(?:我(?:也)?(?:知道|明白|理解|同意|觉得|认为|相信)|(?:下次|以后)?我也?可以|我很乐意|我建议|如果你|你可以|看来我们)",
    "^(?:那|好的?|现在)?我(?:得|要|该|必须|准备)(?:去|走|离开).{0,10}了$|^现在我?(?:得|要|该|必须)",
)
"""Begins that tell nothing, whatever follows."""

OF_AN_ASSISTANT = frozenset({MemoryType.DECISION, MemoryType.LESSON})
