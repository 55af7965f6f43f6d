"""Embedders behind any OpenAI-compatible ``/v1/embeddings``: Ollama, vLLM, DashScope and others."""

import re
from collections.abc import Mapping, Sequence
from functools import partial
from math import isfinite
from types import MappingProxyType
from typing import Any

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.errors import Unavailable
from hindsight_memory.providers.once import Once
from hindsight_memory.providers.remote import Service, connected, foreign, translated

DIMENSIONS: Mapping[str, int] = MappingProxyType(
    {
        "text-embedding-3-small": 1536,
        "text-embedding-3-large": 3072,
        "text-embedding-ada-002": 1536,
        "text-embedding-v4": 1024,
        "text-embedding-v3": 1024,
        "bge-m3": 1024,
        "nomic-embed-text": 768,
        "mxbai-embed-large": 1024,
    }
)
"""As their providers document them. A model that is not here is asked once."""

BATCH_TEXTS = 10
"""DashScope takes ten texts in a request; the others take more, and gain little by it."""

_UNREADABLE = re.compile("[\ud800-\udfff\0]")


class OpenAIEmbedder:
    """Constructing one sends nothing."""

    def __init__(self, service: Service, model: str) -> None:
        self._service = service
        self._model = model
        self._dimensions = DIMENSIONS.get(model)
        self._connection = Once(partial(connected, service))

    @property
    def fingerprint(self) -> str:
        """Without the address: the same model may move."""
        return f"openai:{self._model}"

    @property
    def dimensions(self) -> int:
        """Raises Unavailable where the service has to be asked and does not answer."""
        if self._dimensions is None:
            self._dimensions = len(self._vectors(["dimensions"])[0])
        return self._dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        from hindsight_memory.core.vectors import unit_rows

        if not texts:
            return np.empty((0, self.dimensions), dtype="f4")
        starts = range(0, len(texts), BATCH_TEXTS)
        rows = [row for at in starts for row in self._vectors(texts[at : at + BATCH_TEXTS])]
        return unit_rows(np.asarray(rows, dtype="f4"))

    def query(self, text: str) -> Vector:
        vector: Vector = self.passages([text])[0]
        return vector

    def _vectors(self, texts: Sequence[str]) -> list[list[float]]:
        """One for each text, in order, whatever order the service answers in."""
        with translated(self._service):
            answer = self._connection().embeddings.create(
                model=self._model,
                input=[_readable(text) for text in texts],
                encoding_format="float",  # the library's base64 is not known to every server
            )
        rows = getattr(answer, "data", None)
        if not isinstance(rows, list) or not all(map(_is_vector, rows)):
            raise foreign(self._service)
        found = {each.index: each.embedding for each in rows}
        if found.keys() != set(range(len(texts))):
            raise Unavailable(
                f"{self._service.base_url} gave vectors for {len(found)} of {len(texts)} texts"
            )
        return [self._of_one_size(found[index]) for index in range(len(texts))]

    def _of_one_size(self, vector: list[float]) -> list[float]:
        if self._dimensions is None:
            self._dimensions = len(vector)
        if self._dimensions != len(vector):
            raise Unavailable(
                f"{self._model!r} gave {len(vector)} dimensions instead of {self._dimensions}"
            )
        return vector


def _is_vector(row: Any) -> bool:
    """Whether it holds numbers: the library takes whatever a service sends."""
    numbers = row.embedding
    return isinstance(numbers, list) and bool(numbers) and all(map(_is_number, numbers))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and isfinite(value)


def _readable(text: str) -> str:
    """Services refuse empty texts, NUL and half characters; a blank stands for nothing."""
    return _UNREADABLE.sub(" ", text) or " "
