"""An embedder that needs no model: deterministic, offline, for tests and demos."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from hashlib import blake2b
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.core.script import CJK
from hindsight_memory.core.text import fold
from hindsight_memory.core.vectors import unit_rows

AXES_PER_WORD = 4
"""Two words that share one axis by chance still differ on three."""

_WORD = rf"(?P<cjk>[{CJK}]+)|[^\W_{CJK}]+"


class HashingEmbedder:
    """Adds each word to a few signed axes: texts are as similar as the words they share.

    Chinese counts by characters and pairs of characters. Nothing is known of meaning.
    """

    def __init__(self, dimensions: int = 256) -> None:
        self._dimensions = dimensions

    @property
    def fingerprint(self) -> str:
        return f"hashing:{self._dimensions}"

    @property
    def dimensions(self) -> int:
        return self._dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        sums = np.zeros((len(texts), self._dimensions))
        for row, text in zip(sums, texts, strict=True):
            for word, count in Counter(_words(text)).items():
                axes, signs = _axes(word, self._dimensions)
                # A repeated word says little more than a word; add.at because axes may coincide.
                np.add.at(row, axes, signs * count**0.5)
        return unit_rows(sums)

    def query(self, text: str) -> Vector:
        vector: Vector = self.passages([text])[0]
        return vector


def _words(text: str) -> Iterator[str]:
    for word in re.finditer(_WORD, fold(text)):
        yield from _characters_and_pairs(word[0]) if word["cjk"] else [word[0]]


def _characters_and_pairs(run: str) -> Iterator[str]:
    yield from run
    yield from map("".join, pairwise(run))


@lru_cache(maxsize=16_384)
def _axes(word: str, dimensions: int) -> tuple[NDArray[np.int_], NDArray[np.float64]]:
    digest = blake2b(word.encode(), digest_size=2 * AXES_PER_WORD).digest()
    numbers = np.frombuffer(digest, dtype=">u2").astype(np.int_)
    return numbers // 2 % dimensions, np.where(numbers % 2, 1.0, -1.0)
