"""Candidates for one query: the best by vector, the best by words, and their session neighbours."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import apsw

from hindsight_memory.core.codec import iso
from hindsight_memory.core.model import Evidence, Filter, Found, Scope, TermStatistics, Vector
from hindsight_memory.stores.rows import dump
from hindsight_memory.stores.sqlite.queries import run
from hindsight_memory.stores.sqlite.vectors import Nearest, VectorCache
from hindsight_memory.stores.sqlite.writing import scoped

REACH = 2
"""How many neighbours in its session a candidate is told of, on each side."""

EXPANDED = 15
"""How many of the best by vector, and of the best by words, bring their next neighbours along."""


def filter_args(scope: Scope, where: Filter) -> dict[str, Any]:
    return scope_args(scope) | {
        "tiers": dump(sorted(where.tiers)),
        "forgotten": where.forgotten,
        "superseded": where.superseded,
        "project": where.project,
        "session_id": where.session_id,
        "memory_types": dump(sorted(where.memory_types)),
        "statuses": dump(sorted(where.statuses)),
        "layers": dump(sorted(where.layers)),
        "since": None if where.since is None else iso(where.since),
        "until": None if where.until is None else iso(where.until),
        "tentative_of": where.tentative_of,
        "any_tags": dump(sorted(where.tags)) if where.tag_match == "any" else "[]",
        "all_tags": dump(sorted(where.tags)) if where.tag_match == "all" else "[]",
    }


def scope_args(scope: Scope) -> dict[str, Any]:
    return {"tenant": scope.tenant, "user_id": scope.user_id, "agent_id": scope.agent_id}


@dataclass(frozen=True, slots=True)
class Search:
    """One query in one snapshot of the file. ``args`` are those of the filter."""

    db: apsw.Connection
    cache: VectorCache
    fingerprint: str
    args: Mapping[str, Any]
    limit: int

    def run(self, terms: Sequence[str], vector: Vector | None) -> Found:
        known = run(self.db, "scope", self.args)
        if not known:
            return Found()
        [(scope, documents, term_total, shrunk)] = known
        nearest = None if vector is None else self._nearest(scope, shrunk, vector)
        by_words = self._by_words(scope, terms)
        by_vector = [] if nearest is None else self._by_vector(nearest)
        found = list(dict.fromkeys((*by_words, *by_vector)))
        seqs = self._with_neighbours(found, (*by_words[:EXPANDED], *by_vector[:EXPANDED]))
        return Found(
            evidence=tuple(self._evidence(scope, terms, seqs, nearest)),
            statistics=self._statistics(scope, terms, documents, term_total),
        )

    def _nearest(self, scope: int, shrunk: int, vector: Vector) -> Nearest | None:
        models = {name: number for number, name in run(self.db, "models", {})}
        args = {"scope": scope, "model": models.get(self.fingerprint)}
        return self.cache.nearest(
            scope,
            shrunk,
            vector,
            lambda after: run(self.db, "newer_vectors", args | {"after": after}),
        )

    def _by_words(self, scope: int, terms: Sequence[str]) -> list[int]:
        if not terms:
            return []
        match = " OR ".join('"' + scoped(scope, term).replace('"', '""') + '"' for term in terms)
        args = {**self.args, "match": match, "limit": self.limit}
        return [seq for (seq,) in run(self.db, "by_words", args)]

    def _by_vector(self, nearest: Nearest) -> list[int]:
        """Filtered before it is cut: ever larger stretches of the ranking, until enough remain."""
        found: list[int] = []
        for batch in nearest.batches(2 * self.limit):
            args = {**self.args, "seqs": json.dumps(batch)}
            wanted = {seq for (seq,) in run(self.db, "filtered", args)}
            found += [seq for seq in batch if seq in wanted]
            if len(found) >= self.limit:
                break
        return found[: self.limit]

    def _with_neighbours(self, seqs: list[int], best: Sequence[int]) -> list[int]:
        """``seqs``, and what was written next to each of ``best`` in its session."""
        around = self._around(best)
        more = (each for earlier, later in around.values() for each in earlier[:1] + later[:1])
        return list(dict.fromkeys((*seqs, *more)))

    def _around(self, seqs: Sequence[int]) -> dict[int, tuple[list[int], list[int]]]:
        args = {**self.args, "seqs": json.dumps(list(seqs)), "reach": REACH}
        return {
            seq: (json.loads(earlier), json.loads(later))
            for seq, earlier, later in run(self.db, "session_neighbours", args)
        }

    def _statistics(
        self, scope: int, terms: Sequence[str], documents: int, term_total: int
    ) -> TermStatistics:
        wanted = {scoped(scope, term): term for term in terms}
        args = {"terms": dump(list(wanted))}
        counts = {wanted[term]: count for term, count in run(self.db, "document_counts", args)}
        average = term_total / documents if documents else 0.0
        return TermStatistics(documents=documents, average_terms=average, document_counts=counts)

    def _evidence(
        self, scope: int, terms: Sequence[str], seqs: list[int], nearest: Nearest | None
    ) -> list[Evidence]:
        found = run(self.db, "evidence", {"seqs": json.dumps(seqs)})
        ids = {seq: memory_id for seq, memory_id, *_ in found}
        around = {
            seq: tuple(tuple(ids[each] for each in side if each in ids) for side in sides)
            for seq, sides in self._around(seqs).items()
        }
        best = {} if nearest is None else nearest.best(seqs)
        wanted = {scoped(scope, term): term for term in terms}
        evidence = []
        for seq, memory_id, session_id, is_question, indexed in found:
            nearness = best.get(seq)
            earlier, later = around.get(seq, ((), ()))
            counts, total = _count(indexed, wanted)
            evidence.append(
                Evidence(
                    id=memory_id,
                    session_id=session_id,
                    similarity=None if nearness is None else nearness.similarity,
                    typicality=0.0 if nearness is None else nearness.typicality,
                    passage=0 if nearness is None else nearness.passage,
                    is_question=bool(is_question),
                    term_counts=counts,
                    term_total=total,
                    earlier=earlier,
                    later=later,
                )
            )
        return evidence


def _count(indexed: str, wanted: Mapping[str, str]) -> tuple[dict[str, int], int]:
    """How often each wanted term is in a memory's terms, and how many terms it has."""
    counts: dict[str, int] = {}
    terms = indexed.split(" ")
    for term in terms:
        if term in wanted:
            counts[wanted[term]] = counts.get(wanted[term], 0) + 1
    return counts, len(terms)
