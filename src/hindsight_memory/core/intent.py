"""What an open question is really after: "what should I cook tonight" wants allergies and tastes.

Such a question shares no word with the memories that matter, so its intent names their types and
topics. Plain lookups ("What did Caroline eat?") have no intent: words and vectors answer them, and
topics would only mislead. A new intent is a row of hindsight_memory.core.intent_rows.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache

from hindsight_memory.core.intent_rows import INTENTS, Intent, lines
from hindsight_memory.core.policy import MemoryType
from hindsight_memory.core.text import fold

__all__ = ["INTENTS", "Distilled", "Intent", "about", "distil", "is_constraint"]


@dataclass(frozen=True, slots=True)
class Distilled:
    """What a query is after; all empty for a plain lookup. Each topic once, in order."""

    intents: tuple[str, ...] = ()
    memory_types: frozenset[MemoryType] = frozenset()
    topics: tuple[str, ...] = ()


_ORDERS = (
    "recommend|suggest|plan|book|order|pick|choose|find|make|create|write|draft|schedule|set up|"
    "arrange|configure|deploy|release|install|implement|refactor|add|review|prepare|translate|"
    "reply|cook|run|commit|push|merge|play|buy|fix|build|test|format|update|migrate|need|help"
)
_MAY = "(?:should|shall|can|could|would|do|might)"
_OPEN = lines(
    rf"""
    \b(?:what|which|where|how|when)\b.{{0,40}}\b{_MAY} (?:i|we|the user)\b
    ^(?:should|shall|can|could) (?:i|we)\b
    ^(?:please |pls )?(?:{_ORDERS})\b
    ^(?:what|how|where|which \w+) to\b
    ^(?:\w+ )?(?:ideas|suggestions|recommendations|tips|advice)(?: (?:for|on|about)\b|\W*$)
    \bany (?:\w+ )?(?:idea|suggestion|recommendation|tip|advice)s?\b
    \b(?:can|could|would|will) you (?:please |just )?(?:{_ORDERS})\b
    \b(?:help|recommend|suggest|find|give|remind|advise|teach) (?:me|us)\b
    \b(?:i|we)(?: would|'d)? (?:want|need|like|plan) (?:for|to|a)\b
    \b(?:i|we)(?:'m| am|'re| are) (?:planning|going|thinking|looking) (?:of|about|for|to)\b
    \blet(?:'s| us)\b
    \bwhat(?:'s| is| are) (?:a |an |the |some )?(?:good|best|nice|right|healthy|cheap)\b
    怎么|怎样|如何|该|要不要|能不能|可不可以|帮(?!助|派)|给我|替我|推荐|一下|要?注意什么
    想(?![起到法象念必和跟与])|打算|准备|计划|安排|(?:什么|给|有|^).{{0,3}}建议|^请
    有什么好|有没有|什么好|哪家|哪个好|哪款|选哪|用哪|去哪|[来放约][点个一些]
    """
)
"""How a question sounds that asks what to do, and not what is or was."""
_LOOKUP = lines(
    r"""
    ^(?:\W*\w+ )?(?:what|which|who|whom|whose|when|where|how)\b.*\b(?:did|was|were|had|has)\b
    ^(?:\W*\w+ )?(?:what|which|who|whom|whose|when|where|how)\b.*\bhave (?:i|we|you|they)\b
    \b(?:remember|told|mentioned|said|recommended|suggested)\b
    曾|记得|上次|提到|说过|(?:推荐|分享|告诉|[买去看吃做写学])[过了](?!吗)
    过(?:什么|哪|几|多少|谁)|过的(?!去)|了[你我他她它们]{0,2}(?:什么|哪|谁|几|多少)
    是谁|叫什么|名字|哪一?年|对吗|多少[人个年次]|(?:喜欢|爱|讨厌).{0,3}(?:什么|哪|谁)
    """
)
"""How a question sounds that looks something up, whatever it is about."""
_ACTS = (
    "(?:eat|drink|use|take|touch|run|write|reply|answer|ask|check|push|commit|merge|share|deploy|"
    "store|log|send|work|fly|buy|accept|allow|speak|sit|travel)s?"
)
_CONSTRAINT = lines(
    rf"""
    \b(?:allerg(?:y|ic|ies)|intoleran(?:t|ce)|avoids?|required|requires|mandatory)\b
    \b(?:mustn't|forbidden|prohibited|not allowed)\b
    \bcan(?:not|'t| not)\b(?! (?:wait|believe|imagine|remember|help|say|thank)\b)
    (?<!it )(?<!this )(?<!that )(?<! a )\bmust\b(?!['-]| (?:have|feel|add|say|seem|look|mean)\b)
    (?:^|[.;:!] ?|please |should |must |and )(?:always|never|do not|don't)\b(?! (?:you|we|i|it)\b)
    \b(?:always|never|(?:does|do|will) not|(?:does|do|wo)n't|only|no longer) {_ACTS}\b
    过敏|忌(?!妒)|不耐受|(?<!能)不能(?![再够])|(?<!要)不要(?!紧)|必须(?!离开|去|说|承认)|一定要
    禁止|严禁|不得(?![不了已])|不许|(?<!说)不准|切勿|请勿|务必|一律|只能|只许|只准
    从不|从来不|绝不|绝对不|永远不|不吃|不喝|不碰|不沾|戒[了掉烟酒糖]
    """
)
"""Orders, bans and limits. "It must feel great" is a guess and "has always been there" praise, so
"always" counts where a sentence begins with it or an act follows it."""


def distil(query: str, intents: Sequence[Intent] = INTENTS) -> Distilled:
    """The intents of an open question, in the order of ``intents``; nothing for a plain lookup."""
    asked = _folded(query)
    if _sounds(_LOOKUP, asked):
        return Distilled()
    is_open = _sounds(_OPEN, asked)
    meant = [
        intent
        for intent in intents
        if _sounds(intent.cues, asked) or (is_open and _touched(intent.subjects, asked))
    ]
    return Distilled(
        intents=tuple(intent.name for intent in meant),
        memory_types=frozenset(kind for intent in meant for kind in intent.memory_types),
        topics=tuple(dict.fromkeys(topic for intent in meant for topic in intent.topics)),
    )


def is_constraint(text: str) -> bool:
    """Whether ``text`` says what must or must not be: an allergy, a ban, a standing order."""
    return _sounds(_CONSTRAINT, _folded(text))


def about(text: str, topics: Sequence[str]) -> float:
    """How strongly ``text`` touches ``topics``, in [0, 1]: each further topic halves what is left.

    English by whole words with their endings, Chinese by any occurrence.
    """
    return 1 - 0.5 ** len(_touched(tuple(topics), _folded(text)))


def _folded(text: str) -> str:
    return fold(text).replace("’", "'").strip()


def _sounds(patterns: Sequence[str], text: str) -> bool:
    return any(_compiled(pattern).search(text) for pattern in patterns)


@cache
def _compiled(pattern: str) -> re.Pattern[str]:
    """On first use: all together take 10 ms."""
    return re.compile(pattern)


def _touched(words: tuple[str, ...], text: str) -> set[str]:
    """Those of ``words`` that stand in ``text``, by sets: one pattern of all is 50 times slower."""
    vocabulary = _vocabulary(words)
    found = {
        vocabulary.forms[form]
        for form in set(re.findall("[a-z0-9]+", text)) & vocabulary.forms.keys()
    }
    return found | {word for word in vocabulary.others if word in text}


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    """Each form of an English word with its word; ``others`` are Chinese, or of several words."""

    forms: Mapping[str, str]
    others: tuple[str, ...]


@lru_cache(maxsize=256)
def _vocabulary(words: tuple[str, ...]) -> _Vocabulary:
    folded = tuple(map(fold, words))
    single = [word for word in folded if word.isascii() and word.isalnum()]
    return _Vocabulary(
        forms={form: word for word in single for form in _forms(word)},
        others=tuple(word for word in folded if word not in single),
    )


def _forms(word: str) -> tuple[str, ...]:
    """Plural, past and -ing form by rule. What is no word (allergyes) does no harm."""
    stem, doubled = word[:-1], word + word[-1:]
    endings = {"e": ("es", "ed", "ing"), "y": ("y", "ies", "ied", "ying")}
    regular = (word, *(word + ending for ending in ("s", "es", "ed", "ing")))
    return (
        *regular,
        *(stem + ending for ending in endings.get(word[-1:], ())),
        f"{doubled}ed",
        f"{doubled}ing",
    )
