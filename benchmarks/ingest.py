"""What of a conversation is kept, as what, and what is dropped: ``python benchmarks/ingest.py``.

The chats of one Chinese user (MemoryBank, ten days) and of one English one (LoCoMo, two months) are
imported turn by turn, as ``hindsight-memory import`` does, and read sentence by sentence, as an
agent's session does. No language model takes part. Then the precision and recall of what is taken,
on turns that were labelled by hand.
"""

import json
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from common import ROOT, Cell, Goal, Report, arguments, opened, say
from hindsight_memory import Hindsight
from hindsight_memory.core.extraction import Item, extracted

CHINESE_USER, ENGLISH_TALK, ENGLISH_SESSIONS = "张曼婷", "conv-26", 8
LABELS = ROOT / "tests" / "unit"
SETS: Mapping[str, str] = {
    "labelled_turns": "tuned on",
    "heldout_turns": "mended with them in view",
    "fresh_turns": "mended with them in view, the second time",
    "unseen_turns": "never in view",
}
"""Which labels the rules were written with; each was labelled before the rules saw it."""

WANTED = {"precision": 0.9, "recall": 0.8}
PARTS = ("chats", "labels")


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """A turn. role: whose words it is, for memory; of a friend's it is "other"."""

    speaker: str
    role: Literal["user", "assistant", "other"]
    text: str
    session: str
    at: str


@dataclass(frozen=True, slots=True)
class Data:
    """The labelled files beside the checkout, as they are."""

    bank: Mapping[str, Any]
    talks: Mapping[str, Any]

    @classmethod
    def read(cls, shared: Path) -> "Data | None":
        """None, and a word about it, where they are missing."""
        bank, talks = (shared / "data" / f"{n}.json" for n in ("memorybank_cn", "locomo_dev"))
        if not bank.is_file() or not talks.is_file():
            say(f"skipped: no conversations in {shared / 'data'}; name its folder with --shared")
            return None
        read = json.loads(talks.read_text("utf-8"))
        return cls(
            json.loads(bank.read_text("utf-8")),
            {each["sample_id"]: each["conversation"] for each in read},
        )

    def chinese(self) -> Iterator[Said]:
        for day, turns in self.bank[CHINESE_USER]["history"].items():
            for turn in turns:
                when = {"session": day, "at": f"{day}T12:00:00+08:00"}
                yield Said(speaker=CHINESE_USER, role="user", text=turn["query"], **when)
                yield Said(speaker="AI", role="assistant", text=turn["response"], **when)

    def english(self) -> Iterator[Said]:
        talk = self.talks[ENGLISH_TALK]
        for number in range(1, ENGLISH_SESSIONS + 1):
            for turn in talk[f"session_{number}"]:
                yield Said(
                    speaker=turn["speaker"],
                    role="user" if turn["speaker"] == talk["speaker_a"] else "other",
                    text=turn["text"],
                    session=f"session-{number}",
                    at=f"2023-05-{number:02}T12:00:00+00:00",
                )

    def turn(self, label: Mapping[str, Any]) -> tuple[str, str]:
        """The role and the text that a label is about."""
        if label["file"] == "locomo_dev":
            turns = (
                each for each in self.talks[label["sample"]].values() if isinstance(each, list)
            )
            found = (t["text"] for each in turns for t in each if t["dia_id"] == label["dia_id"])
            return "user", next(found)
        turn = self.bank[label["user"]]["history"][label["day"]][label["index"]]
        return "user" if label["field"] == "query" else "assistant", turn[label["field"]]


def main() -> int:
    given = arguments(__doc__ or "", PARTS).parse_args()
    report = Report()
    data = Data.read(given.shared)
    if data is None:
        return 0
    if "chats" in given.only:
        for name, said in {"Chinese": [*data.chinese()], "English": [*data.english()]}.items():
            _imported(report, name, said)
            _taken(report, name, said)
    if "labels" in given.only:
        _labelled(report, data)
    return report.finish(given.json)


def _imported(report: Report, name: str, said: Sequence[Said]) -> None:
    """Every turn that is more than a greeting or small talk becomes an episode."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "chat.jsonl"
        path.write_text("".join(f"{_line(turn)}\n" for turn in said), "utf-8")
        with opened(Path(folder) / "memory.db") as memory:
            users = {turn.speaker for turn in said if turn.role == "user"}
            done = memory.import_from(path, user_speakers=users)
            kept = Counter((each.source, each.status, each.memory_type) for each in _all(memory))
    rows: list[dict[str, Cell]] = [
        {"what": f"kept as {kind}, {status}, from {source}", "turns": count, "of all": _share}
        for (source, status, kind), count in kept.most_common()
        if (_share := f"{count / len(said):.0%}")
    ]
    rows += [
        {"what": f"dropped: {reason}", "turns": count, "of all": f"{count / len(said):.0%}"}
        for reason, count in done.skipped.most_common()
    ]
    left = len(said) - sum(kept.values()) - sum(done.skipped.values())
    rows.append({"what": "said before, merged", "turns": left, "of all": f"{left / len(said):.0%}"})
    report.table(f"{name}: {len(said)} turns imported as episodes", rows)


def _line(turn: Said) -> str:
    fields = {
        "speaker": turn.speaker,
        "role": turn.role,
        "content": turn.text,
        "session_id": turn.session,
        "said_at": turn.at,
    }
    return json.dumps(fields, ensure_ascii=False)


def _all(memory: Hindsight) -> Iterator[Any]:
    before: str | None = None
    while True:
        page = memory.list(limit=100, before=before)
        yield from page.memories
        before = page.next
        if before is None:
            return


def _taken(report: Report, name: str, said: Sequence[Said]) -> None:
    """What stands alone and a later session can use, as an agent's session writes it."""
    spoken = [turn for turn in said if turn.role != "other"]
    items = [(turn, extracted(turn.text, role=turn.role)) for turn in spoken]
    rows = [_row(role, items) for role in ("user", "assistant")]
    report.table(f"{name}: statements taken", [row for row in rows if row["turns"]])
    types = Counter((each.memory_type.value, each.reason) for _, found in items for each in found)
    report.table(
        f"{name}: as what, and for which cue",
        [
            {"memory type": kind, "cue": cue, "statements": count}
            for (kind, cue), count in types.most_common()
        ],
    )


def _row(role: str, items: Sequence[tuple[Said, list[Item]]]) -> dict[str, Cell]:
    own = [(turn, found) for turn, found in items if turn.role == role]
    taken = [each for _, found in own for each in found]
    said = sum(len(turn.text) for turn, found in own if found)
    return {
        "who": role,
        "turns": len(own),
        "with statements": sum(bool(found) for _, found in own),
        "statements": len(taken),
        "unsure": sum(each.is_hedged for each in taken),
        "of their turns' length": f"{sum(len(i.content) for i in taken) / max(1, said):.0%}",
    }


def _labelled(report: Report, data: Data) -> None:
    rows: list[dict[str, Cell]] = []
    for name, view in SETS.items():
        labels = json.loads((LABELS / f"{name}.json").read_text("utf-8"))
        for language, file in {"Chinese": "memorybank_cn", "English": "locomo_dev"}.items():
            judged = [_judged(data, each) for each in labels if each["file"] == file]
            if judged:
                rows.append({"labels": name, "language": language, **_figures(judged), "": view})
        figures = _figures([_judged(data, each) for each in labels])
        report.goals += [
            Goal(f"{name}: {figure}", float(figures[figure] or 0), least=least)
            for figure, least in WANTED.items()
        ]
    report.table("Statements taken, against labels", rows)


def _judged(data: Data, label: Mapping[str, Any]) -> tuple[bool, bool]:
    """Whether something was taken, and should be."""
    role, text = data.turn(label)
    return bool(extracted(text, role=role)), label["keep"]


def _figures(judged: Sequence[tuple[bool, bool]]) -> dict[str, Cell]:
    right = sum(taken and keep for taken, keep in judged)
    return {
        "turns": len(judged),
        "taken": sum(taken for taken, _ in judged),
        "precision": right / max(1, sum(taken for taken, _ in judged)),
        "recall": right / max(1, sum(keep for _, keep in judged)),
    }


if __name__ == "__main__":
    sys.exit(main())
