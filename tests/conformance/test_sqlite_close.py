"""A closed store has let go of its file, whoever was reading."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier

import apsw
import pytest

from hindsight_memory.errors import Unavailable
from hindsight_memory.stores.sqlite.database import IDLE_READERS, Database

READERS = 3 * IDLE_READERS


def open_connections(file: Path) -> int:
    return sum(each.filename == str(file) for each in apsw.connections())


def a_database(file: Path) -> Database:
    return Database(str(file), busy_timeout_seconds=30)


def test_closing_closes_the_readers_of_all_threads(file: Path) -> None:
    database, all_read = a_database(file), Barrier(READERS)

    def read(_number: int) -> None:
        with database.reading():
            all_read.wait(timeout=30)

    with ThreadPoolExecutor(READERS) as pool:
        list(pool.map(read, range(READERS)))
    assert open_connections(file) == IDLE_READERS + 1
    database.close()
    assert open_connections(file) == 0


def test_a_reader_that_was_reading_meanwhile_is_closed_when_it_is_done(file: Path) -> None:
    database = a_database(file)
    with database.reading() as reader:
        database.close()
        assert reader.execute("SELECT 1").fetchall() == [(1,)]
    assert open_connections(file) == 0


def test_a_store_can_be_closed_twice_and_not_used_after(file: Path) -> None:
    database = a_database(file)
    database.close()
    database.close()
    for use in (database.reading, database.writing):
        with pytest.raises(Unavailable, match="closed"), use():
            pass
    with pytest.raises(Unavailable, match="closed"):
        database.wipe(is_due=True)
    assert open_connections(file) == 0
