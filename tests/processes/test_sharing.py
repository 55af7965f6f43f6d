"""Several processes on one file, as when each agent starts a server of its own."""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from hindsight_memory.core.model import Scope
from hindsight_memory.stores.sqlite.store import SqliteStore

WORKER = Path(__file__).with_name("worker.py")
EVERYONE = Scope("default", None, None)


@pytest.fixture
def file(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "memory.db"
    assert [each.name for each in tmp_path.iterdir()] == ["memory.db"]


def start(task: str, file: Path, name: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, str(WORKER), task, str(file), name],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def finish(process: subprocess.Popen[str]) -> list[str]:
    """The lines that it said, if it did well."""
    said, complained = process.communicate(timeout=120)
    assert (process.returncode, complained) == (0, "")
    return said.split()


def test_two_writers_and_a_reader_lose_nothing(file: Path) -> None:
    reader = start("read", file, "reader")
    writers = [start("write", file, name) for name in ("gateway", "billing")]
    acknowledged = [finish(writer) for writer in writers]
    counts = [int(count) for count in finish(reader)]
    assert counts == sorted(counts)
    assert counts[-1] > 0
    assert [len(ids) for ids in acknowledged] == [40, 40]
    with closing(SqliteStore.open(str(file))) as store:
        written = store.every("default", after="", limit=1000)
        assert {memory.id for memory in written} == {id_ for ids in acknowledged for id_ in ids}
        assert {store.history(EVERYONE, memory.id)[0].version for memory in written} == {1}
        assert store.problems() == []


def test_eight_processes_may_create_one_file(file: Path) -> None:
    acknowledged = [finish(worker) for worker in [start("write", file, f"s{n}") for n in range(8)]]
    with closing(SqliteStore.open(str(file))) as store:
        assert len(store.every("default", after="", limit=1000)) == 8 * 40
        assert sum(map(len, acknowledged)) == 8 * 40
        assert store.problems() == []
