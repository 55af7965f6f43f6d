"""An English sentence taken apart: clauses, and in each the subject, the verb and what follows."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.english_sentences import BECAUSE, spoken
from hindsight_memory.core.conflict.english_verbs import first_verb
from hindsight_memory.core.conflict.model import Period, Polarity, Tense
from hindsight_memory.core.conflict.periods import dated

_MONTH = "january|february|march|april|may|june|july|august|september|october|november|december"
_WHEN = re.compile(
    r"\b(?:(?:at the|at) moment|as of now|as of today|right now|at present|these days|at all"
    rf"|from now on|going forward|(?<!due )in (?:{_MONTH})(?! \d)"
    r"|(?:earlier |later )?this (?:year|month|week|semester|spring|summer|autumn|fall|winter"
    r"|morning|quarter)|last (?:year|month|week|night|summer|spring|fall|winter|semester|quarter)"
    r"|yesterday|(?:\w+|\d+) (?:years?|months?|weeks?|days?) ago"
    r"|(?:a|per|every|each|once a|twice a) (?:day|week|month|year|hour)"
    r"|(?:every|each) (?:morning|evening|night))\b"
)
"""Times near enough to now that they order nothing, and how often."""
_FROM_NOW = re.compile(r"\b(?:from now on|going forward)\b")
_SOON = re.compile(
    r"\b(?:next (?:year|month|week|summer|spring|fall|winter|quarter)|tomorrow|soon)\b"
)


@dataclass(slots=True)
class Clause:
    """subject: the words before the verb. verb: its base form, "" when only "be" or "have" is said.

    is_be, is_have: said with that auxiliary. scene: words before the subject that limit it.
    about: who or what it is about. names: the words of its text that look like names. number: which
    clause of its text it is, from 0.
    """

    subject: list[str]
    verb: str = ""
    rest: list[str] = field(default_factory=list)
    is_be: bool = False
    is_have: bool = False
    tense: Tense = Tense.PRESENT
    polarity: Polarity = Polarity.HOLDS
    adverbs: set[str] = field(default_factory=set)
    scene: list[str] = field(default_factory=list)
    period: Period | None = None
    words: str = ""
    about: str = ""
    names: frozenset[str] = frozenset()
    number: int = 0

    @property
    def is_now(self) -> bool:
        return not self.adverbs.isdisjoint(w.NOW)

    @property
    def is_added(self) -> bool:
        return not self.adverbs.isdisjoint(w.ALSO)


def clauses(text: str) -> Iterator[Clause]:
    """The clauses of ``text`` that have a verb, in order; their numbers count all."""
    for number, heard in enumerate(spoken(text)):
        if clause := _parsed(heard):
            clause.number = number
            yield clause


def _parsed(said: list[str]) -> Clause | None:
    text = " ".join(said)
    rest = _WHEN.sub("", text)
    when = dated(rest)
    tense = Tense.OPEN if _SOON.search(when.rest) or "?" in said else Tense.PRESENT
    scene, heard = _introduced(when.rest.replace("?", "").split())
    place = first_verb(heard)
    if place is None:
        return None
    place = _with_negation(heard, place)
    subject = [word for word in heard[:place] if word not in w.ADVERBS or word in w.PEOPLE]
    clause = Clause(subject=subject, tense=tense, scene=scene, period=when.period, words=text)
    clause.adverbs = {word for word in heard[:place] if word in w.ADVERBS}
    if _FROM_NOW.search(text):
        clause.adverbs.add("now")
    _read_verbs(clause, heard[place:])
    if not _UNREAL.isdisjoint(heard):
        clause.tense = Tense.OPEN
    if {"if", "unless", "whether"} & set(heard[:place]) or not w.FORMERLY.isdisjoint(
        clause.adverbs
    ):
        clause.tense = Tense.FORMER if not w.FORMERLY.isdisjoint(clause.adverbs) else Tense.OPEN
    return clause


def _with_negation(heard: list[str], verb: int) -> int:
    """Where the verb begins with the negation before it: "no longer enjoys", "never eats"."""
    negated = (i for i in range(verb) if heard[i] in w.NEGATION or heard[i : i + 2] == _NO_LONGER)
    return next(negated, verb)


_UNREAL = frozenset({"almost", "nearly"})
_NO_LONGER = ["no", "longer"]


_OPENINGS = frozenset([",", "and", "but", "actually", "well", BECAUSE])


def _introduced(heard: list[str]) -> tuple[list[str], list[str]]:
    """What is said before the subject, apart: "In staging, the port ..."."""
    while heard and heard[0] in w.ADVERBS | _OPENINGS:
        if heard[0] in w.NOW and len(heard) > 1:
            break
        heard = heard[1:]
    if heard and heard[0] in w.SCENE_OPENERS and "," in heard:
        comma = heard.index(",")
        return heard[1:comma], heard[comma + 1 :]
    return [], heard


def _read_verbs(clause: Clause, chain: list[str]) -> None:
    """Reads auxiliaries, negation and adverbs up to the verb that carries the meaning."""
    index = 0
    while index < len(chain):
        word = chain[index]
        following = chain[index + 1] if index + 1 < len(chain) else ""
        if word == "no" and following == "longer":
            clause.polarity = Polarity.ENDED
            index += 1
        elif word == "used" and following == "to" and not clause.is_be:
            clause.tense = Tense.FORMER
            index += 1
        elif word == "going" and following == "to":
            clause.tense = Tense.OPEN
            index += 1
        elif (word == "may" and following.isdigit()) or not _read_helper(clause, word):
            break
        index += 1
    _read_main(clause, chain[index:])


def _read_helper(clause: Clause, word: str) -> bool:
    """Whether ``word`` was an auxiliary, a negation or an adverb, and is now accounted for."""
    if word in w.NEGATION:
        clause.polarity = Polarity.DENIED
    elif w.is_adverb(word):
        clause.adverbs.add(word)
    elif word in w.AUXILIARY:
        clause.is_be |= w.LEMMAS.get(word) == "be"
        clause.is_have |= w.LEMMAS.get(word) == "have"
        clause.adverbs |= {"can"} & {word}
        if word in w.DOUBTFUL:
            clause.tense = Tense.OPEN
        elif word in w.PAST_AUXILIARY and clause.tense is Tense.PRESENT:
            clause.tense = Tense.PAST
    else:
        return False
    return True


def _read_main(clause: Clause, heard: list[str]) -> None:
    word = heard[0] if heard else ""
    verb = w.lemma(word)
    is_past = word in w.PAST or (verb != "" and word not in w.LEMMAS)
    if clause.is_be:
        is_participle = is_past and (word in w.LEMMAS or len(heard) > 1)
        is_verb = verb and (is_participle or word.endswith("ing"))
        if is_verb and word.endswith("ing"):
            clause.is_be = False
    elif clause.is_have:
        is_verb = verb and (is_past or word in w.PARTICIPLES)
        clause.is_have = not is_verb
    else:
        is_verb = bool(verb)
        if is_verb and is_past and word != verb and clause.tense is Tense.PRESENT:
            clause.tense = Tense.PAST
    clause.rest = heard
    if is_verb:
        clause.verb, clause.rest = verb, heard[1:]
    if clause.rest[:1] == ["no"] and clause.polarity is Polarity.HOLDS:
        clause.polarity, clause.rest = Polarity.DENIED, clause.rest[1:]
    if not is_verb:
        return
    if not clause.is_be:
        _read_aspect(clause)
    _read_anymore(clause)


def _read_aspect(clause: Clause) -> None:
    """Reads the inner verb of "started leasing", "stopped practising", "plans to move"."""
    rest = [word for word in clause.rest if word not in w.ADVERBS]
    inner = rest[1:] if rest[:1] == ["to"] else rest
    if not inner or inner[0] not in w.LEMMAS or not (inner is not rest or inner[0].endswith("ing")):
        return
    outer = clause.verb
    if outer in w.PLAN_VERBS:
        clause.tense = Tense.OPEN
    elif outer in w.STOP_VERBS and inner is rest:
        clause.polarity = Polarity.ENDED
    elif outer == "refuse":
        clause.polarity = Polarity.DENIED
    elif outer == "go" and "back" not in clause.rest:
        return
    elif outer in w.LIKING_VERBS and len(inner) > 1:
        clause.rest = inner[1:]
        return
    elif outer in w.CHANGING_VERBS:
        clause.adverbs.add("instead")
    elif outer not in w.PHASE_VERBS or (outer == "learn" and clause.tense is not Tense.PAST):
        return
    if clause.tense is Tense.PAST:
        clause.tense = Tense.PRESENT
    clause.verb, clause.rest = w.LEMMAS[inner[0]], inner[1:]


def _read_anymore(clause: Clause) -> None:
    said = " ".join(clause.rest)
    if clause.polarity is Polarity.DENIED and re.search(r"\b(?:any ?more|any longer)\b", said):
        clause.polarity = Polarity.ENDED
    kept = re.sub(r"\b(?:any ?more|any longer)\b", "", said)
    clause.rest = kept.split()
    clause.adverbs |= {word for word in clause.rest if word in w.NOW | w.ALSO | w.FREQUENCIES}
