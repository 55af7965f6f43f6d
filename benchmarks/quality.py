"""How well memories are found: ``python benchmarks/quality.py``.

Labelled questions through the public library, an ablation of what ranks, and claims that need no
data. Vectors and written stores are kept in ``--cache``: only a first run embeds, for minutes.
"""

import argparse
import sys
from collections.abc import Mapping
from types import MappingProxyType

import claims
from ablation import ablate
from common import Goal, Report, arguments, say
from corpora import collections, labelled, written
from retrieval import Asker, means, summary

GOALS: Mapping[str, Mapping[str, float]] = MappingProxyType(
    {
        "locomo": {"R@5": 70.0, "R@10": 80.0},
        "facts": {"R@5": 70.0, "R@10": 80.0},
        "cmrc": {"R@5": 86.0, "R@10": 93.0},
        "memorybank": {},
    }
)
"""What each collection must reach, in percent."""

ABLATED = ("locomo", "facts", "cmrc")
PARTS = (*GOALS, "ablation", *claims.PARTS)


def main() -> int:
    given = arguments(__doc__ or "", PARTS).parse_args()
    wanted = [part.strip() for part in given.only.split(",")]
    report = Report()
    askers = _askers(given, wanted)
    for name, asker in askers.items():
        _retrieval(report, name, asker)
    if "ablation" in wanted and askers:
        ablate(report, [askers[name] for name in ABLATED])
    for part, show in claims.PARTS.items():
        if part in wanted:
            show(report, given.cache)
    return report.finish(given.json)


def _askers(given: argparse.Namespace, wanted: list[str]) -> dict[str, Asker]:
    needed = {*wanted, *(ABLATED if "ablation" in wanted else ())} & set(GOALS)
    data = labelled(given.shared) if needed else None
    if data is None:
        return {}
    known = collections(data, given.shared)
    return {
        name: Asker(data, known[name], written(known[name], given.cache), given.cache)
        for name in GOALS
        if name in needed
    }


def _retrieval(report: Report, name: str, asker: Asker) -> None:
    say(f"{asker.collection.name}: written {dict(asker.store.outcomes)}")
    with asker.fresh() as memory:
        scored = asker.ask_all(memory, "asking")
    outcomes = ", ".join(f"{count} {name}" for name, count in asker.store.outcomes.items())
    report.table(asker.collection.name, summary(scored), note=f"written: {outcomes}")
    for metric, least in GOALS[name].items():
        report.goals.append(
            Goal(f"{asker.collection.name} {metric}", means(scored)[metric], least=least)
        )


if __name__ == "__main__":
    sys.exit(main())
