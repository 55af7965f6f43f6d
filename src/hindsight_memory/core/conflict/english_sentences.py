"""An English text cut into clauses: what is told apart in it, as words.

A clause has its own verb, or stands as a sentence. "I live in Leeds and work at Acme" has two, and
the second repeats the subject of the first; "I live in Leeds, England" has one. A new word that
begins a clause goes into one of the sets.
"""

import re
from collections.abc import Iterator, Sequence

from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.english_phrases import named_words
from hindsight_memory.core.conflict.english_verbs import first_verb
from hindsight_memory.core.conflict.kinds import kind_of
from hindsight_memory.core.conflict.vocabulary import word_set
from hindsight_memory.core.wording import words

_INITIAL = re.compile(r"\b([A-Z]|Mr|Mrs|Ms|Dr|Prof|St)\.(?=\s+[A-Z])")
"""Points that end no sentence: T. S. Eliot, Dr. Brown."""
_SENTENCE = re.compile(r"(?<=[.!?])\s+(?=[A-Z0-9\"'])|;(?:\s+|$)|\n")
_INTRODUCTION = re.compile(
    r"^(?:(?:it|this) turn(?:s|ed) out|(?:i|we) (?:just )?(?:found(?: out)?|discovered|reali[sz]ed"
    r"|learned|confirmed)|correction|update|note|fyi|btw|in fact|actually|remember)\b[:,]?"
    r"(?: that\b)?\s*",
    re.IGNORECASE,
)
"""Says how something came to be known, and not what."""
_ASIDE = re.compile(
    r"(?:^|,\s*)(?:hi|hello|hey|thanks|thank you|please|by the way|for the record|of course"
    r"|as (?:you know|i said|usual|always|mentioned(?: before| earlier)?)|just so you know"
    r"|to be (?:honest|clear|exact)|i (?:think|guess|believe|suppose)|you know)(?: there| all)?"
    r"(?:[,!.]\s*|$)",
    re.IGNORECASE,
)
"""Said to somebody, and of nothing."""

BECAUSE = "because"
"""The only word between two clauses that is kept, at the head of the second."""
_SUBORDINATORS = word_set("because while whereas although though")
"""Between two clauses that both say what is so."""
_COORDINATORS = word_set("and but then")
_INFINITIVE = w.PLAN_VERBS | w.LIKING_VERBS | word_set("have decide agree promise refuse choose")
"""With "to" and two verbs they govern both: "I want to live in Leeds and work at Acme"."""
_MODAL = w.DOUBTFUL | {"can"}
_MANY = word_set("i we you they")
"""Subjects whose verbs have no ending, whatever the tense of the first."""
_OPENS_OBJECT = (w.PREPOSITIONS | w.DETERMINERS | w.PARTICLES | w.ADVERBS | {"to"}) - {"of"}
_ONLY_VERBS = w.LIKING_VERBS | word_set(
    "adore avoid be bring choose deploy detest drive eat get go have keep know live make need own"
    " play read ride sell speak study take teach understand use want wear write"
)
"""Hardly ever nouns: what follows them is their object, even without an article."""
_PARTICIPLES = frozenset({"named", "called"})
"""Of what they follow: "a cat and a dog named Rex"."""
_ALONE = word_set(
    "commute cook cycle dance drive fish freelance garden hike jog knit meditate paint run sing ski"
    " smoke surf swim travel volunteer vote work"
)
"""Said without an object, and nouns only of what somebody likes."""
_PREDICATIVE = word_set(
    "aged allergic based born celiac diabetic divorced engaged fluent intolerant married pregnant"
    " retired separated single vegan vegetarian widowed"
)
"""They say something else of the subject: "is vegan and allergic to nuts"."""


def spoken(text: str) -> Iterator[list[str]]:
    """The words of each clause, in order; those of a sentence without a verb are one."""
    names = named_words(text)
    for sentence in _SENTENCE.split(_INITIAL.sub(r"\g<1>", text)):
        said = words(_ASIDE.sub(", ", _INTRODUCTION.sub("", sentence)))
        yield from _coordinated(said, names)


def _coordinated(said: list[str], names: frozenset[str]) -> Iterator[list[str]]:
    """Parts with a verb each. One without belongs to the next if it comes first, else before."""
    parts: list[list[str]] = []
    pending: list[str] = []
    for piece in _pieces(said, names):
        whole = [*pending, *piece]
        if first_verb(whole) is not None:
            parts.append(whole)
            pending = []
        elif parts and (repeated := _repeated(parts[-1], piece)) is not None:
            parts.append([*repeated, *piece])
        elif parts and piece[0] in _PREDICATIVE:
            parts.append([*_linked(parts[-1]), *piece])
        elif parts:
            parts[-1] += [",", *piece]
        else:
            pending = [*whole, ","]
    yield from parts or ([pending] if any(map(str.isalnum, "".join(pending))) else [])


def _pieces(said: list[str], names: frozenset[str]) -> Iterator[list[str]]:
    piece: list[str] = []
    for index, word in enumerate(said):
        if not _splits(said, index, piece, names):
            if piece or word not in _COORDINATORS:  # not after a comma or a bracket
                piece.append(word)
        elif piece:
            yield piece
            piece = [word] if word == BECAUSE else []
    if piece:
        yield piece


def _splits(said: list[str], index: int, before: list[str], names: frozenset[str]) -> bool:
    """before: the words of the clause so far."""
    word, after = said[index], said[index + 1 :]
    if word == "to":
        goes_on = said[index - 1] not in w.LEMMAS  # not "wants to join"
        return goes_on and bool(after) and after[0] in w.CHAINED
    if word in _SUBORDINATORS:
        return bool(before) and _starts_clause(after)
    if word == ",":
        return True
    return word in _COORDINATORS and (
        bool(before and _linked(before) and after and after[0] in _PREDICATIVE)
        or _starts_clause(after)
        or _has_its_verb(before, after, names)
        or _repeated(before, after) is not None
    )


def _starts_clause(after: list[str]) -> bool:
    """Whether a verb, or a subject with a verb, comes next."""
    ahead = _ahead(after)
    if _is_auxiliary(ahead):
        return True
    place = first_verb(ahead)
    if place is None or ahead[place] in _PARTICIPLES:
        return False
    skipped = ahead[:place]
    if all(w.is_adverb(word) for word in skipped):
        return True
    return skipped[0] in w.DETERMINERS | w.PEOPLE or any(word.endswith("'s") for word in skipped)


def _is_auxiliary(after: Sequence[str]) -> bool:
    """Not the month in "May 7"."""
    word, *others = after or [""]
    return word in w.AUXILIARY and not (word == "may" and others[:1] and others[0].isdigit())


def _ahead(after: list[str]) -> list[str]:
    ahead = after[:7]
    return ahead[: ahead.index(",")] if "," in ahead else ahead


def _has_its_verb(before: list[str], after: list[str], names: frozenset[str]) -> bool:
    """Two verbs that both need a subject: "I live in Leeds and rent is cheap"."""
    ahead = _ahead(after)
    place = next((i for i, word in enumerate(ahead) if word in w.PLAIN_AUXILIARY), 0)
    place = place or first_verb(ahead[:-1]) or 0
    if place == 0 or first_verb(before) is None or ahead[place - 1] in w.PREPOSITIONS:
        return False
    if ahead[place] not in w.PLAIN_AUXILIARY and not names.issuperset(ahead[:place]):
        return False
    return w.RELATIVE.isdisjoint({*before, *ahead[:place]})


def _repeated(before: list[str], after: list[str]) -> list[str] | None:
    """What ``after`` leaves out, as ``before`` says it: the subject, with an auxiliary or a wish
    that governs both. None where ``after`` begins with no verb that shares it.
    """
    place = first_verb(before)
    if place is None:
        return None
    verb, subject = before[place], list(before[:place])
    if _is_auxiliary(after):
        return subject
    if not _begins_with_a_base(after, of_likings=_likes(verb)):
        return None
    if verb in _MODAL and w.NEGATION.isdisjoint(before):
        main = (i for i in range(place + 1, len(before)) if before[i] in w.LEMMAS)
        return list(before[: next(main, place + 1)])
    if w.lemma(verb) in _INFINITIVE and before[place + 1 : place + 2] == ["to"]:
        return list(before[: place + 2])
    is_base = w.LEMMAS.get(verb) == verb or verb in {"am", "are", "were"}
    return subject if is_base or not _MANY.isdisjoint(subject[-1:]) else None


def _linked(before: Sequence[str]) -> list[str]:
    """The subject of ``before`` with its "be"; nothing where it has another verb."""
    place = first_verb(before) or 0
    return list(before[: place + 1]) if w.lemma(before[place]) == "be" else []


def _likes(verb: str) -> bool:
    return w.lemma(verb) in w.LIKING_VERBS


def _begins_with_a_base(after: Sequence[str], *, of_likings: bool) -> bool:
    """Whether a verb without an ending comes first, and no noun that looks like one.

    of_likings: whether nouns of what somebody likes to do come before.
    """
    skips = (i for i, word in enumerate(after) if not _may_precede(word))
    at = next(skips, len(after))
    verb = after[at] if at < len(after) else ""
    if w.LEMMAS.get(verb) != verb or kind_of(verb) is not None:
        return False
    following = next(iter(after[at + 1 :]), "").strip(",")
    if not following:
        return verb in _ONLY_VERBS | _ALONE and not of_likings
    return verb in _ONLY_VERBS or at > 0 or following in _OPENS_OBJECT


def _may_precede(word: str) -> bool:
    return word in w.NEGATION or w.is_adverb(word)
