"""The contract of a Store, as tests. A backend's tests subclass StoreSuite.

Needs pytest and hypothesis. Where the next promise goes: into the module of its kind.
"""

from collections.abc import Callable

import pytest

from hindsight_memory.core.ports import Store
from hindsight_memory.testing.samples import MODEL, a_memory, put
from hindsight_memory.testing.store_beliefs import Beliefs
from hindsight_memory.testing.store_calls import Calls
from hindsight_memory.testing.store_candidates import Candidates
from hindsight_memory.testing.store_purges import Purges
from hindsight_memory.testing.store_reads import Reads
from hindsight_memory.testing.store_restores import Restores
from hindsight_memory.testing.store_scopes import Scopes
from hindsight_memory.testing.store_sessions import Sessions
from hindsight_memory.testing.store_vectors import Vectors
from hindsight_memory.testing.store_writes import Writes

__all__ = ["StoreSuite", "a_memory", "put"]


class StoreSuite(
    Reads, Candidates, Vectors, Writes, Purges, Restores, Scopes, Beliefs, Sessions, Calls
):
    """Subclasses give a fixture ``open_store``: a function that opens the same memories, none at
    first, for the embedder with the given fingerprint, and closes afterwards what it opened.
    """

    @pytest.fixture
    def store(self, open_store: Callable[[str], Store]) -> Store:
        return open_store(MODEL)

    def settle(self) -> None:
        """Wait until earlier writes can be searched; immediate unless overridden."""
