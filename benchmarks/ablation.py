"""What each part of ranking is worth: everything as it is, but for one part at a time."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from common import Cell, Goal, Report
from hindsight_memory.core.scoring import PROFILES, Profile
from retrieval import Asker, Scored, means

BALANCED = PROFILES["balanced"]
ALL = "everything"

PIECES: Mapping[str, dict[str, float]] = {
    "meaning": {"meaning": 0.0},
    "words": {"words": 0.0},
    "typicality": {"typical": 0.0},
    "context": {"beside": 0.0, "after_question": 0.0, "next_but_one": 0.0},
    "question lends": {"after_question": BALANCED.evidence.beside},
    "session": {"session": 0.0},
    "question": {"question": 0.0},
}
"""Parts of relevance, by the weights that switch them off."""

MOST_COST = 0.5
"""Points of R@5 that removing a signal may gain."""

Measured = Mapping[str, Sequence[Scored]]
"""All questions of a collection, by the part that was missing."""


@dataclass(frozen=True, slots=True)
class Without:
    """A part of ranking, and the default profile without it."""

    kind: str
    part: str
    profile: Profile


def variants() -> Iterator[Without]:
    yield Without("", ALL, BALANCED)
    for name in BALANCED.weights:
        if name != "relevance":
            left = {key: value for key, value in BALANCED.weights.items() if key != name}
            yield Without("signal", name, replace(BALANCED, weights=left))
    yield Without("signal", "validity", replace(BALANCED, has_validity=False))
    only = {"relevance": 1.0}
    yield Without("signal", "all priors", replace(BALANCED, weights=only, has_validity=False))
    for name, weights in PIECES.items():
        evidence = replace(BALANCED.evidence, **weights)
        yield Without("relevance", name, replace(BALANCED, evidence=evidence))
    for name in BALANCED.lifts:
        left = {key: value for key, value in BALANCED.lifts.items() if key != name}
        yield Without("relevance", name, replace(BALANCED, lifts=left))


def ablate(report: Report, askers: Sequence[Asker]) -> None:
    """A table of R@5 and R@10 without each part; a goal for each signal."""
    parts = list(variants())
    measured = {asker.collection.name: _measure(asker, parts) for asker in askers}
    rows = [_row(part, measured) for part in parts]
    note = "change of R@5 and R@10 in points when the part is removed"
    report.table("Ablation", rows, note=note)
    for part in parts[1:]:
        if part.kind == "signal":
            gains = [_change(scored, part.part, "R@5") for scored in measured.values()]
            report.goals.append(Goal(f"R@5 gained without {part.part}", max(gains), most=MOST_COST))


def _measure(asker: Asker, parts: Sequence[Without]) -> dict[str, list[Scored]]:
    profiles = {part.part: part.profile for part in parts}
    with asker.replaying(profiles=profiles) as memory:
        return {
            part.part: asker.ask_all(memory, f"without {part.part}", part.part) for part in parts
        }


def _row(part: Without, measured: Mapping[str, Measured]) -> dict[str, Cell]:
    row: dict[str, Cell] = {"kind": part.kind, "without": part.part}
    for name, scored in measured.items():
        for metric in ("R@5", "R@10"):
            whole = part.part == ALL
            value = _mean(scored, ALL, metric) if whole else _change(scored, part.part, metric)
            row[f"{name} {metric}"] = f"{value:.1f}" if whole else f"{value:+.1f}"
    return row


def _change(scored: Measured, part: str, metric: str) -> float:
    return _mean(scored, part, metric) - _mean(scored, ALL, metric)


def _mean(scored: Measured, part: str, metric: str) -> float:
    return means(scored[part])[metric]
