"""Changing what is remembered: update, forget, restore, purge, and feedback on what was used."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime

from hindsight_memory.core import lifecycle, rejections
from hindsight_memory.core.besides import contradicting, rivals
from hindsight_memory.core.changes import Passages, Recall, Rejection
from hindsight_memory.core.compression import is_summary
from hindsight_memory.core.denote import Phrase
from hindsight_memory.core.model import Edit, Memory, Scope, Tier
from hindsight_memory.core.retrieval import Denotation, Denoted, Filter
from hindsight_memory.core.schedule import takes_over
from hindsight_memory.core.timeline import clashing, ruled_out, set_against
from hindsight_memory.engine.cascade import apply
from hindsight_memory.engine.neighbours import KIN, neighbours
from hindsight_memory.engine.paging import newest_first
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.working import WorkingMemory
from hindsight_memory.errors import Conflict, InvalidInput, NotFound

PAGE = 500
"""Memories read at a time where all of a user's are looked at."""

ANYWHERE = Filter(tiers=frozenset(Tier), superseded=True)
"""Everything but what is forgotten."""

TRIES = 20
"""How often an update is made again after others came first."""


class Editor:
    """Changes memories by their exact ids. Safe to share between threads."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts

    def update(self, scope: Scope, edit: Edit) -> Memory:
        """The memory after ``edit``.

        Raises NotFound; Conflict when it is not at the expected version or its new content is
        remembered elsewhere; InvalidInput for what its source does not allow.
        """
        for _ in range(TRIES):
            try:
                return self._update(scope, edit)
            except Conflict:
                # Without an expected version the caller does not mind what came in between.
                if edit.expected_version is not None or self._is_taken(scope, edit):
                    raise
        raise Conflict("others kept changing the same memory; retry later")

    def _update(self, scope: Scope, edit: Edit) -> Memory:
        before = self._parts.find(scope, edit.memory_id)
        if before.is_forgotten and not edit.restore:
            raise NotFound(f"memory {before.id!r} is forgotten; restore it first")
        now = self._parts.clock.now()
        after = lifecycle.edited(before, edit, now)
        successor = self._successor(scope, before) if edit.restore else None
        if successor is not None and takes_over(successor, before):
            after = replace(after, valid_to=None)
        is_renewed = after.content != before.content
        self._refuse_twin(after)
        readmitted = (
            *(self._said_again(after) if is_renewed else ()),
            *(self._readmitted(after, edit) if edit.restore else ()),
        )
        passages = self._parts.meaning.of_content(after.id, after.content) if is_renewed else None
        if is_renewed and not edit.restore:
            self._refuse_contradiction(before, after, passages)
        others: list[Memory] = []
        if edit.restore:
            after, others = self._making_room(before, after, successor, now)
        changes = self._parts.changes(
            scope,
            "restored" if edit.restore else "updated",
            edit.reason,
            at=now,
            puts=(*others, after),
            renewed=(after,) if is_renewed else (),
            passages=() if passages is None else (passages,),
        )
        apply(self._parts, replace(changes, readmitted=readmitted))
        if before.tier is Tier.ARCHIVED:
            self._parts.behind.submit(lambda: None)  # wakes what embeds
        return after

    def _making_room(
        self, before: Memory, after: Memory, successor: Memory | None, now: datetime
    ) -> tuple[Memory, list[Memory]]:
        """``after``, which is restored, and what gives way to it: its successor, other values that
        are current, and what is remembered of a time in which it is true again. Better sources do
        not; with them it stands in dispute.
        """
        rivals_of = self._rivals(before, after)
        gone = {each.id: each for each in (*rivals_of, *([successor] if successor else []))}
        store, everyone = self._parts.store, _everyone(after)
        kin = [each for each in store.kin(everyone, after, limit=KIN) if each.id not in gone]
        past = [each for each in store.past_kin(everyone, after, limit=KIN) if each.id not in gone]
        over = ruled_out(after, past, now)
        after, disputed = set_against(after, kin, now)
        gave_way = (lifecycle.gave_way(each, after, now) for each in gone.values())
        return after, [*gave_way, *over, *disputed]

    def _successor(self, scope: Scope, memory: Memory) -> Memory | None:
        """The current memory at the end of the chain that took the place of ``memory``, or that is
        to take it over.
        """
        for each in self._parts.store.get(scope, memory.related_ids):
            if takes_over(each, memory) and not (each.is_forgotten or each.is_superseded):
                return each
        while memory.superseded_by is not None:
            found = self._parts.store.get(scope, [memory.superseded_by])
            if not found:
                return None
            memory = found[0]
        return None if memory.is_forgotten or memory.is_superseded else memory

    def _rivals(self, before: Memory, after: Memory) -> list[Memory]:
        """Current memories with another value for what ``after`` is about; none that stood beside
        it before.
        """
        if not _is_current(after):
            return []
        found = rivals(after, self._parts.store.kin(_everyone(after), after, limit=KIN))
        known = rivals(before, found) if _is_current(before) else []
        return [each for each in found if each not in known]

    def _contradicted(
        self, before: Memory, after: Memory, passages: Passages | None
    ) -> list[Memory]:
        """Memories that a write of ``after`` would not leave as they are; none that stood beside
        it before.
        """
        everyone = _everyone(after)
        near = [each.memory for each in neighbours(self._parts, everyone, after, passages)]
        past = self._parts.store.past_kin(everyone, after, limit=KIN)
        if not _is_current(after):
            found = clashing(after, [*near, *past])
            known = clashing(before, found)
        else:
            found = [*contradicting(after, near), *clashing(after, past)]
            known = [*contradicting(before, found), *clashing(before, found)]
        return [each for each in found if each not in known]

    def _refuse_contradiction(
        self, before: Memory, after: Memory, passages: Passages | None
    ) -> None:
        """Raises Conflict where a write would change what is there."""
        if against := self._contradicted(before, after, passages):
            message = f"memory {against[0].id!r} gives the same another value; write this as a new"
            raise Conflict(f"{message} memory, so that it replaces that one, or forget one of them")

    def _said_again(self, memory: Memory) -> tuple[Rejection, ...]:
        """What its content brings back. Raises InvalidInput for what a write may not say either."""
        past = self._parts.store.past_kin(_everyone(memory), memory, limit=KIN)
        keys = rejections.keys(memory, past)
        found = self._parts.store.rejections(memory.tenant, memory.user_id, keys)
        for each in found:
            if not rejections.may_return(each, memory):
                raise InvalidInput(rejections.told(each))
        return tuple(found)

    def _readmitted(self, memory: Memory, edit: Edit) -> tuple[Rejection, ...]:
        """Raises InvalidInput where a person rejected it, and no person takes that back."""
        keys = [rejections.key(memory)]
        found = self._parts.store.rejections(memory.tenant, memory.user_id, keys)
        if not edit.is_person and any(map(rejections.is_by_person, found)):
            raise InvalidInput(f"a person rejected {memory.id!r}; only a person can restore it")
        return tuple(found)

    def forget(self, scope: Scope, memory_id: str, reason: str) -> None:
        """Soft: restorable, and found by nothing until then, nor is a summary of it.

        Raises NotFound.
        """
        memory = self._parts.find(scope, memory_id)
        if memory.is_forgotten:
            raise NotFound(f"memory {memory_id!r} is forgotten already")
        now = self._parts.clock.now()
        gone = lifecycle.forgotten(memory, now)
        apply(self._parts, self._parts.changes(scope, "forgotten", reason, at=now, puts=(gone,)))

    def purge(self, scope: Scope, memory_id: str, reason: str) -> None:
        """Hard: removed from every table, index and cache, with what repeats it.

        Raises NotFound.
        """
        memory = self._parts.find(scope, memory_id)
        # A search that returned it may not have been logged yet.
        self._parts.behind.flush()
        changes = self._parts.changes(scope, "purged", reason, at=self._parts.clock.now())
        gone = (memory, *self._summaries(memory))
        everyone = Scope(memory.tenant, memory.user_id, None)
        # First, because what follows leaves no byte of it in the file.
        WorkingMemory(self._parts).purge(everyone, [each.content for each in gone])
        for each in gone:
            self._parts.store.jobs.purge(each.tenant, each.user_id, each.content)
        apply(self._parts, replace(changes, purges=tuple(each.id for each in gone)))
        for each in gone:
            self._parts.forget(each.content)

    def denoted(self, scope: Scope, phrase: str) -> Denotation:
        """All memories that ``phrase`` may mean, newest first where equally sure; those that only
        hold its names where there are no others.

        Raises InvalidInput for a phrase without a letter or digit.
        """
        wanted = Phrase(phrase)
        if wanted.is_empty:
            raise InvalidInput("`query` holds no letter or digit to look for")
        matches = ((memory, wanted.match(memory.content)) for memory in self._all(scope))
        found = [Denoted(memory, match) for memory, match in matches if match is not None]
        surest = [each for each in found if each.match != "names"] or found
        surest.sort(key=lambda each: each.match != "whole")
        return Denotation(found=tuple(surest), keeps=wanted.keeps)

    def feedback(
        self, scope: Scope, recall_id: str, used_ids: tuple[str, ...], *, helped: bool | None
    ) -> tuple[str, ...]:
        """Count a use of each of ``used_ids`` once per recall; returns those now counted.

        Raises NotFound for a recall or memory that does not exist; then nothing is counted.
        """
        self._parts.behind.flush()
        recall = self._parts.store.recall(scope.tenant, recall_id)
        if recall is None:
            raise NotFound(f"no recall {recall_id!r}")
        known = {memory.id: memory for memory in self._parts.store.get(scope, used_ids)}
        if unknown := [each for each in used_ids if each not in known]:
            raise NotFound(f"no memory {unknown[0]!r}")
        fresh = tuple(dict.fromkeys(each for each in used_ids if each not in recall.used_ids))
        reported = replace(recall, used_ids=(*recall.used_ids, *fresh), helped=helped)
        back = tuple(lifecycle.brought_back(known[each]) for each in fresh)
        try:
            self._apply_feedback(scope, reported, fresh, tuple(filter(None, back)))
        except Conflict:  # somebody changed one meanwhile, which is no reason to count no use
            self._apply_feedback(scope, reported, fresh, ())
        return fresh

    def _apply_feedback(
        self, scope: Scope, recall: Recall, used: tuple[str, ...], back: tuple[Memory, ...]
    ) -> None:
        changes = self._parts.changes(
            scope, "used", "it was used", at=self._parts.clock.now(), puts=back
        )
        self._parts.store.apply(replace(changes, recall=recall, used=used))

    def _summaries(self, memory: Memory) -> list[Memory]:
        """Those that say what ``memory`` says, in its words; forgotten ones too."""
        everyone = Scope(memory.tenant, None, None)
        linked = self._parts.store.get(everyone, memory.related_ids)
        return [each for each in linked if is_summary(each) and memory.id in each.evidence]

    def _is_taken(self, scope: Scope, edit: Edit) -> bool:
        """Whether a repetition of the edit would be refused again, for its content."""
        found = self._parts.store.get(scope, [edit.memory_id])
        if not found:
            return False
        after = lifecycle.edited(found[0], edit, self._parts.clock.now())
        twin = self._parts.store.same_content(after)
        if twin is not None and twin.id != edit.memory_id:
            return True
        passages = self._parts.meaning.of_content(after.id, after.content)
        return not edit.restore and bool(self._contradicted(found[0], after, passages))

    def _refuse_twin(self, memory: Memory) -> None:
        if memory.is_forgotten or memory.is_superseded:
            return
        twin = self._parts.store.same_content(memory)
        if twin is not None and twin.id != memory.id:
            message = f"memory {twin.id!r} has this content already"
            raise Conflict(f"{message}; update that one, or forget one of the two")

    def _all(self, scope: Scope) -> Iterator[Memory]:
        for page in newest_first(self._parts.store, scope, ANYWHERE, size=PAGE):
            yield from page


def _is_current(memory: Memory) -> bool:
    return not (memory.is_superseded or memory.is_forgotten)


def _everyone(memory: Memory) -> Scope:
    """All that may stand beside it, whoever wrote it."""
    return Scope(memory.tenant, memory.user_id, None)
