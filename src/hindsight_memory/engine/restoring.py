"""What an import does with lines that an export wrote: memories as they were, and rejections.

What is here stays; nothing that was rejected here becomes current by an import.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import groupby

from hindsight_memory.core import codec, rejections, verification
from hindsight_memory.core.changes import Changes, Rejection, Revision
from hindsight_memory.core.model import Caller, Memory, Scope
from hindsight_memory.core.records import Record
from hindsight_memory.engine.cascade import with_cascade
from hindsight_memory.engine.lines import Done, Fate, Line
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import Conflict

KIN = 32
"""How many memories about the same thing are looked at, as at a write."""


class Restorer:
    """Inserts memories as they were. One for each import: it knows what it kept as history only."""

    def __init__(self, parts: Parts, caller: Caller) -> None:
        self._parts = parts
        self._scope = Scope(caller.tenant, None, None)
        self._by = Scope(caller.tenant, caller.user_id, caller.agent_id)
        self._fallen: list[str] = []

    def keep(self, lines: Sequence[Line[Record]]) -> Iterator[Done]:
        """Each line's fate; what each yields is durable. New ones go in one transaction."""
        memories = [line.value.memory for line in lines]
        stored_here = self._parts.store.get(self._scope, [memory.id for memory in memories])
        by_id = {memory.id: memory for memory in stored_here}
        against = self._against(memories)
        new: list[Line[Record]] = []
        for line in lines:
            memory = line.value.memory
            stored = by_id.get(memory.id)
            if stored is None:
                new.append(line)
            elif _is_same(stored, memory):
                yield Done(line.number, Fate.UNCHANGED)
            elif memory.id in against and not _is_current(stored):
                yield self._rejected(line, against[memory.id])
            else:
                # First what comes before it, because ``strict`` stops here.
                yield from self._insert(new, against)
                new = []
                yield Done(line.number, Fate.CONFLICT, _difference(stored, memory))
        yield from self._insert(new, against)

    def finish(self) -> None:
        """What rests on memories that are history only is judged anew; a search would see to it."""
        if not self._fallen:
            return
        changes = self._changes(())
        with suppress(Conflict):
            self._parts.store.apply(with_cascade(self._parts, changes, self._fallen))

    def _insert(
        self, lines: Sequence[Line[Record]], against: Mapping[str, Rejection]
    ) -> Iterator[Done]:
        """Where one of many is in the way, halves find out which, in order."""
        if not lines:
            return
        try:
            self._restore([line.value for line in lines], against)
        except Conflict:
            if len(lines) == 1:
                yield Done(lines[0].number, Fate.CONFLICT, self._why_taken(lines[0].value.memory))
                return
            middle = len(lines) // 2
            yield from self.keep(lines[:middle])
            yield from self.keep(lines[middle:])
        else:
            for line in lines:
                if rejected := against.get(line.value.memory.id):
                    yield self._rejected(line, rejected)
                else:
                    yield Done(line.number, Fate.STORED)

    def _restore(self, given: Sequence[Record], against: Mapping[str, Rejection]) -> None:
        kept = [
            self._as_history(record, against[record.memory.id])
            if record.memory.id in against
            else record
            for record in given
        ]
        changes = self._changes([record.memory for record in kept])
        lifted = self._known(changes.puts).values()
        changes = replace(changes, readmitted=tuple(lifted))
        self._parts.store.restore(changes, {each.memory.id: each.history for each in kept})

    def _against(self, memories: Iterable[Memory]) -> dict[str, Rejection]:
        """What was rejected here and may not come back, by the id of the memory that says it."""
        memories = list(memories)
        known = self._known(memories)
        return {
            memory.id: known[memory.id]
            for memory in memories
            if memory.id in known and not rejections.may_come_back(known[memory.id], memory)
        }

    def _known(self, memories: Iterable[Memory]) -> dict[str, Rejection]:
        """What was rejected here of what current ``memories`` say, by their ids."""
        current = sorted(filter(_is_current, memories), key=_user)
        found: dict[str, Rejection] = {}
        for user_id, group in groupby(current, key=_user):
            keys = {memory.id: rejections.key(memory) for memory in group}
            rejected = self._parts.store.rejections(
                self._scope.tenant, user_id, sorted(set(keys.values()))
            )
            by_key = {each.key: each for each in rejected}
            found |= {name: by_key[key] for name, key in keys.items() if key in by_key}
        return found

    def _as_history(self, record: Record, rejected: Rejection) -> Record:
        now = self._parts.clock.now()
        memory = verification.rejected(record.memory, now)
        note = self._changes(()).note
        last = Revision(
            memory_id=memory.id,
            version=memory.version,
            at=now,
            actor=note.actor,
            operation="rejected",
            reason=_why(rejected),
            before=codec.before(record.memory, memory),
        )
        return Record(memory=memory, history=(*record.history, last))

    def _rejected(self, line: Line[Record], rejected: Rejection) -> Done:
        self._fallen.append(line.value.memory.id)
        return Done(line.number, Fate.REJECTED, f"{_why(rejected)}; it is kept as history only")

    def _changes(self, memories: Sequence[Memory]) -> Changes:
        return self._parts.changes(
            self._by,
            "imported",
            "",
            at=self._parts.clock.now(),
            puts=tuple(memories),
            renewed=tuple(memories),
        )

    def _why_taken(self, memory: Memory) -> str:
        twin = self._parts.store.same_content(memory)
        if twin is not None:
            return f"memory {twin.id!r} has this content already"
        return f"the id {memory.id!r} is taken"


class RejectionKeeper:
    """Keeps what was rejected elsewhere, unless it was said here since."""

    def __init__(self, parts: Parts, caller: Caller) -> None:
        self._parts = parts
        self._by = Scope(caller.tenant, caller.user_id, caller.agent_id)

    def keep(self, lines: Sequence[Line[Rejection]]) -> Iterator[Done]:
        """Each line's fate; new ones are kept in one transaction. Nothing here is retired by it."""
        fates = [self._fate(line) for line in lines]
        new = [
            line.value for line, done in zip(lines, fates, strict=True) if done.fate is Fate.STORED
        ]
        if new:
            changes = self._parts.changes(self._by, "imported", "", at=self._parts.clock.now())
            self._parts.store.apply(replace(changes, rejections=tuple(new)))
        yield from fates

    def _fate(self, line: Line[Rejection]) -> Done:
        given, store = line.value, self._parts.store
        known = store.rejections(self._by.tenant, given.user_id, [given.key])
        if any(each.at >= given.at for each in known):
            return Done(line.number, Fate.UNCHANGED)
        if memory := self._said_since(given):
            reason = f"memory {memory.id!r} says since then what was rejected there; it stays"
            return Done(line.number, Fate.CONFLICT, reason)
        return Done(line.number, Fate.STORED)

    def _said_since(self, rejected: Rejection) -> Memory | None:
        """A current memory that brought it back: itself, restored, or what was said later."""
        everyone = Scope(self._by.tenant, rejected.user_id, None)
        found = self._parts.store.get(everyone, [rejected.memory_id])
        kin = [each for one in found for each in self._parts.store.kin(everyone, one, limit=KIN)]
        for memory in (*found, *kin):
            if (
                _is_current(memory)
                and memory.updated_at > rejected.at
                and rejections.key(memory) == rejected.key
                and (memory.id == rejected.memory_id or rejections.may_return(rejected, memory))
            ):
                return memory
        return None


def _is_current(memory: Memory) -> bool:
    return not (memory.is_forgotten or memory.is_superseded)


def _user(memory: Memory) -> str:
    return memory.user_id


def _why(rejected: Rejection) -> str:
    return f"it was rejected here as untrue on {rejected.at:%Y-%m-%d} ({rejected.memory_id!r})"


def _is_same(stored: Memory, given: Memory) -> bool:
    """The same version; that it was recalled or used since is no difference."""
    return stored.version == given.version and not codec.before(stored, given)


def _difference(stored: Memory, given: Memory) -> str:
    what = f"memory {given.id!r} is here at version {stored.version}"
    if stored.version != given.version:
        return f"{what}, in the file at {given.version}; it was left as it is"
    names = ", ".join(codec.before(stored, given))
    return f"{what} with another {names}; it was left as it is"
