"""What one replica embedded the others need not; what is purged is gone from Redis, too."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import numpy as np
import pytest
from redis import Redis
from structlog.testing import capture_logs

from hindsight_memory.core.model import Vectors
from hindsight_memory.core.ports import Embedder
from hindsight_memory.errors import Unavailable
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.wrappers import CachedEmbedder
from hindsight_memory.stores.redis.connection import RedisServer, Shared
from hindsight_memory.stores.redis.vectors import FORGOTTEN_FOR, KEPT, SharedEmbedder
from hindsight_memory.testing.embedder_suite import EmbedderSuite
from hindsight_memory.testing.fakes import BrokenEmbedder
from hindsight_memory.testing.redis_server import RedisProcess
from hindsight_memory.testing.relay import Relay

TEXTS = ["用户对花生过敏", "The database listens on port 5432."]


class Asked(HashingEmbedder):
    """Tells what it was asked to embed; something may happen while it embeds."""

    def __init__(self) -> None:
        super().__init__(8)
        self.texts: list[str] = []
        self.meanwhile: Callable[[], object] = lambda: None

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.texts += texts
        self.meanwhile()
        return super().passages(texts)


class TestSharedEmbedder(EmbedderSuite):
    @pytest.fixture
    def embedder(self, shared: Shared) -> Embedder:
        return SharedEmbedder(HashingEmbedder(), shared)


class TestSharedEmbedderWithoutRedis(EmbedderSuite):
    @pytest.fixture
    def embedder(self) -> Embedder:
        return SharedEmbedder(HashingEmbedder(), away())


@pytest.fixture
def replicas(process: RedisProcess, raw: Redis) -> Iterator[list[SharedEmbedder]]:
    with (
        closing(RedisServer.open(process.url)) as one,
        closing(RedisServer.open(process.url)) as other,
    ):
        yield [SharedEmbedder(Asked(), Shared(server, "store")) for server in (one, other)]


def away() -> Shared:
    return Shared(RedisServer.open("redis://127.0.0.1:1"), "store")


def asked(embedder: SharedEmbedder) -> list[str]:
    inner = embedder._inner  # the one of this file
    assert isinstance(inner, Asked)
    return inner.texts


def test_what_one_replica_embedded_the_other_is_not_asked_for(
    replicas: list[SharedEmbedder],
) -> None:
    one, other = replicas
    made = one.passages(TEXTS)
    assert np.array_equal(other.passages([*TEXTS, "new", TEXTS[0]])[:2], made)
    assert (asked(one), asked(other)) == (TEXTS, ["new"])
    assert np.array_equal(one.query("茶"), other.query("茶"))
    assert (asked(one), asked(other)) == ([*TEXTS, "茶"], ["new"])


def test_a_query_is_no_passage_and_another_model_is_another(
    replicas: list[SharedEmbedder], shared: Shared
) -> None:
    one, other = replicas
    one.passages(["tea"])
    other.query("tea")
    assert asked(other) == ["tea"]
    assert SharedEmbedder(HashingEmbedder(16), shared).passages(["tea"]).shape == (1, 16)


def test_without_an_embedder_what_is_shared_is_still_found(
    replicas: list[SharedEmbedder], shared: Shared
) -> None:
    made = replicas[0].query("tea")
    broken = SharedEmbedder(BrokenEmbedder(HashingEmbedder(8)), shared)
    assert np.array_equal(broken.query("tea"), made)
    with pytest.raises(Unavailable):
        broken.query("coffee")


def test_redis_keeps_no_text_and_keeps_nothing_for_ever(
    replicas: list[SharedEmbedder], raw: Redis
) -> None:
    replicas[0].passages(TEXTS)
    keys = list(raw.scan_iter())
    assert {len(raw.get(key) or b"") for key in keys} == {8 * 4}
    assert all(key.startswith(b"hindsight-memory:vector:{") and len(key) == 90 for key in keys)
    assert all(0 < raw.pttl(key) <= KEPT.total_seconds() * 1000 for key in keys)


@pytest.mark.parametrize(
    "value", [b"x", b"\0" * 32, b"\xff" * 32, b"\1" * 30], ids=["x", "zeros", "nan", "cut"]
)
def test_what_is_no_vector_is_made_anew(
    replicas: list[SharedEmbedder], raw: Redis, value: bytes
) -> None:
    one, other = replicas
    made = one.query("tea")
    [key] = raw.scan_iter()
    raw.set(key, value)
    assert np.array_equal(other.query("tea"), made)
    assert asked(other) == ["tea"]


# --- purging ---


def test_what_is_forgotten_is_gone(replicas: list[SharedEmbedder], raw: Redis) -> None:
    one, other = replicas
    one.passages(TEXTS)
    one.query(TEXTS[0])
    other.forget(TEXTS[:1])
    left = [key for key in raw.scan_iter() if raw.get(key)]
    assert len(left) == 1
    one.passages(TEXTS)
    assert asked(one) == [*TEXTS, TEXTS[0], TEXTS[0]]


def test_what_is_being_embedded_while_it_is_forgotten_is_not_kept(
    replicas: list[SharedEmbedder], raw: Redis
) -> None:
    one, other = replicas
    inner = one._inner
    assert isinstance(inner, Asked)
    inner.meanwhile = lambda: other.forget(TEXTS)
    one.passages(TEXTS)
    assert [raw.get(key) for key in raw.scan_iter()] == [b""] * 4
    ends = [raw.pttl(key) for key in raw.scan_iter()]
    assert all(0 < end <= FORGOTTEN_FOR.total_seconds() * 1000 for end in ends)


def test_the_cache_of_a_process_passes_on_what_is_to_be_forgotten(
    replicas: list[SharedEmbedder], raw: Redis
) -> None:
    cached = CachedEmbedder(replicas[0])
    cached.passages(TEXTS)
    cached.forget(TEXTS)
    assert {raw.get(key) for key in raw.scan_iter()} == {b""}
    cached.passages(TEXTS)
    assert asked(replicas[0]) == TEXTS * 2


def test_what_is_forgotten_while_redis_is_away_goes_when_it_is_back(
    process: RedisProcess, raw: Redis
) -> None:
    instant = 0.0
    with Relay(process.port) as relay:
        url = f"redis://127.0.0.1:{relay.port}"
        with closing(RedisServer.open(url, now=lambda: instant)) as server:
            embedder = SharedEmbedder(Asked(), Shared(server, "store"))
            embedder.passages(TEXTS)
            relay.cut()
            with capture_logs() as logs:
                embedder.forget(TEXTS)
            assert [each["event"] for each in logs] == ["redis_lost", "redis_still_to_forget"]
            assert all(raw.get(key) for key in raw.scan_iter())
            relay.mend()
            instant = 10.0
            embedder.query("anything")
            assert sum(raw.get(key) == b"" for key in raw.scan_iter()) == 4
