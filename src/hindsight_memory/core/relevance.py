"""How well each found memory answers a query, from the evidence alone. Pure arithmetic.

Words and meaning are scaled to what this query found and added up; then memories of one session
lend each other context, because an answer often stands beside the words that were asked for.
The weights are measured: ``python benchmarks/quality.py`` prints them with an ablation.
"""

import math
from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace

from hindsight_memory.core.retrieval import Evidence, Found, TermStatistics

BM25_K1 = 0.9
BM25_B = 0.4
"""For short texts, whose length says little (Trotman, Jia and Crane 2012; the default of Anserini).
The usual 1.2 and 0.75 cost 0.6 points of R@5 on LoCoMo and 1.2 of MRR on CMRC."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """How much each kind of evidence counts.

    meaning, words: shares of vector and word evidence; 0.5 to 0.7 of meaning score within a point.
    typical: how much of a memory's nearness to the middle of its scope is taken off its nearness
    to the query: filler lies in the middle, near to everything.
    beside, after_question, next_but_one: what neighbours in a session lend of what speaks for
    themselves: the better of the two beside, where a question lends more to the answer after it,
    and the better of the two next to those.
    session: what the best of a session lends to all of it, in proportion to the best of all.
    question: taken off a question: it states nothing, and its answer stands beside it.
    """

    meaning: float = 0.6
    words: float = 0.4
    typical: float = 0.5
    beside: float = 0.3
    after_question: float = 0.6
    next_but_one: float = 0.15
    session: float = 0.5
    question: float = 0.2


WEIGHTS = Weights()


@dataclass(frozen=True, slots=True, kw_only=True)
class Relevance:
    """What speaks for one memory; the parts add up to ``total``, in [-0.2, 2.25]."""

    meaning: float = 0.0
    words: float = 0.0
    context: float = 0.0
    session: float = 0.0
    question: float = 0.0

    @property
    def total(self) -> float:
        return self.meaning + self.words + self.context + self.session + self.question


def relevance(found: Found, weights: Weights = WEIGHTS) -> dict[str, Relevance]:
    """By id; empty when nothing was found."""
    words = _words(found)
    meaning = _meaning(found, weights if words else replace(weights, meaning=1.0))
    # One without a vector (yet) is judged by its words alone.
    words = {
        key: share * weights.words if key in meaning else share for key, share in words.items()
    }
    own = {each.id: meaning.get(each.id, 0.0) + words.get(each.id, 0.0) for each in found.evidence}
    sessions = _sessions(found, own, weights)
    questions = {each.id for each in found.evidence if each.is_question}
    return {
        each.id: Relevance(
            meaning=meaning.get(each.id, 0.0),
            words=words.get(each.id, 0.0),
            context=_context(each, own, questions, weights),
            session=sessions[each.session_id or each.id],
            question=-weights.question if each.is_question else 0.0,
        )
        for each in found.evidence
    }


def rarities(terms: Iterable[str], statistics: TermStatistics) -> dict[str, float]:
    """How much each term says: the fewer memories of the scope have it, the more.

    log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
    """
    return {term: rarity(term, statistics) for term in terms}


def rarity(term: str, statistics: TermStatistics) -> float:
    documents = statistics.document_counts.get(term, 0)
    others = max(0, statistics.documents - documents)
    return math.log(1 + (others + 0.5) / (documents + 0.5))


def bm25(evidence: Evidence, rarities: Mapping[str, float], average_terms: float) -> float:
    """Sum over the query's terms; the rarer a term in the scope, the more it counts."""
    length = evidence.term_total / (average_terms or 1.0)
    slowness = BM25_K1 * (1 - BM25_B + BM25_B * length)
    score = 0.0
    for term, count in evidence.term_counts.items():
        score += rarities[term] * count * (BM25_K1 + 1) / (count + slowness)
    return score


def coverage(evidence: Evidence, rarities: Mapping[str, float]) -> float:
    """Which share of the query's terms, by rarity, the memory contains; 0 without terms."""
    covered = sum(rarities[term] for term in evidence.term_counts)
    return covered / sum(rarities.values()) if covered else 0.0


def _meaning(found: Found, weights: Weights) -> dict[str, float]:
    """Of those with a vector."""
    return _scaled(
        {
            each.id: each.similarity - weights.typical * each.typicality
            for each in found.evidence
            if each.similarity is not None
        },
        weights.meaning,
    )


def _words(found: Found) -> dict[str, float]:
    """Of those with a word of the query."""
    known = rarities(found.statistics.document_counts, found.statistics)
    average = found.statistics.average_terms
    return _scaled({e.id: bm25(e, known, average) for e in found.evidence if e.term_counts}, 1.0)


def _scaled(scores: Mapping[str, float], most: float) -> dict[str, float]:
    """From 0 for the least to ``most`` for the largest, and for all where they are equal."""
    if not scores:
        return {}
    least, largest = min(scores.values()), max(scores.values())
    if least == largest:
        return dict.fromkeys(scores, most)
    factor = most / (largest - least)
    return {key: factor * (score - least) for key, score in scores.items()}


def _sessions(found: Found, own: Mapping[str, float], weights: Weights) -> dict[str, float]:
    """What its best lends to each session; what belongs to none is one by itself."""
    best: dict[str, float] = {}
    for each in found.evidence:
        session = each.session_id or each.id
        best[session] = max(best.get(session, 0.0), own[each.id])
    factor = weights.session / (max(best.values(), default=0.0) or 1.0)
    return {session: factor * score for session, score in best.items()}


def _context(
    each: Evidence, own: Mapping[str, float], questions: AbstractSet[str], weights: Weights
) -> float:
    before, before_that = _pair(each.earlier)
    after, after_that = _pair(each.later)
    share = weights.after_question if before in questions else weights.beside
    beside = max(share * own.get(before, 0.0), weights.beside * own.get(after, 0.0))
    next_to_those = max(own.get(before_that, 0.0), own.get(after_that, 0.0))
    return beside + weights.next_but_one * next_to_those


def _pair(neighbours: tuple[str, ...]) -> tuple[str, ...]:
    """The first two; "" stands for one that is not there."""
    return (*neighbours, "", "")[:2]
