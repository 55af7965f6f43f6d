"""The words that ``values`` knows: what carries no value, what is spelt two ways, what sentences
are about, and which attributes have one value at a time.

Rows are few on purpose. A missing row keeps two memories that say the same; a wrong one merges two
that do not, and a fact is lost. So a row belongs here only if swapping or dropping the word never
changes a value. Plurals differ (a cat is not cats), and so do tenses and "I" and "the user".
"""

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeAlias

from hindsight_memory.core.script import SPACELESS

Rewrites: TypeAlias = tuple[tuple[re.Pattern[str], str], ...]


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


LIKING = _set("like likes")
SYNONYMS: Mapping[str, str] = MappingProxyType(
    {
        "love": "like",
        "loves": "likes",
        "enjoy": "like",
        "enjoys": "likes",
        "prefer": "like",
        "prefers": "likes",
        "utilize": "use",
        "utilizes": "uses",
        "utilise": "use",
        "utilises": "uses",
        "e-mail": "email",
        "favourite": "favorite",
        "colour": "color",
        "grey": "gray",
        "okay": "ok",
    }
)
CONTRACTIONS: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "cannot": ("can", "not"),
        "can't": ("can", "not"),
        "won't": ("will", "not"),
        "shan't": ("shall", "not"),
        "i'm": ("i", "am"),
    }
)
CONTRACTED: Mapping[str, str] = MappingProxyType(
    {"n't": "not", "'re": "are", "'ve": "have", "'ll": "will"}
)
"""By ending. 's and 'd are left alone: they have two readings each."""

VERBS = _set(
    "accept add allow answer approve ask attend avoid belong block build buy call carry change"
    " check choose close collect come commute connect contain coordinate cost create default"
    " deliver depend deploy design develop dislike drink drive eat enable enjoy expect expire fail"
    " follow get give go handle hate help hold host improve include install join keep know lead"
    " learn leave like listen live log love maintain make manage mean measure meet migrate monitor"
    " move need offer open oversee own parse pay play point practice prefer process provide publish"
    " raise read receive recommend refuse release remember replace report require reside resolve"
    " respond return review run save say schedule see sell send serve show sleep speak spend start"
    " stay stop store study suggest support switch take talk teach tell think throw track train"
    " travel trust try understand upgrade use utilise utilize validate visit volunteer want watch"
    " wear weigh work write"
)
"""What a subject can do. No surnames or given names (Mark, Chase, Wait) among them."""
_PASTS = _set(
    "ate began bought broke built came chose did drank drove flew forgot found gave got grew"
    " held kept knew led left lost made met paid ran said saw sent sold spent spoke taught told"
    " took thought went won wrote understood wore quit let overcame became"
)


def _third_person(verb: str) -> str:
    if re.search(r"(?:[sxz]|[cs]h|o)$", verb):
        return f"{verb}es"
    return re.sub(r"(?<![aeiou])y$", "ie", verb) + "s"


def _past(verb: str) -> str:
    return re.sub(r"(?<![aeiou])y$", "i", verb).removesuffix("e") + "ed"


BASE: Mapping[str, str] = MappingProxyType({_third_person(verb): verb for verb in VERBS})
AUXILIARIES = _set(
    "am is are was were has have had do does did can could may might must shall should will would"
)
FINITE = AUXILIARIES | _PASTS | frozenset(BASE) | frozenset(map(_past, VERBS))
PERSONS = _set("user he she it i we you they")
"""After one of these a verb cannot be a noun: "user stores", but not "the stores"."""
PREPOSITIONS = _set(
    "about after against as at because before between but by during for from if in into near of on"
    " once or over per since so than that through to toward under unless until via when where which"
    " while who with within without and not never"
)
"""With conjunctions and negations: where a noun phrase ends."""
DETERMINERS = _set("a an the my your his her its our their this that these those")
REPORTING = _set(
    "say says said think thinks thought know knows knew believe believes believed note noted"
    " remember remembers remembered mention mentions mentioned decide decided agree agreed"
)
UNITS = _set("second minute hour day week month year time item percent meter mile")
"""After a number their plural says nothing: 5 minute and 5 minutes."""
LEADING = _set("now currently today actually so well btw fyi and but please note")
"""Before a subject, and no part of it."""
SUBJECT_WORDS = 16
"""Where no verb has come by then, nobody can say what the clause is about."""
INTRODUCTION_WORDS = 4
"""A first clause of no more may only introduce: "Currently, Bob works at Google"."""
ADVERBS = _set(
    "now currently always usually often really just still already also probably finally recently"
    " never only then later soon"
)
"""Between a subject and its verb."""
CLAUSAL = _set(
    "because if when while before after since until unless that which who where what how why not"
)
"""Inside what looks like a subject: it is none."""
USER = "user"
USERS = _set("user i me 我 用户 本人")
"""All of them are the person whose memory this is, in either language."""

NEGATORS = _set("no not never nope 不 没 别 否 勿 非")
DENIAL_WORDS = 3
"""A clause with a negator and no more words than this answers what was said before."""
UNCERTAIN = NEGATORS | _set(
    "if unless when whenever while maybe perhaps may might would could should will sometimes often"
    " usually also too either or both was were had did used formerly previously until than ? 若 吗"
)
"""Beside one of these, another value need not contradict the first."""
UNCERTAIN_CHINESE = re.compile(
    "如果|要是|除非|可能|也许|大概|有时|经常|偶尔|也|还|或|曾|以前|之前|昨|去年|了|过|将|会(?=[在去来用搬换改是有住到把被])"
    "|(?<!主)要|想|打算"
)
DEICTIC = _set("it them there here this that same other another more 这 那 它 他 她 其")
VALUE_WORDS = 6
"""A longer value is a description, of which more than one can be true."""

ATTRIBUTE = _set(
    "name surname nickname username age birthday birthdate height weight timezone email address"
    " number port password version host hostname domain url uri endpoint color theme status state"
    " price cost budget salary deadline timeout ttl limit threshold quota size capacity branch"
    " region locale location hometown interval period rate score id"
)
"""Heads of a subject that has one of each at a time."""
SINGULAR = _set("favorite preferred default primary main current")
"""A subject with one of these has one value too: favourite drink, default editor."""
SLOTS: Mapping[tuple[str, ...], bool] = MappingProxyType(
    {
        ("listen", "on"): True,
        ("live", "in"): True,
        ("live", "at"): True,
        ("reside", "in"): True,
        ("work", "at"): True,
        ("work", "for"): True,
        ("report", "to"): True,
        ("default", "to"): True,
        ("point", "to"): True,
        ("resolve", "to"): True,
        ("belong", "to"): True,
        ("expire", "on"): True,
        ("is", "located", "in"): True,
        ("is", "based", "in"): True,
        ("is", "named"): True,
        ("is", "called"): True,
        ("is", "set", "to"): True,
        ("is", "owned", "by"): True,
        ("is", "assigned", "to"): True,
        ("is", "scheduled", "for"): True,
        ("is", "due", "on"): True,
        ("is", "hosted", "on"): True,
        ("is", "at"): False,
        ("run", "on"): False,
        ("cost",): False,
        ("weigh",): False,
        ("start", "at"): False,
        ("end", "at"): False,
        ("open", "at"): False,
        ("close", "at"): False,
        ("is",): False,
    }
)
"""Predicates with one value at a time. True: it may be a name; False: only something with digits.
"is" takes names when the subject is an attribute."""

UNNAMED = _set(
    "he she it we you they this that these those there 他 她 它 他们 她们 你 您 我们 这 那"
)

VERB_TAGS = _set("v vd vi p d zg t")
"""Parts of speech that end a Chinese subject: verbs, prepositions, adverbs, times."""
LEADING_TAGS = _set("t f c d")
VERBAL_NOUNS = _set("监听 管理 维护 使用 支持 负责 领导 依赖 控制 学习 研究 从事 过敏")
"""What the tagger calls nouns, and is the verb when it follows a noun."""
_OWNER = "服务|服务器|数据库|系统|项目|网站|集群|网关|应用|接口|团队|公司|用户|客户"
_ATTRIBUTE = (
    "名字|姓名|昵称|用户名|年龄|生日|身高|体重|时区|邮箱|地址|电话|手机号?|端口|密码|版本|域名|主机|网址"
    "|颜色|主题|状态|价格|预算|工资|职位|负责人|经理|上司|截止日期|截止时间|超时时间|超时|上限|下限|饮食"
)
OWNED_CHINESE = re.compile(rf"(.+)的(?:{_ATTRIBUTE})|(我|用户)(?:{_ATTRIBUTE})")

_CLAUSE_START = r"(?:(?<=[,.;:!?。、\n])|^)"
_CLAUSE_END = r"(?=\s*(?:[,.;:!?。、\n]|$))"
_NO_VERB = r"(?:用户|[^给用是有把在让被不没,.;:!?。、\n])*?"
SPELLINGS_CHINESE: Rewrites = ((re.compile(rf"(?<=[{SPACELESS}])[^\S\n]+(?=[{SPACELESS}])"), ""),)
MEANINGS_CHINESE: Rewrites = SPELLINGS_CHINESE + tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        ("使用(?![户者人])", "用"),
        ("喜爱|偏爱|(?<!不)偏好|(?<![可恋])爱(?=[吃喝用看听玩读写打])", "喜欢"),
        ("(?<!不)(?:很|非常|特别|十分|真的)(?=喜欢)", ""),
        ("(?<=喜欢)用(?![户者人餐])", ""),
        ("居住(?:在|于)|住在", "住"),
        ("叫做|叫作|名叫", "叫"),
        ("电子邮箱", "邮箱"),
        ("(?<=手机号)码|(?<=端口)号|(?<=版本)号", ""),
        # Not 请 = invite: 请用户, 请在座的人, 请记者.
        (
            f"{_CLAUSE_START}请(?=用(?!户)|不要|别|勿|在(?![座场])|以后|始终|务必|确保|回答|回复)",
            "",
        ),
        (f"{_CLAUSE_START}请(?=记住|记得)", ""),
        # Elsewhere 的 may make a clause an attribute: 他给我的密码 is not 他给我密码.
        (rf"{_CLAUSE_START}({_NO_VERB}(?:{_OWNER})|[我你您他她它])的(?={_ATTRIBUTE})", r"\1"),
        (f"(?<![毛花])[呢啊呀哦嘛]{_CLAUSE_END}", ""),
        (f"啦{_CLAUSE_END}", "了"),
    )
)
"""In order. 了 stays: 我不吃辣了 is news. 吧 stays: it doubts, and 酒吧 is not 酒."""

_WHO = "(?:[^的,;]{1,20}?)"
_NAME = "(?P<value>[^的地得和与及或不没非,;?]{1,20})"
_AMOUNT = r"(?P<value>[^的,;?]{0,6}?\d[^的,;?]{0,12})"
_ROLE = (
    "(?:高级|资深|初级|首席)?(?:软件|硬件|产品|项目|销售|市场)?"
    "(?:工程师|经理|总监|设计师|分析师|程序员|顾问|员工|实习生)"
)
SLOTS_CHINESE: tuple[tuple[re.Pattern[str], bool], ...] = tuple(
    (re.compile(pattern), _AMOUNT not in pattern)
    for pattern in (
        rf"[^,;]{{0,20}}(?:{_ATTRIBUTE})(?:是|为|叫|改为|改成|设为|设置为){_NAME}",
        rf"[^,;]{{0,20}}(?:{_ATTRIBUTE}){_AMOUNT}",
        rf"[^,;]{{1,12}}(?:最喜欢|默认|首选)的?[^的是,;]{{1,8}}(?:是|为){_NAME}",
        rf"{_WHO}(?:住|位于|常驻|现居){_NAME}",
        rf"{_WHO}(?:就职|任职|供职)于{_NAME}",
        rf"{_WHO}(?<![正现存])在(?!周|星期|早|晚|上午|下午|夜){_NAME}(?:工作|上班|任职|就职)",
        rf"{_WHO}是{_NAME}的(?:{_ROLE})",
        rf"{_WHO}由{_NAME}(?:负责|维护|管理)",
        rf"{_WHO}(?:指向|汇报给|属于){_NAME}",
        rf"{_WHO}(?:监听|运行在|定在|定于|安排在|设为|设置为|是|为){_AMOUNT}",
    )
)
"""The same in Chinese, over a whole clause; the last of a pair says whether a name will do."""
