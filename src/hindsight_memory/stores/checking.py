"""What can be inconsistent in a database that is sound itself. A new check is a row and a query."""

import json
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from hindsight_memory.core import codec, history
from hindsight_memory.core.identity import identity, seal
from hindsight_memory.core.model import Memory, Scope
from hindsight_memory.stores import rows
from hindsight_memory.stores.auditing import RELINKED, audit_hash
from hindsight_memory.stores.filtering import scope_args
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.statements import SqlDatabase, Statements
from hindsight_memory.stores.writing import find

CHECKS = (
    ("unindexed", "memory {!r} is missing from the word index"),
    ("orphaned_words", "the word index has an entry {!r} without a memory"),
    ("orphaned_vectors", "vector {!r} belongs to no memory"),
    ("archived_vectors", "memory {!r} is archived and still has vectors"),
    ("gaps_in_history", "memory {!r} and its version history do not agree"),
    ("orphaned_revisions", "the version history of {!r} belongs to no memory"),
    ("broken_chains", "memory {!r} is superseded by one that does not exist"),
    ("superseded_heads", "memory {!r} is superseded and still counts as current"),
    ("several_heads", "several current memories took the place of {!r}"),
    ("miscounted_scopes", "the counts of user {!r} do not agree with the memories"),
    ("miscounted_terms", "the counts of user {!r} do not agree with the word index"),
    ("uncounted", "the memories of user {!r} are not counted"),
    ("without_keys", "memory {!r} is missing from the index of keys"),
    ("orphaned_keys", "the key {!r} belongs to no memory"),
    ("without_supports", "the evidence of {!r} is missing from the index of supports"),
    ("orphaned_supports", "nothing rests on {!r}, and the index of supports says so"),
    ("misplaced_vectors", "vector {!r} is among those of another user"),
    ("gapped_vectors", "memory {!r} has lost some of its vectors"),
    ("unqueued", "memory {!r} has no vectors and waits for none"),
    ("vanished", "memory {!r} is gone, and nobody has purged it"),
)

RIVALS, PER_KEY = 1_000, 16
"""Keys that several current memories share, of which ``rivals`` tells, and the newest memories of
each: who compares all pairs of thousands never ends."""


ENTRY = ("tenant", "at", "actor", "operation", "id", "version", "seal", "hash")
"""The columns of an entry of the audit log."""


NOT_AS_SEALED = "version {} of {!r} is not as the audit log has sealed it"

BATCH = 500
"""Rows read at a time."""

IMPORTED = "imported"
"""The operation by which a memory came here with its history."""


def integrity(database: SqlDatabase, tenant: str, memory_id: str) -> list[str]:
    """What does not fit together about one memory, in one snapshot."""
    with database.snapshot(tenant) as db:
        log = _log(db, tenant)
        own = [entry for entry in log if entry["id"] == memory_id]
        return [
            *_changed_row(db, tenant, memory_id),
            *_broken_chain(log),
            *_unlogged(db, tenant, memory_id, own),
            *_broken_seals(db, tenant, memory_id, own),
        ]


def problems(database: SqlDatabase) -> list[str]:
    found = [
        message.format(name)
        for query, message in CHECKS
        for (name,) in database.rows(None, query, {})
    ]
    return [*found, *_circular_chains(database), *_broken_audit(database), *_unsealed(database)]


def rivals(database: SqlDatabase) -> list[list[Memory]]:
    with database.snapshot(None) as db:
        groups = db.run("shared_keys", {"limit": RIVALS})
        newest = [dump(sorted(json.loads(seqs))[-PER_KEY:]) for (seqs,) in groups]
        return [[rows.memory(row) for row in db.run("of_seqs", {"seqs": seqs})] for seqs in newest]


def unresolved(database: SqlDatabase) -> list[str]:
    return [memory_id for (memory_id,) in database.rows(None, "missing_evidence", {})]


def _circular_chains(database: SqlDatabase) -> list[str]:
    """Each chain is followed once, so that a long one costs no more than its length."""
    next_of: dict[str, str] = dict(database.rows(None, "successors", {}))
    ends: set[str] = set()
    found: list[str] = []
    for start in next_of:
        path: dict[str, None] = {}
        here = start
        while here in next_of and here not in ends and here not in path:
            path[here] = None
            here = next_of[here]
        if here in path:
            found.append(f"memory {here!r} is superseded by itself, in a circle")
        ends |= path.keys()
    return found


def _broken_audit(database: SqlDatabase) -> list[str]:
    with database.snapshot(None) as db:
        tenants = [tenant for (tenant,) in db.run("audited_tenants", {})]
        return [told for tenant in tenants for told in _broken_chain(_log(db, tenant))]


def _log(db: Statements, tenant: str) -> list[dict[str, Any]]:
    log = db.run("audit_log", {"tenant": tenant})
    return [dict(zip(ENTRY, entry, strict=True)) for entry in log]


def _broken_chain(log: list[dict[str, Any]]) -> list[str]:
    previous = ""
    for entry in log:
        if audit_hash(previous, entry) != entry["hash"]:
            return [f"the audit log was changed at or before {entry['at']} ({entry['id']!r})"]
        previous = entry["hash"]
    return []


def _changed_row(db: Statements, tenant: str, memory_id: str) -> Iterator[str]:
    memory = find(db, tenant, memory_id).memory
    for (kept,) in db.run("identity_of", {"tenant": tenant, "id": memory_id}):
        if memory is not None and identity(memory) != kept:
            yield f"the content or place of {memory_id!r} was changed without a version"


def _unlogged(
    db: Statements, tenant: str, memory_id: str, log: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """What of the version history its entries do not bear out."""
    logged: dict[int, tuple[str, str, str]] = {}
    imported = 0
    for entry in log:
        if entry["operation"] == IMPORTED:  # with versions that came about elsewhere
            logged, imported = {}, entry["version"]
        elif entry["operation"] != RELINKED:
            logged[entry["version"]] = (entry["at"], entry["actor"], entry["operation"])
    for version, *told in db.run("revisions_of", {"tenant": tenant, "id": memory_id}):
        if version > imported and logged.get(version) != tuple(told):
            yield f"version {version} of {memory_id!r} and the audit log do not agree"


def _broken_seals(
    db: Statements, tenant: str, memory_id: str, log: Iterable[Mapping[str, Any]]
) -> Iterator[str]:
    """The newest version that is not as it was sealed: older ones are reckoned from newer ones."""
    args = {"tenant": tenant, "id": memory_id}
    seals: dict[int, str] = {}
    for entry in log:
        if entry["operation"] in {IMPORTED, RELINKED}:  # no older version can be reckoned any more
            seals.clear()
        seals[entry["version"]] = entry["seal"]
    memory, _, salt = find(db, tenant, memory_id)
    if memory is None:
        return
    everyone = scope_args(Scope(tenant, None, None))
    revisions = [rows.revision(each) for each in db.run("history", everyone | args)]
    for said, revision in zip(
        history.versions(memory, revisions), reversed(revisions), strict=True
    ):
        wanted = seals.get(revision.version)
        if wanted and seal(said, salt, revision.reason) != wanted:
            yield NOT_AS_SEALED.format(revision.version, memory_id)
            return


def _unsealed(database: SqlDatabase) -> Iterator[str]:
    """Rows that are not as they were sealed last. One at a time, so that no process is kept waiting
    and memory does not grow.
    """
    args = {"after": 0, "limit": BATCH}
    while page := database.rows(None, "sealed_after", args):
        for row in page:
            salt, reason, version, wanted, seq = row[-5:]
            memory = rows.memory(row)
            is_as_sealed = seal(codec.to_json(memory), salt, reason or "") == wanted
            if wanted and not (is_as_sealed and version == memory.version):
                yield NOT_AS_SEALED.format(memory.version, memory.id)
        args["after"] = seq
