"""What is read to look back: episodes of a session, those like them elsewhere, conclusions."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import groupby

from hindsight_memory.core.calls import worded as worded_arguments
from hindsight_memory.core.model import Layer, Memory, Scope, Tier
from hindsight_memory.core.policy import MemoryType
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.core.retrospection import lessons
from hindsight_memory.core.retrospection.model import (
    Pattern,
    Session,
    key_of,
    pattern_of,
    table,
    text,
)
from hindsight_memory.core.text import query_terms
from hindsight_memory.engine.paging import newest_first

EPISODES = 1_000
"""Of one session, the newest, that are looked at: a day of an agent that never rests."""

LESSONS = 500
"""Conclusions about one tool, the newest, among which a known one is looked for."""

ELSEWHERE, LIKES, CALLS = 8, 50, 300
"""Other sessions in which a pattern is looked for that one session does not make; and by what they
are found: the episodes nearest by words, and the last calls of the tool."""

PAGE = 500
"""Conclusions read at a time."""

ANYWHERE = Filter(tiers=frozenset(Tier), superseded=True)
EPISODIC = Filter(layers=frozenset({Layer.EPISODIC}), tiers=frozenset(Tier))


@dataclass(frozen=True, slots=True)
class Past:
    """Of one user. scope: whose episodes are seen; ``scope.user_id`` must be given."""

    store: Store
    scope: Scope

    @property
    def everyone(self) -> Scope:
        """All agents of the user: a conclusion that another one's private memory has is found,
        and left alone, because its place is another.
        """
        return Scope(self.scope.tenant, self.scope.user_id, None)

    def episodes(self, session_id: str, project: str | None = None) -> list[Memory]:
        where = replace(EPISODIC, session_id=session_id, project=project)
        return self.store.page(self.scope, where, before=None, limit=EPISODES)

    def shown(self, session_id: str) -> dict[str, datetime]:
        """Since when memories were shown in a session, by their ids."""
        user_id = str(self.scope.user_id)
        found = self.store.injected(self.scope.tenant, user_id, session_id)
        return {
            memory_id: min(each.at for each in group)
            for memory_id, group in groupby(found, key=lambda each: each.memory_id)
        }

    def known(
        self, session: Session, found: Iterable[Pattern], planned: Iterable[Memory]
    ) -> dict[str, Memory]:
        """Conclusions about what this session is about, by the keys of their patterns.

        Forgotten and superseded ones too, which nobody wants back; a current one comes first.
        """
        tools = {each.event.tool for each in session.episodes if each.event is not None}
        tags = {lessons.tag_of(tool) for tool in tools if tool}
        tags |= {tag for pattern in found for tag in lessons.tags_of(pattern)}
        memories: list[Memory] = []
        for tag in sorted(tags):
            for is_forgotten in (True, False):
                where = replace(ANYWHERE, tags=frozenset({tag}), forgotten=is_forgotten)
                memories += self.store.page(self.everyone, where, before=None, limit=LESSONS)
        ids = [each.id for each in session.episodes]
        memories += self.store.dependants(self.everyone, ids)
        memories.sort(key=lambda each: not (each.is_forgotten or each.is_superseded))
        return {
            key: memory
            for memory in [*memories, *planned]
            if (key := key_of(memory)) and _is_here(memory, session)
        }

    def elsewhere(self, pattern: Pattern, session: Session) -> list[Memory]:
        """Episodes of other sessions that may show the same: the last calls of its tool, and what
        is near in words; with the whole of the sessions in which any does.
        """
        found = self.store.candidates(
            self.scope, query_terms(_words(pattern)), None, where=EPISODIC, limit=LIKES
        )
        near = self.store.get(self.scope, [each.id for each in found.evidence])
        if pattern.tool:
            near += self.store.calls(self.scope, pattern.tool, where=EPISODIC, limit=CALLS)
        mine = {each.session_id for each in session.episodes}
        telling = near if pattern.kind == "decision" else lessons.bearing(pattern, near).supports
        names = dict.fromkeys(
            each.session_id for each in telling if each.session_id not in {"", *mine}
        )
        whole = [each for name in list(names)[:ELSEWHERE] for each in self.episodes(name)]
        return [*near, *whole]

    def conclusions(self, planned: Iterable[Memory]) -> list[Memory]:
        """All of the user that rest on episodes, forgotten ones too."""
        where = replace(ANYWHERE, memory_types=frozenset({MemoryType.LESSON}))
        found: dict[str, Memory] = {}
        for is_forgotten in (True, False):
            those = replace(where, forgotten=is_forgotten)
            for page in newest_first(self.store, self.everyone, those, size=PAGE):
                found |= {each.id: each for each in page if key_of(each)}
        return [*({**found, **{each.id: each for each in planned}}).values()]


def _is_here(memory: Memory, session: Session) -> bool:
    pattern = pattern_of(memory)
    return pattern is not None and pattern.place == session.place


def _words(pattern: Pattern) -> str:
    """By which episodes that show the same are found."""
    facts = pattern.facts
    sides = [worded_arguments(table(facts, name)) for name in ("failed", "worked", "arguments")]
    told = [text(facts, name) for name in ("tool", "wanted", "unwanted", "decision")]
    return " ".join([*told, *sides])
