"""Files of earlier formats, brought up to date when they are opened."""

from contextlib import closing
from pathlib import Path

import apsw

from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.samples import ANN, a_memory, put


def test_counter_examples_of_the_first_format_are_found_from_both_sides(tmp_path: Path) -> None:
    path = str(tmp_path / "memory.db")
    with closing(SqliteStore.open(path)) as store:
        put(store, a_memory("1"), a_memory("2", evidence=("e",), counter_examples=("1",)))
    with closing(apsw.Connection(path)) as db:
        db.execute("DROP INDEX memories_by_tool; DROP TABLE injections")
        db.execute("DELETE FROM supports WHERE supporter_id = '1'; PRAGMA user_version = 1")
    with closing(SqliteStore.open(path)) as store:
        assert [each.id for each in store.dependants(ANN, ["1"])] == ["2"]
        assert store.problems() == []
