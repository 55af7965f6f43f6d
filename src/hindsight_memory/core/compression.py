"""Many cold episodes as one summary: which of them are alike, and what the summary says. Pure.

No LLM and no vectors: archived memories have none, and vectors hardly see values. Two episodes are
alike when they share most of their words and none has another value, or another word, in place of
one of the other's. Doubt keeps them apart: then each is archived as it is.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from difflib import SequenceMatcher
from functools import cached_property

from hindsight_memory.core import value_rows, values
from hindsight_memory.core.hygiene import TAGS
from hindsight_memory.core.model import Layer, Memory
from hindsight_memory.core.policy import TRUST, MemoryType, Source
from hindsight_memory.core.script import SPACELESS
from hindsight_memory.core.text import STOP_WORDS, query_terms
from hindsight_memory.core.wording import is_chinese

ALIKE = 0.6
"""Share of their words that two episodes have in common, at least (Dice 1945)."""

FEWEST = 3
"""Episodes that make a summary: one of two is as long as the two."""

LONGEST = 1_000
"""Characters of an episode. A longer one is a document, and no few sentences stand for it."""

SENTENCES = 5
"""A summary has at most so many, and all words of its episodes: no name is lost."""

SCENE = "compression"
"""By this scene and its source a summary is known."""

_SENTENCE = re.compile(r"(?:[^。！？!?.\n]|\.(?!\s|$))+[。！？!?.]*")
_ENDED = re.compile(r"[。！？!?.…]$")
_PAIR = re.compile(f"[{SPACELESS}]{{2}}")
_NUMERALS = frozenset("零〇一二两三四五六七八九十百千万亿")


@dataclass(frozen=True)
class Episode:
    """An episode as it is compared."""

    memory: Memory

    @cached_property
    def words(self) -> frozenset[str]:
        return _words(self.memory.content)

    @cached_property
    def statement(self) -> tuple[str, ...]:
        return values.canonical(self.memory.content)

    @cached_property
    def kind(self) -> tuple[object, ...]:
        """Its place, and its numbers and negations, each as often as it occurs."""
        return (*_place(self.memory), *sorted(filter(_is_value, self.statement)))


def is_summary(memory: Memory) -> bool:
    return memory.source is Source.RETROSPECTION and memory.scene == SCENE


def is_alike(one: Episode, other: Episode) -> bool:
    """Whether one summary may speak of both. Two people, or two ports, never share one."""
    if one.kind != other.kind:
        return False
    subjects = {one.memory.subject, other.memory.subject} - {""}
    shared, total = len(one.words & other.words), len(one.words) + len(other.words)
    return len(subjects) <= 1 and 2 * shared >= ALIKE * total > 0 and not _is_swapped(one, other)


def groups(memories: Iterable[Memory]) -> list[tuple[Memory, ...]]:
    """Those that can each become one summary, the oldest first in each, whatever the order given.

    Complete linkage: all of a group are alike, pair by pair, so that no chain of neighbours joins
    two that have nothing in common.
    """
    gathered: defaultdict[tuple[object, ...], list[list[Episode]]] = defaultdict(list)
    for memory in sorted(memories, key=_age):
        if len(memory.content) <= LONGEST:
            episode = Episode(memory)
            _join(gathered[episode.kind], episode)
    sources = (
        tuple(episode.memory for episode in group) for near in gathered.values() for group in near
    )
    return [group for group in sources if len(group) >= FEWEST and _extract(group)]


def summary(sources: Sequence[Memory], *, new_id: str, now: datetime) -> Memory:
    """One memory that says what ``sources``, a group, said, with how often and when."""
    first = sources[0]
    types = {source.memory_type for source in sources}
    tags = Counter(tag for source in sources for tag in sorted(source.tags))
    standing = TRUST[Source.RETROSPECTION]
    return Memory(
        id=new_id,
        tenant=first.tenant,
        user_id=first.user_id,
        agent_id=first.agent_id,
        project=first.project,
        visibility=first.visibility,
        content=_content(sources),
        layer=Layer.SEMANTIC,
        memory_type=MemoryType.EVENT if types == {MemoryType.EVENT} else MemoryType.FACT,
        scene=SCENE,
        tags=frozenset(tag for tag, _ in tags.most_common(TAGS)),
        subject=first.subject,
        status=standing.status,
        source=Source.RETROSPECTION,
        trust=min(standing.trust, *(source.trust for source in sources)),
        confidence=min(standing.confidence, *(source.confidence for source in sources)),
        importance=max(source.importance for source in sources),
        evidence=tuple(source.id for source in sources),
        valid_from=min(source.happened_at for source in sources),
        created_at=now,
        updated_at=now,
    )


def _join(groups: list[list[Episode]], episode: Episode) -> None:
    """Into the first group that it fits, or one of its own."""
    for group in groups:
        if all(is_alike(each, episode) for each in group):
            group.append(episode)
            return
    groups.append([episode])


def _age(memory: Memory) -> tuple[datetime, str]:
    return memory.happened_at, memory.id


def _place(memory: Memory) -> tuple[str, ...]:
    """With the author, who alone is shown what is tentative: a summary is seen by nobody who could
    not see all that it is made of.
    """
    visibility = memory.visibility.value
    return (memory.tenant, memory.user_id, memory.project, visibility, memory.agent_id)


def _is_value(word: str) -> bool:
    is_number = any(character.isdigit() for character in word) or word in _NUMERALS
    return is_number or word in value_rows.NEGATORS


def _is_swapped(one: Episode, other: Episode) -> bool:
    """Whether one says something else where the other says something: Berlin for Munich."""
    first, second = sorted((one.statement, other.statement))
    return any(
        kind == "replace" and _says(first[a:b]) and _says(second[c:d])
        for kind, a, b, c, d in SequenceMatcher(a=first, b=second, autojunk=False).get_opcodes()
    )


def _says(words: Iterable[str]) -> bool:
    return any(word not in STOP_WORDS and word not in value_rows.PREPOSITIONS for word in words)


def _words(text: str) -> frozenset[str]:
    """Without the pairs of Chinese characters, which reach from one word into the next."""
    return frozenset(term for term in query_terms(text) if not _PAIR.fullmatch(term))


def _sentences(sources: Iterable[Memory]) -> Iterator[str]:
    for source in sources:
        yield from filter(None, map(str.strip, _SENTENCE.findall(source.content)))


def _extract(sources: Sequence[Memory]) -> list[str]:
    """The fewest sentences that hold all the words; none where that takes too many.

    Greedy: the next is the one with most words that none before it has; of equals the shortest.
    """
    missing = {word for source in sources for word in _words(source.content)}
    offered = {sentence: _words(sentence) for sentence in _sentences(sources)}
    chosen: list[str] = []
    while missing and len(chosen) < SENTENCES:
        best = min(offered, key=lambda each: (-len(offered[each] & missing), len(each), each))
        chosen.append(best)
        missing -= offered[best]
    return [] if missing else chosen


def _content(sources: Sequence[Memory]) -> str:
    chosen = _extract(sources)
    days = sorted(source.happened_at.date().isoformat() for source in sources)
    count, first, last = len(sources), days[0], days[-1]
    if is_chinese("".join(chosen)):
        return f"{_joined(chosen, '')}（共{count}次，{first} 至 {last}）"
    return f"{_joined(chosen, ' ')} ({count} times, {first} to {last})"


def _joined(sentences: Iterable[str], space: str) -> str:
    """Each ends as a sentence does, in its own script."""
    ended = [
        sentence if _ENDED.search(sentence) else sentence + ("。" if not space else ".")
        for sentence in sentences
    ]
    return space.join(ended)
