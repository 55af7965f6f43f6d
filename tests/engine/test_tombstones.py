"""What was rejected as untrue comes back by no path, in no disguise, until its user says it."""

import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.core.model import Caller
from hindsight_memory.core.policy import Source
from hindsight_memory.engine.exporting import Wanted, export_lines
from hindsight_memory.engine.lines import Fate, Report
from hindsight_memory.engine.memories import Memories
from hindsight_memory.engine.transfer import decoded, import_rows
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock
from hindsight_memory.testing.samples import a_memory
from hindsight_memory.testing.store_restores import restore

IDEA, CHINESE_IDEA = "The root cause is the cache", "问题出在数据库连接池"
VISIBLE = {
    "as it was": (IDEA, CHINESE_IDEA),
    "case": (IDEA.upper(), "问题出在数据库连接池"),
    "spacing": ("The  root cause\tis the cache", "问题 出在 数据库 连接池"),
    "width": ("Ｔｈｅ ｒｏｏｔ cause is the cache", "问题出在数据库连接池\uff01"),
    "look-alikes": ("The r\u043e\u043et c\u0430use is the c\u0430che", "問題出在數據庫連接池"),
}
INVISIBLE = {"invisible": ("The root\u200b cause is the ca\u2060che", "问题\u200b出在数据库连接池")}
Open = Callable[[], Memories]


def disguises(texts: dict[str, tuple[str, str]]) -> list[Any]:
    return [
        pytest.param(text, id=f"{name}, {language}")
        for name, both in texts.items()
        for text, language in zip(both, ("English", "Chinese"), strict=True)
    ]


def remembered(memory: Hindsight, content: str, **given: Any) -> str:
    written = memory.write(content, **given).memory
    assert written is not None
    return written.id


@pytest.fixture
def rejected(memory: Hindsight, clock: FrozenClock) -> dict[str, str]:
    """The ids of both ideas, which their agent found to be untrue a day ago."""
    ids = {text: remembered(memory, text) for text in (IDEA, CHINESE_IDEA)}
    for memory_id in ids.values():
        memory.verify(memory_id, action="reject")
    clock.advance(timedelta(days=1))
    return ids


def exported(memories: Memories, **only: Any) -> list[bytes]:
    lines: list[bytes] = []
    export_lines(memories.parts, "default", lines.append, wanted=Wanted(**only))
    return lines


def imported(memories: Memories, lines: list[bytes]) -> Report:
    return import_rows(memories.parts, Caller(), decoded(lines))


def from_elsewhere(elsewhere: Memories, content: str, **given: Any) -> list[bytes]:
    """An export of one memory, which was written before anything was rejected here."""
    plain = {"tenant": "default", "user_id": "default", "agent_id": "default", "content": content}
    long_ago = elsewhere.now() - timedelta(days=9)
    times = {"created_at": long_ago, "updated_at": long_ago}
    restore(elsewhere.parts.store, a_memory("elsewhere", **{**plain, **times, **given}))
    return exported(elsewhere)


def current(memory: Hindsight) -> list[str]:
    return [each.content for each in memory.list().memories]


@pytest.mark.parametrize("text", disguises(VISIBLE | INVISIBLE))
def test_no_write_brings_it_back(memory: Hindsight, rejected: dict[str, str], text: str) -> None:
    assert memory.write(text).outcome == "refused"
    assert memory.write(text, agent_id="other", visibility="private").outcome == "refused"
    assert current(memory) == []


@pytest.mark.parametrize("text", disguises(VISIBLE | INVISIBLE))
def test_no_edit_brings_it_back(memory: Hindsight, rejected: dict[str, str], text: str) -> None:
    other = remembered(memory, "CI needs Node 20")
    with pytest.raises(InvalidInput, match="rejected as untrue on 2030-01-01"):
        memory.update(other, content=text)
    assert current(memory) == ["CI needs Node 20"]


@pytest.mark.parametrize("text", disguises(VISIBLE))
def test_no_import_brings_it_back_and_nothing_is_lost(
    memory: Hindsight, another: Open, rejected: dict[str, str], text: str
) -> None:
    report = imported(memory.memories, from_elsewhere(another(), text))
    [told] = report.rejected
    assert (report.counts, report.problems, told.line) == ({Fate.REJECTED: 1}, [], 2)
    assert told.reason.startswith("it was rejected here as untrue on 2030-01-01 ('")
    assert told.reason.endswith("'); it is kept as history only")
    assert current(memory) == []
    [first, last] = memory.history("elsewhere").revisions
    assert (first.operation, last.operation, last.actor) == ("write", "rejected", "default")
    assert last.reason in told.reason
    assert memory.memories.parts.store.problems() == []


@pytest.mark.parametrize("text", disguises(INVISIBLE))
def test_no_line_with_invisible_characters_is_imported(
    memory: Hindsight, another: Open, rejected: dict[str, str], text: str
) -> None:
    report = imported(memory.memories, from_elsewhere(another(), text))
    assert report.counts == {Fate.FAILED: 1}
    assert "invisible characters" in report.problems[0].reason
    assert current(memory) == []


def test_importing_a_rejected_memory_again_changes_nothing(
    memory: Hindsight, another: Open, rejected: dict[str, str]
) -> None:
    lines = from_elsewhere(another(), IDEA)
    first = imported(memory.memories, lines)
    before = exported(memory.memories)
    again = imported(memory.memories, lines)
    assert (again.counts, again.rejected) == (first.counts, first.rejected)
    assert exported(memory.memories) == before


def test_an_older_export_does_not_bring_it_back(memory: Hindsight, clock: FrozenClock) -> None:
    idea = remembered(memory, IDEA)
    lines = exported(memory.memories)
    clock.advance(timedelta(days=1))
    memory.verify(idea, action="reject")
    assert imported(memory.memories, lines).counts == {Fate.REJECTED: 1}
    assert current(memory) == []


@pytest.mark.parametrize("hard_delete", [False, True], ids=["forgotten", "purged"])
def test_what_was_rejected_and_then_forgotten_does_not_come_back(
    memory: Hindsight, clock: FrozenClock, *, hard_delete: bool
) -> None:
    idea = remembered(memory, IDEA)
    lines = exported(memory.memories)
    clock.advance(timedelta(days=1))
    memory.verify(idea, action="reject")
    memory.forget(idea, hard_delete=hard_delete)
    assert imported(memory.memories, lines).counts == {Fate.REJECTED: 1}
    assert memory.write(IDEA).outcome == "refused"
    assert current(memory) == []


USER = {"source": Source.USER_EXPLICIT, "trust": 0.9}


@pytest.mark.parametrize(
    ("given", "by_person", "fate"),
    [
        (USER, False, Fate.STORED),
        (USER, True, Fate.REJECTED),
        ({"source": Source.EXTERNAL, "trust": 0.2}, False, Fate.REJECTED),
    ],
    ids=["a better source", "not over a person", "a worse source"],
)
def test_an_import_weighs_the_source_as_a_write_does(
    memory: Hindsight, another: Open, given: dict[str, Any], fate: Fate, *, by_person: bool
) -> None:
    person = Hindsight(memory.memories, Caller(is_person=by_person))
    person.verify(remembered(memory, IDEA), action="reject")
    report = imported(memory.memories, from_elsewhere(another(), IDEA, **given))
    assert report.counts == {fate: 1}
    assert memory.write(IDEA).outcome == ("merged" if fate is Fate.STORED else "refused")


def test_what_the_user_said_before_the_rejection_is_no_change_of_mind(
    memory: Hindsight, another: Open, clock: FrozenClock
) -> None:
    idea = remembered(memory, IDEA, tags=["ci"])
    memory.write("Actually the root cause is the disk", tags=["ci"], source="user_explicit")
    assert memory.show(idea).superseded_by is not None
    elsewhere = another()
    assert imported(memory.memories, from_elsewhere(elsewhere, IDEA, **USER)).counts == {
        Fate.REJECTED: 1
    }
    later = clock.now() + timedelta(hours=1)
    lines = from_elsewhere(another(), IDEA, **USER, created_at=later, updated_at=later)
    again = [line.replace(b'"id":"elsewhere"', b'"id":"later"') for line in lines]
    assert imported(memory.memories, again).counts == {Fate.STORED: 1}


def test_what_rests_on_a_rejected_memory_is_not_asserted(
    memory: Hindsight, another: Open, rejected: dict[str, str]
) -> None:
    elsewhere = another()
    lesson = a_memory("lesson", content="Clear the cache first", evidence=("elsewhere",),
                      tenant="default", user_id="default")  # fmt: skip
    restore(elsewhere.parts.store, lesson)
    lines = from_elsewhere(elsewhere, IDEA)
    assert imported(memory.memories, lines).counts == {Fate.STORED: 1, Fate.REJECTED: 1}
    assert memory.show("lesson").status == "deprecated"


def test_an_export_brings_rejections_into_an_empty_store(
    memory: Hindsight, another: Open, rejected: dict[str, str]
) -> None:
    memory.forget(rejected[IDEA], hard_delete=True)
    elsewhere = another()
    report = imported(elsewhere, exported(memory.memories))
    assert report.counts == {Fate.STORED: 3}
    assert exported(elsewhere) == exported(memory.memories)
    there = Hindsight(elsewhere, Caller())
    assert [there.write(text).outcome for text in rejected] == ["refused", "refused"]
    assert imported(elsewhere, exported(memory.memories)).counts == {Fate.UNCHANGED: 3}


def test_an_export_can_be_narrowed_to_what_one_user_or_project_rejected(memory: Hindsight) -> None:
    for user_id, project in (("ann", ""), ("ann", "web"), ("bob", "web")):
        idea = remembered(memory, IDEA, user_id=user_id, project=project)
        memory.verify(idea, action="reject")
    counted = {
        name: sum(line.startswith(b'{"rejection"') for line in exported(memory.memories, **only))
        for name, only in {
            "all": {},
            "user": {"user_id": "ann"},
            "project": {"project": "web"},
            "both": {"user_id": "ann", "project": "web"},
            "none": {"user_id": "eve"},
        }.items()
    }
    assert counted == {"all": 3, "user": 2, "project": 2, "both": 1, "none": 0}


def test_a_rejection_that_was_taken_back_here_does_not_come_back(
    memory: Hindsight, clock: FrozenClock, rejected: dict[str, str]
) -> None:
    lines = exported(memory.memories)
    clock.advance(timedelta(days=1))
    memory.update(rejected[IDEA], restore=True)
    remembered(memory, CHINESE_IDEA, source="user_explicit")
    report = imported(memory.memories, lines)
    [first, second] = report.problems[-2:]
    assert "says since then what was rejected there; it stays" in first.reason
    assert "says since then what was rejected there; it stays" in second.reason
    assert memory.write(IDEA).outcome == "merged"
    assert memory.write(CHINESE_IDEA).outcome == "merged"


@pytest.mark.parametrize(
    ("field", "value"),
    [("trust", 1.5), ("key", ""), ("user_id", "a\nb"), ("at", "yesterday"), ("memory_id", 7)],
    ids=str,
)
def test_a_damaged_rejection_is_told(memory: Hindsight, field: str, value: Any) -> None:
    plain = {"key": "k", "user_id": "ann", "memory_id": "m", "trust": 0.5}
    rejection = {**plain, "at": "2030-01-01T00:00:00+00:00", field: value}
    report = imported(memory.memories, [json.dumps({"rejection": rejection}).encode()])
    assert report.counts == {Fate.FAILED: 1}
    assert f"rejection.{field}" in report.problems[0].reason


def test_rejecting_what_was_replaced_rejects_what_says_it_again(
    memory: Hindsight, clock: FrozenClock
) -> None:
    person = Hindsight(memory.memories, Caller(is_person=True))
    ids = []
    for text in ("用户住在上海", "我搬到杭州了", "用户住在上海"):
        ids.append(remembered(memory, text, source="user_explicit"))
        clock.advance(timedelta(days=1))
    person.verify(ids[0], action="reject")
    assert current(memory) == []
    assert memory.history(ids[2]).revisions[-1].operation == "rejected"


def test_an_agent_rejects_nothing_that_the_user_says_elsewhere(
    memory: Hindsight, clock: FrozenClock
) -> None:
    guess = remembered(memory, "用户住在上海")
    clock.advance(timedelta(days=1))
    remembered(memory, "用户住在杭州")
    clock.advance(timedelta(days=1))
    remembered(memory, "用户住在上海", source="user_explicit")
    with pytest.raises(InvalidInput, match="says the same and comes from a better source"):
        memory.verify(guess, action="reject")
    assert current(memory) == ["用户住在上海"]
