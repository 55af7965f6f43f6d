"""Labelled questions about memories, and writing those memories through the public library."""

import importlib.util
import json
import shutil
import sys
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Protocol, cast

from common import ROOT, digest, opened, say, watched
from hindsight_memory import Hindsight

SOURCE = ROOT / "src" / "hindsight_memory"
ONLY_SEARCHES = (
    "core/intent.py",
    "core/intent_rows.py",
    "core/lifts.py",
    "core/relevance.py",
    "core/scoring.py",
    "core/shortlist.py",
    "core/time/",
    "core/validity.py",
    "engine/searching.py",
    "interfaces/",
    "logs.py",
    "stores/sqlite/search.py",
    "stores/sqlite/vectors.py",
    "testing/",
)
"""Changes here leave what a write stores as it is, so a written store can be used again."""


class Document(Protocol):
    id: str
    text: str
    session: str
    speaker: str
    said_at: datetime | None


class Question(Protocol):
    id: str
    text: str
    relevant: frozenset[str]
    category: str


class Collected(Protocol):
    """One user's memories in the order they were said, and questions about them."""

    name: str
    docs: list[Any]
    queries: list[Any]


class Labelled(Protocol):
    """The module ``bench/labelled.py`` beside the data."""

    Doc: Callable[..., Document]
    Query: Callable[..., Question]
    Corpus: Callable[..., Collected]

    def locomo(self) -> list[Collected]: ...
    def cmrc(self) -> list[Collected]: ...
    def score(self, ranked: list[str], relevant: frozenset[str]) -> dict[str, float]: ...


@dataclass(frozen=True, slots=True)
class Collection:
    """Corpora that are written alike into one store.

    fields: arguments of a write for one document, besides its content.
    asked_at: when the questions are asked; None is now.
    """

    name: str
    corpora: Sequence[Collected]
    fields: Callable[[Document], dict[str, Any]]
    asked_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """A store with one user for each corpus; ids: corpus -> document -> memory."""

    path: Path
    ids: Mapping[str, Mapping[str, str]]
    outcomes: Mapping[str, int]


def labelled(shared: Path) -> Labelled | None:
    """None, and a word about it, where the data is missing."""
    path = shared / "bench" / "labelled.py"
    if not path.is_file():
        say(f"skipped: no labelled data at {path}; name its folder with --shared")
        return None
    spec = importlib.util.spec_from_file_location("labelled", path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["labelled"] = module
    spec.loader.exec_module(module)
    return cast("Labelled", module)


def collections(data: Labelled, shared: Path) -> dict[str, Collection]:
    conversations = data.locomo()
    asked_at = max(doc.said_at for corpus in conversations for doc in corpus.docs) + timedelta(1)
    dated = memorybank(data, shared)
    return {
        "locomo": Collection("LoCoMo", conversations, as_said, asked_at),
        "facts": Collection("LoCoMo as facts", conversations, as_fact, asked_at),
        "cmrc": Collection("CMRC", data.cmrc(), as_document),
        "memorybank": Collection("MemoryBank", dated, as_said, MEMORYBANK_ASKED_AT),
    }


def as_said(doc: Document) -> dict[str, Any]:
    """A turn of a conversation."""
    return {
        "session_id": doc.session,
        "valid_from": doc.said_at,
        "event": {"role": "user", "participants": [doc.speaker]},
        "source": "user_explicit",
    }


def as_fact(doc: Document) -> dict[str, Any]:
    """The same as semantic memories, of the types that are recognised, which age differently."""
    return {"session_id": doc.session, "valid_from": doc.said_at, "source": "user_explicit"}


def as_document(doc: Document) -> dict[str, Any]:
    """A sentence of a text."""
    return {"session_id": doc.session, "source": "document"}


MEMORYBANK_ASKED_AT = datetime(2023, 5, 7, 12, tzinfo=UTC)
"""The day after the last chat, a Sunday."""


def memorybank(data: Labelled, shared: Path) -> list[Collected]:
    """One corpus for each user; a document is what one side said in one turn, a session a day."""
    chats = json.loads((shared / "data" / "memorybank_cn.json").read_text("utf-8"))
    labels = json.loads((Path(__file__).parent / "memorybank_labels.json").read_text("utf-8"))
    corpora = []
    for user, chat in chats.items():
        corpus = data.Corpus(f"memorybank/{user}", "zh")
        for day, turns in chat["history"].items():
            at = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
            for number, turn in enumerate(turns):
                for side in ("query", "response"):
                    key = f"{day}/{number}/{side}"
                    speaker = user if side == "query" else "AI"
                    corpus.docs.append(data.Doc(key, turn[side], day, speaker, at))
        for number, label in enumerate(each for each in labels if each["user"] == user):
            relevant = frozenset(f"{day}/{turn}/{side}" for day, turn, side in label["answers"])
            kind = "with a time" if label["has_time"] else "without a time"
            corpus.queries.append(data.Query(f"{user}/{number}", label["question"], relevant, kind))
        corpora.append(corpus)
    return corpora


def written(collection: Collection, cache: Path) -> Written:
    """The collection in a store of its own; one that this code wrote before is used again."""
    key = digest(_code(), *(doc.text for corpus in collection.corpora for doc in corpus.docs))
    folder = cache / "stores" / f"{collection.name}-{key}"
    known = folder / "written.json"
    if not known.is_file():
        for outdated in folder.parent.glob(f"{collection.name}-*"):
            shutil.rmtree(outdated)
        folder.mkdir(parents=True)
        known.write_text(json.dumps(_write(collection, folder / "memory.db", cache)), "utf-8")
    return Written(folder / "memory.db", **json.loads(known.read_text("utf-8")))


def _write(collection: Collection, path: Path, vectors: Path) -> dict[str, Any]:
    ids: dict[str, dict[str, str]] = {}
    outcomes: Counter[str] = Counter()
    with opened(path, vectors=vectors) as memory:
        for corpus in collection.corpora:
            ids[corpus.name] = {}
            for doc in watched(corpus.docs, f"writing {corpus.name}"):
                outcome, memory_id = _write_one(memory, corpus, doc, collection)
                outcomes[outcome] += 1
                if memory_id is not None:
                    ids[corpus.name][doc.id] = memory_id
    return {"ids": ids, "outcomes": outcomes}


def _write_one(
    memory: Hindsight, corpus: Collected, doc: Document, collection: Collection
) -> tuple[str, str | None]:
    answer = memory.write(content=doc.text, user_id=corpus.name, **collection.fields(doc))
    return answer.outcome.value, None if answer.memory is None else answer.memory.id


def _code() -> str:
    """Changes with whatever may change what a write stores."""
    paths = sorted(SOURCE.rglob("*.py")) + sorted(SOURCE.rglob("*.sql"))
    named = ((str(path.relative_to(SOURCE)), path) for path in paths)
    texts = (path.read_text("utf-8") for name, path in named if not name.startswith(ONLY_SEARCHES))
    return digest(*texts)
