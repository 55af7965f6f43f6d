"""Files of earlier formats, brought up to date when they are opened."""

from contextlib import closing
from importlib import resources
from pathlib import Path

import apsw

from hindsight_memory.stores.sqlite.database import APPLICATION_ID
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.samples import ANN, a_memory, changed, put

MIGRATIONS = resources.files("hindsight_memory.stores.sqlite") / "migrations"
TABLES = ("memories", "scopes", "models", "vectors", "keys", "supports", "revisions")


def of_format(number: int, source: Path, target: Path) -> None:
    """``target`` has what ``source`` holds, as it was in an earlier format; no audit log."""
    scripts = sorted(MIGRATIONS.iterdir(), key=lambda script: script.name)[:number]
    with closing(apsw.Connection(str(target))) as db:
        for script in scripts:
            db.execute(script.read_text("utf-8"))
        db.execute(f"PRAGMA user_version = {number}; PRAGMA application_id = {APPLICATION_ID}")
        db.execute("ATTACH ? AS newer", (str(source),))
        for table in TABLES:
            columns = ", ".join(name for _, name, *_ in db.execute(f"PRAGMA table_info({table})"))
            copy = f"INSERT INTO {table} ({columns}) SELECT {columns} FROM newer.{table}"  # noqa: S608 - our names
            db.execute(copy)
        db.execute("INSERT INTO words (rowid, terms) SELECT rowid, terms FROM newer.words")


def test_counter_examples_of_the_first_format_are_found_from_both_sides(tmp_path: Path) -> None:
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    with closing(SqliteStore.open(str(new))) as store:
        put(store, a_memory("1"), a_memory("2", evidence=("e",), counter_examples=("1",)))
    of_format(1, new, old)
    with closing(apsw.Connection(str(old))) as db:
        db.execute("DELETE FROM supports WHERE supporter_id = '1'")
    with closing(SqliteStore.open(str(old))) as store:
        assert [each.id for each in store.dependants(ANN, ["1"])] == ["2"]
        assert store.problems() == []


def test_what_has_no_seal_yet_gets_one_with_its_next_version(tmp_path: Path) -> None:
    new, old = tmp_path / "new.db", tmp_path / "old.db"
    with closing(SqliteStore.open(str(new))) as store:
        put(store, a_memory())
    of_format(3, new, old)
    with closing(SqliteStore.open(str(old))) as store:
        put(store, changed(a_memory(), importance=0.2))
        assert store.problems() == []
        with closing(apsw.Connection(str(old))) as db:
            db.execute("UPDATE memories SET importance = 0.3")
        assert store.problems() == ["version 2 of 'm1' is not as the audit log has sealed it"]
