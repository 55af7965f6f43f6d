"""How searches grow with what is remembered: ``python benchmarks/scale.py [--sizes 1000,10000]``,
and ``--stores sqlite,postgres`` for another store beside it (its server comes as a package).

Synthetic memories of a thousand to a million, a tenth of them one user's (at most 100,000), the
others of users with some hundred each. Sentences are made of few words, so that each word is in
many of them: harder for a search by words than speech is. Vectors are those of their parts, mixed
and blurred; questions come with theirs, so no figure holds the time of an embedder.
"""

import resource
import statistics
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path

import numpy as np

from common import Cell, Goal, Report, arguments, say, watched
from filling import Sentence, asked, mean, memory_of, parts_vectors, statements
from growth import picture
from hindsight_memory import Hindsight
from hindsight_memory.core.changes import Passages
from hindsight_memory.core.model import Memory, Scope, Vector, Vectors
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts
from places import PLACES, Place

SIZES = (1_000, 10_000, 100_000)
LARGEST = 100_000
"""Memories of the one user who has most."""

SMALL = 900
"""Memories of each other user, at most."""

BATCH = 1_000
QUESTIONS = 200
BLUR = 0.25
"""Length of what is added to the vector of a sentence: no two are alike."""

TOP = 10


@dataclass(frozen=True, slots=True)
class Known:
    """An embedder that knows the vectors of the questions, and no other."""

    vectors: dict[str, Vector]
    fingerprint: str
    dimensions: int

    def passages(self, texts: Sequence[str]) -> Vectors:
        raise NotImplementedError

    def query(self, text: str) -> Vector:
        return self.vectors[text]


@dataclass(frozen=True, slots=True)
class Figures:
    """Of one size. recall: at 10, by vector alone, against an exact scan."""

    store: str
    size: int
    build_seconds: float
    disk_mb: float
    resident_mb: float
    recall: float
    large: list[float]
    first: list[float]
    again: list[float]

    def row(self) -> dict[str, Cell]:
        return {
            "store": self.store,
            "memories": f"{self.size:,}",
            "build s": self.build_seconds,
            "disk MB": self.disk_mb,
            "RSS MB": self.resident_mb,
            "recall@10": self.recall,
            "large p50 ms": p50(self.large),
            "large p95 ms": p95(self.large),
            "small, first p95": p95(self.first),
            "small, again p95": p95(self.again),
        }


def p50(seconds: Sequence[float]) -> float:
    return 1000 * statistics.median(seconds)


def p95(seconds: Sequence[float]) -> float:
    return 1000 * float(np.quantile(seconds, 0.95))


def users(size: int) -> Iterator[tuple[str, int]]:
    """Each user, and how many memories it has."""
    large = min(LARGEST, max(size // 10, min(size, 1_000)))
    yield "large", large
    left = size - large
    for number in range(-(-left // SMALL)):
        yield f"user {number}", min(SMALL, left - number * SMALL)


def measure(place: Place, size: int) -> Figures:
    with closing(Hindsight.open(**place.settings)) as memory:
        parts = memory.memories.parts
        vectors = parts_vectors(parts)
        began = time.perf_counter()
        exact = _fill(parts, size, vectors)
        built = time.perf_counter() - began
    sentences = list(islice(asked(), QUESTIONS))
    questions = {each.text: mean(each, vectors) for each in sentences}
    with closing(Hindsight.open(**place.settings)) as memory:
        found = _with(memory, questions)
        texts = list(questions)
        _timed(found, texts[:20], ["large"])
        large = _timed(found, texts, ["large"])
        small = [name for name, _ in users(size)][1:][:QUESTIONS] or ["large"]
        first, again = (_timed(found, texts[: len(small)], small) for _ in range(2))
        recall = _recall(parts=found.memories.parts, questions=questions, exact=exact)
    return Figures(
        store=place.kind,
        size=size,
        build_seconds=built,
        disk_mb=place.disk_mb(),
        resident_mb=resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3,
        recall=recall,
        large=large,
        first=first,
        again=again,
    )


def _with(memory: Hindsight, vectors: dict[str, Vector]) -> Hindsight:
    parts = memory.memories.parts
    embedder = parts.meaning.embedder
    assert embedder is not None
    known = Known(vectors, embedder.fingerprint, embedder.dimensions)
    meaning = replace(parts.meaning, embedder=known)
    return Hindsight(Memories(replace(parts, meaning=meaning, deep_checks=False)), memory.caller)


def _timed(memory: Hindsight, texts: Sequence[str], names: Sequence[str]) -> list[float]:
    """Seconds of a search for each text, of the users by turns."""
    seconds = []
    for number, text in enumerate(texts):
        began = time.perf_counter()
        memory.search(text, user_id=names[number % len(names)])
        seconds.append(time.perf_counter() - began)
    return seconds


def _fill(parts: Parts, size: int, vectors: dict[str, Vector]) -> Vectors:
    """The vectors of the user who has most, in the order of writing."""
    made = statements()
    kept = []
    rng = np.random.default_rng(7)
    for name, count in watched(list(users(size)), f"filling {size:,}"):
        for begin in range(0, count, BATCH):
            batch = list(islice(made, min(BATCH, count - begin)))
            rows = _blurred([mean(each, vectors) for each in batch], rng)
            _apply(parts, name, begin, batch, rows)
            if name == "large":
                kept.append(rows)
    return np.concatenate(kept)


def _blurred(rows: Sequence[Vector], rng: np.random.Generator) -> Vectors:
    noise = rng.standard_normal((len(rows), len(rows[0])), dtype="f4")
    noise *= BLUR / np.linalg.norm(noise, axis=1, keepdims=True)
    moved = np.stack(rows) + noise
    return np.asarray(moved / np.linalg.norm(moved, axis=1, keepdims=True), dtype="f4")


def _apply(parts: Parts, name: str, begin: int, batch: Sequence[Sentence], rows: Vectors) -> None:
    made: list[Memory] = [
        replace(memory_of(parts, each.text, begin + number), user_id=name)
        for number, each in enumerate(batch)
    ]
    passages = tuple(
        Passages(memory_id=each.id, content=each.content, first=0, total=1, vectors=(row,))
        for each, row in zip(made, rows, strict=True)
    )
    changes = parts.changes(
        Scope("default", name, "default"),
        "stored",
        "filled",
        at=made[0].created_at,
        puts=tuple(made),
        renewed=tuple(made),
    )
    parts.store.apply(replace(changes, passages=passages))


def _recall(parts: Parts, questions: dict[str, Vector], exact: Vectors) -> float:
    """Of the ten nearest by an exact scan, the share that the store finds by vector."""
    scope = Scope("default", "large", None)
    kept = parts.store.page(scope, Filter(), before=None, limit=LARGEST)[::-1]
    places = {memory.id: number for number, memory in enumerate(kept)}
    shares = []
    for vector in questions.values():
        best = set(np.argsort(-(exact @ vector))[:TOP].tolist())
        found = parts.store.candidates(scope, [], vector, where=Filter(), limit=TOP)
        near = sorted(found.evidence, key=lambda each: -(each.similarity or 0))[:TOP]
        shares.append(len(best & {places[each.id] for each in near}) / TOP)
    return statistics.mean(shares)


def main() -> int:
    parser = arguments(__doc__ or "", ())
    parser.add_argument("--sizes", default=",".join(map(str, SIZES)), help="memories, by commas")
    parser.add_argument("--stores", default="sqlite", help=f"of {', '.join(PLACES)}, by commas")
    parser.add_argument("--svg", type=Path, metavar="FILE", help="draw the growth there")
    given = parser.parse_args()
    report, measured = Report(), []
    for size in map(int, given.sizes.split(",")):
        for kind in given.stores.split(","):
            with PLACES[kind]() as place:
                measured.append(measure(place, size))
            say(f"{kind}, {size:,}: done")
    report.table("Searches without the embedder", [each.row() for each in measured])
    for last in (each for each in measured if each.size == measured[-1].size):
        for name, seconds in (("large", last.large), ("small, first", last.first)):
            title = f"{last.store}, {name}: p95 ms at {last.size:,}"
            report.goals.append(Goal(title, p95(seconds), most=50))
    least = min(each.recall for each in measured)
    report.goals.append(Goal("recall@10 against exact", least, least=0.99))
    if given.svg is not None:
        lines = {
            f"{kind}: {name}": [
                (m.size, p95(getattr(m, part))) for m in measured if m.store == kind
            ]
            for kind in given.stores.split(",")
            for name, part in (("a user with a tenth", "large"), ("a user with 900", "again"))
        }
        given.svg.write_text(picture(lines), "utf-8")
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
