"""ForgetEval: whether what was corrected or forgotten is gone, and nothing else.

The protocol stands in the README beside the data. A case cannot be passed by a store that keeps
each row as it was said when what has to be found stands only in rows that hold something that must
not be found; those are counted, and left out of the goal.
"""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from callers import Agent, Correcting, Empty, Forgetful
from common import Cell, Goal, Report, watched
from hindsight_memory import Hindsight

FILES = {
    "external": "forgeteval_external_v07.json",
    "adversarial": "forgeteval_adv_part.json",
    "generated": "forgeteval_generated_part.json",
    "Chinese": "forgeteval_zh_templated.json",
}
LEAST = 0.85
"""Share of the cases to pass, of those that rows kept as they were said can pass."""


@dataclass(frozen=True, slots=True)
class Case:
    id: str
    file: str
    category: str
    facts: Sequence[str]
    mutations: Sequence[Sequence[str]]
    query: str
    wanted: Sequence[str]
    unwanted: Sequence[str]

    @property
    def is_passable(self) -> bool:
        """Whether each of ``wanted`` stands in a row that may stay, and the last one may."""
        told = [each[2] for each in self.mutations if len(each) == 3]
        rows = [row.casefold() for row in (*self.facts, *told)]
        clean = [row for row in rows if not self._is_unwanted(row)]
        stays = not told or not self._is_unwanted(told[-1].casefold())
        return stays and all(any(text.casefold() in row for row in clean) for text in self.wanted)

    def _is_unwanted(self, row: str) -> bool:
        return any(text.casefold() in row for text in self.unwanted)


@dataclass(frozen=True, slots=True)
class Verdict:
    """missing: wanted, and not in the first answer. left: unwanted, and in some answer."""

    case: Case
    missing: Sequence[str]
    left: Sequence[str]

    @property
    def passed(self) -> bool:
        return not self.missing and not self.left


def cases(shared: Path) -> list[Case]:
    return [
        _case(file, row)
        for file, name in FILES.items()
        for row in json.loads((shared / "data" / name).read_text("utf-8"))
    ]


def _case(file: str, row: dict[str, Any]) -> Case:
    return Case(
        id=row["id"],
        file=file,
        category=row["category"],
        facts=row["setup_facts"],
        mutations=row["mutations"],
        query=row["final_query"],
        wanted=row["must_contain"],
        unwanted=row["must_not_contain"],
    )


def played(case: Case, store: Correcting, tick: Callable[[], None]) -> Verdict:
    for fact in case.facts:
        store.store(fact)
        tick()
    for operation, *told in case.mutations:
        getattr(store, operation)(*told)
        tick()
    first = _text(store.recall(case.query))
    answers = [first, *(_text(store.recall(text)) for text in case.unwanted)]
    return Verdict(
        case,
        missing=[text for text in case.wanted if text.casefold() not in first],
        left=[text for text in case.unwanted if any(text.casefold() in each for each in answers)],
    )


def _text(contents: Sequence[str]) -> str:
    return "\n".join(contents).casefold()


def show(report: Report, shared: Path, memory: Hindsight, tick: Callable[[], None]) -> None:
    found = cases(shared)
    by_store: dict[str, list[Verdict]] = {}
    for case in watched(found, "ForgetEval"):
        for store in (
            Agent(memory, case.id),
            Forgetful(memory, f"{case.id}, nothing done"),
            Empty(),
        ):
            by_store.setdefault(store.name, []).append(played(case, store, tick))
    product = by_store["product"]
    report.table("ForgetEval by category", _categories(product), note=NOTE)
    report.table("ForgetEval, all stores", [_summary(*each) for each in by_store.items()])
    failed = [_failure(each) for each in product if not each.passed and each.case.is_passable]
    report.table("ForgetEval, failed though passable", failed)
    for name in ("all", "Chinese"):
        passable = [
            each for each in product if each.case.is_passable and name in {"all", each.case.file}
        ]
        report.goals.append(Goal(f"ForgetEval, {name}, of the passable", _share(passable), LEAST))


NOTE = (
    "Which memories a sentence means is decided by benchmarks/callers.py, from hits and previews. "
    "not passable: wanted text stands only in rows with unwanted text."
)


def _categories(verdicts: Sequence[Verdict]) -> list[dict[str, Cell]]:
    groups: dict[tuple[str, str], list[Verdict]] = {}
    for each in verdicts:
        groups.setdefault((each.case.file, each.case.category), []).append(each)
    return [
        {"file": file, "category": category, **_counts(group)}
        for (file, category), group in groups.items()
    ]


def _summary(store: str, verdicts: Sequence[Verdict]) -> dict[str, Cell]:
    left = [each for each in verdicts if each.left]
    missing = [each for each in verdicts if each.missing]
    return {
        "store": store,
        **_counts(verdicts),
        "old wrong": sum(not each.missing for each in left),
        "new wrong": sum(not each.left for each in missing),
        "both wrong": sum(bool(each.left) for each in missing),
    }


def _counts(verdicts: Sequence[Verdict]) -> dict[str, Cell]:
    passable = [each for each in verdicts if each.case.is_passable]
    return {
        "cases": len(verdicts),
        "passed": sum(each.passed for each in verdicts),
        "passable": len(passable),
        "passed of them": sum(each.passed for each in passable),
        "share": _share(passable) if passable else None,
    }


def _share(verdicts: Sequence[Verdict]) -> float:
    return sum(each.passed for each in verdicts) / len(verdicts)


def _failure(verdict: Verdict) -> dict[str, Cell]:
    case = verdict.case
    return {
        "case": case.id,
        "mutations": "; ".join(" | ".join(each) for each in case.mutations),
        "missing": ", ".join(verdict.missing),
        "left": ", ".join(verdict.left),
    }
