"""Measuring an embedder on the pairs of texts that come with the package, in two languages.

``pairs.json`` holds statements, each with another wording, something related, the same with
another value, and a question that it answers; English and Chinese rows are translations.
"""

import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from itertools import permutations
from typing import TypeAlias

from hindsight_memory.core.model import Vector
from hindsight_memory.core.ports import Embedder
from hindsight_memory.core.separation import Cosines, Kind

Texts: TypeAlias = Mapping[str, str]
Pairs: TypeAlias = Mapping[Kind, Sequence[tuple[str, str]]]

GROUPS: Mapping[str, tuple[str, str]] = {
    "English": ("en", "en"),
    "Chinese": ("zh", "zh"),
    "English, Chinese": ("en", "zh"),
}
"""The languages of the two texts of a pair."""

ASKED = frozenset({Kind.ANSWER, Kind.OTHER_ANSWER, Kind.COPY})
"""Kinds whose first text is a query."""

WARM_UP = "The first text takes as long as the model takes to load."


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """Of one embedder. cosines: by group and kind. passage_seconds, query_seconds: of one text."""

    fingerprint: str
    dimensions: int
    passage_seconds: float
    query_seconds: float
    pairs: Mapping[str, Pairs]
    cosines: Mapping[str, Cosines]


def measure(embedder: Embedder, clock: Callable[[], float] = time.perf_counter) -> Measured:
    """Takes a few seconds. Raises Unavailable when the model does not answer."""
    embedder.passages([WARM_UP])
    pairs = {group: _pairs(*languages) for group, languages in GROUPS.items()}
    passages, queries = _texts(pairs)
    begun = clock()
    rows = dict(zip(passages, embedder.passages(passages), strict=True))
    embedded = clock()
    asked = {text: embedder.query(text) for text in queries}
    return Measured(
        fingerprint=embedder.fingerprint,
        dimensions=embedder.dimensions,
        passage_seconds=(embedded - begun) / len(passages),
        query_seconds=(clock() - embedded) / len(queries),
        pairs=pairs,
        cosines={group: _cosines(of_kinds, rows, asked) for group, of_kinds in pairs.items()},
    )


def _cosines(
    pairs: Pairs, passages: Mapping[str, Vector], queries: Mapping[str, Vector]
) -> Cosines:
    return {
        kind: [float((queries if kind in ASKED else passages)[a] @ passages[b]) for a, b in found]
        for kind, found in pairs.items()
    }


def _texts(pairs: Mapping[str, Pairs]) -> tuple[list[str], list[str]]:
    """Each passage and each query, once."""
    passages: dict[str, None] = {}
    queries: dict[str, None] = {}
    for of_kinds in pairs.values():
        for kind, found in of_kinds.items():
            (queries if kind in ASKED else passages).update(dict.fromkeys(a for a, _ in found))
            passages.update(dict.fromkeys(b for _, b in found))
    return list(passages), list(queries)


@cache
def _rows() -> Sequence[Mapping[str, Texts]]:
    text = files("hindsight_memory.engine").joinpath("pairs.json").read_text("utf-8")
    rows: list[dict[str, dict[str, str]]] = json.loads(text)
    return rows


def _pairs(one: str, other: str) -> Pairs:
    rows = [(row[one], row[other]) for row in _rows()]
    wording = "same" if one == other else "statement"  # a translation is another wording
    return {
        Kind.SAME: [(a["statement"], b[wording]) for a, b in rows],
        Kind.CHANGED: [(a["statement"], b["changed"]) for a, b in rows],
        Kind.RELATED: [(a["statement"], b["related"]) for a, b in rows],
        Kind.UNRELATED: list(_across(rows, "statement")),
        Kind.ANSWER: [(a["question"], b["statement"]) for a, b in rows],
        Kind.OTHER_ANSWER: list(_across(rows, "question")),
        **(
            {Kind.COPY: [(a["statement"], a["statement"]) for a, _ in rows]} if one == other else {}
        ),
    }


def _across(rows: Sequence[tuple[Texts, Texts]], name: str) -> Iterator[tuple[str, str]]:
    """Of one row, and the statement of another."""
    for (one, _), (_, other) in permutations(rows, 2):
        yield one[name], other["statement"]
