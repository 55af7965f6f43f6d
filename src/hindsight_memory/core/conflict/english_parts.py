"""Which clauses of an English text say something by themselves."""

from collections.abc import Iterator, Sequence

from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.attributes import OTHER, row_of
from hindsight_memory.core.conflict.english_sentences import BECAUSE, spoken
from hindsight_memory.core.conflict.english_verbs import first_verb
from hindsight_memory.core.conflict.model import Claim, Part
from hindsight_memory.core.conflict.vocabulary import word_set

_BACK = word_set("it this that there here so which")
"""Mean what was said before."""
_GREETINGS = word_set("hi hello hey thanks thank you please ok okay yes well sorry bye")
_WHEN = word_set("year month week day time long while ago ever beginning start")
_SAYS_NOTHING = (
    _BACK
    | _GREETINGS
    | _WHEN
    | w.ADVERBS
    | w.CONJUNCTIONS
    | w.PREPOSITIONS
    | w.DETERMINERS
    | w.PEOPLE
    | w.AUXILIARY
    | word_set(", very much lot")
)


def parts(text: str, claims: Sequence[Claim]) -> Iterator[Part]:
    """Not a clause that is only about the one before it: "and I love it", "which is in Kent"."""
    last = ""
    for number, words in enumerate(spoken(text)):
        told = [claim for claim in claims if claim.clause == number]
        if not _is_about_the_last(words, last) and not _is_bare_reason(words, told):
            yield Part(number=number, words=" ".join(words))
        last = next((claim.slot.subject for claim in told), last)


def _is_about_the_last(words: Sequence[str], last: str) -> bool:
    """Also a greeting: no word in it says anything. last: who or what was spoken of before.

    "It" is that of which the clause before speaks, or, if that is a person, what is said of them.
    """
    said = [word for word in words if word not in w.CONJUNCTIONS | {","}]
    back = _BACK - {"it"} if last not in {"user", "we"} else _BACK
    if last and said[:1] and said[0] in back:
        return True
    verb = first_verb(said)
    if verb is None:
        return all(map(_says_nothing, said))
    main = _main(said, verb)
    rest = said[main + 1 :]
    if said[main] in w.AUXILIARY and all(map(w.is_adverb, rest)):
        return True  # "and always have"
    return all(map(_says_nothing, rest)) and not _BACK.isdisjoint(rest)


def _main(said: Sequence[str], verb: int) -> int:
    """Where the verb after the auxiliaries is."""
    carries = (i for i in range(verb, len(said)) if said[i] not in w.AUXILIARY)
    return next((i for i in carries if said[i] in w.LEMMAS), verb)


def _says_nothing(word: str) -> bool:
    return word in _SAYS_NOTHING or w.is_adverb(word) or word.isdigit()


def _is_bare_reason(words: Sequence[str], told: Sequence[Claim]) -> bool:
    """A reason is part of what it is the reason of, unless a table knows what it states."""
    is_known = any(row_of(claim.slot.attribute) is not OTHER for claim in told)
    return words[0] == BECAUSE and not is_known
