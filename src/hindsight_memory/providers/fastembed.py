"""Embedders of the package ``fastembed``: ONNX models that it downloads when first used."""

from collections.abc import Callable, Iterable, Sequence
from importlib.util import find_spec
from typing import Any, Protocol

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.errors import InvalidInput, Unavailable
from hindsight_memory.providers.once import Once

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
        self._model = Once(self._try_to_load)

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
        return _unit_rows(
            self._model().passage_embed(map(_readable, texts), batch_size=BATCH_TEXTS)
        )

    def query(self, text: str) -> Vector:
        vector: Vector = _unit_rows(self._model().query_embed(_readable(text)))[0]
        return vector

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


def _unit_rows(rows: Iterable[Any]) -> Vectors:
    import numpy as np

    from hindsight_memory.core.vectors import unit_rows

    return unit_rows(np.asarray(list(rows), dtype="f4"))
