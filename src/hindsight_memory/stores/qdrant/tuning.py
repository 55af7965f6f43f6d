"""The address of a Qdrant, with how it is to keep its vectors."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from typing import Self
from urllib.parse import parse_qsl, unquote, urlsplit

from hindsight_memory.errors import InvalidInput

SETTING = "HINDSIGHT_MEMORY_VECTOR_URL"
SCHEMES = {"qdrant": "http", "qdrants": "https"}
PORT = 6333


@dataclass(frozen=True, slots=True, kw_only=True)
class Tuning:
    """What the parameters of the URL can say.

    m: edges of a node in the graph of a user. ef_construct: candidates when it is built. ef: when
    it is searched. on_disk: whether whole vectors stay on disk, and only small ones in memory.
    quantized: whether there are small ones, of a byte for each number. exact: up to so many vectors
    of a user PostgreSQL compares them all, which is faster than to ask.
    timeout_seconds: longest wait for an answer.
    """

    m: int = 16
    ef_construct: int = 128
    ef: int = 128
    on_disk: bool = True
    quantized: bool = True
    exact: int = 2_000
    timeout_seconds: float = 5.0


@dataclass(frozen=True, slots=True)
class Address:
    """url: where it answers, without the key."""

    url: str
    api_key: str
    tuning: Tuning

    @classmethod
    def parse(cls, given: str) -> Self:
        """``qdrant://:KEY@HOST:6333?m=16``, or ``qdrants://`` with TLS. Raises InvalidInput."""
        try:
            parts = urlsplit(given)
            scheme, host, port = SCHEMES[parts.scheme], parts.hostname, parts.port
        except (KeyError, ValueError) as error:
            raise InvalidInput(f"{SETTING} cannot be read ({error}); {_LIKE}") from error
        if not host:
            raise InvalidInput(f"{SETTING} names no host; {_LIKE}")
        name = f"[{host}]" if ":" in host else host
        key = unquote(parts.password or parts.username or "")
        return cls(f"{scheme}://{name}:{port or PORT}", key, _tuning(parts.query))


_LIKE = "give qdrant://HOST:6333, qdrants:// for TLS, and a key as qdrant://:KEY@HOST:6333"

_FLAGS = {"true": True, "false": False}
_READ: Mapping[type, Callable[[str], object]] = {
    int: int,
    float: float,
    bool: _FLAGS.__getitem__,
}


def _tuning(query: str) -> Tuning:
    known = {field.name: field for field in fields(Tuning)}
    given: dict[str, object] = {}
    for name, text in parse_qsl(query, keep_blank_values=True):
        if name not in known:
            raise InvalidInput(f"{SETTING}: no parameter {name!r}; known: {', '.join(known)}")
        kind = type(known[name].default)
        try:
            given[name] = _READ[kind](text)
        except (KeyError, ValueError) as error:
            raise InvalidInput(f"{SETTING}: {name}={text!r} is not of {kind.__name__}") from error
        if given[name] is not False and float(str(given[name]) if kind is not bool else 1) < 0:
            raise InvalidInput(f"{SETTING}: {name}={text!r} is below 0")
    return Tuning(**given)  # type: ignore[arg-type]  # each was read by the type of its field
