"""Candidates for one query: the best by vector, the best by words, and their session neighbours."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from hindsight_memory.core.model import Vector
from hindsight_memory.core.relevance import BM25_B, BM25_K1, rarities
from hindsight_memory.core.retrieval import Evidence, Found, TermStatistics
from hindsight_memory.stores.filtering import Wanted
from hindsight_memory.stores.postgres.queries import Asked, Running
from hindsight_memory.stores.postgres.vectors import Nearest, Ranking, VectorIndex
from hindsight_memory.stores.postings import telling
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
from hindsight_memory.stores.statements import Rows
from hindsight_memory.stores.writing import Place


@dataclass(slots=True)
class Search:
    """One query in one snapshot."""

    db: Running
    vectors: VectorIndex
    wanted: Wanted
    limit: int
    _choice: Choice = field(init=False)

    def __post_init__(self) -> None:
        self._choice = Choice(self.limit)

    def run(self, terms: Sequence[str], vector: Vector | None) -> Found:
        counts = self.db.ask("document_counts", {**self.wanted.args, "terms": dump(list(terms))})
        known = self.db.run("scope", self.wanted.args)
        if not known:
            return Found()
        [(scope, documents, term_total)] = known
        place = Place(self.wanted.args["tenant"], scope, 0)
        told = statistics(documents, term_total, dict(counts.fetchall()))
        words = ByWords(self.db, place, told)
        asked = words.ask(self.wanted, self._choice.depth(DEPTHS[0])) if words.size else None
        nearest = None if vector is None else self.vectors.nearest(self.db, place, vector)
        by_vector = [] if nearest is None else self._best(nearest)
        by_words = [] if asked is None else self._best(words, asked)
        best = (*by_words[:EXPANDED], *by_vector[:EXPANDED])
        seqs = list(dict.fromkeys((*by_words, *by_vector, *self._beside(best))))
        return Found(
            evidence=self._evidence(seqs, words, nearest),
            suppressed=len(self._choice.suppressed),
            notes=() if nearest is None or not nearest.note else (nearest.note,),
            statistics=told,
        )

    def _best(self, ranking: Ranking, asked: Asked | None = None) -> list[int]:
        """Filtered before it is cut: further down the ranking, until enough are wanted.

        asked: the first depth, if it was asked already.
        """
        for depth in map(self._choice.depth, DEPTHS):
            rows = asked.fetchall() if asked else ranking.wanted(self.wanted, depth)
            found, asked = self._choice.of(rows), None
            if depth >= ranking.size or len(found) >= self.limit:
                return found
        return self._choice.of(ranking.wanted(self.wanted, None))

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
    """A ranking of all memories that contain one of the terms, by BM25 as core.relevance has it:
    by the rarest terms alone, where these are in enough memories.
    """

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
        counts = self.statistics.document_counts
        is_all = depth is None or depth >= self.size
        known = rarities(counts if is_all else telling(counts), self.statistics)
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


def _one(row: tuple[Any, ...], near: Nearness | None, counts: Mapping[str, int]) -> Evidence:
    _, memory_id, session_id, is_question, term_total, earlier, later = row
    return evidence(
        memory_id,
        session_id,
        near,
        is_question=is_question,
        term_counts=counts,
        term_total=term_total,
        earlier=earlier,
        later=later,
    )
