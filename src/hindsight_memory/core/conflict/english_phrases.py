"""English noun phrases: values, what limits them, and whose attribute they name."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from hindsight_memory.core.conflict import english_rows as rows
from hindsight_memory.core.conflict import english_words as w
from hindsight_memory.core.conflict.attributes import OTHER, Arity, Attribute, english_attribute
from hindsight_memory.core.conflict.model import UNKNOWN
from hindsight_memory.core.conflict.vocabulary import word_set
from hindsight_memory.core.text import fold

_NAME = re.compile(
    r"[^\W\d_]*[A-Z\d][\w'.+#@/:%-]*|[\w.]*[@#/][\w.@/-]+|['\"“‘《][^'\"”’》]{1,40}['\"”’》]"
)
_PART = re.compile(r"\w+(?:['.@/#:%-]+\w+)*")
_FILLERS = word_set(
    "very really new fluent fluently native more lot lots mostly only strict strictly popular small"
    " quite own competitive casual trace rescue rescued exposure"
)
_TRAILING = frozenset({"late", "early", "today", "more", "much"})
_USER = frozenset(["user", "i", "me", "my", "myself"])
_WE = frozenset(["we", "us", "our", "ours"])


@dataclass(frozen=True, slots=True)
class Phrase:
    """Values in a row ("tea and coffee"), and what follows them: ("in", ["staging"]).

    classifier: what kind of thing the value is said to be ("the city of Oslo").
    """

    values: tuple[str, ...]
    modifiers: tuple[tuple[str, tuple[str, ...]], ...]
    classifier: str = ""

    @property
    def value(self) -> str:
        return self.values[0] if self.values else ""

    def after(self, *openers: str) -> str:
        """The value after one of ``openers``; "" without one."""
        said = (words for opener, words in self.modifiers if opener in openers)
        return next(map(value, said), "")


@dataclass(frozen=True, slots=True)
class Owned:
    """An attribute of somebody or something, named by a noun phrase."""

    subject: str
    name: str
    row: Attribute


def named_words(text: str) -> frozenset[str]:
    """The words of a text that look like names: with a capital, a digit, or in quotes; folded."""
    return frozenset(part for name in _NAME.findall(text) for part in _PART.findall(fold(name)))


def value(words: Iterable[str], names: frozenset[str] = frozenset()) -> str:
    """What a value is compared by: no articles or fillers, in the singular but for ``names``."""
    kept = [
        word if word in names and w.singular(word) not in rows.DAYS else w.singular(word)
        for word in words
        if word not in w.DETERMINERS and word not in w.ADVERBS
    ]
    while len(kept) > 1 and kept[-1] in _TRAILING:
        kept.pop()
    return " ".join([word for word in kept if word not in _FILLERS] or kept)


def phrase(words: Sequence[str], names: frozenset[str] = frozenset()) -> Phrase:
    classifier, words = _classified(words)
    ends = (i for i, word in enumerate(words) if word in w.STOPS - {"and", ","})
    end = next(ends, len(words))
    listed = re.split(r" (?:and|or|,|, and|, or) ", " ".join(words[:end]))
    values = tuple(filter(None, (value(part.split(), names) for part in listed)))
    return Phrase(values, tuple(_modifiers(words[end:])), classifier)


def _classified(words: Sequence[str]) -> tuple[str, Sequence[str]]:
    said = [word for word in words if word not in {"a", "an", "the"}]
    if len(said) > 2 and said[0] in rows.CLASSIFIERS and said[1] == "of":  # noqa: PLR2004
        return said[0], said[2:]
    return "", words


def _modifiers(words: Sequence[str]) -> Iterable[tuple[str, tuple[str, ...]]]:
    opener, said = "", list[str]()
    for word in words:
        if word in w.REASONS:
            break
        if word in w.STOPS - {"and", ","}:
            if said:
                yield opener, tuple(said)
            opener, said = word, []
        elif (opener, word) != ("instead", "of"):
            said.append(word)
    if said:
        yield opener, tuple(said)


def scene_of(words: Sequence[str]) -> frozenset[str]:
    """The words of a circumstance; none for "by default" and "for privacy reasons"."""
    said = [w.singular(word) for word in words if word not in w.DETERMINERS and word.isalnum()]
    if not said or said[-1] in rows.NO_SCENE or not rows.UNIVERSAL.isdisjoint(said):
        return frozenset()
    return frozenset(said)


def scenes(modifiers: Iterable[tuple[str, tuple[str, ...]]]) -> frozenset[str]:
    limits = (scene_of(words) for opener, words in modifiers if opener in w.SCENE_OPENERS)
    return frozenset().union(*limits)


def subject_of(words: Sequence[str], last: str) -> str:
    """Who or what is meant; "" when nobody knows. last: the subject of the clause before."""
    said = [word for word in words if word not in {"a", "an", "the", ",", "all"}]
    if not said:
        return last
    if said[0] in _USER or said[0] in {"user's", "users"}:
        said = ["user", *said[1:]]
    elif said[0] in _WE:
        said = ["we", *said[1:]]
    elif said[0] in {"his", "her", "their", "its"}:
        if not last:
            return UNKNOWN
        said = [*last.split(), *said[1:]]
    elif said[0] in w.PRONOUNS:
        is_carried = len(said) == 1 and said[0] in {"he", "she", "it", "they"} and last
        return last if is_carried else UNKNOWN
    plain = [word.removesuffix("'s").removesuffix("'") for word in said]
    return " ".join(plain)


def charge(subject: str) -> str:
    """What somebody answers for: the onboarding of vendors, the responsibility for it."""
    words = subject.split()
    if (rows.DUTIES | _JOINTS).isdisjoint(words):
        return subject
    kept = [word for word in words if word not in rows.DUTIES | _JOINTS]
    return " ".join(kept) or subject


_JOINTS = frozenset({"of", "for", "the", "a", "an"})


def about(words: Sequence[str], last: str = "") -> Owned | None:
    """What attribute of what a subject names: "the port of the shop", "Ann's boss", "API version".

    last: who "his" is.
    """
    said = [word for word in words if word not in {"a", "an", "the"}]
    for joint in ("of", "for"):
        if joint in said[1:-1]:
            at = said.index(joint, 1)
            return _owned(said[at + 1 :], said[:at], last)
    owners = [i for i, word in enumerate(said[:-1]) if word.endswith(("'s", "s'"))]
    if owners:
        return _owned(said[: owners[-1] + 1], said[owners[-1] + 1 :], last)
    if said[1:] and said[0] in {"my", "our", "his", "her", "their", "its"}:
        return _owned(said[:1], said[1:], last)
    relative = next((i for i, word in enumerate(said) if word in w.RELATIVE), 0)
    if relative:
        name, row = english_attribute(said[:relative])
        return Owned(" ".join(said), name, row)
    return _compound(said)


def _owned(owner: Sequence[str], noun: Sequence[str], last: str) -> Owned | None:
    subject = subject_of(owner, last)
    if subject in {"", UNKNOWN} or not noun or any(word in w.PREPOSITIONS for word in noun):
        return None
    name, row = english_attribute(list(noun))
    return Owned(subject, name, row)


def _compound(said: Sequence[str]) -> Owned | None:
    """The noun at the end must be in the table: any two nouns may stand side by side."""
    qualified = next((i for i, word in enumerate(said) if word in rows.QUALIFIERS), None)
    if qualified is not None and qualified < len(said) - 1:
        name, row = english_attribute(list(said[qualified:]))
        return _known(said[:qualified], name, row)
    for length in (2, 1):
        name, row = english_attribute(list(said[-length:]))
        if len(said) >= length and row.name == name:
            return _known(said[:-length], name, row)
    return None


def _known(owner: Sequence[str], name: str, row: Attribute) -> Owned | None:
    if row is OTHER or row.arity is Arity.MANY:
        return None
    subject = subject_of(owner, "")
    return None if subject == UNKNOWN else Owned(subject, name, row)
