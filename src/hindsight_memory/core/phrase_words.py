"""The words of a phrase, and whether a sentence holds them all and is about the same. Pure.

For what ``denote`` cannot find as a whole. Ordinary words may have other forms; names, numbers and
identifiers only other spellings.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hindsight_memory.core.script import SPACELESS
from hindsight_memory.core.spelling import Spelling, identifiers, spellings
from hindsight_memory.core.text import STOP_WORDS, segment
from hindsight_memory.core.values import subject
from hindsight_memory.core.word_forms import is_form

_TOKEN = re.compile(rf"[{SPACELESS}]+|[^\s{SPACELESS},;()\[\]{{}}\"“”]+")
_EDGES = ".:!?'’‘-_/"
_POSSESSIVE = re.compile(r"['’]s$", re.IGNORECASE)
_PLAIN = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_WORD = re.compile(rf"[^\W\d_{SPACELESS}]+")
_FREE = re.compile(
    rf"(?<![^\W{SPACELESS}])(?<!\w[-_./@:\\#+]){_WORD.pattern}(?![-_./@:\\#+]*[^\W{SPACELESS}])"
)
"""A word that is no part of an identifier: gen-itgc-2 holds none."""
_HAN = re.compile(f"[{SPACELESS}]")
_SENTENCE = re.compile(r"(?<=[.!?])\s+|[。！？\n]+")
_CAPITAL = re.compile(r"(?<![\w'’])[^\W\d_a-z][^\W\d_]*")

_USER = re.compile(
    r"^(?:(?:my|our|(?:the\s+)?user(?:['’]s)?)\s+|(?:我|我们|用户)的)", re.IGNORECASE
)
"""Whose a thing is when it is the user's; their memories do not always say so."""
_OWNED = re.compile(r".['’]s\s|.的.", re.IGNORECASE)

_APART = 60
"""Characters between the first and the last of the words, at most: about one clause."""
_ROOT = 2
"""Letters that all forms of a word begin with."""
_TELLING_DIGITS = 3
"""A number with fewer is in too many texts to say which one is meant."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """spelt: as it is compared; capitals: its words with a capital, so spelt; proper: those not at
    its beginning.
    """

    text: str
    spelt: str
    capitals: frozenset[str]
    proper: frozenset[str]


@dataclass(frozen=True, slots=True)
class _Part:
    """What a sentence has to hold. text: as it is compared; spelling: None for a word that may
    have other forms; is_name: with a capital, a digit or a mark inside.
    """

    text: str
    spelling: Spelling | None
    is_name: bool

    @property
    def is_han(self) -> bool:
        return _HAN.match(self.text) is not None

    @property
    def is_telling(self) -> bool:
        """Whether it may say alone which memory is meant, where languages differ."""
        return self.is_name and not (self.text.isdigit() and len(self.text) < _TELLING_DIGITS)

    def may_be_in(self, spelt: str) -> bool:
        """Fast; false only where it has no place in any sentence of ``spelt``."""
        if self.spelling is None:
            return self.text[:_ROOT] in spelt
        return any(True for _ in self.spelling.places(spelt))

    def places(self, sentence: _Sentence) -> Iterator[int]:
        if self.spelling is not None:
            yield from self.spelling.places(sentence.spelt)
            return
        for word in _FREE.finditer(sentence.spelt):
            if is_form(self.text, word[0]) and not self._is_another_name(word[0], sentence):
                yield word.start()

    def _is_another_name(self, word: str, sentence: _Sentence) -> bool:
        """Adams is no form of Adam."""
        names = sentence.capitals if self.is_name else sentence.proper
        return word != self.text and word in names


class Words:
    """The words of a phrase that say something."""

    def __init__(self, phrase: str) -> None:
        owner = _USER.match(phrase)
        self._is_of_user = owner is not None
        self._parts = list(_parts(phrase if owner is None else phrase[owner.end() :]))
        self._is_owned = bool(_OWNED.search(phrase)) or any(
            part.is_name and part.spelling is None for part in self._parts
        )

    def are_in(self, content: str, spelt: str) -> bool:
        """Whether a sentence of ``content``, which ``spelt`` is a spelling of, holds them all, near
        each other, about the subject that the phrase names, if it names one.
        """
        return _may_be_in(self._parts, spelt) and any(
            _are_near(self._parts, sentence) and self._is_about(sentence)
            for sentence in _sentences(content)
        )

    def name(self, content: str, spelt: str) -> bool:
        """Whether ``content`` is in another language, and a sentence of it holds all the names."""
        if (_HAN.search(content) is None) == any(part.is_han for part in self._parts):
            names = [part for part in self._parts if _is_in_both(part, self._parts)]
            return (
                any(part.is_telling for part in names)
                and _may_be_in(names, spelt)
                and any(_are_near(names, sentence) for sentence in _sentences(content))
            )
        return False

    def _is_about(self, sentence: _Sentence) -> bool:
        about = subject(sentence.text)
        if about in {"", "user"} or not (self._is_of_user or self._is_owned):
            return True
        return not self._is_of_user and all(
            any(is_form(part.text, other.text) for part in self._parts) for other in _parts(about)
        )


def _may_be_in(parts: Sequence[_Part], spelt: str) -> bool:
    return all(part.may_be_in(spelt) for part in parts)


def _is_in_both(part: _Part, parts: Sequence[_Part]) -> bool:
    """Whether it would stand in the other language too: names do, and Latin words in Chinese."""
    return not part.is_han if any(each.is_han for each in parts) else part.is_name


def _parts(phrase: str) -> Iterator[_Part]:
    whole = identifiers(phrase)
    for places in whole:
        yield _spelt(phrase[places.start : places.stop])
    rest = "".join(
        " " if any(at in places for places in whole) else each for at, each in enumerate(phrase)
    )
    for token in _TOKEN.findall(rest):
        yield from _han_parts(token) if _HAN.match(token) else _word_parts(token)


def _spelt(text: str, *, is_name: bool = True) -> _Part:
    return _Part(text=spellings(text)[0], spelling=Spelling(text), is_name=is_name)


def _han_parts(run: str) -> Iterator[_Part]:
    for word in segment(spellings(run)[0]):
        if word not in STOP_WORDS:
            yield _spelt(word, is_name=False)


def _word_parts(token: str) -> Iterator[_Part]:
    token = _POSSESSIVE.sub("", token.strip(_EDGES))
    if not _PLAIN.fullmatch(token):
        if any(map(str.isalnum, token)):
            yield _spelt(token)
        return
    for word in _WORD.findall(token):
        spelt = spellings(word)[0]
        if spelt not in STOP_WORDS:
            yield _Part(text=spelt, spelling=None, is_name=word != word.lower())


def _sentences(content: str) -> Iterator[_Sentence]:
    for text in _SENTENCE.split(content):
        found = [each for each in _CAPITAL.finditer(text) if each[0] != each[0].lower()]
        begun = re.search(r"\w", text)
        first = begun.start() if begun else 0
        yield _Sentence(
            text=text,
            spelt=spellings(text)[0],
            capitals=frozenset(spellings(each[0])[0] for each in found),
            proper=frozenset(spellings(each[0])[0] for each in found if each.start() > first),
        )


def _are_near(parts: Sequence[_Part], sentence: _Sentence) -> bool:
    """Whether all stand in ``sentence`` with at most ``_APART`` between them."""
    places = []
    for part in parts:
        if not (found := list(part.places(sentence))):
            return False
        places.append(found)
    return bool(places) and any(
        all(any(0 <= other - first <= _APART for other in others) for others in places)
        for found in places
        for first in found
    )
