"""What ``apply`` and ``restore`` do inside their transactions, one step a function."""

from collections.abc import Sequence
from typing import Any

import apsw
import numpy as np

from hindsight_memory.core import codec
from hindsight_memory.core.changes import (
    Changes,
    Injection,
    Passages,
    Recall,
    Receipt,
    Rejection,
    Revision,
)
from hindsight_memory.core.kinship import keys
from hindsight_memory.core.model import Memory, Tier, Vector
from hindsight_memory.errors import Conflict
from hindsight_memory.stores import rows
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.sqlite.auditing import log_change, log_purge, log_relinking, who
from hindsight_memory.stores.sqlite.queries import run

HEAT_OF_USE = 0.1
"""What one reported use adds to a memory's heat (design, section 7)."""


def apply(db: apsw.Connection, changes: Changes, *, fingerprint: str) -> set[int]:
    """Do ``changes``; returns the scopes whose vectors became fewer.

    What leaves its place goes first: it makes room for what comes with the same content.
    """
    refuse_overtaken(db, changes)
    shrunk = purge(db, changes) if changes.purges else set[int]()
    for memory in sorted(changes.puts, key=_is_current):
        shrunk.add(put(db, memory, changes))
    for passages in changes.passages:
        add_vectors(db, changes.tenant, passages, fingerprint)
    for memory_id, retry_at in changes.postponed.items():
        row = {"tenant": changes.tenant, "id": memory_id, "retry_at": codec.iso(retry_at)}
        run(db, "postpone", row)
    given = {"tenant": changes.tenant, "at": codec.iso(changes.at), "heat": HEAT_OF_USE}
    for name, ids in (("accessed", changes.accessed), ("used", changes.used)):
        if ids:
            run(db, name, given | {"ids": dump(list(ids))})
    if changes.recall is not None:
        run(db, "insert_recall", _recall_row(changes.recall))
    for injection in changes.injections:
        run(db, "insert_injection", _injection_row(injection, changes.tenant))
    if changes.receipt is not None:
        run(db, "insert_receipt", _receipt_row(changes.receipt, changes.tenant))
    for rejection in changes.rejections:
        run(db, "insert_rejection", _rejection_row(rejection, changes.tenant))
    readmit(db, changes)
    return shrunk - {0}


def readmit(db: apsw.Connection, changes: Changes) -> None:
    for rejection in changes.readmitted:
        run(db, "delete_rejection", _rejection_row(rejection, changes.tenant))


def put(db: apsw.Connection, memory: Memory, changes: Changes) -> int:
    """Insert or replace one memory; returns its scope if it lost vectors, else 0."""
    old, seq = find(db, memory.tenant, memory.id)
    run(db, "insert" if memory.version == 1 else "replace", rows.row(memory))
    if db.changes() != 1:
        before = memory.version - 1
        raise Conflict(f"memory {memory.id!r} is no longer at version {before}; read it again")
    seq = seq or db.last_insert_rowid()
    record(db, memory, old, changes)
    if _supporters(old) != _supporters(memory):
        set_supports(db, memory, seq)
    if old is None or (old.content, old.tags) != (memory.content, memory.tags):
        set_keys(db, memory, seq)
    if old is not None and old.content == memory.content:
        is_out = memory.tier is Tier.ARCHIVED and drop_vectors(db, memory, seq)
        return scope_number(db, memory) if is_out else 0
    scope = scope_number(db, memory)
    lost = old is not None and unindex(db, memory, seq)
    index(db, memory, scope, seq, changes.terms[memory.id])
    return scope if lost else 0


def restore(
    db: apsw.Connection, memory: Memory, history: Sequence[Revision], changes: Changes
) -> None:
    """Insert one memory as it is, with the version history that it comes with."""
    run(db, "insert", rows.row(memory))
    seq = db.last_insert_rowid()
    for revision in history:
        run(db, "insert_revision", _revision_row(revision, memory.tenant))
    log_change(db, memory, changes, reason=history[-1].reason)
    set_keys(db, memory, seq)
    set_supports(db, memory, seq)
    index(db, memory, scope_number(db, memory), seq, changes.terms[memory.id])


def refuse_overtaken(db: apsw.Connection, changes: Changes) -> None:
    """A plan made before another writer wrote of the same thing is made anew.

    Asked before anything is put: what one change writes does not overtake itself.
    """
    if changes.seen is None:
        return
    for memory in (each for each in changes.puts if each.version == 1):
        given = {"tenant": memory.tenant, "user_id": memory.user_id, "seen": changes.seen}
        if run(db, "overtaken", given | {"keys": dump(list(keys(memory)))}):
            raise Conflict("another write about the same came first; read again and retry")


def set_keys(db: apsw.Connection, memory: Memory, seq: int) -> None:
    run(db, "delete_keys", {"seq": seq})
    for key in keys(memory):
        place = {"tenant": memory.tenant, "user_id": memory.user_id}
        run(db, "insert_key", place | {"key": key, "seq": seq})


def set_supports(db: apsw.Connection, memory: Memory, seq: int) -> None:
    run(db, "delete_supports", {"seq": seq})
    for supporter_id in _supporters(memory):
        row = {"tenant": memory.tenant, "supporter_id": supporter_id, "seq": seq}
        run(db, "insert_support", row)


def _supporters(memory: Memory | None) -> tuple[str, ...]:
    """What it is judged by: its evidence, and what speaks against it."""
    return () if memory is None else (*memory.evidence, *memory.counter_examples)


def find(db: apsw.Connection, tenant: str, memory_id: str) -> tuple[Memory | None, int]:
    """The stored memory and its number in the indexes; None and 0 when there is none."""
    args = {"tenant": tenant, "id": memory_id}
    for row in run(db, "old_version", args):
        return rows.memory(row), row[-1]
    return None, 0


def record(db: apsw.Connection, memory: Memory, old: Memory | None, changes: Changes) -> None:
    """Append to the version history and to the audit log."""
    note = changes.notes.get(memory.id, changes.note)
    entry = {
        "id": memory.id,
        "version": memory.version,
        "reason": note.reason,
        "before": dump({} if old is None else codec.before(old, memory)),
    }
    run(db, "insert_revision", entry | who(changes, note))
    log_change(db, memory, changes, reason=note.reason)


def scope_number(db: apsw.Connection, memory: Memory) -> int:
    key = {"tenant": memory.tenant, "user_id": memory.user_id}
    run(db, "new_scope", key)
    [(scope, *_)] = run(db, "scope", key)
    return int(scope)


def index(
    db: apsw.Connection, memory: Memory, scope: int, seq: int, terms: tuple[str, ...]
) -> None:
    text = " ".join(scoped(scope, term) for term in terms)
    run(db, "insert_terms", {"seq": seq, "terms": text})
    _count(db, memory, documents=1, terms=len(terms))


def unindex(db: apsw.Connection, memory: Memory, seq: int) -> bool:
    """Take a memory out of both indexes; whether it had a vector."""
    for (terms,) in run(db, "indexed_terms", {"seq": seq}):
        _count(db, memory, documents=-1, terms=-len(terms.split()))
    run(db, "delete_terms", {"seq": seq})
    return drop_vectors(db, memory, seq)


def drop_vectors(db: apsw.Connection, memory: Memory, seq: int) -> bool:
    """Take a memory out of the vector index; whether it was there."""
    run(db, "delete_vectors", {"seq": seq})
    if db.changes() == 0:
        return False
    run(db, "shrink", {"tenant": memory.tenant, "user_id": memory.user_id})
    return True


def scoped(scope: int, term: str) -> str:
    """A term as it is indexed."""
    return f"{scope}:{term}"


def add_vectors(db: apsw.Connection, tenant: str, passages: Passages, fingerprint: str) -> None:
    model = model_number(db, fingerprint)
    key = {"id": passages.memory_id, "tenant": tenant, "content": passages.content}
    for seq, user_id in run(db, "of_content", key):
        [(scope, *_)] = run(db, "scope", {"tenant": tenant, "user_id": user_id})
        for number, vector in enumerate(passages.vectors, start=passages.first):
            row = {"scope": scope, "model": model, "seq": seq, "passage": number}
            run(db, "insert_vector", row | {"embedding": blob(vector)})
        run(db, "count_missing", {"seq": seq, "model": model, "total": passages.total})


def model_number(db: apsw.Connection, fingerprint: str) -> int:
    run(db, "new_model", {"fingerprint": fingerprint})
    models: dict[str, int] = {name: number for number, name in run(db, "models", {})}
    return models[fingerprint]


def blob(vector: Vector) -> bytes:
    return np.asarray(vector, dtype="<f4").tobytes()


def purge(db: apsw.Connection, changes: Changes) -> set[int]:
    """Remove every trace of memories but that they were purged; returns scopes that had vectors."""
    given = {"tenant": changes.tenant, "ids": dump(list(changes.purges))}
    linked = [memory_id for (memory_id,) in run(db, "linked_to", given)]
    shrunk = {purge_one(db, memory_id, changes) for memory_id in changes.purges}
    for name in ("unlink", "purge_recalls", "purge_injections", "rebuild_words"):
        run(db, name, given)
    log_relinking(db, linked, changes)
    return shrunk


def purge_one(db: apsw.Connection, memory_id: str, changes: Changes) -> int:
    """Returns its scope if it had vectors, else 0.

    Its neighbours in the version chain are linked to each other.
    """
    memory, seq = find(db, changes.tenant, memory_id)
    if memory is None:
        return 0
    lost = unindex(db, memory, seq)
    key = {"id": memory_id, "tenant": memory.tenant}
    for name in (
        "purge_memory",
        "purge_revisions",
        "purge_receipts",
        "purge_supports",
    ):
        run(db, name, key)
    chain = {"superseded_by": memory.superseded_by, "supersedes": memory.supersedes}
    for name in ("link_successor", "link_predecessor"):
        run(db, name, key | chain)
    log_purge(db, memory, changes)
    return scope_number(db, memory) if lost else 0


def _is_current(memory: Memory) -> bool:
    return not memory.is_superseded and not memory.is_forgotten


def _count(db: apsw.Connection, memory: Memory, *, documents: int, terms: int) -> None:
    key = {"tenant": memory.tenant, "user_id": memory.user_id}
    run(db, "count_terms", key | {"documents": documents, "terms": terms})


def _revision_row(revision: Revision, tenant: str) -> dict[str, Any]:
    return {
        "id": revision.memory_id,
        "version": revision.version,
        "tenant": tenant,
        "at": codec.iso(revision.at),
        "actor": revision.actor,
        "operation": revision.operation,
        "reason": revision.reason,
        "before": dump(dict(revision.before)),
    }


def _recall_row(recall: Recall) -> dict[str, Any]:
    return {
        "id": recall.id,
        "tenant": recall.tenant,
        "user_id": recall.user_id,
        "at": codec.iso(recall.at),
        "hit_ids": dump(list(recall.hit_ids)),
        "used_ids": dump(list(recall.used_ids)),
        "helped": None if recall.helped is None else int(recall.helped),
    }


def _injection_row(injection: Injection, tenant: str) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "user_id": injection.user_id,
        "session_id": injection.session_id,
        "memory_id": injection.memory_id,
        "digest": injection.digest,
        "at": codec.iso(injection.at),
    }


def _receipt_row(receipt: Receipt, tenant: str) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "user_id": receipt.user_id,
        "key": receipt.key,
        "request_digest": receipt.request_digest,
        "outcome": receipt.outcome.value,
        "reason": receipt.reason,
        "memory_id": receipt.memory_id,
    }


def _rejection_row(rejection: Rejection, tenant: str) -> dict[str, Any]:
    return {
        "tenant": tenant,
        "user_id": rejection.user_id,
        "key": rejection.key,
        "memory_id": rejection.memory_id,
        "trust": rejection.trust,
        "at": codec.iso(rejection.at),
    }
