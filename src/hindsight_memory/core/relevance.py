"""How well each found memory answers a query, from the evidence alone. Pure arithmetic.

Words and meaning are scaled to what this query found and added up; then memories of one session
lend each other context, because an answer often stands beside the words that were asked for.
The weights are measured: ``python benchmarks/quality.py`` prints them with an ablation.
"""

import math
from collections.abc import Mapping
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
    def own(self) -> float:
        return self.meaning + self.words

    @property
    def total(self) -> float:
        return self.own + self.context + self.session + self.question


def relevance(found: Found, weights: Weights = WEIGHTS) -> dict[str, Relevance]:
    """By id; empty when nothing was found."""
    own = _own(found, weights)
    questions = {each.id for each in found.evidence if each.is_question}
    best = max((each.own for each in own.values()), default=0.0)
    sessions: dict[str, float] = {}
    for each in found.evidence:
        session = each.session_id or each.id
        sessions[session] = max(sessions.get(session, 0.0), own[each.id].own)
    return {
        each.id: Relevance(
            meaning=own[each.id].meaning,
            words=own[each.id].words,
            context=_context(each, own, questions, weights),
            question=-weights.question if each.is_question else 0.0,
            session=weights.session * sessions[each.session_id or each.id] / best if best else 0.0,
        )
        for each in found.evidence
    }


def bm25(evidence: Evidence, statistics: TermStatistics) -> float:
    """Sum over the query's terms; the rarer a term in the scope, the more it counts.

    The weight of a term is log(1 + (N - n + 0.5) / (n + 0.5)), which is never negative.
    """
    if not evidence.term_counts:
        return 0.0
    length = evidence.term_total / (statistics.average_terms or 1.0)
    slowness = BM25_K1 * (1 - BM25_B + BM25_B * length)
    return sum(
        rarity(term, statistics) * count * (BM25_K1 + 1) / (count + slowness)
        for term, count in evidence.term_counts.items()
    )


def rarity(term: str, statistics: TermStatistics) -> float:
    documents = statistics.document_counts.get(term, 0)
    others = max(0, statistics.documents - documents)
    return math.log(1 + (others + 0.5) / (documents + 0.5))


def coverage(evidence: Evidence, terms: tuple[str, ...], statistics: TermStatistics) -> float:
    """Which share of the query's terms, by rarity, the memory contains; 0 without terms."""
    total = sum(rarity(term, statistics) for term in terms)
    covered = sum(rarity(term, statistics) for term in evidence.term_counts)
    return covered / total if total else 0.0


def _own(found: Found, weights: Weights) -> dict[str, Relevance]:
    """Meaning and words, each scaled over what was found. One without a vector (yet) is judged by
    its words alone, and when no word of the query occurs anywhere, all by their meaning.
    """
    meaning = _scaled(
        {
            each.id: each.similarity - weights.typical * each.typicality
            for each in found.evidence
            if each.similarity is not None
        }
    )
    scores = {e.id: bm25(e, found.statistics) for e in found.evidence}
    words = _scaled({memory_id: score for memory_id, score in scores.items() if score > 0})
    shares = weights if words else replace(weights, meaning=1.0)
    return {
        each.id: _weighed(meaning.get(each.id), words.get(each.id, 0.0), shares)
        for each in found.evidence
    }


def _weighed(meaning: float | None, words: float, weights: Weights) -> Relevance:
    if meaning is None:
        return Relevance(words=words)
    return Relevance(meaning=weights.meaning * meaning, words=weights.words * words)


def _scaled(scores: Mapping[str, float]) -> dict[str, float]:
    """To [0, 1] between the least and the largest; 1 where all are equal."""
    if not scores:
        return {}
    least, largest = min(scores.values()), max(scores.values())
    width = largest - least
    return {key: (score - least) / width if width else 1.0 for key, score in scores.items()}


def _context(
    each: Evidence, own: Mapping[str, Relevance], questions: AbstractSet[str], weights: Weights
) -> float:
    def lent(neighbours: tuple[str, ...], step: int) -> float:
        is_known = step < len(neighbours) and neighbours[step] in own
        return own[neighbours[step]].own if is_known else 0.0

    is_answer = each.earlier[:1] and each.earlier[0] in questions
    before = weights.after_question if is_answer else weights.beside
    beside = max(before * lent(each.earlier, 0), weights.beside * lent(each.later, 0))
    return beside + weights.next_but_one * max(lent(each.earlier, 1), lent(each.later, 1))
