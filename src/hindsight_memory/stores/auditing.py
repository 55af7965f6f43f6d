"""The audit log: who changed what and when, in a chain of hashes, with a seal of what it became.

No content is in it, for an entry outlives a purge. A seal is a digest of the row, made with a salt
that is kept in the row: what is purged takes its salt along, and nobody can try out what it said.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from hindsight_memory.core import codec
from hindsight_memory.core.changes import Changes, Note
from hindsight_memory.core.identity import seal
from hindsight_memory.core.model import Memory
from hindsight_memory.stores import rows
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.statements import Statements

RELINKED = "relinked"
"""The operation of an entry without a version of its own: a purge took a link out of the row."""

SALT_BYTES = 16


@dataclass(slots=True)
class AuditLog:
    """What one change will append. It does so at its end: only one can be at the end of a chain,
    and others of the tenant wait for it.
    """

    changes: Changes
    _entries: list[dict[str, Any]] = field(init=False, default_factory=list)

    def changed(self, memory: Memory, salt: str, *, reason: str) -> None:
        """salt: that of its row. reason: that of the version in its history."""
        note = self.changes.notes.get(memory.id, self.changes.note)
        self._note(memory, note, sealed=seal(codec.to_json(memory), salt, reason))

    def purged(self, memory: Memory) -> None:
        note = self.changes.notes.get(memory.id, self.changes.note)
        self._note(replace(memory, version=memory.version + 1), note, sealed="")

    def relinked(self, db: Statements, ids: Iterable[str]) -> None:
        """Rows lose links to what is purged, and keep their version: they are sealed anew."""
        note = Note(actor=self.changes.note.actor, operation=RELINKED, reason="")
        for memory_id in ids:
            args = {"tenant": self.changes.tenant, "id": memory_id}
            for row in db.run("old_version", args):
                memory, salt = rows.memory(row), row[-1]
                if not salt:
                    salt = new_salt()
                    db.do("set_salt", args | {"salt": salt})
                [(reason,)] = db.run("reason_of", args | {"version": memory.version})
                self._note(memory, note, sealed=seal(codec.to_json(memory), salt, reason))

    def append(self, db: Statements) -> None:
        if not self._entries:
            return
        of_tenant = {"tenant": self.changes.tenant}
        db.do("hold_log", of_tenant)
        last = db.run("last_hash", of_tenant)
        previous = last[0][0] if last else ""
        for entry in self._entries:
            previous = audit_hash(previous, entry)
            db.do("insert_audit", entry | {"hash": previous})

    def _note(self, memory: Memory, note: Note, *, sealed: str) -> None:
        version = {"id": memory.id, "version": memory.version, "seal": sealed}
        self._entries.append(who(self.changes, note) | version)


def new_salt() -> str:
    return secrets.token_hex(SALT_BYTES)


def audit_hash(previous: str, entry: Mapping[str, Any]) -> str:
    """SHA-256 over the entry and the hash before it: a changed or missing one breaks the chain."""
    names = ("tenant", "at", "actor", "operation", "id", "version", "seal")
    said = [entry[name] for name in names]
    if not said[-1]:  # as entries were before there were seals
        said.pop()
    return hashlib.sha256(dump([previous, *said]).encode()).hexdigest()


def who(changes: Changes, note: Note) -> dict[str, Any]:
    return {
        "tenant": changes.tenant,
        "at": codec.iso(changes.at),
        "actor": note.actor,
        "operation": note.operation,
    }
