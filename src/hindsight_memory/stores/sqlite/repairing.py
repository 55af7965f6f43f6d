"""Making every index of a file anew from its rows, in one transaction. The rows are the truth."""

from collections.abc import Callable, Iterator
from itertools import count

import apsw

from hindsight_memory.core.model import Memory
from hindsight_memory.core.text import terms
from hindsight_memory.stores import rows
from hindsight_memory.stores.sqlite import writing
from hindsight_memory.stores.sqlite.queries import run

BATCH = 500
"""Rows read at a time."""

WRONG_VECTORS = ("drop_orphaned_vectors", "drop_misplaced_vectors", "drop_gapped_vectors")
"""What is dropped: of no memory or an archived one, in another user's scope, with one missing."""


def repair(db: apsw.Connection, progress: Callable[[int, int | None], None]) -> list[str]:
    """What was rebuilt, one sentence each."""
    _empty(db)
    memories = 0
    [(total,)] = run(db, "memory_count", {})
    for memories, (memory, seq) in zip(count(1), _every(db), strict=False):
        writing.set_keys(db, memory, seq)
        writing.set_supports(db, memory, seq)
        scope = writing.scope_number(db, memory)
        writing.index(db, memory, scope, seq, terms(memory.content))
        progress(memories, total)
    [(users,)] = run(db, "scope_count", {})
    return [
        f"words, keys and supports of {memories} memories",
        f"counts of {users} users",
        *_vectors(db),
    ]


def _empty(db: apsw.Connection) -> None:
    """The word index is made anew by its own definition: to empty a damaged one may fail."""
    definitions = dict(run(db, "word_tables", {}))
    for name in ("drop_vocabulary", "drop_words"):
        run(db, name, {})
    for table in ("words", "words_vocabulary"):
        db.execute(definitions[table])
    for name in ("empty_keys", "empty_supports", "empty_counts"):
        run(db, name, {})


def _vectors(db: apsw.Connection) -> Iterator[str]:
    dropped = 0
    for name in WRONG_VECTORS:
        run(db, name, {})
        dropped += db.changes()
    if dropped:
        yield f"{dropped} vectors dropped that belonged to nothing, or had lost others of theirs"
    run(db, "expect_any_vectors", {})
    if db.changes():
        yield f"{db.changes()} memories wait for vectors again"
    run(db, "expect_no_archived_vectors", {})
    # Copies of the vectors in the memory of any process are read anew.
    run(db, "shrink_all", {})


def _every(db: apsw.Connection) -> Iterator[tuple[Memory, int]]:
    after = 0
    while page := run(db, "rows_after", {"after": after, "limit": BATCH}):
        for row in page:
            yield rows.memory(row), row[-1]
        after = page[-1][-1]
