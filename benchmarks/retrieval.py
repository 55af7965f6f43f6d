"""Asking a written collection its questions: how many answers are among the first hits."""

import shutil
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from common import Cell, FixedClock, opened, watched
from corpora import Collected, Collection, Labelled, Question, Written
from hindsight_memory import Hindsight
from hindsight_memory.core.changes import Changes
from hindsight_memory.core.model import Memory, Scope, Vector
from hindsight_memory.core.retrieval import Filter, Found
from hindsight_memory.engine.memories import Memories
from hindsight_memory.interfaces.schemas import HitOut
from hindsight_memory.stores.sqlite.store import SqliteStore

TOP_K = 20
METRICS = {"R@5": "recall@5", "R@10": "recall@10", "MRR": "mrr", "nDCG@10": "ndcg@10"}


@dataclass(frozen=True, slots=True)
class Scored:
    """How one question was answered."""

    corpus: str
    category: str
    scores: Mapping[str, float]


class Replayed(SqliteStore):
    """A written store that answers equal questions from memory, and keeps no log of them.

    So every variant of an ablation ranks the same candidates with the same counts of accesses.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._found: dict[object, Found] = {}
        self._read: dict[str, Memory] = {}

    def candidates(
        self,
        scope: Scope,
        terms: Sequence[str],
        vector: Vector | None,
        *,
        where: Filter,
        limit: int,
    ) -> Found:
        seen = None if vector is None else vector.tobytes()
        key = (scope, tuple(terms), seen, where, limit)
        if key not in self._found:
            self._found[key] = super().candidates(scope, terms, vector, where=where, limit=limit)
        return self._found[key]

    def get(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        new = [memory_id for memory_id in ids if memory_id not in self._read]
        self._read |= {memory.id: memory for memory in super().get(scope, new)}
        return [self._read[memory_id] for memory_id in ids]

    def apply(self, changes: Changes) -> None:
        """Only searches are replayed, and what they would write is a log of recalls."""


@dataclass(frozen=True, slots=True)
class Asker:
    """Asks all questions of one collection.

    A document that was merged into an earlier one counts as that one, and a hit that stands for
    several counts as the one that is looked for.
    """

    data: Labelled
    collection: Collection
    store: Written
    cache: Path

    @contextmanager
    def fresh(self) -> Iterator[Hindsight]:
        """A copy of the written store, through the public door, with its log of recalls."""
        for each in self._asked.parent.glob("asked.db*"):
            each.unlink()
        shutil.copyfile(self.store.path, self._asked)
        with opened(self._asked, vectors=self.cache, **self._clock()) as memory:
            yield memory

    @contextmanager
    def replaying(self, **more: Any) -> Iterator[Hindsight]:
        """The copy as its questions left it, to be asked the same in many variants.

        more: fields of Parts to replace.
        """
        with opened(self._asked, vectors=self.cache, **self._clock(), **more) as memory:
            embedder = memory.memories.parts.meaning.embedder
            assert embedder is not None
            store = Replayed.open(str(self._asked), fingerprint=embedder.fingerprint)
            with closing(store):
                parts = replace(memory.memories.parts, store=store)
                yield Hindsight(Memories(parts), memory.caller)

    def ask_all(self, memory: Hindsight, label: str, profile: str | None = None) -> list[Scored]:
        return [
            Scored(corpus.name, question.category, self._ask(memory, corpus, question, profile))
            for corpus in self.collection.corpora
            for question in watched(corpus.queries, f"{label}: {corpus.name}")
        ]

    @property
    def _asked(self) -> Path:
        return self.store.path.with_name("asked.db")

    def _clock(self) -> dict[str, Any]:
        at = self.collection.asked_at
        return {} if at is None else {"clock": FixedClock(at)}

    def _ask(
        self, memory: Hindsight, corpus: Collected, question: Question, profile: str | None
    ) -> Mapping[str, float]:
        found = memory.search(
            query=question.text, top_k=TOP_K, user_id=corpus.name, profile=profile
        )
        memory.memories.settle()  # or the next question would see the accesses of some of these
        ids = self.store.ids[corpus.name]
        wanted = {ids.get(doc, doc) for doc in question.relevant}
        ranked = [_of(hit, wanted) for hit in found.hits]
        return self.data.score(ranked, frozenset(wanted))


def _of(hit: HitOut, wanted: set[str]) -> str:
    """The memory that a hit is counted as."""
    sources = [source.memory_id for source in hit.sources]
    return next((each for each in sources if each in wanted), hit.memory.id)


def means(scored: Sequence[Scored]) -> dict[str, float]:
    """Each metric in percent."""
    return {
        shown: 100 * sum(each.scores[name] for each in scored) / len(scored)
        for shown, name in METRICS.items()
    }


def grouped(scored: Sequence[Scored], by: Callable[[Scored], str]) -> list[dict[str, Cell]]:
    """A row for each group, in order of name."""
    groups: dict[str, list[Scored]] = {}
    for each in scored:
        groups.setdefault(by(each), []).append(each)
    return [_row(name, groups[name]) for name in sorted(groups) if name]


def summary(scored: Sequence[Scored]) -> list[dict[str, Cell]]:
    """A row overall, for each category and for each corpus."""
    rows = [_row("all", scored), *grouped(scored, lambda each: each.category)]
    by_corpus = grouped(scored, lambda each: each.corpus)
    return [*rows, *by_corpus] if len(by_corpus) > 1 else rows


def _row(name: str, scored: Sequence[Scored]) -> dict[str, Cell]:
    return {"": name, "questions": len(scored), **means(scored)}
