"""The contract of an Embedder, as tests. An embedder's tests subclass EmbedderSuite."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from hindsight_memory.core.model import Vectors
from hindsight_memory.core.ports import Embedder

TEXTS = ["The database listens on port 5432.", "用户对花生过敏", "We moved to Berlin in May."]
AWKWARD = {
    "empty": "",
    "blank": " \n\t",
    "nul": "a\0b",
    "emoji": "👩‍👩‍👧‍👦🎉",
    "lone surrogate": "a\ud800b",
    "one character for eighteen": "ﷺ" * 40,
    "punctuation": "。？！...",
    "long": "我们把数据库的端口改了，because the old one was taken. " * 40,
}


class EmbedderSuite:
    """Subclasses give an ``embedder`` fixture."""

    def test_passages_are_unit_rows_in_single_precision(self, embedder: Embedder) -> None:
        assert_unit_rows(embedder.passages(TEXTS), (3, embedder.dimensions))

    def test_a_query_is_one_such_row(self, embedder: Embedder) -> None:
        vector = embedder.query(TEXTS[0])
        assert vector.shape == (embedder.dimensions,)
        assert_unit_rows(vector[None], (1, embedder.dimensions))

    def test_no_texts_give_no_rows(self, embedder: Embedder) -> None:
        assert_unit_rows(embedder.passages([]), (0, embedder.dimensions))

    def test_the_order_is_that_of_the_texts(self, embedder: Embedder) -> None:
        forth, back = embedder.passages(TEXTS), embedder.passages(TEXTS[::-1])
        assert forth == pytest.approx(back[::-1], abs=1e-5)
        assert np.argmax(forth @ back.T, axis=1).tolist() == [2, 1, 0]

    def test_a_text_alone_and_among_others_is_the_same(self, embedder: Embedder) -> None:
        together = embedder.passages([*TEXTS, *AWKWARD.values()])
        assert embedder.passages(TEXTS[1:2]) == pytest.approx(together[1:2], abs=1e-5)

    def test_many_texts_are_as_good_as_few(self, embedder: Embedder) -> None:
        many = embedder.passages([f"{text} {number}" for number in range(25) for text in TEXTS])
        assert_unit_rows(many, (75, embedder.dimensions))
        assert embedder.passages([f"{TEXTS[0]} 24"])[0] == pytest.approx(many[72], abs=1e-5)

    @pytest.mark.parametrize("text", AWKWARD.values(), ids=AWKWARD)
    def test_any_text_has_a_vector(self, embedder: Embedder, text: str) -> None:
        assert_unit_rows(embedder.passages([text]), (1, embedder.dimensions))
        assert_unit_rows(embedder.query(text)[None], (1, embedder.dimensions))

    def test_what_follows_a_nul_counts(self, embedder: Embedder) -> None:
        port, tea = embedder.passages(["note\0the port is 5432", "note\0green tea"])
        assert not np.allclose(port, tea, atol=0.01)

    def test_a_query_of_a_whole_document_is_answered(self, embedder: Embedder) -> None:
        """Uncut, it would take minutes."""
        vector = embedder.query(AWKWARD["long"] * 100)
        assert_unit_rows(vector[None], (1, embedder.dimensions))

    def test_equal_texts_are_nearer_than_others(self, embedder: Embedder) -> None:
        cosines = embedder.passages(TEXTS) @ embedder.query(TEXTS[1])
        assert np.argmax(cosines) == 1

    def test_the_fingerprint_never_changes(self, embedder: Embedder) -> None:
        before = embedder.fingerprint
        embedder.query(TEXTS[0])
        assert embedder.fingerprint == before != ""

    def test_many_threads_get_what_one_gets(self, embedder: Embedder) -> None:
        expected = [embedder.passages([text])[0] for text in TEXTS]
        with ThreadPoolExecutor(8) as pool:
            found = list(pool.map(embedder.passages, [TEXTS] * 16))
        for rows in found:
            assert rows == pytest.approx(np.stack(expected), abs=1e-5)


def assert_unit_rows(vectors: Vectors, shape: tuple[int, int]) -> None:
    assert vectors.shape == shape
    assert vectors.dtype == np.dtype(np.float32)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(np.ones(shape[0]), abs=1e-5)
