"""Single statements from elsewhere become memories, by the same path as any write."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from hindsight_memory.core import hygiene
from hindsight_memory.core.identity import digest
from hindsight_memory.core.model import Caller, Draft
from hindsight_memory.core.policy import Source
from hindsight_memory.core.records import check_fields
from hindsight_memory.engine.conversations import instant
from hindsight_memory.engine.lines import Done, Fate, Line
from hindsight_memory.engine.parts import Parts
from hindsight_memory.engine.writing import Writer
from hindsight_memory.errors import Conflict, InvalidInput


@dataclass(frozen=True, slots=True, kw_only=True)
class Note:
    """A statement, as a row tells it. user_id: whose memory it becomes; by default the caller's.

    said_at: ISO 8601, where it is known.
    """

    content: str
    source: Source
    tags: tuple[str, ...] = ()
    said_at: str | None = None
    user_id: str | None = None


def note_of(given: Mapping[str, Any]) -> Note:
    """Raises InvalidInput, naming the field."""
    check_fields(Note, given["note"], "note")
    note = dict(given["note"])
    return Note(**{**note, "source": Source(note["source"]), "tags": tuple(note.get("tags", ()))})


class Noter:
    """Keeps notes. Once kept, a note is passed over by a later import of the same file."""

    def __init__(self, parts: Parts, caller: Caller) -> None:
        self._parts = parts
        self._caller = caller
        self._writer = Writer(parts)

    def keep(self, lines: Sequence[Line[Note]]) -> Iterator[Done]:
        """Each line's fate, in order; what each yields is durable."""
        for line in lines:
            try:
                yield self._kept(line.number, self._draft(line.value))
            except (InvalidInput, Conflict) as error:
                yield Done(line.number, Fate.FAILED, str(error))

    def _kept(self, number: int, draft: Draft) -> Done:
        tenant, key = self._caller.tenant, str(draft.idempotency_key)
        if self._parts.store.receipt(tenant, draft.user_id, key) is not None:
            return Done(number, Fate.UNCHANGED)
        written = self._writer.write(tenant, draft)
        return Done(number, Fate(written.outcome.value), written.reason)

    def _draft(self, note: Note) -> Draft:
        content = hygiene.clean_content(note.content)
        caller = self._caller
        user_id = note.user_id or caller.user_id
        key = digest(content.text, user_id, caller.project, note.source.value, note.said_at or "")
        return Draft(
            content=content.text,
            notes=content.notes,
            user_id=hygiene.check_identifier(user_id, "note.user_id"),
            agent_id=caller.agent_id,
            project=caller.project,
            source=note.source,
            tags=frozenset(hygiene.check_tags([*note.tags])),
            valid_from=None if note.said_at is None else instant(note.said_at, "note.said_at"),
            idempotency_key=f"note-{key}",
        )
