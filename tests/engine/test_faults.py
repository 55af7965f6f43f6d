"""Each fault of a model's service, in each place that calls it: nothing that was there is lost,
nothing false is stored, the caller is told, and what was missed is done when the service is back.

What a session has in hand (working memory) is tried likewise in test_notekeeping. A new caller is
a row of ``ASKING`` or of ``EMBEDDING``.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from hindsight_memory.core.model import Caller
from hindsight_memory.engine.enriching import enrich
from hindsight_memory.engine.maintenance import embed_some, reembed
from hindsight_memory.engine.meaning import Meaning
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.retrospecting import retrospect
from hindsight_memory.errors import Unavailable
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.providers.chat import ChatModel
from hindsight_memory.providers.openai_embedder import OpenAIEmbedder
from hindsight_memory.providers.remote import Service
from hindsight_memory.stores.sqlite.store import SqliteStore
from hindsight_memory.testing.agent_life import ME, UNICODE, Life
from hindsight_memory.testing.fakes import FrozenClock
from hindsight_memory.testing.model_server import Fault, ModelServer

SAID = "说起来，我上个月从 Acme 跳槽到了 Globex，现在做后端。"
STATED = "用户在 Globex 做后端"
ITEM = {"turn": 1, "kind": "fact", "content": STATED, "quote": "我上个月从 Acme 跳槽到了 Globex"}
PLAIN = f"read_csv (path=*.csv) with encoding=utf-8 failed: {UNICODE}; encoding=gbk worked"
WORDED = (
    f"At path=*.csv, call read_csv with encoding=gbk: with encoding=utf-8 it failed ({UNICODE})"
)

AWAY = (
    Fault.RATE_LIMITED,
    Fault.BROKEN,
    Fault.TIMEOUT,
    Fault.CUT,
    Fault.PAGE,
    Fault.HALF,
    Fault.ALIEN,
    Fault.NULLS,
)
"""The service does not answer, or not what it is asked."""

NO_ANSWER = (*AWAY, Fault.PROSE, Fault.FOREIGN_SHAPE)
"""The model says nothing that can be read."""

LIES = (Fault.WRONG_IDS, Fault.INJECTED)
MANY = 12
"""More than any caller asks."""


@pytest.fixture
def server() -> Iterator[ModelServer]:
    with ModelServer() as server:
        asked = {"items": [ITEM]}, {"sentence": WORDED}
        server.answers(lambda text: asked["encoding" in text])
        yield server


def service(server: ModelServer) -> Service:
    return Service(base_url=server.url, timeout_seconds=0.2, retries=0)


def contents(memory: Hindsight) -> set[str]:
    page = memory.list(include=["superseded"], limit=100)
    return {each.content for each in page.memories}


# --- what asks a language model


@dataclass(frozen=True, slots=True)
class Asking:
    """lives: what is there to be asked about. asks: what its caller is told of a failure. without,
    with_it: the content that is there without the model's answer, and with it.
    """

    lives: Callable[[Life], object]
    asks: Callable[[Memories], list[str]]
    without: str | None
    with_it: str


def extracts(memories: Memories) -> list[str]:
    return list(enrich(memories.parts, "default").failed.values())


def looks_back(memories: Memories) -> list[str]:
    """At the session first; by night, what was missed."""
    told = memories.retrospect(ME, "s1").unworded
    return told or retrospect(memories.parts, "default").unworded


def looks_back_by_night(memories: Memories) -> list[str]:
    return retrospect(memories.parts, "default").unworded


ASKING: Mapping[str, Asking] = {
    "extraction": Asking(lambda life: life.says("s1", SAID), extracts, None, STATED),
    "a lesson at the end of a session": Asking(
        lambda life: life.reads_gbk("s1"), looks_back, PLAIN, WORDED
    ),
    "a lesson by night": Asking(
        lambda life: life.reads_gbk("s1"), looks_back_by_night, PLAIN, WORDED
    ),
}


@pytest.fixture(params=ASKING)
def asking(request: pytest.FixtureRequest) -> Asking:
    return ASKING[request.param]


@pytest.fixture
def asked(life: Life, asking: Asking, server: ModelServer) -> Hindsight:
    asking.lives(life)
    parts = replace(life.memory.memories.parts, model=ChatModel(service(server), "m"))
    return Hindsight(Memories(parts), life.memory.caller)


@pytest.mark.parametrize("fault", NO_ANSWER)
def test_without_an_answer_it_is_told_and_done_later(
    asked: Hindsight, asking: Asking, server: ModelServer, fault: Fault
) -> None:
    before = contents(asked)
    server.faults(*[fault] * MANY)
    [reason] = asking.asks(asked.memories)
    assert server.url in reason or "'m' gave no usable answer" in reason
    assert contents(asked) - before == {each for each in [asking.without] if each}
    assert contents(asked) >= before
    server.faults()
    assert asking.asks(asked.memories) == []
    assert contents(asked) - before == {asking.with_it}


@pytest.mark.parametrize("fault", LIES)
def test_an_answer_that_lies_changes_nothing(
    asked: Hindsight, asking: Asking, server: ModelServer, fault: Fault
) -> None:
    before = contents(asked)
    server.faults(*[fault] * MANY)
    asking.asks(asked.memories)
    # Wrong ids harm nothing where none are asked for.
    true = {asking.without} if asking.without is None or fault is Fault.INJECTED else {WORDED}
    assert contents(asked) - before == true - {None}
    assert contents(asked) >= before


def test_a_service_that_knows_no_schemas_is_asked_all_the_same(
    asked: Hindsight, asking: Asking, server: ModelServer
) -> None:
    before = contents(asked)
    server.faults(Fault.NO_SCHEMAS)
    assert asking.asks(asked.memories) == []
    assert contents(asked) - before == {asking.with_it}


def test_a_model_that_is_away_is_asked_once_and_not_for_each_lesson(
    life: Life, server: ModelServer
) -> None:
    for folder in ("orders", "clients", "archive"):
        path = {"path": f"data/{folder}/a.csv"}
        life.calls("s1", "read_csv", path | {"encoding": "utf-8"}, UNICODE)
        life.calls("s1", "read_csv", path | {"encoding": "gbk"})
    parts = replace(life.memory.memories.parts, model=ChatModel(service(server), "m"))
    server.faults(*[Fault.BROKEN] * MANY)
    looked = Memories(parts).retrospect(ME, "s1")
    assert (len(looked.lessons), len(looked.unworded), len(server.requests)) == (3, 3, 1)


def test_what_somebody_said_better_meanwhile_stays(life: Life, server: ModelServer) -> None:
    life.reads_gbk("s1")
    parts = replace(life.memory.memories.parts, model=ChatModel(service(server), "m"))
    server.faults(*[Fault.BROKEN] * MANY)
    Memories(parts).retrospect(ME, "s1")
    life.memory.update(life.lesson().id, content="Our CSV files are gbk.")
    server.faults()
    retrospect(parts, "default")
    assert life.lesson().content == "Our CSV files are gbk."


# --- what asks an embedder

LOST = (*AWAY, Fault.WRONG_IDS)
"""Vectors that do not come, or not for each text."""

NOTE = "计费服务监听8000端口。"
RULE = "Never use npm here, use pnpm."


@pytest.fixture
def remote(tmp_path: Path, memories: Memories, server: ModelServer) -> Iterator[Hindsight]:
    """Memory with vectors from a service."""
    embedder = OpenAIEmbedder(service(server), "m")
    path = str(tmp_path / "remote.db")
    with closing(SqliteStore.open(path, fingerprint=embedder.fingerprint)) as store:
        parts = replace(memories.parts, store=store, meaning=Meaning(embedder=embedder))
        yield Hindsight(Memories(parts), Caller())


def left(remote: Hindsight) -> int:
    """How many memories wait for vectors."""
    return remote.memories.parts.store.unembedded_count()


def writes(remote: Hindsight, _folder: Path) -> None:
    assert remote.write(NOTE).outcome == "stored"


def imports(remote: Hindsight, folder: Path) -> None:
    file = folder / "chat.jsonl"
    turn = {"speaker": "user", "content": NOTE, "session_id": "s", "said_at": "2026-03-01T10:00:00"}
    file.write_text(json.dumps(turn, ensure_ascii=False), "utf-8")
    assert remote.import_from(file).problems == []


def learns(remote: Hindsight, _folder: Path) -> None:
    clock = remote.memories.parts.clock
    assert isinstance(clock, FrozenClock)
    life = Life(remote, clock)
    life.reads_gbk("s1")
    assert [each.change for each in life.looks_back("s1").lessons] == ["formed"]


WRITING: Mapping[str, Callable[[Hindsight, Path], None]] = {
    "a write": writes,
    "an import": imports,
    "a lesson": learns,
}


def searches(remote: Hindsight) -> tuple[str, list[str]]:
    found = remote.search("计费服务的端口")
    return found.hits[0].memory.content, found.notes


def starts_a_task(remote: Hindsight) -> tuple[str, list[str]]:
    found = remote.context("计费服务监听哪个端口")
    return found.context, found.notes


def is_about_to_call(remote: Hindsight) -> tuple[str, list[str]]:
    return remote.advise("Bash", {"command": "npm install"}).advice, []


READING: Mapping[str, Callable[[Hindsight], tuple[str, list[str]]]] = {
    "a search": searches,
    "a task": starts_a_task,
    "a call": is_about_to_call,
}
"""What is found, and what is said with it. Advice says nothing of itself: it waits for nobody."""


@pytest.mark.parametrize("fault", LOST)
@pytest.mark.parametrize("how", WRITING)
def test_what_is_written_without_vectors_is_kept_and_embedded_later(
    remote: Hindsight, tmp_path: Path, server: ModelServer, how: str, fault: Fault
) -> None:
    server.faults(*[fault] * MANY)
    WRITING[how](remote, tmp_path)
    kept, waits = contents(remote), left(remote)
    assert waits == len(kept) > 0
    with pytest.raises(Unavailable):
        embed_some(remote.memories.parts)
    assert (contents(remote), left(remote)) == (kept, waits)
    server.faults()
    while embed_some(remote.memories.parts):
        pass
    assert (contents(remote), left(remote)) == (kept, 0)


@pytest.mark.parametrize("fault", LOST)
@pytest.mark.parametrize("how", READING)
def test_what_is_asked_goes_on_by_words_and_says_so(
    remote: Hindsight, server: ModelServer, how: str, fault: Fault
) -> None:
    for content in (NOTE, RULE):
        remote.write(content, source="user_explicit")
    server.faults(*[fault] * MANY)
    found, notes = READING[how](remote)
    assert (NOTE in found or RULE in found, bool(notes)) == (True, how != "a call")
    assert all("by words only" in note and server.url in note for note in notes)
    server.faults()
    found, notes = READING[how](remote)
    assert (NOTE in found or RULE in found, notes) == (True, [])


@pytest.mark.parametrize("fault", LOST)
def test_reembedding_that_breaks_off_goes_on_from_there(
    remote: Hindsight, server: ModelServer, fault: Fault
) -> None:
    server.faults(*[fault] * MANY)
    remote.write(NOTE)
    with pytest.raises(Unavailable):
        reembed(remote.memories.parts, lambda *_: None)
    server.faults()
    assert reembed(remote.memories.parts, lambda *_: None) == 1
    assert left(remote) == 0
