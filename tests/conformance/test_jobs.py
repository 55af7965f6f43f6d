"""Each place of jobs meets the contract of Jobs; and what is SQLite's own."""

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import apsw
import pytest

from hindsight_memory.errors import Damaged
from hindsight_memory.stores.jobs import SqlJobs
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.job_suite import JobSuite, a_job


class TestSqliteJobs(JobSuite):
    @pytest.fixture
    def jobs(self, file: Path) -> Iterator[SqlJobs]:
        with closing(SqliteStore.open(str(file))) as store:
            yield store.jobs


def test_a_job_survives_a_restart(file: Path) -> None:
    with closing(SqliteStore.open(str(file))) as store:
        store.jobs.put(a_job())
    with closing(SqliteStore.open(str(file))) as store:
        assert store.jobs.get("acme", "j1") == a_job()
        assert store.problems() == []


def test_a_job_that_was_never_written_is_damage(file: Path) -> None:
    with closing(SqliteStore.open(str(file))) as store:
        store.jobs.put(a_job())
        with closing(apsw.Connection(str(file))) as db:
            db.execute("UPDATE jobs SET state = 'asleep'")
        with pytest.raises(Damaged, match=r"job 'j1' cannot be read .*restore a backup"):
            store.jobs.get("acme", "j1")
