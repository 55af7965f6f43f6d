"""What people have elsewhere, brought in: what is taken, changed and left."""

import json
from pathlib import Path
from typing import Any

import pytest

from hindsight_memory import Hindsight
from hindsight_memory.core.foreign import found, read_as
from hindsight_memory.engine.lines import Fate
from hindsight_memory.errors import InvalidInput

NOTES = """---
owner: someone
---
# Shop

Prices are **always** in euros,
never in dollars.

## Testing
- Run `make test` before a commit
- Tests:
  - need [Docker](https://example.org)
  1. run twice in CI
* [x] 提交前先跑 `make lint`
<!-- not for
anybody -->
```sh
rm -rf build
```
| a | b |
@docs/more.md
"""

CHATGPT = [
    {
        "conversation_id": "c1",
        "create_time": 1767261600.0,
        "current_node": "c",
        "mapping": {
            "r": {"message": None, "parent": None, "children": ["a"]},
            "a": {"message": {"author": {"role": "user"}, "create_time": 1767261600.0,
                              "content": {"content_type": "text", "parts": ["我对花生过敏"]}},
                  "parent": "r", "children": ["b", "c"]},
            "b": {"message": {"author": {"role": "assistant"}, "create_time": 1767261601.0,
                              "content": {"content_type": "text", "parts": ["first answer"]}},
                  "parent": "a", "children": []},
            "c": {"message": {"author": {"role": "assistant"}, "create_time": 1767261602.0,
                              "content": {"content_type": "text", "parts": ["second answer"]}},
                  "parent": "a", "children": []},
        },
    }
]  # fmt: skip

CLAUDE = [
    {
        "uuid": "u1",
        "created_at": "2026-01-01T10:00:00Z",
        "chat_messages": [
            {"sender": "human", "text": "old form", "created_at": "2026-01-01T10:00:01Z",
             "content": [{"type": "text", "text": "I moved to Berlin."}]},
            {"sender": "assistant", "text": "", "created_at": "2026-01-01T10:00:02Z",
             "content": [{"type": "tool_use", "name": "search"}]},
        ],
    }
]  # fmt: skip

GRAPH = "\n".join(
    json.dumps(each)
    for each in [
        {"type": "entity", "name": "李雷", "entityType": "person", "observations": ["喜欢围棋"]},
        {"type": "entity", "name": "Acme", "entityType": "company", "observations": []},
        {"type": "relation", "from": "李雷", "to": "Acme", "relationType": "works_at"},
    ]
)

MEM0: Any = {
    "results": [
        {"id": "1", "memory": "Likes tea", "user_id": "ann", "created_at": "2026-01-01T00:00:00Z"},
        {"id": "2", "content": "Plays go", "state": "active", "created_at": 1767225600},
        {"id": "3", "content": "Plays chess", "state": "deleted", "created_at": 1767225600},
    ]
}


def read(name: str, text: str) -> list[dict[str, Any]]:
    read = found(name, text.encode())
    assert read is not None
    return list(read.rows())


def notes_in(found: list[dict[str, Any]]) -> list[str]:
    return [row["note"]["content"] for row in found if "note" in row]


def left_in(found: list[dict[str, Any]]) -> list[str]:
    return [row["left"] for row in found if "left" in row]


def test_notes_become_statements_with_what_they_depend_on() -> None:
    found = read("CLAUDE.md", NOTES)
    assert notes_in(found) == [
        "Prices are always in euros, never in dollars.",
        "Run `make test` before a commit",
        "Tests: need Docker",
        "Tests: run twice in CI",
        "提交前先跑 `make lint`",
    ]
    assert left_in(found) == ["a block of code", "a row of a table", "a reference to another file"]
    assert found[1]["note"]["tags"] == ["Testing"]


def test_the_open_branch_of_a_chat_is_taken() -> None:
    found = read("conversations.json", json.dumps(CHATGPT))
    assert [(row.get("speaker"), row.get("content")) for row in found] == [
        ("user", "我对花生过敏"),
        ("assistant", "second answer"),
        (None, None),
    ]
    assert found[0]["said_at"] == "2026-01-01T10:00:00+00:00"
    assert left_in(found) == ["on a branch that was given up"]


def test_claude_conversations_give_their_newer_form() -> None:
    found = read("conversations.json", json.dumps(CLAUDE))
    assert found[0] == {
        "speaker": "user",
        "content": "I moved to Berlin.",
        "session_id": "claude-u1",
        "said_at": "2026-01-01T10:00:01Z",
    }
    assert left_in(found) == ["without words, such as a picture"]


def test_a_graph_becomes_sentences() -> None:
    found = read("memory.json", GRAPH)
    assert notes_in(found) == ["李雷: 喜欢围棋", "李雷 works at Acme"]
    assert left_in(found) == ["an entity of which nothing is said"]


def test_memories_of_others_keep_their_people_and_times() -> None:
    found = read("export.json", json.dumps(MEM0))
    assert notes_in(found) == ["Likes tea", "Plays go"]
    assert found[0]["note"]["user_id"] == "ann"
    assert found[1]["note"]["said_at"] == "2026-01-01T00:00:00+00:00"
    assert left_in(found) == ["deleted or archived there"]


@pytest.mark.parametrize(
    "text", ["", "[]", "{}", "3", "not json", '{"speaker": "user"}', '[{"role": "user"}]']
)
def test_what_is_none_of_these_is_left_to_our_own_lines(text: str) -> None:
    assert found("file.json", text.encode()) is None


def test_a_wrong_name_of_a_format_is_told() -> None:
    with pytest.raises(InvalidInput, match="not ChatGPT's export"):
        read_as("chatgpt", b"[]")


@pytest.fixture
def memory(tmp_path: Path) -> Any:
    with Hindsight.open(f"sqlite:///{tmp_path}/m.db", embedder="none") as memory:
        yield memory


@pytest.mark.parametrize(
    ("name", "text", "stored"),
    [
        ("CLAUDE.md", NOTES, 5),
        ("conversations.json", json.dumps(CLAUDE), 1),
        ("memory.json", GRAPH, 2),
        ("mem0.json", json.dumps(MEM0), 2),
    ],
)
def test_an_import_says_what_it_took_and_twice_takes_nothing_more(
    memory: Hindsight, tmp_path: Path, name: str, text: str, stored: int
) -> None:
    path = tmp_path / name
    path.write_text(text)
    first, again = memory.import_from(path), memory.import_from(path)
    assert (first.counts[Fate.STORED], first.problems) == (stored, [])
    assert (again.counts[Fate.STORED], again.counts[Fate.UNCHANGED]) == (0, stored)
    assert sum(first.skipped.values()) == len(left_in(read(name, text)))


def test_notes_of_a_project_are_found_with_their_source(memory: Hindsight, tmp_path: Path) -> None:
    path = tmp_path / "AGENTS.md"
    path.write_text("- 部署前先备份数据库\n")
    memory.import_from(path)
    [hit] = memory.search("部署 备份").hits
    assert (hit.memory.content, hit.memory.source) == ("部署前先备份数据库", "document")
