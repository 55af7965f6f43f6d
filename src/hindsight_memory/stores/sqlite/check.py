"""What can be inconsistent in a file that SQLite itself finds sound. A new check is a row."""

from typing import Any

from hindsight_memory.stores.sqlite.database import Database
from hindsight_memory.stores.sqlite.queries import QUERIES
from hindsight_memory.stores.sqlite.writing import audit_hash

CHECKS = (
    ("unindexed", "memory {!r} is missing from the word index"),
    ("orphaned_words", "the word index has an entry {!r} without a memory"),
    ("orphaned_vectors", "vector {!r} belongs to no memory"),
    ("archived_vectors", "memory {!r} is archived and still has vectors"),
    ("gaps_in_history", "memory {!r} and its version history do not agree"),
    ("orphaned_revisions", "the version history of {!r} belongs to no memory"),
    ("broken_chains", "memory {!r} is superseded by one that does not exist"),
    ("miscounted_scopes", "the counts of user {!r} do not agree with the memories"),
)


def problems(database: Database) -> list[str]:
    found = [
        message.format(name)
        for query, message in CHECKS
        for (name,) in database.read(QUERIES[query], {})
    ]
    return found + _broken_audit(database)


def _broken_audit(database: Database) -> list[str]:
    previous: dict[str, str] = {}
    names = ("tenant", "at", "actor", "operation", "id", "version", "hash")
    for row in database.read(QUERIES["audit_log"], {}):
        entry: dict[str, Any] = dict(zip(names, row, strict=True))
        if audit_hash(previous.get(entry["tenant"], ""), entry) != entry["hash"]:
            return [f"the audit log was changed at or before {entry['at']} ({entry['id']!r})"]
        previous[entry["tenant"]] = entry["hash"]
    return []
