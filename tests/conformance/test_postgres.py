"""PostgreSQL meets the contract of a store, and what is its own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing

import pytest

from hindsight_memory.stores.jobs import SqlJobs
from hindsight_memory.stores.postgres.database import Limits
from hindsight_memory.stores.postgres.store import PostgresStore
from hindsight_memory.stores.sessions import SqlSessions
from hindsight_memory.testing.job_suite import JobSuite
from hindsight_memory.testing.postgres_server import Place
from hindsight_memory.testing.samples import MODEL
from hindsight_memory.testing.session_suite import SessionSuite
from hindsight_memory.testing.store_suite import StoreSuite


def opened(place: Place, fingerprint: str = MODEL, **limits: float) -> PostgresStore:
    given = Limits(connections=4, **limits)
    return PostgresStore.open(place.url, fingerprint=fingerprint, limits=given)


class TestPostgresStore(StoreSuite):
    @pytest.fixture
    def open_store(self, place: Place) -> Iterator[Callable[[str], PostgresStore]]:
        with ExitStack() as stores:

            def open_store(fingerprint: str) -> PostgresStore:
                return stores.enter_context(closing(opened(place, fingerprint)))

            yield open_store


class TestPostgresSessions(SessionSuite):
    @pytest.fixture
    def sessions(self, place: Place) -> Iterator[SqlSessions]:
        with closing(opened(place)) as store:
            yield store.working


class TestPostgresJobs(JobSuite):
    @pytest.fixture
    def jobs(self, place: Place) -> Iterator[SqlJobs]:
        with closing(opened(place)) as store:
            yield store.jobs
