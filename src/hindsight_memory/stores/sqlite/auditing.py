"""The audit log: who changed what and when, in a chain of hashes, with a seal of what it became.

No content is in it, for an entry outlives a purge. A seal is a digest of the row, made with a salt
that is kept in the row: what is purged takes its salt along, and nobody can try out what it said.
"""

import hashlib
import secrets
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import apsw

from hindsight_memory.core import codec
from hindsight_memory.core.changes import Changes, Note
from hindsight_memory.core.identity import seal
from hindsight_memory.core.model import Memory
from hindsight_memory.stores import rows
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.sqlite.queries import run

RELINKED = "relinked"
"""The operation of an entry without a version of its own: a purge took a link out of the row."""

SALT_BYTES = 16


def log_change(db: apsw.Connection, memory: Memory, changes: Changes, *, reason: str) -> None:
    """reason: that of the version in its history."""
    note = changes.notes.get(memory.id, changes.note)
    _append(db, memory, changes, note, sealed=_sealed(db, memory, reason))


def log_purge(db: apsw.Connection, memory: Memory, changes: Changes) -> None:
    note = changes.notes.get(memory.id, changes.note)
    gone = replace(memory, version=memory.version + 1)
    _append(db, gone, changes, note, sealed="")


def log_relinking(db: apsw.Connection, ids: Iterable[str], changes: Changes) -> None:
    """Rows lose links to what is purged, and keep their version: they are sealed anew."""
    note = Note(actor=changes.note.actor, operation=RELINKED, reason="")
    for memory_id in ids:
        args = {"tenant": changes.tenant, "id": memory_id}
        for row in run(db, "old_version", args):
            memory = rows.memory(row)
            [(reason,)] = run(db, "reason_of", args | {"version": memory.version})
            _append(db, memory, changes, note, sealed=_sealed(db, memory, reason))


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


def _append(
    db: apsw.Connection, memory: Memory, changes: Changes, note: Note, *, sealed: str
) -> None:
    last = run(db, "last_hash", {"tenant": changes.tenant})
    version = {"id": memory.id, "version": memory.version, "seal": sealed}
    entry = who(changes, note) | version
    entry["hash"] = audit_hash(last[0][0] if last else "", entry)
    run(db, "insert_audit", entry)


def _sealed(db: apsw.Connection, memory: Memory, reason: str) -> str:
    args = {"tenant": memory.tenant, "id": memory.id}
    [(salt,)] = run(db, "salt_of", args)
    if not salt:
        salt = secrets.token_hex(SALT_BYTES)
        run(db, "set_salt", args | {"salt": salt})
    return seal(codec.to_json(memory), salt, reason)
