"""Update, forget, restore, purge and history through the library."""

from datetime import timedelta

import pytest

from hindsight_memory.core.model import Scope
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import Conflict, InvalidInput, NotFound
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock


@pytest.fixture
def tea(memory: Hindsight) -> str:
    written = memory.write("用户喜欢喝茶", tags=["饮料"]).memory
    assert written is not None
    return written.id


def contents(memory: Hindsight, query: str) -> list[str]:
    return [hit.memory.content for hit in memory.search(query).hits]


def test_an_update_is_a_new_version_with_its_reason(memory: Hindsight, tea: str) -> None:
    after = memory.update(tea, content="用户喜欢喝绿茶", reason="更具体", expected_version=1)
    assert (after.content, after.version) == ("用户喜欢喝绿茶", 2)
    [_, last] = memory.history(tea).revisions
    assert (last.reason, last.operation) == ("更具体", "updated")
    assert last.before["content"] == "用户喜欢喝茶"


def test_updated_content_is_found_and_the_old_wording_is_not(memory: Hindsight, tea: str) -> None:
    memory.update(tea, content="用户喜欢爬山")
    assert contents(memory, "爬山") == ["用户喜欢爬山"]
    hits = memory.search("喝茶", explain=True).hits
    assert [hit.parts["relevance.words"] for hit in hits] == [0.0]


def test_a_stale_version_is_a_conflict_and_changes_nothing(memory: Hindsight, tea: str) -> None:
    memory.update(tea, importance=0.9)
    with pytest.raises(Conflict):
        memory.update(tea, importance=0.1, expected_version=1)
    assert memory.show(tea).importance == 0.9


def test_nothing_to_update_is_said(memory: Hindsight, tea: str) -> None:
    with pytest.raises(InvalidInput, match="nothing to update"):
        memory.update(tea, reason="why not")


def test_an_update_makes_no_twin(memory: Hindsight, tea: str) -> None:
    other = memory.write("the port is 8000").memory
    assert other is not None
    with pytest.raises(Conflict, match="has this content already"):
        memory.update(other.id, content="用户喜欢喝茶")


def test_forgetting_hides_and_restoring_brings_back(memory: Hindsight, tea: str) -> None:
    memory.forget(tea, reason="asked to")
    assert contents(memory, "茶") == []
    with pytest.raises(NotFound, match="restore"):
        memory.show(tea)
    assert [each.id for each in memory.list(include=["forgotten"]).memories] == [tea]
    assert memory.update(tea, restore=True).deleted_at is None
    assert contents(memory, "茶") == ["用户喜欢喝茶"]


def test_forgetting_twice_and_forgetting_nothing_are_errors(memory: Hindsight, tea: str) -> None:
    memory.forget(tea)
    with pytest.raises(NotFound, match="already"):
        memory.forget(tea)
    with pytest.raises(InvalidInput, match="memory_id"):
        memory.forget()
    with pytest.raises(InvalidInput, match="memory_id"):
        memory.forget(tea, query="茶")


def test_a_query_previews_and_forgets_nothing(memory: Hindsight) -> None:
    for content in ("gen-itgc failed", "GEN_ITGC is slow", "gen-itgc-2 works", "itgc"):
        memory.write(content)
    preview = memory.forget(query="gen-itgc")
    assert preview.outcome == "preview"
    assert [each.content for each in preview.candidates] == ["GEN_ITGC is slow", "gen-itgc failed"]
    assert len(memory.list().memories) == 4


def test_a_preview_tells_what_it_is_less_sure_of_and_shows_that_last(memory: Hindsight) -> None:
    for content in ("Peanut-allergy noted in the file", "Ann is allergic to peanuts"):
        memory.write(content)
    preview = memory.forget(query="peanut allergy")
    assert [(each.content, each.match) for each in preview.candidates] == [
        ("Peanut-allergy noted in the file", "whole"),
        ("Ann is allergic to peanuts", "words"),
    ]
    assert preview.notes[1] == (
        "1 of them hold its words in another form or order: look whether each is meant"
    )


def test_names_alone_denote_only_where_nothing_else_does(memory: Hindsight) -> None:
    memory.write("The deadline of PROJ-7741 is Friday")
    assert [each.match for each in memory.forget(query="PROJ-7741的截止日期").candidates] == [
        "names"
    ]
    memory.write("PROJ-7741的截止日期是周五")
    assert [each.match for each in memory.forget(query="PROJ-7741的截止日期").candidates] == [
        "whole"
    ]


@pytest.mark.parametrize("order", ["do not forget that I like tea", "不要忘记我喜欢喝茶"])
def test_an_order_to_keep_shows_nothing_to_forget(memory: Hindsight, order: str) -> None:
    memory.write("I like tea")
    memory.write("我喜欢喝茶")
    preview = memory.forget(query=order)
    assert preview.candidates == []
    assert preview.notes == [f"{order!r} asks to keep something; to forget it, give its name alone"]


def test_a_preview_is_never_cut(memory: Hindsight) -> None:
    for number in range(120):
        memory.write(f"run {number} of gen-itgc took {number} minutes")
    assert len(memory.forget(query="gen itgc").candidates) == 120


def test_a_purged_memory_is_nowhere(
    memory: Hindsight, memories: Memories, scope: Scope, tea: str
) -> None:
    memory.search("茶")
    assert memory.forget(tea, hard_delete=True).outcome == "purged"
    for gone in (memory.show, memory.history, memory.forget):
        with pytest.raises(NotFound):
            gone(tea)
    assert contents(memory, "茶") == []
    assert memories.parts.store.problems() == []


def test_a_foreign_id_answers_like_a_missing_one(memory: Hindsight) -> None:
    hidden = memory.write("plan b", agent_id="planner", visibility="private").memory
    assert hidden is not None
    with pytest.raises(NotFound) as foreign:
        memory.show(hidden.id)
    with pytest.raises(NotFound) as missing:
        memory.show("missing")
    assert str(foreign.value) == f"no memory {hidden.id!r}"
    assert str(missing.value) == "no memory 'missing'"
    assert memory.show(hidden.id, agent_id="planner").content == "plan b"


def test_feedback_needs_a_recall_and_memories_that_exist(memory: Hindsight, tea: str) -> None:
    recall_id = memory.search("茶").recall_id
    with pytest.raises(NotFound, match="no recall"):
        memory.feedback("missing", [tea])
    with pytest.raises(NotFound, match="no memory 'missing'"):
        memory.feedback(recall_id, [tea, "missing"])
    assert memory.show(tea).used_count == 0


def test_pages_go_back_in_time_without_gaps(memory: Hindsight) -> None:
    for number in range(5):
        memory.write(f"note number {number}")
    seen, before = [], None
    while True:
        page = memory.list(limit=2, before=before)
        seen += [each.content for each in page.memories]
        if (before := page.next) is None:
            break
    assert seen == [f"note number {number}" for number in (4, 3, 2, 1, 0)]


def test_an_id_of_another_user_is_not_forgotten(memory: Hindsight, tea: str) -> None:
    with pytest.raises(NotFound):
        memory.forget(tea, user_id="bob", hard_delete=True)
    assert memory.forget(tea, user_id="default").outcome == "forgotten"


def home(memory: Hindsight, content: str) -> str:
    written = memory.write(content, source="user_explicit").memory
    assert written is not None
    return written.id


def test_an_edit_makes_no_second_head(memory: Hindsight, clock: FrozenClock) -> None:
    head = home(memory, "用户住在上海")
    clock.advance(timedelta(days=1))
    other = home(memory, "用户喜欢喝茶")
    with pytest.raises(Conflict, match=f"'{head}' gives the same another value"):
        memory.update(other, content="用户住在杭州")
    assert memory.update(head, content="用户住在杭州").content == "用户住在杭州"


@pytest.mark.parametrize("set_back", [timedelta(0), timedelta(days=30)])
@pytest.mark.parametrize(
    ("said", "change"),
    [("我搬到杭州了", "I live in Oslo"), ("I moved to Bonn", "I live in Oslo and drive a Volvo")],
)
def test_an_edit_is_judged_like_a_write_wherever_the_clock_stands(
    memory: Hindsight, clock: FrozenClock, set_back: timedelta, said: str, change: str
) -> None:
    current = home(memory, said)
    other = home(memory, "The API listens on port 8000")
    clock.advance(-set_back)
    with pytest.raises(Conflict, match=f"'{current}' gives the same another value"):
        memory.update(other, content=change)
    assert memory.show(other).content == "The API listens on port 8000"


def test_an_edit_is_judged_by_shared_tags_too(memory: Hindsight) -> None:
    memory.write("The hall seats 120 people", tags=["hall"])
    other = memory.write("The hall has 4 doors", tags=["hall"]).memory
    assert other is not None
    with pytest.raises(Conflict, match="another value"):
        memory.update(other.id, content="The hall seats 150 people")


def test_what_is_restored_is_the_head_again(memory: Hindsight, clock: FrozenClock) -> None:
    first = home(memory, "用户住在上海")
    memory.forget(first)
    clock.advance(timedelta(days=1))
    second = home(memory, "我搬到杭州了")
    memory.update(first, restore=True)
    assert [each.id for each in memory.list().memories] == [first]
    assert memory.show(second).superseded_by == first
    memory.update(second, restore=True)
    assert [each.id for each in memory.list().memories] == [second]
