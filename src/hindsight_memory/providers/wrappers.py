"""What stands before an embedder: each takes one and is one."""

import threading
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from hashlib import blake2b

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.core.ports import Embedder, Forgetful

KINDS = ("passage", "query")

Key = bytes
"""Digest of model, kind and text: what is cached can be found, and never read."""


class CachedEmbedder:
    """Asks ``inner`` only for what is not among the ``capacity`` texts last used.

    Vectors are shared between callers and read-only. 384 floats take 2 KB.
    """

    def __init__(self, inner: Embedder, *, capacity: int = 4_096) -> None:
        self._inner = inner
        self._capacity = capacity
        self._lock = threading.Lock()
        self._vectors: OrderedDict[Key, Vector] = OrderedDict()
        self._forgotten = 0

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
        keys = [self._key("passage", text) for text in texts]
        wanted = dict(zip(keys, texts, strict=True))
        found, forgotten = self._known(wanted)
        missing = [key for key in wanted if key not in found]
        if missing:
            rows = self._inner.passages([wanted[key] for key in missing])
            # Copies, because a row keeps its whole batch alive.
            new = {key: row.copy() for key, row in zip(missing, rows, strict=True)}
            self._keep(new, forgotten)
            found |= new
        return np.stack([found[key] for key in keys])

    def query(self, text: str) -> Vector:
        key = self._key("query", text)
        found, forgotten = self._known([key])
        if key not in found:
            found[key] = self._inner.query(text).copy()
            self._keep(found, forgotten)
        return found[key]

    def forget(self, texts: Iterable[str]) -> None:
        """Keep nothing of ``texts``, not even what another thread is embedding right now."""
        whole = [*texts]
        keys = [self._key(kind, text) for text in whole for kind in KINDS]
        with self._lock:
            self._forgotten += 1
            for key in keys:
                self._vectors.pop(key, None)
        if isinstance(self._inner, Forgetful):
            self._inner.forget(whole)

    def _known(self, keys: Iterable[Key]) -> tuple[dict[Key, Vector], int]:
        """Those of ``keys`` that are cached, and how often something was forgotten so far."""
        with self._lock:
            found = {key: self._vectors[key] for key in keys if key in self._vectors}
            for key in found:
                self._vectors.move_to_end(key)
            return found, self._forgotten

    def _keep(self, vectors: dict[Key, Vector], forgotten: int) -> None:
        for vector in vectors.values():
            vector.flags.writeable = False
        with self._lock:
            if forgotten != self._forgotten:
                return
            self._vectors |= vectors
            while len(self._vectors) > self._capacity:
                self._vectors.popitem(last=False)

    def _key(self, kind: str, text: str) -> Key:
        parts = (self.fingerprint, kind, text)
        whole = "\0".join(parts).encode("utf-8", "surrogatepass")
        return blake2b(whole, digest_size=16).digest()
