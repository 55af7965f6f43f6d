"""A second engine beside the one of each test, and an agent that lives with the first."""

import itertools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from hindsight_memory.engine.behind import Behind
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.ids import UuidSevens
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.agent_life import Life
from hindsight_memory.testing.fakes import FrozenClock


@pytest.fixture
def another(tmp_path: Path, clock: FrozenClock) -> Iterator[Callable[[], Memories]]:
    """Opens an engine on an empty store, each time another one."""
    numbers = itertools.count()
    with ExitStack() as stack:

        def opened() -> Memories:
            embedder = HashingEmbedder(256)
            path = str(tmp_path / f"another-{next(numbers)}.db")
            store = SqliteStore.open(path, fingerprint=embedder.fingerprint)
            stack.enter_context(closing(store))
            behind = stack.enter_context(closing(Behind()))
            meaning = Meaning(embedder=embedder)
            return Memories(
                Parts(store=store, meaning=meaning, clock=clock, ids=UuidSevens(), behind=behind)
            )

        yield opened


@pytest.fixture
def life(memory: Hindsight, clock: FrozenClock) -> Life:
    return Life(memory, clock)
