"""Making every index anew from the memories, in one transaction. The rows are the truth."""

from collections.abc import Iterator
from itertools import count
from typing import Protocol

from hindsight_memory.core.model import Memory
from hindsight_memory.core.ports import Progress
from hindsight_memory.core.text import terms
from hindsight_memory.stores import rows
from hindsight_memory.stores.statements import Statements
from hindsight_memory.stores.writing import Indexes, index, place_of, set_keys, set_supports

BATCH = 500
"""Rows read at a time."""

EMPTIED = ("empty_words", "empty_keys", "empty_supports", "empty_counts")

WRONG_VECTORS = ("drop_orphaned_vectors", "drop_misplaced_vectors", "drop_gapped_vectors")
"""What is dropped: of no memory or an archived one, in another user's scope, with one missing."""


class Repairable(Indexes, Protocol):
    def renew_vectors(self, db: Statements) -> None:
        """Make anew what is derived from the vectors."""
        ...


def repair(db: Statements, indexes: Repairable, progress: Progress) -> list[str]:
    """What was rebuilt, one sentence each."""
    for name in EMPTIED:
        db.do(name, {})
    memories = 0
    [(total,)] = db.run("memory_count", {})
    for memories, (memory, seq) in zip(count(1), _every(db), strict=False):
        set_keys(db, memory, seq)
        set_supports(db, memory, seq)
        place = place_of(db, memory, seq)
        index(db, indexes, memory, place, terms(memory.content))
        progress(memories, total)
    [(users,)] = db.run("scope_count", {})
    return [
        f"words, keys and supports of {memories} memories",
        f"counts of {users} users",
        *_vectors(db, indexes),
    ]


def _vectors(db: Statements, indexes: Repairable) -> Iterator[str]:
    dropped = sum(db.change(name, {}) for name in WRONG_VECTORS)
    if dropped:
        yield f"{dropped} vectors dropped that belonged to nothing, or had lost others of theirs"
    if waiting := db.change("expect_any_vectors", {}):
        yield f"{waiting} memories wait for vectors again"
    db.do("expect_no_archived_vectors", {})
    indexes.renew_vectors(db)


def _every(db: Statements) -> Iterator[tuple[Memory, int]]:
    after = 0
    while page := db.run("rows_after", {"after": after, "limit": BATCH}):
        for row in page:
            yield rows.memory(row), row[-1]
        after = page[-1][-1]
