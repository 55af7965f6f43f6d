"""The vocabulary of time in English and Chinese, and what its patterns are made of.

A new word is an entry of a table. Patterns meet folded text with single spaces. Their lookarounds
hold what looks like a time and is none: 光明天地, 周边, 5月饼, "march 5 miles".
They are strings: compiling them all takes 25 ms, which a start can do without.
"""

import re
from collections.abc import Iterable, Mapping

# fmt: off
DAYS: Mapping[str, int] = {
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "today": 0,
    "tomorrow": 1, "the day after tomorrow": 2, "day after tomorrow": 2,
    "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "今天": 0, "今日": 0,
    "明天": 1, "明日": 1, "后天": 2, "大后天": 3,
}
PARTS: Mapping[str, tuple[int, int]] = {
    "morning": (5, 12), "afternoon": (12, 18), "evening": (18, 29), "night": (18, 29),
    "凌晨": (0, 6), "清晨": (5, 12), "早晨": (5, 12), "早上": (5, 12), "上午": (5, 12),
    "中午": (11, 14), "下午": (12, 18), "傍晚": (17, 20), "晚上": (18, 29), "晚间": (18, 29),
    "夜里": (18, 29), "深夜": (18, 29), "半夜": (18, 29),
}
"""Hours of the parts of a day; an evening lasts until the next morning begins, at five."""
DAY_PARTS: Mapping[str, tuple[int, str]] = {
    "tonight": (0, "night"), "last night": (-1, "night"), "this morning": (0, "morning"),
    "this afternoon": (0, "afternoon"), "this evening": (0, "evening"),
    "今早": (0, "早上"), "今晨": (0, "早上"), "今晚": (0, "晚上"), "今夜": (0, "晚上"),
    "昨晚": (-1, "晚上"), "昨夜": (-1, "晚上"), "前晚": (-2, "晚上"),
    "明早": (1, "早上"), "明晚": (1, "晚上"),
}
UNITS: Mapping[str, str] = {
    "minute": "minute", "hour": "hour", "day": "day", "week": "week", "month": "month",
    "quarter": "quarter", "year": "year",
    "分钟": "minute", "小时": "hour", "钟头": "hour", "天": "day", "日": "day", "周": "week",
    "星期": "week", "礼拜": "week", "月": "month", "个月": "month", "季度": "quarter", "年": "year",
}
HALVES: Mapping[str, tuple[str, int]] = {
    "hour": ("minute", 30), "day": ("hour", 12), "month": ("week", 2), "quarter": ("week", 6),
    "year": ("month", 6),
}
TURNS: Mapping[str, int] = {
    "last": -1, "previous": -1, "this": 0, "current": 0, "next": 1, "coming": 1,
    "before last": -2, "after next": 2,
    "上上": -2, "上": -1, "这": 0, "本": 0, "当": 0, "下": 1, "下下": 2,
}
WHICH: Mapping[str, str] = {
    "": "", "last": "last", "previous": "last", "this": "this", "next": "next",
    "上": "last", "这": "this", "下": "next",
}
YEARS: Mapping[str, int] = {
    "last year": -1, "this year": 0, "next year": 1,
    "大前年": -3, "前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2,
}
MONTHS: Mapping[str, int] = {
    "jan": 1, "feb": 2, "mar": 3, "apr": 4, "may": 5, "jun": 6, "jul": 7, "aug": 8, "sep": 9,
    "oct": 10, "nov": 11, "dec": 12,
}
WEEKDAYS: Mapping[str, int] = {
    "mon": 0, "tue": 1, "wed": 2, "thu": 3, "fri": 4, "sat": 5, "sun": 6,
    "一": 0, "二": 1, "三": 2, "四": 3, "五": 4, "六": 5, "日": 6, "天": 6,
}
STRETCHES: Mapping[str, tuple[int, int]] = {
    "spring": (3, 3), "summer": (6, 3), "autumn": (9, 3), "fall": (9, 3), "winter": (12, 3),
    "q1": (1, 3), "q2": (4, 3), "q3": (7, 3), "q4": (10, 3),
    "first half": (1, 6), "second half": (7, 6),
    "春": (3, 3), "夏": (6, 3), "秋": (9, 3), "冬": (12, 3),
    "一": (1, 3), "二": (4, 3), "三": (7, 3), "四": (10, 3), "上": (1, 6), "下": (7, 6),
    "1": (1, 3), "2": (4, 3), "3": (7, 3), "4": (10, 3),
}
"""First month and number of months. Seasons are the northern; a winter is of the year it begins."""
THIRDS: Mapping[str, int] = {
    "early": 0, "beginning of": 0, "start of": 0, "mid": 1, "middle of": 1, "late": 2, "end of": 2,
    "初": 0, "上旬": 0, "中旬": 1, "下旬": 2, "底": 2, "末": 2,
}
ORDINALS: Mapping[str, int] = {"first": 1, "second": 2, "third": 3, "fourth": 4, "last": 5}
NUMBERS: Mapping[str, int] = {
    "a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "couple of": 2, "three": 3, "four": 4,
    "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
    "few": 5, "几": 5,
    **ORDINALS,
}
# fmt: on
_DIGITS = "零一二三四五六七八九"


def number(words: str) -> int:
    """Of "12", "twelve", 十二, 一百二十 or, digit by digit, 二〇二四."""
    if words.isdecimal():
        return int(words)
    if words in NUMBERS:
        return NUMBERS[words]
    numerals = words.replace("〇", "零").replace("两", "二")
    if not re.search("[十百]", numerals):
        return int("".join(str(_DIGITS.index(numeral)) for numeral in numerals))
    total = pending = 0
    for numeral in numerals:
        if numeral in "十百":
            total += (pending or 1) * (10 if numeral == "十" else 100)
            pending = 0
        else:
            pending = _DIGITS.index(numeral)
    return total + pending


def any_of(words: Iterable[str]) -> str:
    """An alternation in which a longer word wins over its own beginning."""
    return "|".join(sorted(words, key=len, reverse=True))


def latin(words: Iterable[str]) -> str:
    return any_of(word for word in words if word.isascii())


def han(words: Iterable[str]) -> str:
    return any_of(word for word in words if not word.isascii())


def english(pattern: str) -> str:
    """Whole words only, and never a piece of a path, version, address or identifier."""
    return rf"(?:(?<=mid-)|(?<![a-z0-9_./:@#$-]))(?:{pattern})(?![a-z0-9_]|[./:-][a-z0-9])"


# What follows a number that counts things, so that it is no year and no day of a month.
NOT_A_COUNT = (
    r"(?! ?(?:(?:to|and|-|–) ?\d+ ?)?(?:%|[个条行次人字项名元万亿]|"
    r"(?:tokens?|bytes?|[kmg]b|ms|px|miles?|km|meters?|times|steps?|people|users?|items?|files?|"
    r"lines?|words?|rows?|records?|requests?|dollars?|usd|percent|points?|calories|pages?)\b))"
)
# "may" before a verb is no month.
_NO_VERB = (
    r"(?! (?:not|be|have|has|also|well|still|only|just|need|want|use|like|help|get|take|cause|"
    r"change|happen|fail|differ|contain|include|require|vary|lead|seem|become|make|go|i|we|you)\b)"
)
_COUNTS = rf"\d{{1,4}}|{latin(set(NUMBERS) - set(ORDINALS) - {'few'})}|half an?"
COUNT = f"(?P<n>{_COUNTS})"
COUNT_OR_FEW = f"(?P<n>few|{_COUNTS})"
UNIT = r"(?P<unit>minute|hour|day|week|month|quarter|year)s?"
TURN = "(?P<turn>(?<!the )(?:last|previous|this|next)|current|coming)"
SEASON = "(?P<stretch>spring|summer|autumn|fall|winter)"
STRETCH = f"(?:the )?(?P<stretch>{latin(STRETCHES)})"
YEAR_DIGITS = rf"(?:1[89]|20)\d\d{NOT_A_COUNT}"
YEAR = f"(?P<year>{YEAR_DIGITS}|(?:last|this|next) year)"
OF_YEAR = rf"(?: ?, ?| (?:of )?){YEAR}"
MONTH = (
    rf"(?P<month>jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may{_NO_VERB}|june?|july?|"
    r"aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\.?"
)
DAY = rf"(?P<day>[0-3]?\d)(?:st|nd|rd|th)?{NOT_A_COUNT}"
WEEKDAY = (
    r"(?P<weekday>mon(?:day)?|tues?(?:day)?|wed(?:nesday)?|thu(?:rs?(?:day)?)?|fri(?:day)?|"
    r"saturday|sunday)"
)
ISO_MONTH = r"(?P<year>(?:19|20)\d\d)-(?P<month>0[1-9]|1[0-2])"
ISO_DAY = (
    r"(?P<year>(?:19|20)\d\d)(?P<sep>[-/])(?P<month>[01]?\d)(?P=sep)(?P<day>[0-3]?\d)"
    r"(?:t\d\d:\d\d(?::\d\d)?z?)?"
)

NUMERAL = "一二三四五六七八九十"
COUNT_ZH = rf"(?<![\d.第{NUMERAL}百两零半多])(?P<n>\d{{1,3}}|半|[{NUMERAL}两百零]{{1,5}})"
UNIT_ZH = r"个?(?P<unit>分钟|小时|钟头|天|日|周|星期|礼拜|个月|季度|年)"
TURN_ZH = r"(?<![马晚早乡日上下])(?P<turn>上上|下下|上|下|这|本|当)一?个?"
YEAR_ZH = (
    rf"(?P<year>(?<![光证说声之以目面当往大])(?:{han(YEARS)})(?![级轻纪龄画货])"
    r"|(?<!\d)[12]\d{3}年(?![级代])"
    rf"|(?<![{NUMERAL}〇零])[一二][一二三四五六七八九〇零]{{3}}年(?![级代]))"
)
NO_MONTH_ZH = r"(?:[饼球亮光色牙台]|怀胎|[红花艾](?!费)|天(?!气))"
MONTH_ZH = rf"(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月(?!{NO_MONTH_ZH})份?"
OPEN_MONTH_ZH = rf"(?<![\d年第个./{NUMERAL}]){MONTH_ZH}"
DAY_ZH = (
    r"(?P<day>3[01]|[12]\d|0?[1-9]|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九])[日号]"
)
OPEN_DAY_ZH = rf"(?<![\d月年第.{NUMERAL}]){DAY_ZH}(?![本语元楼线码店院馆门机称召])"
WEEK_ZH = r"(?:周(?![边围到转期刊年遭长])|星期|礼拜(?!堂))"
WEEKDAY_ZH = (
    rf"(?P<weekday>[一二三四五六](?![{NUMERAL}个次天条件名位场份人项年月起直定些样般共期半百千万])"
    r"|日(?![本语元志报程期常记])|天(?![气空津文色黑亮冷热]))"
)
SEASON_ZH = "(?P<stretch>[春夏秋冬])[天季]"
STRETCH_ZH = (
    "第?(?P<stretch>[春夏秋冬](?=[天季])|[一二三四1-4](?=季度)|[上下](?=半年))(?:季度|[天季]|半年)"
)
