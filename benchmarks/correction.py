"""Whether what is no longer true stops being answered: ``python benchmarks/correction.py``.

Statements that do or do not replace each other, corrections and removals by sentence, and facts
that change in a long list; each beside a store that retires nothing and one that is empty. Vectors
are kept in ``--cache``: only a first run embeds, for minutes.
"""

import argparse
import json
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import forgeteval
from callers import Agent, Correcting, Empty, Forgetful
from common import Cell, Goal, Report, arguments, opened, say, watched
from hindsight_memory import Hindsight

PRECISION = 0.97
RECALL = {"en": 0.65, "zh": 0.85}
NEWEST_FIRST = 0.93


@dataclass(slots=True)
class Clock:
    """Stands still until it ticks, a minute at a time: what is said later is later."""

    at: datetime = field(default=datetime(2026, 3, 2, 9, tzinfo=UTC))

    def now(self) -> datetime:
        return self.at

    def tick(self) -> None:
        self.at += timedelta(minutes=1)


Tick = Callable[[], None]


def pairs(report: Report, shared: Path, memory: Hindsight, tick: Tick) -> None:
    """The old one written, then the new one, without tags: is the old one retired?"""
    told = _json(shared, "pairs_supersession_en_zh.json")
    judged = [
        (pair, _becomes(memory, f"pair {number}", pair, tick))
        for number, pair in enumerate(watched(told, "pairs"))
    ]
    for language, least in RECALL.items():
        whole = [each for each in judged if each[0]["lang"] == language and not each[0]["partial"]]
        row = _measured(whole)
        report.table(f"Pairs, {language}", [row, _controls(whole)], note=NOTE)
        report.goals.append(Goal(f"pairs {language} precision", float(row["precision"]), PRECISION))
        report.goals.append(Goal(f"pairs {language} recall", float(row["recall"]), least))
    partial = Counter(state for pair, state in judged if pair["partial"])
    report.table(
        "Pairs of which a part is replaced", [{"left": s, "pairs": n} for s, n in partial.items()]
    )
    report.table("Pairs, wrongly decided", [_wrong(*each) for each in judged if _is_wrong(*each)])


NOTE = "or noticed: disputed ones too, which stay and name what contradicts them"


def _becomes(memory: Hindsight, user: str, pair: Mapping[str, Any], tick: Tick) -> str:
    """What the old memory is after the new one: current, disputed or retired."""
    known: dict[str, Any] = {"user_id": user, "source": "user_explicit"}
    old = memory.write(pair["old"], **known).memory
    tick()
    memory.write(pair["new"], **known)
    assert old is not None
    after = memory.show(old.id)
    if after.superseded_by is not None:
        return "retired"
    return "disputed" if after.counter_examples else "current"


Judged = tuple[Mapping[str, Any], str]


def _measured(judged: Sequence[Judged]) -> dict[str, Any]:
    true = sum(pair["label"] == "supersedes" for pair, _ in judged)
    retired = [pair["label"] == "supersedes" for pair, state in judged if state == "retired"]
    noticed = sum(p["label"] == "supersedes" and state != "current" for p, state in judged)
    return {
        "store": "product",
        "pairs": len(judged),
        "replaced": true,
        "retired": len(retired),
        "wrongly": retired.count(False),
        "disputed": sum(state == "disputed" for _, state in judged),
        "precision": sum(retired) / len(retired) if retired else 0.0,
        "recall": sum(retired) / true,
        "or noticed": noticed / true,
    }


def _controls(judged: Sequence[Judged]) -> dict[str, Cell]:
    row = _measured([(pair, "current") for pair, _ in judged])
    return row | {"store": "does nothing, empty", "precision": None}


def _is_wrong(pair: Mapping[str, Any], state: str) -> bool:
    return not pair["partial"] and (pair["label"] == "supersedes") != (state == "retired")


def _wrong(pair: Mapping[str, Any], state: str) -> dict[str, Cell]:
    return {"label": pair["label"], "old is": state, "old": pair["old"], "new": pair["new"]}


def consolidation(report: Report, shared: Path, memory: Hindsight, tick: Tick) -> None:
    """Numbered facts, of which a later one wins; then questions about one fact each."""
    data = _json(shared, "factconsolidation_6k.json")
    task = next(each for each in data["tasks"] if each["source"].endswith("_sh_6k"))
    facts = [text for _, text in data["pools"][task["facts_ref"]]]
    rows, missed = [], []
    for store in (Agent(memory, "facts"), Forgetful(memory, "facts, nothing done"), Empty()):
        for fact in watched(facts, f"writing facts: {store.name}"):
            store.store(fact)
            tick()
        asked = [_asked(store, facts, each) for each in task["questions"]]
        rows.append(_tally(store.name, asked))
        if store.name == "product":
            missed = [_missed(each) for each in asked if not each.is_new]
    report.table("FactConsolidation, single hop, first hit", rows)
    report.table("FactConsolidation, newest value not first", missed)
    report.goals.append(
        Goal("FactConsolidation, newest first", float(rows[0]["share"]), NEWEST_FIRST)
    )


@dataclass(frozen=True, slots=True)
class Asked:
    """is_new: the newest value is in the first hit. is_old: an older one is in any hit."""

    question: str
    answers: Sequence[str]
    first: str
    is_new: bool
    is_old: bool


def _asked(store: Correcting, facts: Sequence[str], question: Mapping[str, Any]) -> Asked:
    answers = question["answers"]
    hits = store.recall(question["question"])
    first = hits[0] if hits else ""
    older = _older(facts, answers)
    return Asked(
        question=question["question"],
        answers=answers,
        first=first,
        is_new=any(answer.casefold() in first.casefold() for answer in answers),
        is_old=any(fact in hits for fact in older),
    )


def _older(facts: Sequence[str], answers: Sequence[str]) -> list[str]:
    """Facts that are worded like a later one up to the value that answers."""
    found = []
    for number, fact in enumerate(facts):
        for stem in (fact.removesuffix(f"{answer}.") for answer in answers):
            if stem != fact:
                found += [each for each in facts[:number] if each.startswith(stem) and each != fact]
    return found


def _tally(store: str, asked: Sequence[Asked]) -> dict[str, Any]:
    return {
        "store": store,
        "questions": len(asked),
        "newest first": sum(each.is_new for each in asked),
        "share": sum(each.is_new for each in asked) / len(asked),
        "old wrong": sum(each.is_old and each.is_new for each in asked),
        "new wrong": sum(not each.is_new and not each.is_old for each in asked),
        "both wrong": sum(not each.is_new and each.is_old for each in asked),
    }


def _missed(asked: Asked) -> dict[str, Cell]:
    return {"question": asked.question, "newest": ", ".join(asked.answers), "first": asked.first}


def _json(shared: Path, name: str) -> Any:
    return json.loads((shared / "data" / name).read_text("utf-8"))


PARTS: Mapping[str, Callable[[Report, Path, Hindsight, Tick], None]] = {
    "pairs": pairs,
    "forgeteval": forgeteval.show,
    "factconsolidation": consolidation,
}


def main() -> int:
    given = arguments(__doc__ or "", PARTS).parse_args()
    if not (given.shared / "data").is_dir():
        say(f"skipped: no data at {given.shared / 'data'}; name its folder with --shared")
        return 0
    return _run(given)


def _run(given: argparse.Namespace) -> int:
    wanted = {part.strip() for part in given.only.split(",")}
    report, clock = Report(), Clock()
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "correction.db"
        with opened(path, vectors=given.cache, clock=clock) as memory:
            for part, show in PARTS.items():
                if part in wanted:
                    show(report, given.shared, memory, clock.tick)
    return report.finish(given.json)


if __name__ == "__main__":
    sys.exit(main())
