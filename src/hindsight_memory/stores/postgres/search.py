"""Candidates for one query: the best by vector, the best by words, and their session neighbours."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hindsight_memory.core.model import Vector
from hindsight_memory.core.relevance import BM25_B, BM25_K1, rarities
from hindsight_memory.core.retrieval import Evidence, Found, TermStatistics
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postgres.queries import Asked, Running
from hindsight_memory.stores.postgres.vectors import Nearest, Nearness, Ranking, VectorIndex
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.statements import Rows
from hindsight_memory.stores.writing import Place

REACH = 2
"""How many neighbours in its session a candidate is told of, on each side."""

EXPANDED = 8
"""How many of the best by vector, and of the best by words, bring their next neighbours along."""

DEPTHS = (1.25, 10.0)
"""How far down a ranking to look for the wanted ones, in multiples of how many are asked for; past
the second, all that are wanted are ranked.
"""


@dataclass(slots=True)
class Search:
    """One query in one snapshot."""

    db: Running
    vectors: VectorIndex
    wanted: Wanted
    limit: int
    _suppressed: set[int] = field(init=False, default_factory=set)

    def run(self, terms: Sequence[str], vector: Vector | None) -> Found:
        counts = self.db.ask("document_counts", {**self.wanted.args, "terms": dump(list(terms))})
        known = self.db.run("scope", self.wanted.args)
        if not known:
            return Found()
        [(scope, documents, term_total)] = known
        place = Place(self.wanted.args["tenant"], scope, 0)
        words = ByWords(self.db, place, _statistics(documents, term_total, counts.fetchall()))
        asked = words.ask(self.wanted, self._depth(DEPTHS[0])) if words.size else None
        nearest = None if vector is None else self.vectors.nearest(self.db, place, vector)
        by_vector = [] if nearest is None else self._best(nearest)
        by_words = [] if asked is None else self._best(words, asked)
        best = (*by_words[:EXPANDED], *by_vector[:EXPANDED])
        seqs = list(dict.fromkeys((*by_words, *by_vector, *self._beside(best))))
        return Found(
            evidence=self._evidence(seqs, words, nearest),
            suppressed=len(self._suppressed),
            notes=() if nearest is None or not nearest.note else (nearest.note,),
            statistics=words.statistics,
        )

    def _depth(self, share: float) -> int:
        return int(share * self.limit) + 1

    def _best(self, ranking: Ranking, asked: Asked | None = None) -> list[int]:
        """Filtered before it is cut: further down the ranking, until enough are wanted.

        asked: the first depth, if it was asked already.
        """
        for depth in map(self._depth, DEPTHS):
            rows = asked.fetchall() if asked else ranking.wanted(self.wanted, depth)
            found, asked = self._first(rows), None
            if depth >= ranking.size or len(found) >= self.limit:
                return found
        return self._first(ranking.wanted(self.wanted, None))

    def _first(self, ranked: Rows) -> list[int]:
        """The first that are wanted; those that are suppressed among them are noted."""
        self._suppressed.update(seq for seq, is_current in ranked[: self.limit] if not is_current)
        return [seq for seq, is_current in ranked if is_current][: self.limit]

    def _beside(self, seqs: Sequence[int]) -> Iterator[int]:
        """What was written next to each of ``seqs`` in its session."""
        if seqs:
            for beside in self.db.run("beside", {"seqs": dump(list(seqs))}, wanted=self.wanted):
                yield from (seq for seq in beside if seq is not None)

    def _evidence(
        self, seqs: list[int], words: "ByWords", nearest: Nearest | None
    ) -> tuple[Evidence, ...]:
        if not seqs:
            return ()
        args = {"seqs": dump(seqs), "reach": REACH}
        told = self.db.ask("evidence", args, wanted=self.wanted)
        counted = words.ask_counts(seqs)
        near = {} if nearest is None else nearest.nearness(seqs)
        counts: dict[int, dict[str, int]] = {}
        for seq, term, count in counted.fetchall():
            counts.setdefault(seq, {})[term] = count
        rows = told.fetchall()
        return tuple(_one(row, near.get(row[0]), counts.get(row[0], {})) for row in rows)


@dataclass(frozen=True, slots=True)
class ByWords:
    """A ranking of all memories that contain one of the terms, by BM25 as core.relevance has it."""

    db: Running
    place: Place
    statistics: TermStatistics

    @property
    def size(self) -> int:
        return sum(self.statistics.document_counts.values())

    def wanted(self, wanted: Wanted, depth: int | None) -> Rows:
        return self.ask(wanted, depth).fetchall()

    def ask(self, wanted: Wanted, depth: int | None) -> Asked:
        """As ``wanted``, without waiting."""
        known = rarities(self.statistics.document_counts, self.statistics)
        args = {
            "scope": self.place.scope,
            "rarities": dump(known),
            "average": self.statistics.average_terms or 1.0,
            "k1": BM25_K1,
            "b": BM25_B,
            "depth": depth,
        }
        return self.db.ask("by_words", args, wanted=wanted)

    def ask_counts(self, seqs: Sequence[int]) -> Asked:
        """How often each term is in each of ``seqs`` that has one."""
        terms = dump(list(self.statistics.document_counts))
        args = self.place.args | {"terms": terms, "seqs": dump(list(seqs))}
        return self.db.ask("term_counts", args)


def _statistics(
    documents: int, term_total: int, counts: Iterable[tuple[str, int]]
) -> TermStatistics:
    return TermStatistics(
        documents=documents,
        average_terms=term_total / documents if documents else 0.0,
        document_counts=dict(counts),
    )


def _one(row: tuple[Any, ...], near: Nearness | None, counts: Mapping[str, int]) -> Evidence:
    _, memory_id, session_id, is_question, term_total, earlier, later = row
    return Evidence(
        id=memory_id,
        session_id=session_id,
        similarity=near and near.similarity,
        typicality=near.typicality if near else 0.0,
        passage=near.passage if near else 0,
        is_question=bool(is_question),
        term_counts=counts,
        term_total=term_total,
        earlier=tuple(earlier),
        later=tuple(later),
    )
