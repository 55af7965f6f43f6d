"""Suites are tests, though they live in the package: their assertions explain themselves too."""

from importlib import resources
from pathlib import Path

import pytest

from hindsight_memory.testing.backends import Backend, PostgresDatabase, SqliteFile

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


@pytest.fixture(params=["sqlite", "postgres"])
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    """Each of them in turn, with nothing in it."""
    if request.param == "sqlite":
        return SqliteFile(tmp_path / "memory.db")
    return PostgresDatabase(request.getfixturevalue("place"))
