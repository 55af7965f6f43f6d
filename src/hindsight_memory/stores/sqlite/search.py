"""Candidates for one query: the best by vector, the best by words, and their session neighbours."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Any, Protocol

import apsw

from hindsight_memory.core.model import Vector
from hindsight_memory.core.retrieval import Evidence, Found
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postings import ENOUGH, telling
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.searching import (
    DEPTHS,
    EXPANDED,
    REACH,
    Choice,
    Nearness,
    evidence,
    statistics,
)
from hindsight_memory.stores.sqlite.indexes import scoped
from hindsight_memory.stores.sqlite.queries import QUERIES, run
from hindsight_memory.stores.sqlite.vectors import Nearest, VectorCache

EVERYTHING = -1
"""As a depth: no limit."""


class Ranking(Protocol):
    """Memories by how well they match one side of the query, the best first."""

    def top(self, depth: int) -> tuple[list[int], bool]:
        """About the ``depth`` best, and whether that is all there are."""
        ...

    def among(self, wanted: AbstractSet[int]) -> list[int]:
        """All of ``wanted`` that it ranks."""
        ...


@dataclass(slots=True)
class Search:
    """One query in one snapshot of the file."""

    db: apsw.Connection
    cache: VectorCache
    fingerprint: str
    wanted: Wanted
    limit: int
    _everything: dict[int, bool] | None = field(init=False, default=None)
    _choice: Choice = field(init=False)

    def __post_init__(self) -> None:
        self._choice = Choice(self.limit)

    def run(self, terms: Sequence[str], vector: Vector | None) -> Found:
        known = run(self.db, "scope", self.wanted.args)
        if not known:
            return Found()
        [(scope, documents, term_total, shrunk)] = known
        places = {scoped(scope, term): term for term in terms}
        nearest = None if vector is None else self._nearest(scope, shrunk, vector)
        by_vector = [] if nearest is None else self._best(nearest)
        counts = dict(run(self.db, "document_counts", {"terms": dump(list(places))}))
        by_words = self._best(ByWords(self.db, counts)) if counts else []
        best = (*by_words[:EXPANDED], *by_vector[:EXPANDED])
        seqs = list(dict.fromkeys((*by_words, *by_vector, *self._beside(best))))
        return Found(
            evidence=self._evidence(seqs, places, nearest),
            suppressed=len(self._choice.suppressed),
            statistics=statistics(
                documents, term_total, {places[place]: count for place, count in counts.items()}
            ),
        )

    def _run(self, name: str, **args: Any) -> list[tuple[Any, ...]]:
        """The rows of a query that the filter is part of."""
        return self.db.execute(self.wanted.query(name), {**self.wanted.args, **args}).fetchall()

    def _nearest(self, scope: int, shrunk: int, vector: Vector) -> Nearest | None:
        models = {name: number for number, name in run(self.db, "models", {})}
        args = {"scope": scope, "model": models.get(self.fingerprint)}
        return self.cache.nearest(
            scope,
            shrunk,
            vector,
            lambda after: self.db.execute(QUERIES["newer_vectors"], args | {"after": after}),
        )

    def _best(self, ranking: Ranking) -> list[int]:
        """Filtered before it is cut: further down the ranking, until enough are wanted."""
        if self._everything is None:
            for share in DEPTHS:
                seqs, is_all = ranking.top(self._choice.depth(share))
                found = self._first(seqs, self._ask("wanted_of", seqs=json.dumps(seqs)))
                if is_all or len(found) >= self.limit:
                    return found
            self._everything = self._ask("all_wanted")
        if not self._everything:
            return []
        return self._first(ranking.among(self._everything.keys()), self._everything)

    def _ask(self, name: str, **args: Any) -> dict[int, bool]:
        """The memories that are wanted, or would be if they were current, and whether they are."""
        return {seq: bool(is_current) for seq, is_current in self._run(name, **args)}

    def _first(self, seqs: Sequence[int], is_current: Mapping[int, bool]) -> list[int]:
        """The first of ``seqs`` that are wanted."""
        return self._choice.of((seq, is_current[seq]) for seq in seqs if seq in is_current)

    def _beside(self, seqs: Sequence[int]) -> Iterator[int]:
        """What was written next to each of ``seqs`` in its session."""
        for beside in self._run("beside", seqs=json.dumps(seqs)):
            yield from (seq for seq in beside if seq is not None)

    def _evidence(
        self, seqs: list[int], places: Mapping[str, str], nearest: Nearest | None
    ) -> tuple[Evidence, ...]:
        near = {} if nearest is None else nearest.best(seqs)
        rows = self._run("evidence", seqs=json.dumps(seqs), reach=REACH)
        # Parsed together: it takes a tenth of the time.
        sides = json.loads(f"[{','.join(side for row in rows for side in row[-2:])}]")
        return tuple(
            sorted(
                (
                    _one(row, near.get(row[0]), places, earlier=tuple(earlier), later=tuple(later))
                    for row, earlier, later in zip(rows, sides[::2], sides[1::2], strict=True)
                ),
                key=attrgetter("id"),
            )
        )


@dataclass(frozen=True, slots=True)
class ByWords:
    """A ranking of all memories that contain one of the places, by BM25.

    counts: in how many memories each place is, of those that are in any.
    """

    db: apsw.Connection
    counts: Mapping[str, int]
    enough: int = ENOUGH

    def top(self, depth: int) -> tuple[list[int], bool]:
        """By the rarest places alone, where these are in enough memories."""
        asked = telling(self.counts, enough=self.enough)
        found = self._ranked(asked, depth)
        return found, len(found) < depth and len(asked) == len(self.counts)

    def among(self, wanted: AbstractSet[int]) -> list[int]:
        return list(filter(wanted.__contains__, self._ranked(self.counts, EVERYTHING)))

    def _ranked(self, places: Iterable[str], depth: int) -> list[int]:
        match = " OR ".join('"' + place.replace('"', '""') + '"' for place in places)
        return [seq for (seq,) in run(self.db, "by_words", {"match": match, "limit": depth})]


def _one(
    row: tuple[Any, ...],
    nearness: Nearness | None,
    places: Mapping[str, str],
    *,
    earlier: tuple[str, ...],
    later: tuple[str, ...],
) -> Evidence:
    _, memory_id, session_id, is_question, indexed, *_ = row
    terms = indexed.split(" ") if indexed else []
    return evidence(
        memory_id,
        session_id,
        nearness,
        is_question=bool(is_question),
        term_counts=_counts(terms, places),
        term_total=len(terms),
        earlier=earlier,
        later=later,
    )


def _counts(terms: Sequence[str], places: Mapping[str, str]) -> dict[str, int]:
    """How often each term is among the indexed ones."""
    found = list(filter(places.__contains__, terms))
    return {places[place]: found.count(place) for place in found}
