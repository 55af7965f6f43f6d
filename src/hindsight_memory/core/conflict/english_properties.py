"""Whether what is said of an attribute describes it, and gives it no value: a tight deadline.

"The deadline is tight" and "the deadline is Friday" both hold. What is neither a name nor of the
kind of the attribute has to be no adjective, no participle and no description ("a mess") to be a
value. In doubt it is none, and retires nothing.
"""

import re

from hindsight_memory.core.conflict import english_rows as rows
from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.attributes import Attribute
from hindsight_memory.core.conflict.english_claims import is_named
from hindsight_memory.core.conflict.english_fits import is_time, last
from hindsight_memory.core.conflict.kinds import KINDS, STATES, kind_of
from hindsight_memory.core.conflict.vocabulary import word_set

_ADJECTIVES = word_set(
    """
able absent acceptable accurate alone amazing ancient angry annoying available awake awful bad
basic beautiful better best big bitter boring brief bright brilliant broad broken busy calm capable
careful careless central certain cheap chubby clean clear clever cold comfortable common complete
complex confidential confusing constant convenient cool correct corrupt crazy critical crowded
crucial cruel curious current cute dangerous dead deep delicious different difficult dirty down dry
due dull early easy effective efficient elegant empty enough essential excellent exciting exotic
expensive external extreme fair faithful familiar famous fancy far fast fat few final fine firm fit
flat flexible foreign formal fragile free fresh friendly full funny fuzzy general generous gentle
global good gorgeous gradual great grim gross handsome handy happy hard harsh healthy heavy helpful
hidden high honest horrible hot huge hungry ideal identical ill illegal immediate immutable
important impossible incomplete inconsistent incorrect independent inner innocent internal invalid
irregular jealous key kind large late latest lazy legal light likely little live local lonely long
loose loud lovely low lucky mad main major mandatory manual massive mature mean messy mild minimal
minor missing mobile modern modest narrow nasty near neat necessary negative negotiable nervous new
nice noisy normal obsolete obvious odd okay ok old only open optimal optional outdated overdue
partial past patient perfect permanent pleasant polite poor popular positive possible powerful
precise pretty primary private probable productive proper proud public pure quick quiet random
rapid rare raw ready real realistic reasonable recent redundant regular relevant reliable remote
responsible rich rigid ripe robust rough round rude sad safe salty same secret secure sensitive
serious severe shaky shallow sharp short shy sick silent silly similar simple single slight slow
small smart smooth soft solid sour spacious special specific stable stale steady steep sticky stiff
strange strict strong stupid subtle sudden sufficient suitable super sure sweet tall temporary
tender terrible tentative thick thin tidy tight tiny tired tough tricky true typical ugly unable
unavailable uncertain unclear unfair unhappy unique unknown unlikely unlimited unreliable unsafe
unstable unusual upset urgent useful useless usual vague valid valuable vast vital vulnerable warm
weak weird well wet whole wide wild wise wonderful worse worst worth wrong young
"""
)
_ADJECTIVE = re.compile(
    r"[a-z]{2}(?:able|ible|ful|less|ous|ive|ish|ical|ular|iest|ier|some|ingly|ary|ory)$"
    r"|[a-z]{3}(?<!e)ed$|^(?:un|non-|in|im|ir|over|under)[a-z]{3,}(?:ed|able|ible|al|ent|ant)$"
    r"|-(?:friendly|proof|based|only|safe|free|ready|heavy|like|prone|driven)$"
)
_DESCRIBED = STATES | word_set("status theme color kind mood indentation quotes naming shift")
"""Attributes whose values are adjectives: the status is open, and then it is closed."""
_DATED = frozenset({"deadline", "schedule", "birthday", "hours"})
_DATES = word_set(
    "today tonight eod eow end start beginning spring summer autumn fall winter easter"
)


def is_property(row: Attribute, said: str, opens: str, names: frozenset[str]) -> bool:
    """Whether ``said``, which ``opens`` with that word, only describes an attribute of ``row``."""
    if row.name in _DESCRIBED or any(map(str.isdigit, said)):
        return False
    if row.name in _DATED:
        return not is_time(said) and _DATES.isdisjoint(said.split())
    if row.name in KINDS:
        return not is_named(said, names) and (kind_of(said) or ("",))[0] != row.name
    if is_named(said, names):
        return False
    if opens in {"a", "an"}:
        return kind_of(said) is None and last(said) not in rows.PROFESSIONS
    return _is_adjective(said.split())


def _is_adjective(said: list[str]) -> bool:
    """The head of the phrase: "too slow", "slow and old"."""
    head = said[-1]
    is_ing = head.endswith("ing") and w.LEMMAS.get(head, head) != head
    return head in _ADJECTIVES or is_ing or _ADJECTIVE.search(head) is not None
