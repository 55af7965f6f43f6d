"""What a purge leaves in the files of a SQLite store: nothing."""

import random
from contextlib import closing
from pathlib import Path

import apsw
import numpy as np
import pytest

from hindsight_memory.core.model import Memory
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.samples import ANN, MODEL, a_memory, changed, put, some_changes


def test_a_reader_of_old_pages_does_not_stop_a_purge(file: Path) -> None:
    with closing(SqliteStore.open(str(file), busy_timeout_seconds=0.01)) as store:
        put(store, a_memory(content="peanut"), a_memory("m2"))
        with closing(apsw.Connection(str(file))) as other:
            other.execute("BEGIN")
            other.execute("SELECT count(*) FROM memories").fetchall()
            store.apply(some_changes(purges=("m1",)))
            assert store.get(ANN, ["m1"]) == []
            assert traces(file, {b"peanut"}) == {b"peanut"}
        put(store, a_memory("m3"))
        assert traces(file, {b"peanut"}) == set()


@pytest.mark.parametrize("seed", [3, 7, 11])
def test_a_purge_leaves_no_byte_of_content_terms_or_vectors(file: Path, seed: int) -> None:
    """Contents that grow and shrink make SQLite rebuild pages, and leave copies in their gaps."""
    chance = random.Random(seed)  # noqa: S311  # the same pages each time
    memories = [a_random_memory(f"m{number:03}", chance) for number in range(60)]
    vectors = np.random.default_rng(seed).normal(size=(60, 384)).astype("f4")
    with closing(SqliteStore.open(str(file), fingerprint=MODEL)) as store:
        for memory, vector in zip(memories, vectors, strict=True):
            put(store, memory, vector=vector)
        for number in chance.choices(range(60), k=120):
            [now] = store.get(ANN, [memories[number].id])
            longer = memories[number].content * chance.randrange(1, 12)
            put(store, changed(now, content=longer), vector=vectors[number])
        needles = {word.encode() for memory in memories[::3] for word in memory.content.split()}
        needles |= {vector.tobytes()[:40] for vector in vectors[::3]}
        with closing(apsw.Connection(str(file))) as db:
            salts = db.execute("SELECT salt FROM memories ORDER BY id").fetchall()
        needles |= {str(salt).encode() for (salt,) in salts[::3]}
        assert traces(file, needles) == needles
        store.apply(some_changes(purges=tuple(memory.id for memory in memories[::3])))
        assert traces(file, needles) == set()
        assert store.every("acme", after="", limit=99) != []
        assert store.problems() == []


def a_random_memory(memory_id: str, chance: random.Random) -> Memory:
    english = ("".join(chance.choices("abcdefghijklmnopqrstuvwxyz", k=12)) for _ in range(6))
    chinese = "".join(chr(0x4E00 + chance.randrange(20_000)) for _ in range(8))
    return a_memory(memory_id, content=" ".join([*english, chinese, ""]))


def traces(file: Path, needles: set[bytes]) -> set[bytes]:
    """Those that the file or its log contains; the index of the log has page numbers only."""
    files = (each for each in file.parent.iterdir() if not each.name.endswith("-shm"))
    written = b"".join(each.read_bytes() for each in files)
    return {needle for needle in needles if needle in written}
