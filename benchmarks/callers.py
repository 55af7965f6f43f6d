"""Callers that correct and forget by natural language, as ForgetEval asks for.

The product takes ids, and finds them: ``search`` by meaning, ``forget(query=...)`` by the exact
name. Which of them a sentence means is the caller's to say; ``Agent`` says it by general rules:

- supersede: the one hit that the query denotes, or else the best hit of a search for it, however
  weak, that is not the new text; where the new text is remembered already, that hit is forgotten;
- purge: what its identifiers denote, or else its names, or else all of its words; names that
  never stand together are names of one thing;
- release: what its names denote, without those that hold none of the words the query describes
  it by, unless it asks for "everything about" a name.

``Forgetful`` and ``Empty`` are the controls: what a store passes that never retires, and one that
keeps nothing.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

from hindsight_memory import Hindsight
from hindsight_memory.core.retrieval import Match
from hindsight_memory.core.text import STOP_WORDS, fold, segment

TOP = 5
"""How many are recalled, by the protocol."""

_EVERYTHING = re.compile(r"^(?:forget\s+)?(?:everything|all)\s+(?:about|on|of)\s+", re.IGNORECASE)
_ASIDE = re.compile(r"\((?:with|without)[^)]*\)", re.IGNORECASE)
_WORD = re.compile(r"[^\s,;()/]*[^\W_][^\s,;()]*|[/();,]|\baka\b")
_HAN = re.compile(r"[\u4e00-\u9fff]+")
_IDENTIFIER = re.compile(r"\d|[@_#]|\w[-./]\w")
_OPEN = STOP_WORDS | frozenset({"aka", "的", "record", "records"})


class Correcting(Protocol):
    """A store of one user's facts, corrected by sentences."""

    @property
    def name(self) -> str: ...
    def store(self, fact: str) -> None: ...
    def supersede(self, query: str, new: str) -> None: ...
    def release(self, query: str) -> None: ...
    def purge(self, query: str) -> None: ...
    def recall(self, query: str) -> list[str]: ...


@dataclass(frozen=True, slots=True)
class Agent:
    """Somebody who uses the product as its documents say."""

    memory: Hindsight
    user: str
    name: str = "product"

    def store(self, fact: str) -> None:
        self.memory.write(fact, user_id=self.user, source="user_explicit")

    def supersede(self, query: str, new: str) -> None:
        hits = self.memory.search(query, user_id=self.user, top_k=TOP).hits
        known = [hit.memory for hit in hits if fold(hit.memory.content) == fold(new)]
        others = [hit.memory.id for hit in hits if hit.memory not in known]
        denoted = self._preview(query, "whole", "words").intersection(others)
        old = next(iter(denoted if len(denoted) == 1 else others), None)
        if known and old is not None:
            self.memory.forget(old, reason=f"{known[0].id} holds instead")
        else:
            self.memory.write(new, user_id=self.user, source="user_explicit", supersedes=old)

    def release(self, query: str) -> None:
        for memory_id in sorted(self._released(query)):
            self.memory.forget(memory_id, reason=query)

    def purge(self, query: str) -> None:
        chosen = self._identified(query) or self._named(query) or self._worded(query)
        for memory_id in sorted(chosen):
            self.memory.forget(memory_id, hard_delete=True, reason=query)

    def recall(self, query: str) -> list[str]:
        found = self.memory.search(query, user_id=self.user, top_k=TOP)
        return [hit.memory.content for hit in found.hits]

    def _released(self, query: str) -> frozenset[str]:
        named = self._named(query)
        if not named or _EVERYTHING.match(query):
            return named or self._worded(query)
        narrowed = [named & ids for ids in self._by_word(query) if named & ids]
        return frozenset.intersection(named, *narrowed) or named

    def _identified(self, query: str) -> frozenset[str]:
        """By its identifiers alone: the SSN in "SSN 123-45-6789" only says what it is."""
        return self._common(name for name in names(query) if _is_identifier(name[0]))

    def _named(self, query: str) -> frozenset[str]:
        return self._common(names(query))

    def _common(self, wanted: Iterable[Sequence[str]]) -> frozenset[str]:
        """What all of these names denote; all that any does where no memory has them all."""
        denoted = [ids for name in wanted for ids in self._by_name(name)]
        if not denoted:
            return frozenset()
        return frozenset.intersection(*denoted) or frozenset().union(*denoted)

    def _by_name(self, name: Sequence[str]) -> list[frozenset[str]]:
        """Of the longest parts of ``name`` that denote anything."""
        for length in range(len(name), 0, -1):
            for start in range(len(name) - length + 1):
                part = " ".join(name[start : start + length])
                if ids := self._denoted(part) or self._begun(part):
                    before, after = name[:start], name[start + length :]
                    return [ids, *self._by_name(before), *self._by_name(after)]
        return []

    def _begun(self, name: str) -> frozenset[str]:
        """The one memory with a longer identifier that begins like this one, which none has."""
        if not re.search(r"\d", name):
            return frozenset()
        found = self.memory.search(name, user_id=self.user, top_k=TOP)
        begun = [hit.memory.id for hit in found.hits if fold(name) in fold(hit.memory.content)]
        return frozenset(begun) if len(begun) == 1 else frozenset()

    def _worded(self, query: str) -> frozenset[str]:
        """What holds all words of the query that any memory holds."""
        held = [ids for ids in self._by_word(query) if ids]
        return frozenset.intersection(*held) if held else frozenset()

    def _by_word(self, query: str) -> list[frozenset[str]]:
        words = (each for each in _words(query) if not _is_name(each) and _says(each))
        return [self._denoted(each) for each in words]

    def _denoted(self, name: str) -> frozenset[str]:
        return self._preview(name, "whole")

    def _preview(self, phrase: str, *matches: Match) -> frozenset[str]:
        candidates = self.memory.forget(query=phrase, user_id=self.user).candidates
        return frozenset(each.id for each in candidates if each.match in matches)


@dataclass(frozen=True, slots=True)
class Forgetful:
    """Keeps everything as episodes, which nothing retires, and forgets nothing it is asked to."""

    memory: Hindsight
    user: str
    name: str = "does nothing"

    def store(self, fact: str) -> None:
        self.memory.write(fact, user_id=self.user, source="user_explicit", layer="episodic")

    def supersede(self, query: str, new: str) -> None:
        del query
        self.store(new)

    def release(self, query: str) -> None: ...
    def purge(self, query: str) -> None: ...

    def recall(self, query: str) -> list[str]:
        return Agent(self.memory, self.user).recall(query)


@dataclass(frozen=True, slots=True)
class Empty:
    name: str = "empty"

    def store(self, fact: str) -> None: ...
    def supersede(self, query: str, new: str) -> None: ...
    def release(self, query: str) -> None: ...
    def purge(self, query: str) -> None: ...

    def recall(self, query: str) -> list[str]:
        del query
        return []


def names(query: str) -> Iterator[list[str]]:
    """Words that look like a name: an identifier each for itself, others in a row together."""
    run: list[str] = []
    for word in [*_words(query), "/"]:
        is_one = _is_identifier(word)
        if is_one or not _is_name(word):
            if run:
                yield run
            run = []
        if is_one:
            yield [word]
        elif _is_name(word):
            run.append(word)


def _words(query: str) -> Iterable[str]:
    """Chinese is cut into words, each a name of its own."""
    plain = _ASIDE.sub("", _EVERYTHING.sub("", query))
    for word in _WORD.findall(_HAN.sub(lambda found: f" {' / '.join(_cut(found[0]))} ", plain)):
        yield re.sub(r"['’]s$", "", word.strip(".:,"))


def _cut(text: str) -> list[str]:
    return [word for word in segment(text) if word not in _OPEN]


def _is_name(word: str) -> bool:
    """With a capital, a digit, or in another script than English describes things in."""
    return _says(word) and (word != word.lower() or not word.isascii() or _is_identifier(word))


def _is_identifier(word: str) -> bool:
    return _IDENTIFIER.search(word) is not None


def _says(word: str) -> bool:
    return re.search(r"[^\W_]", word) is not None and word.casefold() not in _OPEN
