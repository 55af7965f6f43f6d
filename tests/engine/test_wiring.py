"""Settings become a working system, or a clear refusal."""

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from hindsight_memory.engine.maintenance import embed_some, reembed
from hindsight_memory.errors import Incompatible, InvalidInput, Unavailable
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.settings import Settings


def url(folder: Path) -> str:
    return f"sqlite:///{folder}/memory.db"


def test_memories_outlive_the_process_that_wrote_them(tmp_path: Path) -> None:
    with Hindsight.open(url(tmp_path), embedder="hashing:64") as memory:
        kept = memory.write("tea").memory
    with Hindsight.open(url(tmp_path), embedder="hashing:64") as memory:
        assert [hit.memory.id for hit in memory.search("tea").hits] == [kept and kept.id]


def test_the_environment_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HINDSIGHT_MEMORY_STORE_URL", url(tmp_path))
    monkeypatch.setenv("HINDSIGHT_MEMORY_USER_ID", "ann")
    monkeypatch.setenv("HINDSIGHT_MEMORY_EMBEDDER", "none")
    with Hindsight.open() as memory:
        assert (memory.caller.user_id, memory.write("tea").outcome) == ("ann", "stored")
        assert "'none'" in memory.search("tea").notes[0]
    assert (tmp_path / "memory.db").exists()


def test_an_unknown_setting_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HINDSIGHT_MEMORY_USERID", "ann")
    with pytest.raises(InvalidInput, match="'HINDSIGHT_MEMORY_USERID'"):
        Settings.load()


@pytest.mark.parametrize("name", ["PROFILES", "INTENTS"])
def test_a_setting_that_is_not_json_is_refused(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setenv(f"HINDSIGHT_MEMORY_{name}", "{")
    with pytest.raises(InvalidInput, match=f"HINDSIGHT_MEMORY_{name}: .*JSON"):
        Settings.load()


@pytest.mark.parametrize(
    "given",
    [
        {"store_url": "oracle://x"},
        {"store_url": "memory.db"},
        {"store_url": "sqlite://"},
        {"embedder": "x:y"},
        {"agent_id": "planner "},
        {"user_id": "x" * 257},
        {"project": "a\nb"},
        {"embedder": "hashing:0"},
        {"embedder": "hashing:many"},
        {"port": 70_000},
        {"profile": "none"},
        {"profiles": {"mine": {"charm": 1}}},
        {"intents": [{"title": "x"}]},
        {"intents": [{"name": "x", "memory_types": ["wish"], "topics": ["t"]}]},
        {"time_zone": "Mars/Base"},
        {"time_zone": "../etc/passwd"},
    ],
    ids=str,
)
def test_a_choice_that_cannot_be_is_refused(tmp_path: Path, given: dict[str, Any]) -> None:
    with pytest.raises(InvalidInput), Hindsight.open(**{"store_url": url(tmp_path), **given}):
        pass


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(Unavailable, match="does not exist"), Hindsight.open(url(tmp_path / "no")):
        pass


def test_a_changed_model_is_noticed_and_reembed_repairs(tmp_path: Path) -> None:
    with Hindsight.open(url(tmp_path), embedder="hashing:64") as memory:
        memory.write("tea in the morning")
    with Hindsight.open(url(tmp_path), embedder="hashing:32") as memory:
        answer = memory.search("tea")
        assert [hit.memory.content for hit in answer.hits] == ["tea in the morning"]
        assert "'hashing:64'" in answer.notes[0]
        assert "'hashing:32'" in answer.notes[0]
        seen: list[tuple[int, int | None]] = []
        assert reembed(memory.memories.parts, lambda done, of: seen.append((done, of))) == 1
        assert seen[-1] == (1, 1)
    with Hindsight.open(url(tmp_path), embedder="hashing:32") as memory:
        assert memory.search("tea").notes == []


def test_an_intent_of_ones_own_is_understood(tmp_path: Path) -> None:
    row = {"name": "boat", "cues": ["set sail"], "memory_types": ["fact"], "topics": ["anchor"]}
    with Hindsight.open(url(tmp_path), embedder="none", intents=[row]) as memory:
        memory.write("the anchor is broken")
        memory.write("the kitchen is green")
        assert memory.search("can we set sail").hits[0].memory.content == "the anchor is broken"


def test_another_programs_file_is_refused(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / "memory.db")) as db:
        db.execute("create table theirs (x)")
    with pytest.raises(Incompatible), Hindsight.open(url(tmp_path)):
        pass


def test_a_long_text_is_found_by_its_last_line_and_embedded_behind(tmp_path: Path) -> None:
    long = "Nothing of note happened today. " * 300 + "The vault code word is marmalade."
    with Hindsight.open(url(tmp_path), embedder="hashing:64") as memory:
        memory.write(long)
        store = memory.memories.parts.store
        [hit] = memory.search("marmalade").hits
        assert hit.memory.content == long
        while embed_some(memory.memories.parts):
            pass
        assert store.unembedded_count() == 0
        assert "marmalade" in (memory.search("vault code word marmalade").hits[0].passage or "")
