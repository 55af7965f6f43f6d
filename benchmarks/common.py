"""What the benchmarks share: opening a store, vectors kept on disk, and the report.

Figures go to stdout as tables and, with ``--json FILE``, into a file; progress goes to stderr.
"""

import argparse
import json
import sqlite3
import tempfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from hashlib import blake2b
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
from rich.console import Console
from rich.progress import track
from rich.table import Table

from hindsight_memory import Hindsight
from hindsight_memory.core.model import Vector, Vectors
from hindsight_memory.core.ports import Clock, Embedder
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.parts import Parts

ROOT = Path(__file__).resolve().parent.parent
SHARED = ROOT.parent / "shared"
"""Where the labelled data lies: beside the checkout."""

CACHE = Path(tempfile.gettempdir()) / "hindsight-memory-benchmarks"

Item = TypeVar("Item")
Cell = str | int | float | None
stderr = Console(stderr=True)


@dataclass(frozen=True, slots=True)
class Goal:
    """What a figure must be: at least ``least`` or below ``most``."""

    name: str
    figure: float
    least: float | None = None
    most: float | None = None

    @property
    def is_met(self) -> bool:
        return (self.least is None or self.figure >= self.least) and (
            self.most is None or self.figure <= self.most
        )


@dataclass(slots=True)
class Report:
    """Tables, printed as they come and kept for ``--json``."""

    sections: dict[str, list[dict[str, Cell]]] = field(default_factory=dict)
    goals: list[Goal] = field(default_factory=list)

    def table(self, title: str, rows: Sequence[dict[str, Cell]], note: str = "") -> None:
        """Each row by column; all rows have the same columns."""
        self.sections[title] = [dict(row) for row in rows]
        table = Table(title=title, caption=note or None, title_justify="left")
        for column, sample in (rows[0] if rows else {}).items():
            table.add_column(column, justify="left" if isinstance(sample, str) else "right")
        for row in rows:
            table.add_row(*map(_shown, row.values()))
        Console().print(table)

    def finish(self, path: Path | None) -> int:
        """The goals; 0 when all are met, else 1."""
        rows: list[dict[str, Cell]] = [
            {
                "goal": goal.name,
                "figure": goal.figure,
                "wanted": f">= {goal.least:g}" if goal.least is not None else f"<= {goal.most:g}",
                "met": "yes" if goal.is_met else "NO",
            }
            for goal in self.goals
        ]
        self.table("Goals", rows)
        if path is not None:
            path.write_text(json.dumps(self.sections, ensure_ascii=False, indent=1), "utf-8")
        return 0 if all(goal.is_met for goal in self.goals) else 1


def arguments(description: str, parts: Iterable[str]) -> argparse.ArgumentParser:
    """What every benchmark can be told. ``parts`` can be chosen among."""
    parser = argparse.ArgumentParser(description=description)
    names = ", ".join(parts)
    parser.add_argument("--only", default=names, help=f"parts, by commas (default: {names})")
    parser.add_argument("--json", type=Path, metavar="FILE", help="also write the figures there")
    parser.add_argument("--shared", type=Path, default=SHARED, help="where the labelled data lies")
    parser.add_argument("--cache", type=Path, default=CACHE, help="where stores and vectors stay")
    return parser


def say(line: str) -> None:
    stderr.print(line, highlight=False)


def watched(items: Sequence[Item], label: str) -> Iterable[Item]:
    """``items`` with a progress bar, or a line where stderr is a file."""
    if not stderr.is_terminal:
        say(label)
    return track(items, label, console=stderr, transient=True, disable=not stderr.is_terminal)


class KeptVectors:
    """An embedder that asks ``inner`` only for texts that were never embedded on this machine."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._file = sqlite3.connect(
            folder / "vectors.db", isolation_level=None, check_same_thread=False
        )
        self._file.execute("PRAGMA synchronous = OFF")
        self._file.execute("CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB)")

    @property
    def fingerprint(self) -> str:
        return self._inner.fingerprint

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    def passages(self, texts: Sequence[str]) -> Vectors:
        if not texts:
            return self._inner.passages([])
        return np.stack([self._vector("passage", text) for text in texts])

    def query(self, text: str) -> Vector:
        return self._vector("query", text)

    def _vector(self, kind: str, text: str) -> Vector:
        key = blake2b(f"{self.fingerprint}\0{kind}\0{text}".encode(), digest_size=16).digest()
        for (kept,) in self._file.execute("SELECT vector FROM vectors WHERE key = ?", (key,)):
            return np.frombuffer(kept, dtype="f4")
        vector = self._inner.query(text) if kind == "query" else self._inner.passages([text])[0]
        self._file.execute("INSERT OR IGNORE INTO vectors VALUES (?, ?)", (key, vector.tobytes()))
        return vector


@dataclass(frozen=True, slots=True)
class FixedClock:
    """Always ``at``: "last week" and recency give the same figures on every day."""

    at: datetime

    def now(self) -> datetime:
        return self.at


@contextmanager
def opened(
    path: Path,
    *,
    vectors: Path | None = None,
    clock: Clock | None = None,
    **more: Any,
) -> Iterator[Hindsight]:
    """The library on the file ``path``, as ``Hindsight.open`` gives it.

    vectors: folder in which vectors are kept between runs; None embeds every time.
    clock, more: replace those of the library; ``more`` are fields of Parts.
    """
    with Hindsight.open(f"sqlite:///{path}") as memory:
        parts: Parts = replace(memory.memories.parts, **more)
        if vectors is not None and parts.meaning.embedder is not None:
            kept = KeptVectors(parts.meaning.embedder, vectors)
            parts = replace(parts, meaning=replace(parts.meaning, embedder=kept))
        parts = replace(parts, clock=clock or parts.clock)
        yield Hindsight(Memories(parts), memory.caller)


def digest(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=8).hexdigest()


def _shown(value: Cell) -> str:
    match value:
        case None:
            return ""
        case float():
            return f"{value:.3f}" if abs(value) < 10 else f"{value:.1f}"
        case _:
            return str(value)
