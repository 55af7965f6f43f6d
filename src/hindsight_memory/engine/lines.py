"""The lines of a file that is imported, and what became of each."""

from collections import Counter
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Generic, TypeVar

from hindsight_memory.errors import InvalidInput

Value = TypeVar("Value")


class Fate(StrEnum):
    """What became of a line: the outcome of a write, or

    unchanged: an earlier import or line brought it; rejected: what it says was rejected here, so
    it is kept as history only; conflict: what is here says otherwise, and stays; failed: it cannot
    be read, or not be kept.
    """

    STORED = "stored"
    MERGED = "merged"
    SUPERSEDED = "superseded"
    DISPUTED = "disputed"
    QUARANTINED = "quarantined"
    REFUSED = "refused"
    SKIPPED = "skipped"
    UNCHANGED = "unchanged"
    REJECTED = "rejected"
    CONFLICT = "conflict"
    FAILED = "failed"


PROBLEMS = frozenset({Fate.CONFLICT, Fate.FAILED})

MOST_PROBLEMS = 1_000
"""Kept for the report, so that a wrong file of any length takes no memory; all are counted. As many
are kept of those that are history only.
"""


@dataclass(frozen=True, slots=True)
class Line(Generic[Value]):
    """number: from 1, as editors count."""

    number: int
    value: Value


@dataclass(frozen=True, slots=True)
class Done:
    """What became of one line, and why where that is not plain."""

    line: int
    fate: Fate
    reason: str = ""

    @property
    def is_problem(self) -> bool:
        return self.fate in PROBLEMS


@dataclass(slots=True)
class Report:
    """What became of all lines. skipped: how many for each reason. rejected, problems: the first
    of them.
    """

    counts: Counter[Fate] = field(default_factory=Counter)
    skipped: Counter[str] = field(default_factory=Counter)
    rejected: list[Done] = field(default_factory=list)
    problems: list[Done] = field(default_factory=list)

    def add(self, done: Done) -> None:
        self.counts[done.fate] += 1
        if done.fate is Fate.SKIPPED:
            self.skipped[done.reason] += 1
        if done.fate is Fate.REJECTED:
            _keep_first(self.rejected, done)
        if done.is_problem:
            _keep_first(self.problems, done)


def _keep_first(kept: list[Done], done: Done) -> None:
    if len(kept) < MOST_PROBLEMS:
        kept.append(done)


def refuse_problem(done: Done) -> None:
    """Raises InvalidInput for a line that was not kept and should have been."""
    if done.is_problem:
        message = f"line {done.line}: {done.reason}; the lines before it are imported"
        raise InvalidInput(f"{message}: mend it and import the file again")
