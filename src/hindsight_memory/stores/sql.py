"""Named queries: SQL lives in .sql files, never in Python strings."""

import re
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_COMMENT = re.compile(r"^-- .*\n", re.MULTILINE)
_USE = re.compile(r"/\* use: (\w+) \*/")


def load_queries(package: str) -> Mapping[str, str]:
    """The queries of the .sql files in ``package``, by the name above each.

    Comments on lines of their own are left out.
    ``/* use: NAME */`` stands for the text of the query NAME, which must come earlier in its file.
    """
    queries: dict[str, str] = {}
    for file in resources.files(package).iterdir():
        if file.name.endswith(".sql"):
            queries |= _queries(file.read_text("utf-8"))
    return MappingProxyType(queries)


def _queries(text: str) -> dict[str, str]:
    _, *parts = _NAME.split(text)
    queries: dict[str, str] = {}
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        text = _COMMENT.sub("", body).strip()
        queries[name] = _USE.sub(lambda use: queries[use.group(1)], text)
    return queries
