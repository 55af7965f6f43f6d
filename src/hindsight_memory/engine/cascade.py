"""What rests on a memory follows it in the same transaction: fallen evidence asserts nothing."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from hindsight_memory.core.changes import Changes
from hindsight_memory.core.compression import is_summary
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.core.schedule import closed_up, takes_over
from hindsight_memory.core.support import CASCADED, Judged, rejudged, stands
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.purging import with_conclusions

WITHOUT_END = "what was to take over is gone before its time"


def apply(parts: Parts, changes: Changes) -> None:
    """Apply ``changes`` with all that follows from them."""
    parts.store.apply(with_cascade(parts, changes))


def with_cascade(parts: Parts, changes: Changes, fallen: Collection[str] = ()) -> Changes:
    """``changes``, and what they do to the memories whose evidence they touch, however far, and to
    those that were to end when a statement about the future takes over.

    fallen: what an earlier change took out of use.
    """
    if changes.purges:
        changes = with_conclusions(parts, changes)
    after = {memory.id: memory for memory in changes.puts}
    notes = dict(changes.notes)
    everyone = Scope(changes.tenant, None, None)
    for old in _freed(parts, changes):
        after[old.id] = old
        notes[old.id] = replace(changes.note, operation=CASCADED, reason=WITHOUT_END)
    touched = {memory.id for memory in changes.puts if memory.version > 1}
    touched |= {*changes.purges, *fallen}
    while touched:
        resting = parts.store.dependants(everyone, sorted(touched))
        resting += _withdrawn(parts, everyone, [after[each] for each in touched if each in after])
        touched = set()
        for dependant in resting:
            if dependant.id in after or dependant.id in changes.purges:
                continue
            judged = _judged(parts, dependant, after, changes)
            if judged is not None:
                after[dependant.id] = _without(judged.memory, changes.purges)
                notes[dependant.id] = replace(
                    changes.note, operation=CASCADED, reason=judged.reason
                )
                touched.add(dependant.id)
    return replace(changes, puts=tuple(after.values()), notes=notes)


def _freed(parts: Parts, changes: Changes) -> list[Memory]:
    """What was to end when a statement about the future takes over that is gone before its time."""
    everyone = Scope(changes.tenant, None, None)
    purged = parts.store.get(everyone, changes.purges) if changes.purges else []
    gone = [each for each in changes.puts if each.is_forgotten or each.is_superseded] + purged
    changed = {*(each.id for each in changes.puts), *changes.purges}
    found: list[Memory] = []
    for new in gone:
        if new.superseded_by or not new.related_ids or new.happened_at <= changes.at:
            continue
        linked = [
            each for each in parts.store.get(everyone, new.related_ids) if each.id not in changed
        ]
        for before in parts.store.get(everyone, [new.id]):
            olds = [each for each in linked if takes_over(before, each)]
            later = next((each for each in linked if takes_over(each, before)), None)
            found += closed_up(olds, before, later, changes.at) if olds else []
        changed |= {each.id for each in found}
    return found


def _withdrawn(parts: Parts, everyone: Scope, sources: Iterable[Memory]) -> list[Memory]:
    """Summaries of ``sources`` that were forgotten, and whose place nothing has taken: the store
    names no forgotten dependants, but each source of a summary names it.
    """
    linked = sorted({link for source in sources if stands(source) for link in source.related_ids})
    found = parts.store.get(everyone, linked) if linked else []
    return [
        each
        for each in found
        if is_summary(each) and each.is_forgotten and parts.store.same_content(each) is None
    ]


def _judged(
    parts: Parts, dependant: Memory, after: Mapping[str, Memory], changes: Changes
) -> Judged | None:
    everyone = Scope(changes.tenant, None, None)

    def as_they_will_be(ids: Sequence[str]) -> list[Memory]:
        stored = parts.store.get(everyone, ids)
        return [after.get(each.id, each) for each in stored if each.id not in changes.purges]

    return rejudged(
        dependant,
        as_they_will_be(dependant.evidence),
        parts.store.history(everyone, dependant.id),
        changes.at,
        against=as_they_will_be(dependant.counter_examples),
    )


def _without(memory: Memory, purged: Collection[str]) -> Memory:
    """A purged id stays in no memory, in no version."""
    return replace(
        memory,
        evidence=tuple(each for each in memory.evidence if each not in purged),
        counter_examples=tuple(each for each in memory.counter_examples if each not in purged),
    )
