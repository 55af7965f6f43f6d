"""One current answer, a history that can be read, and a way back."""

from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.schemas import WriteOut
from hindsight_memory.testing.fakes import FrozenClock


@pytest.fixture
def memory(memory: Hindsight, clock: FrozenClock) -> Hindsight:
    """Each write comes a minute after the one before."""
    write = memory.write

    def later(*args: Any, **given: Any) -> WriteOut:
        clock.advance(timedelta(minutes=1))
        return write(*args, **given)

    memory.write = later  # type: ignore[method-assign]  # the same door, with a clock that goes
    return memory


def said(memory: Hindsight, content: str) -> str:
    written = memory.write(content, source="user_explicit")
    assert written.memory is not None
    return written.memory.id


def found(memory: Hindsight, query: str) -> list[str]:
    return [hit.memory.content for hit in memory.search(query).hits]


def test_giving_up_coffee_leaves_one_answer_a_history_and_a_way_back(memory: Hindsight) -> None:
    old = said(memory, "我喜欢喝咖啡")
    new = said(memory, "我戒咖啡了")
    assert found(memory, "用户喝咖啡吗") == ["我戒咖啡了"]
    last = memory.history(old).revisions[-1]
    assert (last.operation, last.before["superseded_by"]) == ("superseded", None)
    memory.update(old, restore=True, reason="又喝了")
    assert found(memory, "用户喝咖啡吗") == ["我喜欢喝咖啡"]
    assert memory.show(new).superseded_by == old


def test_each_scene_keeps_its_database(memory: Hindsight) -> None:
    said(memory, "原型用SQLite做数据库")
    said(memory, "生产环境用PostgreSQL做数据库")
    assert set(found(memory, "数据库怎么配")) == {
        "原型用SQLite做数据库",
        "生产环境用PostgreSQL做数据库",
    }


@pytest.fixture
def refuted(memory: Hindsight) -> WriteOut:
    memory.write("问题出在缓存")
    return memory.write("其实问题出在连接池", source="tool_result")


def test_a_rejected_idea_does_not_come_back(memory: Hindsight, refuted: WriteOut) -> None:
    assert refuted.outcome == "superseded"
    again = memory.write("问题出在 缓存。")
    assert (again.outcome, again.memory) == ("refused", None)
    assert "rejected as untrue on 2030-01-01" in again.reason
    assert found(memory, "问题出在哪里") == ["其实问题出在连接池"]


def test_the_user_may_state_a_rejected_idea_again(memory: Hindsight, refuted: WriteOut) -> None:
    assert memory.write("问题出在缓存", source="user_explicit").outcome == "stored"
    assert memory.write("问题出在缓存").outcome == "merged"


def test_a_restored_idea_is_no_longer_rejected(memory: Hindsight, refuted: WriteOut) -> None:
    assert refuted.memory is not None
    assert refuted.memory.supersedes is not None
    memory.update(refuted.memory.supersedes, restore=True)
    assert memory.write("问题出在缓存").outcome == "merged"


def test_what_contradicts_beside_the_named_one_is_decided_as_usual(memory: Hindsight) -> None:
    better = said(memory, "用户住在上海")
    guess = memory.write("用户住在杭州").memory
    assert guess is not None
    named = memory.write("用户住在成都", supersedes=guess.id)
    assert named.memory is not None
    assert (named.outcome, named.memory.status) == ("superseded", "disputed")
    assert named.memory.counter_examples == [better]
    assert memory.show(better).superseded_by is None
    assert memory.show(guess.id).superseded_by == named.memory.id


@pytest.mark.parametrize(
    ("compound", "change", "asked", "rest"),
    [
        (
            "I live in Leeds and work at Acme",
            "I moved to Berlin",
            "Where do I work?",
            "work at acme",
        ),
        ("We use npm and deploy to Vercel", "We switched to pnpm", "deploy", "deploy to vercel"),
        ("我住在上海并且喜欢吃辣", "我搬到杭州了", "我喜欢吃什么", "喜欢吃辣"),
        ("我住在上海，在腾讯上班", "我搬到杭州了", "我在哪里上班", "在腾讯上班"),
    ],
)
def test_what_falls_in_part_is_still_answered_and_the_writer_is_told(
    memory: Hindsight, compound: str, change: str, asked: str, rest: str
) -> None:
    old = said(memory, compound)
    written = memory.write(change, source="user_explicit")
    assert (written.outcome, memory.show(old).superseded_by) == ("disputed", None)
    assert rest in written.reason
    assert memory.show(old).status == "disputed"
    assert written.memory is not None
    assert written.memory.status == "confirmed"
    assert compound in found(memory, asked)
