"""What ``apply`` and ``restore`` do inside their transactions on any SQL store, a step a method."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

from hindsight_memory.core import codec
from hindsight_memory.core.changes import Changes, Passages, Revision
from hindsight_memory.core.kinship import keys
from hindsight_memory.core.model import Memory, Tier
from hindsight_memory.errors import Conflict
from hindsight_memory.stores import rows
from hindsight_memory.stores.auditing import AuditLog, new_salt, who
from hindsight_memory.stores.change_rows import (
    injection_row,
    recall_row,
    receipt_row,
    rejection_row,
    revision_row,
)
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.statements import Statements

HEAT_OF_USE = 0.1
"""What one reported use adds to a memory's heat (design, section 7)."""

TRACES = ("purge_memory", "purge_revisions", "purge_receipts", "purge_supports")
"""What is removed of a purged memory, besides what the indexes have."""


class Place(NamedTuple):
    """Where the indexes have a memory: its number ``seq``, in the ``scope`` of its user."""

    tenant: str
    scope: int
    seq: int

    @property
    def args(self) -> dict[str, Any]:
        return {"tenant": self.tenant, "scope": self.scope, "seq": self.seq}


class Indexes(Protocol):
    """How a store keeps words and vectors; called inside its transactions."""

    def term(self, scope: int, term: str) -> str:
        """A term as it is indexed, without blanks."""
        ...

    def add_vectors(self, db: Statements, place: Place, passages: Passages) -> None:
        """What is there already stays as it is."""
        ...

    def drop_vectors(self, db: Statements, place: Place) -> None:
        """Take a memory out of the vectors, of every model; most are there."""
        ...


class Stored(NamedTuple):
    """A row as it is, its number in the indexes, and its salt."""

    memory: Memory | None
    seq: int
    salt: str


MISSING = Stored(None, 0, "")


@dataclass(slots=True)
class Writing:
    """One transaction that makes ``changes``."""

    db: Statements
    changes: Changes
    indexes: Indexes
    _log: AuditLog = field(init=False)
    _scopes: dict[str, int] = field(init=False, default_factory=dict)
    _searchable: dict[tuple[str, str], Place] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._log = AuditLog(self.changes)

    def apply(self) -> None:
        """What leaves its place goes first: it makes room for what comes with the same content."""
        self._hold_users()
        self._refuse_overtaken()
        if self.changes.purges:
            self._purge()
        for memory in sorted(self.changes.puts, key=_is_current):
            self._put(memory)
        for passages in self.changes.passages:
            self._add_vectors(passages)
        for memory_id, retry_at in self.changes.postponed.items():
            row = {"tenant": self.changes.tenant, "id": memory_id, "retry_at": codec.iso(retry_at)}
            self.db.do("postpone", row)
        self._count_uses()
        self._keep_records()
        self._readmit()
        self._log.append(self.db)

    def restore(self, histories: Mapping[str, Sequence[Revision]]) -> None:
        self._hold_users()
        for memory in self.changes.puts:
            self._restore(memory, histories[memory.id])
        self._readmit()
        self._log.append(self.db)

    def _hold_users(self) -> None:
        """Writers about one user's memories take turns: each sees what the one before did."""
        changes = self.changes
        users = sorted({memory.user_id for memory in changes.puts})
        ids = [*changes.purges, *(passages.memory_id for passages in changes.passages)]
        if users or ids:
            given = {"tenant": changes.tenant, "users": dump(users), "ids": dump(ids)}
            self._scopes.update(self.db.run("hold_users", given))

    def _refuse_overtaken(self) -> None:
        """A plan made before another writer wrote of the same thing is made anew.

        Asked before anything is put: what one change writes does not overtake itself.
        """
        if self.changes.seen is None:
            return
        for memory in (each for each in self.changes.puts if each.version == 1):
            given = {"tenant": memory.tenant, "user_id": memory.user_id, "seen": self.changes.seen}
            if self.db.run("overtaken", given | {"keys": dump(list(keys(memory)))}):
                raise Conflict("another write about the same came first; read again and retry")

    def _put(self, memory: Memory) -> None:
        """Insert or replace one memory."""
        is_new = memory.version == 1
        old, _, salt = MISSING if is_new else find(self.db, memory.tenant, memory.id)
        salt = salt or new_salt()
        name = "insert" if is_new else "replace"
        found = self.db.run(name, rows.row(memory) | {"salt": salt})
        if not found:
            before = memory.version - 1
            raise Conflict(f"memory {memory.id!r} is no longer at version {before}; read it again")
        [(seq,)] = found
        self._record(memory, old, salt)
        if _supporters(old) != _supporters(memory):
            set_supports(self.db, memory, seq)
        if old is None or (old.content, old.tags) != (memory.content, memory.tags):
            set_keys(self.db, memory, seq)
        if old is not None and old.content == memory.content:
            if memory.tier is Tier.ARCHIVED:
                self.indexes.drop_vectors(self.db, self._place(memory, seq))
            return
        place = self._place(memory, seq)
        if old is not None:
            self._unindex(memory, place)
        index(self.db, self.indexes, memory, place, self.changes.terms[memory.id])
        if memory.tier is not Tier.ARCHIVED:
            self._searchable[memory.id, memory.content] = place

    def _restore(self, memory: Memory, history: Sequence[Revision]) -> None:
        """Insert one memory as it is, with the version history that it comes with."""
        salt = new_salt()
        [(seq,)] = self.db.run("insert", rows.row(memory) | {"salt": salt})
        for revision in history:
            self.db.do("insert_revision", revision_row(revision, memory.tenant))
        self._log.changed(memory, salt, reason=history[-1].reason)
        set_keys(self.db, memory, seq)
        set_supports(self.db, memory, seq)
        place = self._place(memory, seq)
        index(self.db, self.indexes, memory, place, self.changes.terms[memory.id])

    def _place(self, memory: Memory, seq: int) -> Place:
        scope = self._scopes.get(memory.user_id)
        if scope is not None:
            return Place(memory.tenant, scope, seq)
        return place_of(self.db, memory, seq)

    def _record(self, memory: Memory, old: Memory | None, salt: str) -> None:
        """Append to the version history and to the audit log."""
        note = self.changes.notes.get(memory.id, self.changes.note)
        entry = {
            "id": memory.id,
            "version": memory.version,
            "reason": note.reason,
            "before": dump({} if old is None else codec.before(old, memory)),
        }
        self.db.do("insert_revision", entry | who(self.changes, note))
        self._log.changed(memory, salt, reason=note.reason)

    def _unindex(self, memory: Memory, place: Place) -> None:
        """Take a memory out of both indexes."""
        for (total,) in self.db.run("term_total", place.args):
            count(self.db, memory, documents=-1, terms=-total)
        self.db.do("delete_terms", place.args)
        self.indexes.drop_vectors(self.db, place)

    def _add_vectors(self, passages: Passages) -> None:
        """Only of what is there, with the content that they were made from."""
        tenant = self.changes.tenant
        if place := self._searchable.get((passages.memory_id, passages.content)):
            self.indexes.add_vectors(self.db, place, passages)
            return
        key = {"id": passages.memory_id, "tenant": tenant, "content": passages.content}
        for seq, user_id in self.db.run("of_content", key):
            [(scope, *_)] = self.db.run("scope", {"tenant": tenant, "user_id": user_id})
            self.indexes.add_vectors(self.db, Place(tenant, scope, seq), passages)

    def _count_uses(self) -> None:
        changes = self.changes
        given = {"tenant": changes.tenant, "at": codec.iso(changes.at), "heat": HEAT_OF_USE}
        for name, ids in (("accessed", changes.accessed), ("used", changes.used)):
            if ids:
                self.db.do(name, given | {"ids": dump(list(ids))})

    def _keep_records(self) -> None:
        changes, tenant = self.changes, self.changes.tenant
        if changes.recall is not None:
            self.db.do("insert_recall", recall_row(changes.recall))
        for injection in changes.injections:
            self.db.do("insert_injection", injection_row(injection, tenant))
        if changes.receipt is not None:
            self.db.do("insert_receipt", receipt_row(changes.receipt, tenant))
        for rejection in changes.rejections:
            self.db.do("insert_rejection", rejection_row(rejection, tenant))

    def _readmit(self) -> None:
        for rejection in self.changes.readmitted:
            self.db.do("delete_rejection", rejection_row(rejection, self.changes.tenant))

    def _purge(self) -> None:
        """Remove every trace of memories but that they were purged."""
        given = {"tenant": self.changes.tenant, "ids": dump(list(self.changes.purges))}
        linked = [memory_id for (memory_id,) in self.db.run("linked_to", given)]
        for memory_id in self.changes.purges:
            self._purge_one(memory_id)
        for name in ("unlink", "purge_recalls", "purge_injections", "rebuild_words"):
            self.db.do(name, given)
        self._log.relinked(self.db, linked)

    def _purge_one(self, memory_id: str) -> None:
        """Its neighbours in the version chain are linked to each other."""
        memory, seq, _ = find(self.db, self.changes.tenant, memory_id)
        if memory is None:
            return
        self._unindex(memory, self._place(memory, seq))
        key = {"id": memory_id, "tenant": memory.tenant}
        for name in TRACES:
            self.db.do(name, key)
        chain = {"superseded_by": memory.superseded_by, "supersedes": memory.supersedes}
        for name in ("link_successor", "link_predecessor"):
            self.db.do(name, key | chain)
        self._log.purged(memory)


def find(db: Statements, tenant: str, memory_id: str) -> Stored:
    for row in db.run("old_version", {"tenant": tenant, "id": memory_id}):
        *_, seq, salt = row
        return Stored(rows.memory(row), seq, salt)
    return MISSING


def place_of(db: Statements, memory: Memory, seq: int) -> Place:
    key = {"tenant": memory.tenant, "user_id": memory.user_id}
    db.do("new_scope", key)
    [(scope, *_)] = db.run("scope", key)
    return Place(memory.tenant, int(scope), seq)


def set_keys(db: Statements, memory: Memory, seq: int) -> None:
    db.do("delete_keys", {"seq": seq})
    for key in keys(memory):
        place = {"tenant": memory.tenant, "user_id": memory.user_id}
        db.do("insert_key", place | {"key": key, "seq": seq})


def set_supports(db: Statements, memory: Memory, seq: int) -> None:
    db.do("delete_supports", {"seq": seq})
    for supporter_id in _supporters(memory):
        row = {"tenant": memory.tenant, "supporter_id": supporter_id, "seq": seq}
        db.do("insert_support", row)


def index(
    db: Statements, indexes: Indexes, memory: Memory, place: Place, terms: Sequence[str]
) -> None:
    """Make a memory be found by its words."""
    text = " ".join(indexes.term(place.scope, term) for term in terms)
    db.do("insert_terms", place.args | {"terms": text})
    count(db, memory, documents=1, terms=len(terms))


def count(db: Statements, memory: Memory, *, documents: int, terms: int) -> None:
    key = {"tenant": memory.tenant, "user_id": memory.user_id}
    db.do("count_terms", key | {"documents": documents, "terms": terms})


def _supporters(memory: Memory | None) -> tuple[str, ...]:
    """What it is judged by: its evidence, and what speaks against it."""
    return () if memory is None else (*memory.evidence, *memory.counter_examples)


def _is_current(memory: Memory) -> bool:
    return not memory.is_superseded and not memory.is_forgotten
