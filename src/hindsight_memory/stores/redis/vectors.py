"""Vectors that replicas share: what one of them has embedded, the others need not.

Implements hindsight_memory.core.ports.Embedder and Forgetful.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import timedelta
from typing import cast

import structlog
from redis import Redis
from redis.client import Pipeline

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.core.ports import Embedder
from hindsight_memory.errors import Unavailable
from hindsight_memory.stores.redis.connection import Shared
from hindsight_memory.stores.redis.owed import Owed

log = structlog.get_logger(__name__)

KEPT = timedelta(days=1)
"""What a team asks, it asks again within the day; what was forgotten while Redis was away is gone
by then.
"""

FORGOTTEN_FOR = timedelta(hours=1)
"""So long a forgotten text gets no vector, which another replica may be making right now: an
embedder may take ten minutes for an answer, three times over.
"""

KINDS = ("passage", "query")

TOLERANCE = 1e-3
"""Of the length 1. What is further from it was put here by somebody else, or not all of it came."""


class SharedEmbedder:
    """Asks ``inner`` only for what no replica has asked for within KEPT; without Redis, for all."""

    def __init__(self, inner: Embedder, shared: Shared) -> None:
        self._inner, self._shared = inner, shared
        self._owed = Owed(shared.server, _take_out)

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        if not texts:
            return self._inner.passages([])
        keys = {text: self._key("passage", text) for text in texts}
        vectors = self._kept([*keys.values()])
        missing = [text for text, key in keys.items() if key not in vectors]
        if missing:
            rows = self._inner.passages(missing)
            made = {keys[text]: row for text, row in zip(missing, rows, strict=True)}
            self._keep(made)
            vectors |= made
        return np.stack([vectors[keys[text]] for text in texts])

    def query(self, text: str) -> Vector:
        key = self._key("query", text)
        vectors = self._kept([key])
        if key not in vectors:
            vectors[key] = self._inner.query(text)
            self._keep(vectors)
        return vectors[key]

    def forget(self, texts: Iterable[str]) -> None:
        """Keep nothing of ``texts``, not even what another replica is embedding right now. While
        Redis is away they are remembered, and what is never done ends within KEPT.
        """
        keys = [self._key(kind, text) for text in texts for kind in KINDS]
        if why := self._owed.take_out(keys):
            log.warning("redis_still_to_forget", keys=len(keys), reason=why)

    def _key(self, kind: str, text: str) -> str:
        return self._shared.key("vector", self.fingerprint, kind, text)

    def _kept(self, keys: Sequence[str]) -> dict[str, Vector]:
        try:
            self._owed.pay()
            values = self._shared.server.ask(
                lambda redis: cast("list[bytes | None]", redis.mget(keys))
            )
        except Unavailable:
            return {}
        read = {key: _vector(value) for key, value in zip(keys, values, strict=True) if value}
        return {key: vector for key, vector in read.items() if vector is not None}

    def _keep(self, vectors: Mapping[str, Vector]) -> None:
        """Only where there is nothing: what was forgotten stays forgotten."""

        def send(redis: Redis) -> None:
            with redis.pipeline(transaction=False) as pipe:
                for key, vector in vectors.items():
                    pipe.set(key, vector.astype("<f4").tobytes(), nx=True, px=KEPT)
                pipe.execute()

        try:
            self._shared.server.ask(send)
        except Unavailable:
            return


def _take_out(pipe: Pipeline, key: str) -> None:
    """Nothing in its place keeps others from putting the vector back."""
    pipe.set(key, b"", px=FORGOTTEN_FOR)


def _vector(value: bytes) -> Vector | None:
    """None for what is no unit vector."""
    import numpy as np

    if len(value) % 4:
        return None
    vector: Vector = np.frombuffer(value, dtype="<f4").astype("f4")
    return vector if abs(float(np.linalg.norm(vector)) - 1) < TOLERANCE else None
