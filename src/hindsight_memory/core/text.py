"""Words as search sees them: one spelling per word, the terms of a text, and where it may be cut.

``terms`` is what gets indexed and ``query_terms`` what is looked up. How a word is spelt is decided
here and nowhere else, so the two stay in step in every store. English words are stemmed; Chinese
gives its characters, pairs of characters and dictionary words; an identifier gives itself and its
parts. A new kind of term is a function that both call.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from functools import cache, lru_cache
from itertools import groupby, pairwise
from typing import Any

from hindsight_memory.core.script import CJK

_LETTER = rf"[^\W_{CJK}]"
# Strings, compiled by ``re`` on first use: together they would add 10 ms to every start.
_CJK_RUN = f"[{CJK}]+"
_TOKEN = (
    rf"(?P<cjk>[{CJK}]+)"
    rf"|{_LETTER}+(?:[-‐_./\\:@&'’]{{1,3}}{_LETTER}+)*(?:[+#]{{1,2}}(?!\w))?"
)
_COUNTED = rf"(?<!\d)\d+[{CJK}]"
_CAMEL_PART = r"\d+|[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+"
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CLITIC = re.compile(r"'(?:s|m|d|re|ve|ll)$", re.IGNORECASE)
_SEPARATOR = re.compile(r"[-‐_./\\:@&]+")
_SPOKEN = str.maketrans({"+": "plus", "#": "sharp", "’": "'"})  # C++ and C# are not C

# Soft hyphen, fillers, zero-width and bidi controls, variation selectors, tags: in no word.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufff8\U000e0000-\U000e0fff]+"
)
_SURROGATE = re.compile("[\ud800-\udfff]")

DIGIT_JOINT = "ː"
"""Between two numbers of one identifier, so that 2.31 is not 23.1. A letter to every tokenizer:
with punctuation inside, a term would fall apart in one store and stay whole in another."""

WORD_MARK = "w"
"""Before a Chinese dictionary word, which so counts beside the pair of characters it may equal:
as a word 火锅 says more than across a word boundary (CMRC, words alone: R@5 0.799 to 0.808)."""

LONGEST_TERM = 64
"""Characters. What is longer (keys, data URLs) is found by its beginning; nobody types more."""

# Traditional forms that t2s keeps for the sake of one sense; for finding, all senses are one.
_VARIANTS = dict(zip("瞭藉馀覆揹彷锺夥伕擡苧", "了借余复背仿钟伙夫抬苎", strict=True))

_STOP_WORDS = """
a about am an and any are arent as at be been being but by can cant could couldnt did didnt do does
doesnt doing dont done for from had hadnt has hasnt have havent having he her hers him his how i if
in into is isnt it its me mine my of off on or our ours she should shouldnt so some such tell than
that the their theirs them then there these they this those to too us very was wasnt we were werent
what when where which who whom whose why with wont would wouldnt you your yours
的 了 着 过 地 得 吗 呢 吧 啊 呀 哦 么 嘛 是 在 和 与 及 或 跟 有 我 你 您 他 她 它
我们 你们 他们 她们 它们 咱们 这 那 这个 那个 这些 那些 哪 哪个 哪些 哪里 哪儿 哪年 哪一年 哪位
什么 怎么 怎样 怎么样 如何 为什么 为何 多少 几 谁 何 何时 什么时候 时候 请问 是不是 有没有
就 也 都 还 被 把 对 从 到 于 以 为 之 其 而 所 等 个
"""
STOP_WORDS = frozenset(_STOP_WORDS.split())
"""Words that say how something is asked and not what about, as ``_plain_word`` spells them.
"may", "will" and "not" are none: a month, a name, a meaning."""


class _Simplified(dict[int, str]):
    """Code point -> simplified character, learnt one at a time, for ``str.translate``.

    By character, not by phrase: both sides of a search pass through it, so it costs nothing that
    a rare sense shares its character with another, and it is thirty times as fast.
    """

    def __missing__(self, code: int) -> str:
        simplified: str = _traditional_to_simplified()(chr(code))
        self[code] = _VARIANTS.get(simplified, simplified)
        return self[code]


_SIMPLIFIED = _Simplified()


@cache
def _traditional_to_simplified() -> Callable[[str], str]:
    """On first use: loading takes 10 ms, and English never needs it."""
    from opencc import OpenCC

    convert: Callable[[str], str] = OpenCC("t2s").convert
    return convert


@cache
def _dictionary() -> Any:
    """On first use: loading takes 100 ms, and English never needs it."""
    import rjieba

    return rjieba


def segment(text: str) -> list[str]:
    """The dictionary words of a Chinese text, in order; joined they are ``text`` again."""
    words: list[str] = _dictionary().cut(text)
    return words


def tagged(text: str) -> list[tuple[str, str]]:
    """The same, each word with its part of speech (n, v, d ...: the tags of jieba)."""
    words: list[tuple[str, str]] = _dictionary().tag(text)
    return words


def fold(text: str) -> str:
    """One spelling for what reads the same: width, case, script, invisible characters are alike.

    Chinese becomes simplified. Folding twice changes nothing; the result can always be encoded.
    """
    if text.isascii():
        return text.lower()
    return unicodedata.normalize("NFKC", _legible(text).casefold())


def terms(text: str) -> tuple[str, ...]:
    """What a memory is found by, with repeats, because frequency counts.

    Every term is alphanumeric: SQLite's default tokenizer keeps it whole, and it needs no quoting.
    """
    words = _words(text)
    found: list[str] = []
    for token in re.finditer(_TOKEN, words):
        found += _chinese_terms(token[0]) if token["cjk"] else _word_terms(token[0])
    return (*found, *re.findall(_COUNTED, words))


def query_terms(text: str) -> tuple[str, ...]:
    """What to look up, each term once; stop words are left out unless nothing else is asked for."""
    words = _words(text)
    asked = _asked(words, STOP_WORDS) or _asked(words, frozenset())
    return tuple(dict.fromkeys((*asked, *re.findall(_COUNTED, words))))


def _legible(text: str) -> str:
    """Folded, except for case: camelCase still shows its parts."""
    if text.isascii():
        return text
    text = _INVISIBLE.sub("", unicodedata.normalize("NFKC", text))
    text = unicodedata.normalize("NFKC", _SURROGATE.sub("\ufffd", text))
    return re.sub(_CJK_RUN, lambda run: run[0].translate(_SIMPLIFIED), text)


def _words(text: str) -> str:
    return _THOUSANDS.sub("", _legible(text))


def _asked(words: str, stop_words: AbstractSet[str]) -> list[str]:
    asked: list[str] = []
    for token in re.finditer(_TOKEN, words):
        if token["cjk"]:
            asked += _chinese_query_terms(token[0], stop_words)
        elif _plain_word(token[0]).casefold() not in stop_words:
            asked += _word_terms(token[0])
    return asked


def _chinese_terms(run: str) -> Iterator[str]:
    """Single characters too, for a question of one: 辣 finds 麻辣火锅."""
    yield from run
    yield from map("".join, pairwise(run))
    yield from (WORD_MARK + word for word in segment(run) if len(word) > 1)


def _chinese_query_terms(run: str, stop_words: AbstractSet[str]) -> Iterator[str]:
    """Pairs never reach over a stop word; a single character counts only where it is a word."""
    for is_stop_word, group in groupby(segment(run), key=stop_words.__contains__):
        if is_stop_word:
            continue
        words = list(group)
        yield from map("".join, pairwise("".join(words)))
        yield from (word if len(word) == 1 else WORD_MARK + word for word in words)


def _word_terms(token: str) -> tuple[str, ...]:
    """Only words of a usual length are remembered: the cache stays small whatever is written."""
    return _spellings(token) if len(token) <= LONGEST_TERM else _spellings.__wrapped__(token)


@lru_cache(maxsize=16_384)
def _spellings(token: str) -> tuple[str, ...]:
    """``token`` whole, then what it is made of: user_id gives userid, user, id; so does userId.

    Neighbouring parts also go together, so that app/main.py is found in src/app/main.py.
    """
    chunks = _SEPARATOR.split(_plain_word(token))
    found = [_joined(chunks)]
    if len(chunks) > 2:  # noqa: PLR2004
        found += map(_joined, pairwise(chunks))
    if len(chunks) > 1:
        found += chunks
    for chunk in chunks:
        parts = re.findall(_CAMEL_PART, chunk)
        found += parts if len(parts) > 1 else ()
    return tuple(filter(None, map(_stem, found)))


def _plain_word(token: str) -> str:
    """Caroline's -> Caroline, don't -> dont, C++ -> Cplusplus."""
    return _CLITIC.sub("", token.translate(_SPOKEN)).replace("'", "")


def _joined(chunks: Iterable[str]) -> str:
    whole = ""
    for chunk in chunks:
        joint = DIGIT_JOINT if whole[-1:].isdigit() and chunk[:1].isdigit() else ""
        whole += joint + chunk
    return whole


def _stem(word: str) -> str:
    """Without case, accents and English endings."""
    word = word.casefold()
    if not word.isascii():
        word = "".join(filter(str.isalnum, unicodedata.normalize("NFKD", word)))
    word = word[:LONGEST_TERM]
    return _english_stem(word) if word.isascii() and word.isalpha() else word


def _english_stem(word: str) -> str:
    """Each call has its own stemmer, which keeps the word it works on: threads share nothing."""
    from snowballstemmer.english_stemmer import EnglishStemmer

    stem: str = EnglishStemmer().stemWord(word)
    return stem


# Tokens of multilingual-e5-small per character, measured with its tokenizer: Chinese 0.73 (99th
# percentile 0.89), English with its spaces 0.25, rare Han, symbols and emoji 1, digits 0.4.
_TOKENS_PER_CHARACTER = {
    rf"[{CJK}]+": 0.9,
    rf"[^\W\d_{CJK}]+": 0.3,
    r"\d+": 0.5,
    r"[^\w\s]+|_+": 1.0,
}
_CLOSING = r"[”’」』）)\]\"'\s]*"
# Where to cut, best first: after a sentence, after a clause, then anywhere but inside a short word.
_CUTS = (
    rf"(?:[。！？!?…\n]+|\.(?=[\s”’)\]\"']|$)){_CLOSING}",
    rf"[，、；：,;:]{_CLOSING}|\s+",
    rf"[^\W{CJK}]{{1,16}}|.",
)


def estimated_tokens(text: str) -> float:
    """About how many tokens an embedder sees; never far below, except for keys and encoded data."""
    return sum(
        weight * sum(map(len, re.findall(kind, text)))
        for kind, weight in _TOKENS_PER_CHARACTER.items()
    )


def passages(text: str, *, limit: int) -> Iterator[str]:
    """``text`` in pieces of at most ``limit`` estimated tokens, cut after sentences if possible.

    Joined they are the text again, to the character. ``limit`` must exceed one word (16).
    """
    passage, cost = "", 0.0
    for piece, added in _pieces(text, limit, _CUTS):
        if cost + added > limit:
            yield passage
            passage, cost = "", 0.0
        passage += piece
        cost += added
    yield passage


def _pieces(text: str, limit: int, cuts: tuple[str, ...]) -> Iterator[tuple[str, float]]:
    """Each with its estimated tokens."""
    cost = estimated_tokens(text)
    if not cuts or cost <= limit:
        yield text, cost
        return
    ends = [0, *(cut.end() for cut in re.finditer(cuts[0], text)), len(text)]
    for start, end in pairwise(ends):
        yield from _pieces(text[start:end], limit, cuts[1:])
