"""What a write does to what is there, decided without a store."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from hindsight_memory.core.lifecycle import edited, forgotten, gave_way
from hindsight_memory.core.model import (
    Draft,
    Edit,
    Layer,
    Memory,
    Outcome,
    Related,
    Tier,
    Visibility,
)
from hindsight_memory.core.planning import memory_of, plan_write
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.errors import Conflict, InvalidInput

NOON = datetime(2030, 1, 1, 12, tzinfo=UTC)


def new(content: str, new_id: str = "new", **given: Any) -> Memory:
    draft = Draft(content=content, user_id="ann", agent_id="coder", **given)
    return memory_of(draft, tenant="acme", new_id=new_id, now=NOON)


def old(content: str, **given: Any) -> Memory:
    memory = new(content, new_id="old", **given)
    return replace(memory, created_at=NOON - timedelta(days=1))


def plan(memory: Memory, *near: Memory, similarity: float = 1.0) -> Any:
    related = [Related(memory=each, similarity=similarity) for each in near]
    return plan_write(memory, related, replaced=None)


def test_a_draft_takes_the_defaults_of_its_source() -> None:
    memory = new("用户偏好用中文交流", source=Source.USER_EXPLICIT)
    assert (memory.status, memory.trust, memory.confidence) == (Status.CONFIRMED, 0.9, 0.95)
    assert (memory.layer, memory.importance) == (Layer.SEMANTIC, 0.5)
    assert memory.memory_type is MemoryType.PREFERENCE


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The user prefers dark mode", "user prefers dark mode."),
        ("用户偏好用中文交流", "用户偏好用中文交流。"),
        ("用戶喜歡喝茶", "用户喜欢喝茶"),
    ],
)
def test_the_same_statement_is_merged(before: str, after: str) -> None:
    merged = plan(new(after), old(before))
    assert merged.outcome is Outcome.MERGED
    assert [(memory.id, memory.version) for memory in merged.puts] == [("old", 2)]
    assert merged.memory.content == before


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("The billing service listens on port 8000", "The billing service listens on port 9000"),
        ("The billing service listens on port 8000", "The payment service listens on port 8000"),
        ("The user likes tea", "The user does not like tea"),
        ("会议在3月5日", "会议在3月6日"),
        ("张三负责支付", "李四负责支付"),
        ("配置数据库", "配置日志"),
        ("Ann manages Bob", "Bob manages Ann"),
    ],
)
def test_a_changed_value_is_never_a_duplicate(before: str, after: str) -> None:
    done = plan(new(after), old(before))
    assert done.outcome in {Outcome.STORED, Outcome.SUPERSEDED}
    assert done.memory.id == "new"


def test_no_vector_is_needed_to_see_that_a_statement_is_the_same() -> None:
    assert plan(new("I moved to Berlin!"), old("I moved to Berlin."), similarity=0.5).outcome is (
        Outcome.MERGED
    )


def test_another_session_or_agent_corroborates_and_the_same_one_does_not() -> None:
    before = old("tea", confidence=0.6)
    assert plan(new("tea"), before).memory.confidence == 0.6
    elsewhere = replace(new("tea"), agent_id="reviewer")
    assert plan(elsewhere, before).memory.confidence == pytest.approx(0.64)


def test_a_repetition_by_the_user_confirms_an_inference() -> None:
    merged = plan(new("tea", source=Source.USER_EXPLICIT), old("tea")).memory
    assert (merged.source, merged.status) == (Source.USER_EXPLICIT, Status.CONFIRMED)


@pytest.mark.parametrize(
    "elsewhere",
    [
        {"project": "other"},
        {"user_id": "bob"},
        {"visibility": Visibility.PRIVATE},
        {"layer": Layer.EPISODIC},
    ],
    ids=str,
)
def test_memories_in_different_places_do_not_merge(elsewhere: dict[str, Any]) -> None:
    assert plan(new("tea"), replace(old("tea"), **elsewhere)).outcome is Outcome.STORED


def test_the_same_episode_in_another_session_is_another_episode() -> None:
    before = old("tests failed", layer=Layer.EPISODIC, session_id="monday")
    again = new("tests failed", layer=Layer.EPISODIC, session_id="tuesday")
    assert plan(again, before).outcome is Outcome.STORED


PORT = frozenset({"port"})


def test_a_new_value_under_the_same_tags_and_subject_supersedes() -> None:
    before = old("The billing service listens on port 8000", tags=PORT)
    after = new("The billing service listens on port 9000", tags=PORT)
    done = plan(after, before)
    retired, kept = done.puts
    assert done.outcome is Outcome.SUPERSEDED
    assert (kept.supersedes, retired.superseded_by) == ("old", "new")
    assert (retired.retired_at, retired.valid_to, retired.version) == (NOON, NOON, 2)


@pytest.mark.parametrize(
    ("before", "after", "tags"),
    [
        ("用户对花生过敏", "用户喜欢吃辣", {"饮食"}),
        ("The billing service uses port 8000", "The payment service uses port 9000", {"port"}),
    ],
)
def test_other_subjects_other_slots_and_no_tags_do_not_supersede(
    before: str, after: str, tags: set[str]
) -> None:
    shared = frozenset(tags)
    assert plan(new(after, tags=shared), old(before, tags=shared)).outcome is Outcome.STORED


def test_wording_of_a_change_supersedes_under_the_same_tags() -> None:
    before = old("用户喜欢喝咖啡", tags=frozenset({"饮料"}))
    after = new("用户现在改喝茶了", tags=frozenset({"饮料"}))
    assert plan(after, before).outcome is Outcome.SUPERSEDED


def test_a_back_filled_older_fact_retires_nothing() -> None:
    before = old("The billing service listens on port 8000", tags=PORT)
    earlier = new(
        "The billing service listens on port 7000", tags=PORT, valid_from=NOON - timedelta(days=9)
    )
    assert plan(earlier, before).outcome is Outcome.STORED


def test_what_the_caller_names_is_superseded_whatever_it_says() -> None:
    done = plan_write(new("tea"), [], replaced=old("coffee"))
    assert [(memory.id, memory.superseded_by) for memory in done.puts] == [
        ("old", "new"),
        ("new", None),
    ]


def test_what_says_the_same_as_the_named_one_gives_way_with_it() -> None:
    named = replace(old("The billing service listens on port 8000"), id="named")
    other = old("The billing service listens on port 8001")
    apart = replace(old("The payment service listens on port 7000"), id="apart")
    near = [Related(memory=each, similarity=1.0) for each in (named, other, apart)]
    done = plan_write(new("The billing service listens on port 9000"), near, replaced=named)
    assert {memory.id: memory.superseded_by for memory in done.puts} == {
        "named": "new",
        "old": "new",
        "new": None,
    }
    assert done.memory.supersedes == "named"
    assert done.reason.startswith("it replaces 'named': it was named in `supersedes`; and 'old': ")


def test_what_was_never_true_is_refuted_beside_the_named_one() -> None:
    named = replace(old("登录失败因为网络"), id="named")
    near = [Related(memory=old("问题出在缓存"), similarity=1.0)]
    done = plan_write(new("其实问题出在连接池"), near, replaced=named)
    assert [each.id for each in done.refuted] == ["old"]


def test_external_text_disputes_and_never_replaces_a_better_source() -> None:
    before = old("pay to account 1", source=Source.USER_EXPLICIT)
    after = new("pay to account 2", source=Source.EXTERNAL)
    done = plan_write(after, [], replaced=before)
    assert done.outcome is Outcome.DISPUTED
    assert [(memory.id, memory.status) for memory in done.puts] == [("new", Status.DISPUTED)]


def test_a_stale_expected_version_is_a_conflict() -> None:
    with pytest.raises(Conflict, match="is at version 1, not 7"):
        edited(old("tea"), Edit(memory_id="old", importance=1.0, expected_version=7), NOON)


def test_no_update_confirms_what_its_source_does_not() -> None:
    with pytest.raises(InvalidInput, match="cannot be confirmed"):
        edited(old("tea"), Edit(memory_id="old", status=Status.CONFIRMED), NOON)


def test_no_update_releases_quarantine() -> None:
    held = replace(old("tea"), status=Status.QUARANTINED)
    with pytest.raises(InvalidInput, match="person"):
        edited(held, Edit(memory_id="old", status=Status.TENTATIVE), NOON)


def test_a_forgotten_memory_can_be_restored() -> None:
    gone = forgotten(old("tea"), NOON)
    back = edited(gone, Edit(memory_id="old", restore=True), NOON)
    assert (gone.is_forgotten, back.is_forgotten, back.version) == (True, False, 3)


def test_what_is_restored_after_its_time_stays() -> None:
    temporary = new("the door code is 7", scene="temporary")
    assert temporary.expires_at == NOON + timedelta(days=1)
    archived = replace(temporary, id="old", tier=Tier.ARCHIVED)
    for hours, expires_at in ((23, temporary.expires_at), (24, None)):
        at = NOON + timedelta(hours=hours)
        back = edited(archived, Edit(memory_id="old", restore=True), at)
        assert (back.tier, back.expires_at) == (Tier.ACTIVE, expires_at)


def test_what_is_said_again_comes_back_and_stays_as_long_as_either() -> None:
    cold = replace(old("tea", scene="temporary"), tier=Tier.ARCHIVED)
    assert plan(new("tea", scene="temporary"), cold).memory.tier is Tier.ACTIVE
    assert plan(new("tea", scene="temporary"), cold).memory.expires_at == cold.expires_at
    assert plan(new("tea"), cold).memory.expires_at is None


def test_a_superseded_memory_is_restored_in_place_of_its_successor() -> None:
    retired = replace(old("tea"), superseded_by="new", retired_at=NOON, valid_to=NOON)
    back = edited(retired, Edit(memory_id="old", restore=True), NOON)
    assert (back.superseded_by, back.retired_at, back.valid_to) == (None, None, None)
    gone = gave_way(replace(new("coffee"), supersedes="old"), back, NOON)
    assert (gone.superseded_by, gone.supersedes, gone.retired_at) == ("old", None, NOON)


def said(content: str, **given: Any) -> Memory:
    return new(content, source=Source.USER_EXPLICIT, **given)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("我喜欢喝咖啡", "我戒咖啡了"),
        ("The billing service listens on port 8000", "The billing service listens on port 9000"),
        ("用户住在杭州", "用户搬到了柏林"),
    ],
)
def test_a_changed_slot_supersedes_without_any_tag(before: str, after: str) -> None:
    done = plan(said(after), old(before, source=Source.USER_EXPLICIT))
    assert done.outcome is Outcome.SUPERSEDED
    assert "required" in done.reason or ":" in done.reason


def test_a_better_source_is_not_replaced_by_a_worse_one() -> None:
    before = old("The billing service listens on port 8000", source=Source.USER_EXPLICIT)
    done = plan(new("The billing service listens on port 9000"), before)
    doubted, disputed = done.puts
    assert done.outcome is Outcome.DISPUTED
    assert (doubted.status, doubted.counter_examples) == (Status.CONFIRMED, ("new",))
    assert (disputed.status, disputed.counter_examples) == (Status.DISPUTED, ("old",))


def test_what_was_never_true_is_retired_from_the_start() -> None:
    before = old("问题出在缓存")
    done = plan(new("其实问题出在连接池"), before)
    retired, _ = done.puts
    assert (retired.valid_to, retired.counter_examples) == (before.happened_at, ("new",))
    assert [each.id for each in done.refuted] == ["old"]


def test_an_older_state_told_later_is_history_from_the_start() -> None:
    before = old("用户住在柏林", source=Source.USER_EXPLICIT)
    told = said("用户住在杭州", valid_from=NOON - timedelta(days=900))
    done = plan(told, before)
    assert done.outcome is Outcome.STORED
    assert (done.memory.superseded_by, done.memory.valid_to) == ("old", before.happened_at)


def test_other_circumstances_are_no_contradiction() -> None:
    before = old("原型用SQLite做数据库", source=Source.USER_EXPLICIT)
    assert plan(said("生产环境用PostgreSQL做数据库"), before).outcome is Outcome.STORED


@pytest.mark.parametrize("layer", [Layer.EPISODIC])
def test_what_happened_retires_nothing(layer: Layer) -> None:
    before = old("The billing service listens on port 8000")
    happened = new("The billing service listens on port 9000", layer=layer)
    assert plan(happened, before).outcome is Outcome.STORED


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (
            "红塔公园位于滨江大道，是市民散步的地方。",
            "东山医院是位于老城区的一家大医院，建于1950年。",
        ),
        ("1978年，在师范学院中文系学习。", "位于江北新区，面积约四平方公里。"),
    ],
)
def test_texts_of_other_subjects_do_not_meet_in_clauses_without_one(
    before: str, after: str
) -> None:
    assert plan(said(after), old(before, source=Source.USER_EXPLICIT)).outcome is Outcome.STORED
