"""Export and import of memories: exact, streaming, resumable."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hindsight_memory.core.changes import Revision
from hindsight_memory.core.model import Caller, Memory, Scope
from hindsight_memory.core.retrieval import Query
from hindsight_memory.engine.exporting import Wanted, export_lines
from hindsight_memory.engine.lines import Fate, Report
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.transfer import decoded, embed_waiting, import_rows
from hindsight_memory.errors import Incompatible, InvalidInput
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.schemas import EventIn
from hindsight_memory.testing import samples
from hindsight_memory.testing.fakes import FrozenClock
from hindsight_memory.testing.store_restores import a_history, restore

ALL = Scope("default", None, None)
CALLER = Caller()
Open = Callable[[], Memories]


def exported(memories: Memories, **only: Any) -> list[bytes]:
    lines: list[bytes] = []
    export_lines(memories.parts, "default", lines.append, wanted=Wanted(**only))
    return lines


def everything(memories: Memories, tenant: str = "default") -> list[tuple[Memory, list[Revision]]]:
    store = memories.parts.store
    return [
        (memory, store.history(replace(ALL, tenant=tenant), memory.id))
        for memory in store.every(tenant, after="", limit=10_000)
    ]


def into(memories: Memories, lines: list[bytes], **how: Any) -> dict[str, int]:
    return counts(import_rows(memories.parts, CALLER, decoded(lines), **how))


def counts(report: Report) -> dict[str, int]:
    return {fate.value: count for fate, count in report.counts.items()}


def problems(report: Report) -> list[tuple[int, str]]:
    return [(done.line, done.reason) for done in report.problems]


def an_eventful_life(memory: Hindsight) -> None:
    """One memory of each state."""
    port = memory.write("The API listens on port 8000", tags=["api"]).memory
    assert port is not None
    memory.write("The API listens on port 8001", supersedes=port.id)
    tea = memory.write("用户喜欢喝茶", source="user_explicit", metadata={"季": ["春", 0.1]}).memory
    assert tea is not None
    memory.update(tea.id, importance=0.9, reason="他说了两次")
    memory.forget(tea.id, reason="不再喝茶")
    memory.write("My own note", visibility="private", agent_id="bot")
    memory.write("CI failed", user_id="ann", project="web", event=EventIn(outcome="failure"))
    recall = memory.search("API port")
    memory.feedback(recall.recall_id, [recall.hits[0].memory.id])
    memory.memories.settle()


def some_memories(count: int) -> list[Memory]:
    return [
        samples.a_memory(f"id{number:04}", tenant="default", content=f"第{number}条记忆")
        for number in range(count)
    ]


def a_line(**changes: Any) -> bytes:
    """An export of one memory, with fields of it changed."""
    line = {
        "memory": {
            "id": "m1",
            "tenant": "acme",
            "user_id": "ann",
            "agent_id": "ada",
            "content": "tea",
            "created_at": "2030-01-01T12:00:00+00:00",
            "updated_at": "2030-01-01T12:00:00+00:00",
            "version": 1,
            **changes.pop("memory", {}),
        },
        "history": [
            {
                "version": 1,
                "at": "2030-01-01T12:00:00+00:00",
                "actor": "ada",
                "operation": "stored",
                "reason": "",
                "before": {},
            }
        ],
        **changes,
    }
    return json.dumps(line).encode()


def test_all_that_a_store_knows_of_its_memories_comes_back(
    memory: Hindsight, memories: Memories, another: Open
) -> None:
    an_eventful_life(memory)
    elsewhere = another()
    assert into(elsewhere, exported(memories)) == {"stored": 5}
    assert everything(elsewhere) == everything(memories)
    assert elsewhere.parts.store.problems() == []
    assert exported(elsewhere) == exported(memories)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_any_memory_comes_back_exactly(
    memories: Memories, another: Open, data: st.DataObject
) -> None:
    tenant = samples.fresh_tenant()
    wanted = [
        replace(memory, version=data.draw(st.integers(1, 3)))
        for memory in data.draw(samples.memories(tenant))
        if (
            memory.valid_from is None or (memory.valid_to or memory.valid_from) >= memory.valid_from
        )
        and "\\u0000" not in json.dumps(dict(memory.metadata))
        and (memory.event is None or "\\u0000" not in json.dumps(dict(memory.event.arguments)))
    ]
    restore(memories.parts.store, *wanted)
    lines: list[bytes] = []
    export_lines(memories.parts, tenant, lines.append)
    elsewhere = another()
    report = import_rows(elsewhere.parts, Caller(tenant=tenant), decoded(lines))
    assert problems(report) == []
    assert everything(elsewhere, tenant) == [(m, list(a_history(m))) for m in wanted]


def test_an_export_is_a_header_and_a_line_for_each_memory(
    memory: Hindsight, memories: Memories
) -> None:
    memory.write("第一行\u2028第二行")
    header, line = exported(memories)
    assert json.loads(header) == {
        "format": "hindsight-memory",
        "version": 1,
        "exported_at": "2030-01-01T00:00:00.000000+00:00",
    }
    assert json.loads(line)["memory"]["content"] == "第一行\u2028第二行"
    assert "第一行" in line.decode()
    assert line.decode().splitlines(keepends=True) == [line.decode()]


def test_an_export_can_be_narrowed_to_a_user_and_a_project(
    memory: Hindsight, memories: Memories
) -> None:
    for user_id, project in (("ann", ""), ("ann", "web"), ("bob", "web")):
        memory.write(f"{user_id} on {project}", user_id=user_id, project=project)
    contents = {
        name: [json.loads(line)["memory"]["content"] for line in exported(memories, **only)[1:]]
        for name, only in {
            "user": {"user_id": "ann"},
            "project": {"project": "web"},
            "both": {"user_id": "ann", "project": "web"},
            "none": {"user_id": "eve"},
        }.items()
    }
    assert contents == {
        "user": ["ann on ", "ann on web"],
        "project": ["ann on web", "bob on web"],
        "both": ["ann on web"],
        "none": [],
    }


def test_a_memory_that_changes_during_an_export_is_exported_as_it_was(
    memory: Hindsight, memories: Memories, another: Open
) -> None:
    first, second, third = (memory.write(f"fact {n}").memory for n in (1, 2, 3))
    assert first is not None
    assert second is not None
    assert third is not None
    lines: list[bytes] = []

    def write_and_meddle(line: bytes) -> None:
        lines.append(line)
        if b"fact 1" in line:
            memory.update(second.id, content="fact 2, changed")
            memory.forget(third.id, hard_delete=True)

    export_lines(memories.parts, "default", write_and_meddle)
    elsewhere = another()
    assert into(elsewhere, lines) == {"stored": 2}
    assert [m.content for m, _ in everything(elsewhere)] == ["fact 1", "fact 2"]


def test_a_tenant_is_the_callers_and_never_the_files(memories: Memories) -> None:
    assert into(memories, [a_line()]) == {"stored": 1}
    [(kept, _)] = everything(memories)
    assert (kept.id, kept.tenant) == ("m1", "default")
    assert everything(memories, "acme") == []


def test_importing_twice_changes_nothing(
    memory: Hindsight, memories: Memories, another: Open
) -> None:
    an_eventful_life(memory)
    elsewhere = another()
    lines = exported(memories)
    into(elsewhere, lines)
    before = everything(elsewhere)
    assert into(elsewhere, lines) == {"unchanged": 5}
    assert everything(elsewhere) == before
    assert elsewhere.parts.store.problems() == []


def test_a_line_that_stands_twice_in_one_file_is_imported_once(memories: Memories) -> None:
    report = import_rows(memories.parts, CALLER, decoded([a_line(), a_line(), a_line()]))
    assert counts(report) == {"stored": 1, "unchanged": 2}


def test_a_memory_that_was_used_since_is_unchanged(memory: Hindsight, memories: Memories) -> None:
    memory.write("CI needs Node 20")
    lines = exported(memories)
    recall = memory.search("CI Node")
    memory.feedback(recall.recall_id, [recall.hits[0].memory.id])
    assert into(memories, lines) == {"unchanged": 1}
    assert everything(memories)[0][0].used_count == 1


def test_a_memory_that_differs_here_is_reported_and_left(
    memory: Hindsight, memories: Memories
) -> None:
    written = memory.write("CI needs Node 20").memory
    assert written is not None
    lines = exported(memories)
    memory.update(written.id, importance=0.9)
    before = everything(memories)
    report = import_rows(memories.parts, CALLER, decoded(lines))
    message = f"memory {written.id!r} is here at version 2, in the file at 1; it was left as it is"
    assert problems(report) == [(2, message)]
    assert everything(memories) == before


def test_what_is_remembered_already_under_another_id_is_reported_and_the_others_go_on(
    memories: Memories,
) -> None:
    wanted = some_memories(50)
    restore(memories.parts.store, *wanted)
    lines = exported(memories)
    into(memories, [a_line(memory={"id": "x", "content": "咖啡"})])
    again = [line.replace(b'"id":"id', b'"id":"again') for line in lines]
    again[7:7] = [a_line(memory={"id": "y", "content": "茶"})]
    again[20:20] = [a_line(memory={"id": "z", "content": "水"})]
    report = import_rows(memories.parts, CALLER, decoded(again))
    assert counts(report) == {"conflict": 50, "stored": 2}
    assert report.problems[0].reason == "memory 'id0000' has this content already"
    assert memories.parts.store.problems() == []


def test_an_import_that_was_killed_goes_on_where_it_was(memories: Memories, another: Open) -> None:
    restore(memories.parts.store, *some_memories(450))
    lines, elsewhere = exported(memories), another()

    def killed(done: int, _total: int | None) -> None:
        if done > 200:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        into(elsewhere, lines, progress=killed)
    assert len(everything(elsewhere)) == 200
    told: list[tuple[int, int | None]] = []
    again = into(elsewhere, lines, progress=lambda *step: told.append(step), total=451)
    assert again == {"unchanged": 200, "stored": 250}
    assert told == [(1, 451), (201, 451), (401, 451), (451, 451)]
    assert everything(elsewhere) == everything(memories)


def test_a_damaged_line_is_reported_and_the_others_go_on(memories: Memories) -> None:
    good, better = a_line(), a_line(memory={"id": "m2", "content": "水"})
    report = import_rows(
        memories.parts, CALLER, decoded([b"\n", good[:-20], good, b'{"a": 1}', better])
    )
    assert counts(report) == {"failed": 2, "stored": 2}
    [cut, other] = report.problems
    assert (cut.line, cut.fate, other.line) == (2, Fate.FAILED, 4)
    assert cut.reason.startswith("not a line of JSON: ")
    assert other.reason == "neither a memory of an export nor a turn (speaker, content, ...)"


def test_strict_stops_at_the_first_line_that_is_not_imported(memories: Memories) -> None:
    lines = [a_line(), b"{", a_line(memory={"id": "m2", "content": "水"})]
    with pytest.raises(
        InvalidInput, match=r"line 2: not a line of JSON.*; the lines before it are"
    ):
        into(memories, lines, strict=True)
    assert [memory.id for memory, _ in everything(memories)] == ["m1"]


def test_strict_keeps_what_comes_before_a_conflict_and_nothing_after(memories: Memories) -> None:
    into(memories, [a_line()])
    two, three = (a_line(memory={"id": f"m{n}", "content": f"{n}"}) for n in (2, 3))
    with pytest.raises(
        InvalidInput, match="line 2: memory 'm1' is here at version 1 with another content"
    ):
        into(memories, [two, a_line(memory={"content": "coffee"}), three], strict=True)
    assert [memory.id for memory, _ in everything(memories)] == ["m1", "m2"]


@pytest.mark.parametrize(
    ("header", "message"),
    [
        ({"format": "hindsight-memory", "version": 2}, "format 2, .* up to 1; upgrade"),
        ({"format": "hindsight-memory", "version": "1"}, "not of a hindsight-memory export"),
        ({"format": "other", "version": 1}, "not of a hindsight-memory export"),
    ],
    ids=["newer", "no number", "another format"],
)
def test_an_export_of_another_format_is_refused_as_a_whole(
    memories: Memories, header: dict[str, Any], message: str
) -> None:
    with pytest.raises(Incompatible, match=message):
        into(memories, [json.dumps(header).encode(), a_line()])
    assert everything(memories) == []


def test_an_import_is_found_by_words_at_once_and_by_meaning_when_embedded(
    memories: Memories, another: Open
) -> None:
    restore(memories.parts.store, *some_memories(40))
    elsewhere = another()
    into(elsewhere, exported(memories))
    scope = Scope("default", "ann", "ada")
    [hit, *_] = elsewhere.search(scope, Query(text="第7条")).hits
    assert (hit.memory.id, hit.similarity) == ("id0007", None)
    told: list[tuple[int, int | None]] = []
    assert embed_waiting(elsewhere.parts, lambda *step: told.append(step)) == 40
    assert told == [(16, 40), (32, 40), (40, 40)]
    [hit, *_] = elsewhere.search(scope, Query(text="第7条")).hits
    assert (hit.memory.id, hit.similarity is None) == ("id0007", False)


def test_the_audit_log_says_that_a_memory_was_imported_and_by_whom(
    memory: Hindsight, memories: Memories, another: Open, tmp_path: Path
) -> None:
    memory.write("tea")
    elsewhere = another()
    into(elsewhere, exported(memories))
    [entry] = apsw.Connection(str(tmp_path / "another-0.db")).execute(
        "SELECT actor, operation, version FROM audit"
    )
    assert entry == ("default", "imported", 1)


def test_the_library_exports_to_a_file_and_imports_from_it(
    memory: Hindsight, another: Open, tmp_path: Path
) -> None:
    an_eventful_life(memory)
    elsewhere = Hindsight(another(), CALLER)
    told: list[tuple[int, int | None]] = []
    assert memory.export_to(tmp_path / "all.jsonl") == 5
    report = elsewhere.import_from(tmp_path / "all.jsonl", progress=lambda *step: told.append(step))
    assert counts(report) == {"stored": 5}
    assert told == [(1, 6), (6, 6)]
    assert everything(elsewhere.memories) == everything(memory.memories)


def test_an_import_is_met_by_what_is_written_before_it_is_embedded(
    memory: Hindsight, another: Open, clock: FrozenClock
) -> None:
    """By words, as the two share no key."""
    memory.write("周报里要放图表", source="user_explicit")
    elsewhere = another()
    into(elsewhere, exported(memory.memories))
    clock.advance(timedelta(days=1))
    later = Hindsight(elsewhere, CALLER).write("周报里不要放图表了", source="user_explicit")
    assert later.outcome == "superseded"
