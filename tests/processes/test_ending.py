"""A process that ends without closing its memory ends, and keeps what it acknowledged."""

import subprocess
import sys
from contextlib import closing
from pathlib import Path

from hindsight_memory.core.model import Scope
from hindsight_memory.stores.sqlite.store import SqliteStore

UNCLOSED = Path(__file__).with_name("unclosed.py")


def test_a_process_that_does_not_close_its_memory_ends_and_loses_nothing(tmp_path: Path) -> None:
    file = tmp_path / "memory.db"
    ended = subprocess.run(
        [sys.executable, str(UNCLOSED), str(file)],
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    written, *recalls = ended.stdout.split()
    assert [each.name for each in tmp_path.iterdir()] == ["memory.db"]
    with closing(SqliteStore.open(str(file))) as store:
        [kept] = store.get(Scope("default", None, None), [written])
        assert kept.access_count == len(recalls) == 20
        assert None not in [store.recall("default", each) for each in recalls]
