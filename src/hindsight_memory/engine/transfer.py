"""Export and import, line by line: what is in memory never grows with the file.

Memories come back exactly, whoever they belong to inside the tenant, forgotten and superseded ones
included. Both imports can be stopped at any time and started again: what is done is recognised and
passed over. Vectors are not in the file; ``embed_waiting`` makes those of imported memories.
"""

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, islice
from typing import Any, TypeAlias

from hindsight_memory.core import codec, records
from hindsight_memory.core.model import Caller, Memory, Scope
from hindsight_memory.core.ports import Progress
from hindsight_memory.core.records import Record
from hindsight_memory.engine.conversations import Listener, Turn, turn_of
from hindsight_memory.engine.lines import Done, Fate, Line, Report, refuse_problem
from hindsight_memory.engine.maintenance import embed_some
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import Conflict, InvalidInput

PAGE = 500
"""Memories read at a time for an export."""

MEMORIES, TURNS = 200, 32
"""Lines kept at a time: memories share a transaction, turns a call of the embedder, which takes
up to 32 texts at once."""

Parsed: TypeAlias = "Record | Turn | Done | None"
Keep: TypeAlias = Callable[[Sequence[Line[Any]]], Iterator[Done]]


def silent(_done: int, _total: int | None) -> None:
    """The progress that nobody wants to hear of."""


def export_lines(
    parts: Parts,
    tenant: str,
    write: Callable[[bytes], object],
    *,
    user_id: str | None = None,
    project: str | None = None,
    progress: Progress = silent,
) -> int:
    """Give ``write`` a header and one line for each memory of the tenant, whatever its state, in
    order of id; returns how many memories that were.

    user_id, project: export only the memories of exactly these.
    """
    scope = Scope(tenant, None, None)
    write(records.header(parts.clock.now()))
    done = 0
    for page in _pages(parts, tenant):
        for memory in page:
            if user_id in {None, memory.user_id} and project in {None, memory.project}:
                done += _export(parts, scope, memory, write)
        progress(done, None)
    return done


def import_lines(
    parts: Parts,
    caller: Caller,
    lines: Iterable[bytes],
    *,
    user_speakers: Iterable[str] = (),
    strict: bool = False,
    progress: Progress = silent,
    total: int | None = None,
) -> Report:
    """Keep the memories and conversation turns that ``lines`` hold; what each is, its fields say.

    user_speakers: names under which the user speaks in conversations.
    strict: raise InvalidInput at the first line that is not kept and should be.
    total: how many lines there are, for ``progress``.
    Raises Incompatible for an export of a newer format, Unavailable when the store fails.
    """
    keepers: Mapping[type, Keep] = {
        Record: Restorer(parts, caller).keep,
        Turn: Listener(parts, caller, frozenset(user_speakers)).keep,
        Done: lambda batch: (line.value for line in batch),
        type(None): lambda batch: iter(()),
    }
    report = Report()
    for batch in _batches(_parsed(lines, caller.tenant)):
        for done in keepers[type(batch[0].value)](batch):
            report.add(done)
            if strict:
                refuse_problem(done)
        progress(batch[-1].number, total)
    return report


def embed_waiting(parts: Parts, progress: Progress = silent) -> int:
    """Make the vectors that memories wait for; returns how many memories have theirs now.

    Can be stopped at any time. Does nothing without an embedder, or while vectors of another
    model wait for ``reembed``.
    """
    total = parts.store.unembedded_count()
    left = total
    while left and embed_some(parts):
        left = parts.store.unembedded_count()
        progress(total - left, total)
    return total - left


class Restorer:
    """Inserts memories as they were."""

    def __init__(self, parts: Parts, caller: Caller) -> None:
        self._parts = parts
        self._scope = Scope(caller.tenant, None, None)
        self._by = Scope(caller.tenant, caller.user_id, caller.agent_id)

    def keep(self, lines: Sequence[Line[Record]]) -> Iterator[Done]:
        """Each line's fate; what each yields is durable. New ones go in one transaction."""
        ids = [line.value.memory.id for line in lines]
        known = {memory.id: memory for memory in self._parts.store.get(self._scope, ids)}
        new: list[Line[Record]] = []
        for line in lines:
            memory = line.value.memory
            stored = known.get(memory.id)
            if stored is None:
                new.append(line)
            elif _is_same(stored, memory):
                yield Done(line.number, Fate.UNCHANGED)
            else:
                # First what comes before it, because ``strict`` stops here.
                yield from self._insert(new)
                new = []
                yield Done(line.number, Fate.CONFLICT, _difference(stored, memory))
        yield from self._insert(new)

    def _insert(self, lines: Sequence[Line[Record]]) -> Iterator[Done]:
        """Where one of many is in the way, halves find out which, in order."""
        if not lines:
            return
        try:
            self._restore([line.value for line in lines])
        except Conflict:
            if len(lines) == 1:
                yield Done(lines[0].number, Fate.CONFLICT, self._why_taken(lines[0].value.memory))
                return
            middle = len(lines) // 2
            yield from self.keep(lines[:middle])
            yield from self.keep(lines[middle:])
        else:
            yield from (Done(line.number, Fate.STORED) for line in lines)

    def _restore(self, given: Sequence[Record]) -> None:
        memories = tuple(record.memory for record in given)
        changes = self._parts.changes(
            self._by,
            "imported",
            "",
            at=self._parts.clock.now(),
            puts=memories,
            renewed=memories,
        )
        self._parts.store.restore(changes, {each.memory.id: each.history for each in given})

    def _why_taken(self, memory: Memory) -> str:
        twin = self._parts.store.same_content(memory)
        if twin is not None:
            return f"memory {twin.id!r} has this content already"
        return f"the id {memory.id!r} is taken"


def _pages(parts: Parts, tenant: str) -> Iterator[list[Memory]]:
    after = ""
    while page := parts.store.every(tenant, after=after, limit=PAGE):
        yield page
        after = page[-1].id


def _export(parts: Parts, scope: Scope, memory: Memory, write: Callable[[bytes], object]) -> int:
    """How many lines it gave: none for a memory that was purged meanwhile."""
    # Another process may have added versions since the page was read.
    history = [
        revision
        for revision in parts.store.history(scope, memory.id)
        if revision.version <= memory.version
    ]
    if not history:
        return 0
    write(records.line_of(Record(memory=memory, history=tuple(history))))
    return 1


def _parsed(lines: Iterable[bytes], tenant: str) -> Iterator[Line[Parsed]]:
    readers: Mapping[str, Callable[[dict[str, Any]], Parsed]] = {
        "format": records.check_header,
        "memory": partial(records.record_of, tenant=tenant),
        "speaker": turn_of,
        "content": turn_of,
    }
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        if not text.strip():
            yield Line(number, None)
            continue
        try:
            yield Line(number, _read(records.decoded(text), readers))
        except InvalidInput as error:
            yield Line(number, Done(number, Fate.FAILED, str(error)))


def _read(
    given: dict[str, Any], readers: Mapping[str, Callable[[dict[str, Any]], Parsed]]
) -> Parsed:
    for name, read in readers.items():
        if name in given:
            return read(given)
    raise InvalidInput("neither a memory of an export nor a turn (speaker, content, ...)")


def _batches(lines: Iterator[Line[Parsed]]) -> Iterator[list[Line[Parsed]]]:
    """Neighbours of one kind, as many as are kept at a time."""
    for kind, group in groupby(lines, key=lambda line: type(line.value)):
        most = TURNS if kind is Turn else MEMORIES
        while batch := list(islice(group, most)):
            yield batch


def _is_same(stored: Memory, given: Memory) -> bool:
    """The same version; that it was recalled or used since is no difference."""
    return stored.version == given.version and not codec.before(stored, given)


def _difference(stored: Memory, given: Memory) -> str:
    what = f"memory {given.id!r} is here at version {stored.version}"
    if stored.version != given.version:
        return f"{what}, in the file at {given.version}; it was left as it is"
    names = ", ".join(codec.before(stored, given))
    return f"{what} with another {names}; it was left as it is"
