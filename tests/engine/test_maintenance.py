"""What is embedded behind the calls: a text that cannot be embedded stands in nobody's way."""

from dataclasses import replace
from datetime import timedelta

import pytest
from structlog.testing import capture_logs

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.maintenance import RETRY_AFTER, embed_some, reembed
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.errors import InvalidInput, Unavailable
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.wrappers import CachedEmbedder
from hindsight_memory.testing.fakes import BrokenEmbedder, FrozenClock, PickyEmbedder

FAILURES = [
    (Unavailable("the model answers 400"), "not_embedded"),
    (InvalidInput("too long for the model"), "not_embedded"),
    (ValueError("a bug"), "embedding_broke"),
]


@pytest.fixture
def picky(embedder: HashingEmbedder) -> PickyEmbedder:
    return PickyEmbedder(embedder, refused="毒药", error=FAILURES[0][0])


@pytest.fixture
def broken(picky: PickyEmbedder) -> BrokenEmbedder:
    return BrokenEmbedder(picky)


@pytest.fixture
def parts(memories: Memories, broken: BrokenEmbedder) -> Parts:
    return replace(memories.parts, meaning=Meaning(embedder=CachedEmbedder(broken)))


@pytest.fixture
def poison(parts: Parts, broken: BrokenEmbedder) -> str:
    """The oldest of 20 memories that wait for vectors: its text is refused, from now on alone."""
    memory = Hindsight(Memories(parts), Caller())
    texts = ["毒药 is refused", *(f"note {number}: 茶" for number in range(1, 20))]
    written = [memory.write(text).memory for text in texts]
    broken.broken = False
    assert parts.store.unembedded_count() == 20
    assert written[0] is not None
    return written[0].id


def embed_all(parts: Parts) -> int:
    """How many steps that took."""
    steps = 0
    while embed_some(parts):
        steps += 1
    return steps


@pytest.mark.parametrize(("error", "event"), FAILURES, ids=lambda each: type(each).__name__)
def test_a_text_that_cannot_be_embedded_is_passed_over(
    parts: Parts, poison: str, picky: PickyEmbedder, error: Exception, event: str
) -> None:
    picky.error = error
    with capture_logs() as logs:
        assert embed_all(parts) == 2
    assert [memory.id for memory, _ in parts.store.unembedded(limit=99)] == [poison]
    assert parts.store.unembeddable() == [poison]
    assert [(line["event"], line["memory_id"]) for line in logs] == [(event, poison)]


def test_it_is_tried_again_later(
    parts: Parts, poison: str, picky: PickyEmbedder, clock: FrozenClock
) -> None:
    embed_all(parts)
    picky.refused = "nothing"
    clock.advance(RETRY_AFTER - timedelta(seconds=1))
    assert (embed_all(parts), parts.store.unembeddable()) == (0, [poison])
    clock.advance(timedelta(seconds=1))
    assert (embed_all(parts), parts.store.unembedded_count()) == (1, 0)


def test_an_embedder_that_is_down_is_no_fault_of_the_texts(
    parts: Parts, poison: str, broken: BrokenEmbedder
) -> None:
    broken.broken = True
    with pytest.raises(Unavailable):
        embed_some(parts)
    assert poison not in parts.store.unembeddable()


def test_reembed_tries_at_once_and_ends_with_what_can_be_embedded(
    parts: Parts, poison: str
) -> None:
    embed_all(parts)
    told: list[tuple[int, int | None]] = []
    assert reembed(parts, lambda *step: told.append(step)) == 0
    assert told == [(0, 1), (0, 1)]
    assert parts.store.unembeddable() == [poison]
