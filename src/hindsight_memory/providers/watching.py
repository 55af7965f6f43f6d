"""Remembers of an embedder or model how its last call ended: each wrapper takes one and is one."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

from hindsight_memory.core.asking import Question, Reply
from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.core.ports import Embedder, Model
from hindsight_memory.errors import Unavailable


class Troubles:
    """Why what was called last did not answer, by its name. Safe to share between threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._reasons: dict[str, str] = {}

    def __call__(self) -> Mapping[str, str]:
        with self._lock:
            return dict(self._reasons)

    @contextmanager
    def watching(self, name: str) -> Iterator[None]:
        """Around one call of ``name``."""
        try:
            yield
        except Unavailable as error:
            with self._lock:
                self._reasons[name] = str(error)
            raise
        with self._lock:
            self._reasons.pop(name, None)


class WatchedEmbedder:
    """``inner``, as ``embedder`` of ``troubles``."""

    def __init__(self, inner: Embedder, troubles: Troubles) -> None:
        self._inner, self._troubles = inner, troubles

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        with self._troubles.watching("embedder"):
            return self._inner.passages(texts)

    def query(self, text: str) -> Vector:
        with self._troubles.watching("embedder"):
            return self._inner.query(text)


class WatchedModel:
    """``inner``, as ``model`` of ``troubles``."""

    def __init__(self, inner: Model, troubles: Troubles) -> None:
        self._inner, self._troubles = inner, troubles

    def ask(self, question: Question) -> Reply:
        with self._troubles.watching("model"):
            return self._inner.ask(question)
