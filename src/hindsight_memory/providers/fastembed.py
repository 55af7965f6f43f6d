"""Embedders of the package ``fastembed``: ONNX models that it downloads when first used."""

import threading
from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import Any, Protocol

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.errors import InvalidInput, Unavailable

BATCH_TEXTS = 32


class Model(Protocol):
    """What we need of ``fastembed.TextEmbedding``."""

    @property
    def embedding_size(self) -> int: ...

    def passage_embed(self, texts: Iterable[str], **kwargs: Any) -> Iterable[Any]: ...

    def query_embed(self, query: str, **kwargs: Any) -> Iterable[Any]: ...


def load_model(name: str) -> Model:
    """Raises InvalidInput for a model that it does not know."""
    from fastembed import TextEmbedding

    known = {str(each["model"]) for each in TextEmbedding.list_supported_models()}
    if name not in known:
        raise InvalidInput(f"fastembed knows no model {name!r}; see its list of supported models")
    model: Model = TextEmbedding(name)
    return model


class FastEmbedder:
    """Constructing one loads nothing; the first call may download the weights.

    Raises InvalidInput where the package is not installed.
    """

    def __init__(self, model: str, load: Callable[[str], Model] | None = None) -> None:
        if load is None and find_spec("fastembed") is None:
            raise InvalidInput(
                f"the embedder 'fastembed:{model}' needs a package: "
                "pip install 'hindsight-memory[fastembed]'"
            )
        self._name = model
        self._load = load or load_model
        self._lock = threading.Lock()
        self._loaded: Model | None = None

    @property
    def fingerprint(self) -> str:
        return f"fastembed:{self._name}"

    @property
    def dimensions(self) -> int:
        return self._model().embedding_size

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        if not texts:
            return np.empty((0, self.dimensions), dtype="f4")
        readable = list(map(_readable, texts))
        return _unit(
            np.asarray(list(self._model().passage_embed(readable, batch_size=BATCH_TEXTS)))
        )

    def query(self, text: str) -> Vector:
        import numpy as np

        vector: Vector = _unit(np.asarray(list(self._model().query_embed(_readable(text)))))[0]
        return vector

    def _model(self) -> Model:
        """Loaded by whoever comes first; after a failure the next call tries again."""
        with self._lock:
            if self._loaded is None:
                self._loaded = self._try_to_load()
            return self._loaded

    def _try_to_load(self) -> Model:
        try:
            return self._load(self._name)
        except InvalidInput:
            raise
        # Whatever downloads fail with: it passes on the errors of four libraries.
        except Exception as error:
            raise Unavailable(
                f"the embedder 'fastembed:{self._name}' does not load: {error}; its weights are "
                "downloaded when it is first used"
            ) from error


def _readable(text: str) -> str:
    return text.encode("utf-8", "replace").decode().replace("\0", " ")


def _unit(rows: Any) -> Vectors:
    import numpy as np

    vectors: Vectors = np.asarray(rows, dtype="f4")
    lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors /= np.maximum(lengths, np.finfo("f4").tiny)
    return vectors
