"""Named queries: SQL lives in .sql files, never in Python strings."""

import re
from collections.abc import Mapping
from importlib import resources
from types import MappingProxyType

_NAME = re.compile(r"^-- name: (\w+)\n", re.MULTILINE)
_COMMENT = re.compile(r"^-- .*\n", re.MULTILINE)
_USE = re.compile(r"/\* use: (\w+) \*/")


def load_queries(package: str, file: str = "queries.sql") -> Mapping[str, str]:
    """The queries of ``file`` in ``package`` by the name above each.

    Comments on lines of their own are left out.
    ``/* use: NAME */`` stands for the text of the query NAME, which must come earlier.
    """
    text = (resources.files(package) / file).read_text("utf-8")
    _, *parts = _NAME.split(text)
    queries: dict[str, str] = {}
    for name, body in zip(parts[::2], parts[1::2], strict=True):
        text = _COMMENT.sub("", body).strip()
        queries[name] = _USE.sub(lambda use: queries[use.group(1)], text)
    return MappingProxyType(queries)
