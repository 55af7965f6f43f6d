"""Named queries: SQL lives in .sql files, never in Python strings."""

import re
from collections.abc import Iterator, Mapping
from importlib import resources
from itertools import chain
from types import MappingProxyType

SHARED = "hindsight_memory.stores"
"""What every SQL store asks in the same words."""

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_COMMENT = re.compile(r"^-- .*\n", re.MULTILINE)
_USE = re.compile(r"/\* use: (\w+) \*/")


def load_queries(*packages: str) -> Mapping[str, str]:
    """The queries of the .sql files in ``packages``, by the name above each.

    Comments on lines of their own are left out. ``/* use: NAME */`` stands for the text of the
    query NAME, in whichever file. Raises ValueError for a name that is there twice.
    """
    bodies: dict[str, str] = {}
    for file in chain.from_iterable(resources.files(each).iterdir() for each in packages):
        if file.name.endswith(".sql"):
            for name, body in _bodies(file.read_text("utf-8")):
                if name in bodies:
                    raise ValueError(f"two queries are called {name!r}")
                bodies[name] = body
    return MappingProxyType({name: _whole(name, bodies) for name in bodies})


def _bodies(text: str) -> Iterator[tuple[str, str]]:
    _, *parts = _NAME.split(text)
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        yield name, _COMMENT.sub("", body).strip()


def _whole(name: str, bodies: Mapping[str, str]) -> str:
    return _USE.sub(lambda use: _whole(use.group(1), bodies), bodies[name])
