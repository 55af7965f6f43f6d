"""SQLite meets the contract of a store, and what is its own."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.store_suite import StoreSuite


class TestSqliteStore(StoreSuite):
    @pytest.fixture
    def open_store(self, tmp_path: Path) -> Iterator[Callable[[str], SqliteStore]]:
        with ExitStack() as opened:

            def open_store(fingerprint: str) -> SqliteStore:
                store = SqliteStore.open(str(tmp_path / "memory.db"), fingerprint=fingerprint)
                return opened.enter_context(closing(store))

            yield open_store
