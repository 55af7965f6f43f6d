"""Import, line by line: what is in memory never grows with the file.

Memories come back exactly, whoever they belong to inside the tenant, and so does what was rejected.
An import can be stopped at any time and started again: what is done is recognised and passed over.
Vectors are not in the file; ``embed_waiting`` makes those of imported memories.
"""

import codecs
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby, islice
from typing import Any, TypeAlias

from hindsight_memory.core import records
from hindsight_memory.core.changes import Rejection
from hindsight_memory.core.model import Caller
from hindsight_memory.core.ports import Progress
from hindsight_memory.core.records import Record
from hindsight_memory.engine.conversations import Listener, Turn, turn_of
from hindsight_memory.engine.exporting import silent
from hindsight_memory.engine.lines import Done, Fate, Line, Report, refuse_problem
from hindsight_memory.engine.maintenance import embed_some
from hindsight_memory.engine.noting import Note, Noter, note_of
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.restoring import RejectionKeeper, Restorer
from hindsight_memory.errors import InvalidInput

MEMORIES, TURNS = 200, 32
"""Lines kept at a time: memories share a transaction, turns a call of the embedder, which takes
up to 32 texts at once."""

Parsed: TypeAlias = "Record | Rejection | Turn | Note | Done | None"
Given: TypeAlias = "dict[str, Any] | Done | None"
Keep: TypeAlias = Callable[[Sequence[Line[Any]]], Iterator[Done]]


def import_rows(
    parts: Parts,
    caller: Caller,
    rows: Iterable[Line[Given]],
    *,
    user_speakers: Iterable[str] = (),
    strict: bool = False,
    progress: Progress = silent,
    total: int | None = None,
) -> Report:
    """Keep what ``rows`` hold, each by what its fields say that it is.

    user_speakers: names under which the user speaks in conversations.
    strict: raise InvalidInput at the first line that is not kept and should be.
    total: how many lines there are, for ``progress``.
    Raises Incompatible for an export of a newer format, Unavailable when the store fails.
    """
    restorer = Restorer(parts, caller)
    keepers: Mapping[type, Keep] = {
        Record: restorer.keep,
        Rejection: RejectionKeeper(parts, caller).keep,
        Turn: Listener(parts, caller, frozenset(user_speakers)).keep,
        Note: Noter(parts, caller).keep,
        Done: lambda batch: (line.value for line in batch),
        type(None): lambda batch: iter(()),
    }
    report = Report()
    for batch in _batches(_parsed(rows, caller.tenant)):
        for done in keepers[type(batch[0].value)](batch):
            report.add(done)
            if strict:
                refuse_problem(done)
        progress(batch[-1].number, total)
    restorer.finish()
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


def numbered(rows: Iterable[dict[str, Any]]) -> Iterator[Line[Given]]:
    """Rows that come from no lines, with their numbers; one ``left`` is skipped for its reason."""
    for number, row in enumerate(rows, start=1):
        left = row.get("left")
        done = None if left is None else Done(number, Fate.SKIPPED, str(left))
        yield Line(number, row if done is None else done)


def decoded(lines: Iterable[bytes]) -> Iterator[Line[Given]]:
    """JSON Lines; blank ones are None, and those that are no JSON have failed."""
    for number, line in enumerate(lines, start=1):
        text = line.removeprefix(codecs.BOM_UTF8) if number == 1 else line
        if not text.strip():
            yield Line(number, None)
            continue
        try:
            yield Line(number, records.decoded(text))
        except InvalidInput as error:
            yield Line(number, Done(number, Fate.FAILED, str(error)))


def _parsed(rows: Iterable[Line[Given]], tenant: str) -> Iterator[Line[Parsed]]:
    readers: Mapping[str, Callable[[dict[str, Any]], Parsed]] = {
        "format": records.check_header,
        "memory": partial(records.record_of, tenant=tenant),
        "rejection": records.rejection_of,
        "note": note_of,
        "speaker": turn_of,
        "content": turn_of,
    }
    for row in rows:
        if not isinstance(row.value, dict):
            yield Line(row.number, row.value)
            continue
        try:
            yield Line(row.number, _read(row.value, readers))
        except InvalidInput as error:
            yield Line(row.number, Done(row.number, Fate.FAILED, str(error)))


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
        most = TURNS if kind in {Turn, Note} else MEMORIES
        while batch := list(islice(group, most)):
            yield batch
