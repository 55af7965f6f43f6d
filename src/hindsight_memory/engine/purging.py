"""Purging goes on to what was concluded: a lesson quotes the episodes that it rests on."""

from collections.abc import Iterator
from dataclasses import replace

from hindsight_memory.core.changes import Changes
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.core.retrospection import lessons, purging
from hindsight_memory.core.retrospection.model import key_of
from hindsight_memory.core.support import RETROSPECTED, is_weighable
from hindsight_memory.core.text import terms
from hindsight_memory.engine.lived import ANYWHERE, PAGE
from hindsight_memory.engine.paging import newest_first
from hindsight_memory.engine.parts import Parts

RETOLD = "an episode that it quoted was purged: it is told anew by those that are left"


def with_conclusions(parts: Parts, changes: Changes) -> Changes:
    """``changes`` that also purge the conclusions which quote what they purge; those that the rest
    of their episodes show as well come again, each as a memory of its own.
    """
    everyone = Scope(changes.tenant, None, None)
    purges, puts, notes = [*changes.purges], [*changes.puts], dict(changes.notes)
    for each in _quoting(parts, changes):
        named = parts.store.get(everyone, [*each.evidence, *each.counter_examples])
        again = purging.retold(
            each,
            [episode for episode in named if episode.id not in changes.purges],
            is_weighable=is_weighable(each, parts.store.history(everyone, each.id)),
            new_id=parts.ids.new(changes.at),
            now=changes.at,
        )
        purges.append(each.id)
        parts.forget(each.content)
        if again is not None:
            puts.append(again)
            notes[again.id] = replace(changes.note, operation=RETROSPECTED, reason=RETOLD)
    words = {each.id: terms(each.content) for each in puts if each.version == 1}
    return replace(
        changes,
        purges=tuple(purges),
        puts=tuple(puts),
        notes=notes,
        terms={**words, **changes.terms},
    )


def _quoting(parts: Parts, changes: Changes) -> list[Memory]:
    """Conclusions that name a purged episode on either side; forgotten ones have to be looked for
    among those about the same.
    """
    everyone = Scope(changes.tenant, None, None)
    found = {each.id: each for each in parts.store.dependants(everyone, changes.purges)}
    for episode in parts.store.get(everyone, changes.purges):
        found |= {each.id: each for each in _forgotten(parts, episode)}
    return [each for each in found.values() if key_of(each) and each.id not in changes.purges]


def _forgotten(parts: Parts, episode: Memory) -> Iterator[Memory]:
    where = replace(ANYWHERE, tags=lessons.tags_about(episode), forgotten=True)
    owner = Scope(episode.tenant, episode.user_id, None)
    for page in newest_first(parts.store, owner, where, size=PAGE):
        for memory in page:
            if episode.id in memory.evidence or episode.id in memory.counter_examples:
                yield memory
