"""Searching through the library, on a real store."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from hindsight_memory.core.model import Caller, Scope
from hindsight_memory.engine.memories import Memories
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.testing.fakes import FrozenClock


def found(memory: Hindsight, query: str, **given: object) -> list[str]:
    answer = memory.search(query, **given)  # type: ignore[arg-type]  # a test helper takes any
    return [hit.memory.content for hit in answer.hits]


def test_an_empty_query_lists_the_newest_first(memory: Hindsight) -> None:
    for content in ("first thing", "second thing", "third thing"):
        memory.write(content)
    assert found(memory, "", top_k=2) == ["third thing", "second thing"]


def test_two_projects_do_not_mix_and_what_has_none_answers_in_both(memory: Hindsight) -> None:
    memory.write("use pnpm", project="web")
    memory.write("use poetry", project="api")
    memory.write("use short commits")
    assert sorted(found(memory, "use", project="web")) == ["use pnpm", "use short commits"]
    assert sorted(found(memory, "use", project="api")) == ["use poetry", "use short commits"]


def test_users_do_not_see_each_other(memory: Hindsight) -> None:
    memory.write("ann likes tea", user_id="ann")
    assert found(memory, "tea", user_id="bob") == []
    assert found(memory, "tea", user_id="ann") == ["ann likes tea"]


def test_private_memories_are_their_agents_own(memory: Hindsight) -> None:
    memory.write("plan b", agent_id="planner", visibility="private", source="tool_result")
    assert found(memory, "plan", agent_id="planner") == ["plan b"]
    assert found(memory, "plan", agent_id="coder") == []


def test_another_agents_guesses_are_left_out_unless_asked_for(memory: Hindsight) -> None:
    memory.write("the cache is stale", agent_id="planner")
    memory.write("the cache is on disk", agent_id="planner", source="user_explicit")
    assert found(memory, "cache", agent_id="coder") == ["the cache is on disk"]
    asked = found(memory, "cache", agent_id="coder", include=["other_agents"])
    assert sorted(asked) == ["the cache is on disk", "the cache is stale"]


def test_tags_filter_and_are_relaxed_when_they_leave_nothing(memory: Hindsight) -> None:
    memory.write("tea in the morning", tags=["drink"])
    memory.write("tea shop closes at five", tags=["shop"])
    assert found(memory, "tea", tags=["drink"]) == ["tea in the morning"]
    relaxed = memory.search("tea", tags=["travel"])
    assert len(relaxed.hits) == 2
    assert relaxed.notes == ["no memory has these tags; searched without them"]


def test_all_tags_can_be_demanded(memory: Hindsight) -> None:
    memory.write("tea one", tags=["a"])
    memory.write("tea two", tags=["a", "b"])
    assert found(memory, "tea", tags=["a", "b"], tag_match="all") == ["tea two"]


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ({"since": "2030-01-02"}, ["late tea"]),
        ({"until": "2030-01-02"}, ["early tea"]),
        ({"since": "2030-01-01T00:00:00", "until": "2030-01-01T00:00:01"}, ["early tea"]),
        ({"time_range_hours": 24}, ["late tea"]),
    ],
    ids=str,
)
def test_times_filter_from_the_first_instant_and_before_the_last(
    memory: Hindsight, clock: FrozenClock, given: dict[str, object], expected: list[str]
) -> None:
    memory.write("early tea", valid_from=datetime(2030, 1, 1, tzinfo=UTC))
    memory.write("late tea", valid_from=datetime(2030, 1, 2, tzinfo=UTC))
    clock.advance(timedelta(days=2))
    assert found(memory, "tea", **given) == expected


def test_the_time_a_query_speaks_of_lifts_what_happened_then(
    memory: Hindsight, clock: FrozenClock
) -> None:
    for day in range(1, 9):
        then = datetime(2030, 1, day, tzinfo=UTC)
        memory.write("团队讨论了方案", layer="episodic", valid_from=then)
    clock.advance(timedelta(days=8))  # Wednesday, 9 January 2030
    [hit] = memory.search("上周三讨论了什么方案").hits
    assert hit.memory.valid_from == datetime(2030, 1, 2, tzinfo=UTC)
    assert len(hit.sources) == 8


def test_parts_add_up_to_the_score(memory: Hindsight) -> None:
    memory.write("tea in the morning")
    [hit] = memory.search("tea", explain=True).hits
    weighted = {k: v for k, v in hit.parts.items() if "." not in k and k != "validity"}
    assert hit.score == pytest.approx(hit.parts["validity"] * sum(weighted.values()), abs=1e-3)
    assert {"relevance.words", "relevance.meaning"} <= set(hit.parts)


def test_nothing_that_answers_is_said_to_be_weak(memory: Hindsight) -> None:
    memory.write("tea in the morning")
    answer = memory.search("quarterly revenue")
    assert answer.abstained
    assert [hit.verdict for hit in answer.hits] == ["weak"]
    assert not memory.search("morning tea").abstained


def test_equal_statements_are_one_hit_with_all_sources(memory: Hindsight) -> None:
    memory.write("Use pnpm", project="web")
    memory.write("use pnpm.", project="api")
    [hit] = memory.search("pnpm").hits
    assert len(hit.sources) == 2


def test_an_answer_says_how_many_superseded_memories_it_leaves_out(memory: Hindsight) -> None:
    last: str | None = None
    for port in (8000, 8001, 8002):
        written = memory.write(f"The API listens on port {port}", supersedes=last).memory
        last = None if written is None else written.id
    memory.write("我喜欢喝咖啡", source="user_explicit", user_id="mei")
    answer = memory.search("API port")
    assert [hit.memory.content for hit in answer.hits] == ["The API listens on port 8002"]
    assert answer.suppressed == 2
    asked = memory.search("API port", include=["superseded"])
    assert (len(asked.hits), asked.suppressed) == (3, 0)
    assert memory.search("喝咖啡", user_id="mei").suppressed == 0


def test_a_token_budget_is_kept(memory: Hindsight) -> None:
    memory.write("tea " * 300)
    memory.write("short tea")
    answer = memory.search("tea", token_budget=20)
    assert [hit.memory.content for hit in answer.hits] == ["short tea"]
    assert answer.notes == ["1 more did not fit into the token budget"]


def test_being_returned_refreshes_and_only_use_heats(
    memory: Hindsight, memories: Memories, scope: Scope
) -> None:
    written = memory.write("tea in the morning").memory
    assert written is not None
    answer = memory.search("tea")
    memories.settle()
    seen = memories.get(scope, written.id)
    assert (seen.access_count, seen.used_count, seen.heat) == (1, 0, 1.0)
    assert memory.feedback(answer.recall_id, [written.id], helped=True).used_ids == [written.id]
    used = memories.get(scope, written.id)
    assert used.used_count == 1
    assert used.heat == pytest.approx(1.1)


def test_a_use_counts_once_per_recall_and_also_for_what_was_not_returned(
    memory: Hindsight, memories: Memories, scope: Scope
) -> None:
    tea, milk = (memory.write(content).memory for content in ("green tea", "cold milk"))
    assert tea is not None
    assert milk is not None
    recall_id = memory.search("green tea", top_k=1).recall_id
    assert memory.feedback(recall_id, [tea.id, milk.id]).used_ids == [tea.id, milk.id]
    assert memory.feedback(recall_id, [tea.id]).used_ids == []
    assert memories.get(scope, tea.id).used_count == 1


def test_a_session_neighbour_lends_context(memory: Hindsight) -> None:
    memory.write("Where did you park the red bicycle?", session_id="s", layer="episodic")
    memory.write("Behind the old library.", session_id="s", layer="episodic")
    for number in range(20):
        memory.write(f"Chapter {number} of the novel is dull.", session_id=f"n{number}")
    assert "Behind the old library." in found(memory, "red bicycle", top_k=2)


@pytest.mark.parametrize(
    "given",
    [
        {"profile": "none"},
        {"top_k": 0},
        {"top_k": 51},
        {"time_range_hours": 0},
        {"time_range_hours": 1, "since": "2030-01-01"},
        {"since": "2030-01-02", "until": "2030-01-02"},
        {"include": ["forgotten"]},
        {"query": "x" * 8_001},
    ],
    ids=lambda given: str(given)[:40],
)
def test_a_search_that_cannot_be_is_refused(memory: Hindsight, given: dict[str, object]) -> None:
    with pytest.raises(InvalidInput):
        memory.search(**{"query": "tea", **given})  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("query", ["\x00", "\ud800 tea", "\u202e", '" OR *', "(", "的", "?", "🙂"])
def test_any_text_can_be_searched(memory: Hindsight, query: str) -> None:
    memory.write("tea in the morning")
    assert len(memory.search(query).hits) <= 1


MIXED = [
    "The deploy script lives in ops/deploy.sh", "用户住在杭州", "User's favourite editor is Vim",
    "会议室在三楼", "The staging database runs PostgreSQL 16", "用户喜欢爬山", "用户养了一只猫",
    "CI runs on every push", "The API rate limit is 100 requests a minute", "用户的生日是5月2日",
    "User prefers short answers", "项目代号是海豚", "用户喜欢吃川菜", "用户每周三打羽毛球",
    "The frontend uses React 19", "备份每天凌晨三点执行", "User works remotely on Fridays",
]  # fmt: skip


@pytest.mark.parametrize("query", ["今晚吃什么？", "what should I cook tonight"])
def test_a_constraint_answers_a_question_that_does_not_name_it(
    memory: Hindsight, query: str
) -> None:
    memory.write("用户对花生过敏", source="user_explicit")
    for number in range(49):
        content = MIXED[number % len(MIXED)]
        memory.write(content if number < len(MIXED) else f"{content} ({number})")
    assert "用户对花生过敏" in found(memory, query, top_k=3)


def test_own_profiles_and_defaults_come_from_the_settings(memories: Memories) -> None:
    from hindsight_memory.core.scoring import own_profile

    mine = own_profile("mine", {"importance": 1.0})
    parts = replace(
        memories.parts, profiles={**memories.parts.profiles, "mine": mine}, profile="mine"
    )
    memory = Hindsight(Memories(parts), Caller())
    memory.write("tea at noon", importance=0.1)
    memory.write("tea at five", importance=0.9)
    assert found(memory, "tea at noon") == ["tea at five", "tea at noon"]


@pytest.mark.parametrize(
    "query", ["今晚吃什么？", "what should I cook tonight", "what's for dinner?"]
)
def test_a_constraint_comes_before_a_liking(memory: Hindsight, query: str) -> None:
    for content in ("用户喜欢意大利菜", "用户对花生过敏", "数据库端口是5432"):
        memory.write(content)
    assert found(memory, query)[0] == "用户对花生过敏"
