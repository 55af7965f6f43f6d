"""How memories cool and end, by a clock that is an argument."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.heat import heat_at, is_kept
from hindsight_memory.core.life import UNASKED, Around, Options, plan_cap, plan_page, plan_pass
from hindsight_memory.core.model import Layer, Memory, Tier
from hindsight_memory.core.policy import MemoryType, Source, Status, lifetime
from hindsight_memory.core.steps import Action, Step, changed
from hindsight_memory.core.validity import validity
from hindsight_memory.testing.samples import a_memory

NOW = datetime(2030, 6, 1, 12, tzinfo=UTC)
DAY = timedelta(days=1)
ALONE = Around()
EVENT, FACT, TASK = MemoryType.EVENT, MemoryType.FACT, MemoryType.TASK


def aged(days: float, memory_id: str = "m1", **given: Any) -> Memory:
    """Written so many days ago, and untouched since."""
    written = NOW - days * DAY
    plain: dict[str, Any] = {"memory_type": EVENT, "created_at": written, "updated_at": written}
    return a_memory(memory_id, **plain | given)


def after(memories: Iterable[Memory], steps: Sequence[Step]) -> list[Memory]:
    """The memories once the steps are taken."""
    left = {memory.id: memory for memory in memories}
    for number, step in enumerate(steps):
        if step.action is Action.PURGED:
            del left[step.memory_ids[0]]
        done = changed(step, now=NOW, new_id=f"new{number}-{step.memory_ids[0]}")
        left |= {memory.id: memory for memory in done}
    return list(left.values())


def told(steps: Iterable[Step]) -> list[tuple[str, tuple[str, ...]]]:
    return [(step.action.value, step.memory_ids) for step in steps]


def only(memory: Memory, options: Options = UNASKED, around: Around = ALONE) -> str:
    """What is done about it alone; "" for nothing."""
    steps = plan_page([memory], NOW, options, around=around)
    assert len(steps) < 2
    return steps[0].action if steps else ""


def test_heat_loses_a_tenth_each_week_that_nobody_touches_it() -> None:
    assert heat_at(aged(0), NOW) == 1.0
    assert heat_at(aged(7), NOW) == pytest.approx(0.9)
    assert heat_at(aged(3.5), NOW) == pytest.approx(0.9**0.5)
    assert heat_at(aged(14, heat=2.0), NOW) == pytest.approx(1.62)


def test_being_read_or_changed_stops_the_cooling() -> None:
    assert heat_at(aged(100, last_accessed_at=NOW - 7 * DAY), NOW) == pytest.approx(0.9)
    assert heat_at(aged(100, updated_at=NOW - 7 * DAY), NOW) == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("days", "action"), [(79, ""), (81, "cooled"), (89, "cooled"), (90, "archived")]
)
def test_what_nobody_reads_cools_and_is_then_archived(days: int, action: str) -> None:
    assert only(aged(days)) == action


def test_what_was_read_three_times_stays_cold() -> None:
    assert only(aged(400, access_count=3)) == "cooled"
    assert only(aged(400, access_count=3, tier=Tier.COLD)) == ""
    assert only(aged(400, access_count=2)) == "archived"


def test_use_keeps_a_memory_warm_for_longer() -> None:
    assert only(aged(81, heat=1.1, access_count=3, used_count=1)) == ""
    assert only(aged(81, access_count=3)) == "cooled"


def test_a_step_says_what_was_required_and_what_was_found() -> None:
    [cooled] = plan_pass([aged(81)], NOW)
    assert cooled.reason == "cold: heat 0.295 after 81 days untouched; required: heat below 0.3"
    [archived] = plan_pass([aged(92, access_count=1)], NOW)
    assert archived.actual == "92 days untouched, read 1 times"
    assert archived.required == "90 days untouched, read fewer than 3 times"


@pytest.mark.parametrize(
    "kind",
    [
        {"memory_type": MemoryType.PREFERENCE},
        {"memory_type": MemoryType.DECISION},
        {"memory_type": MemoryType.LESSON, "layer": Layer.EPISODIC},
        {"memory_type": FACT, "status": Status.CONFIRMED},
    ],
    ids=str,
)
def test_what_matters_is_never_touched_however_old(kind: dict[str, Any]) -> None:
    old = aged(10_000, heat=0.0, expires_at=NOW - DAY, valid_to=NOW - 99 * DAY, **kind)
    assert plan_pass([old], NOW, Options(cap=0, purges_feedback=True)) == []
    assert only(replace(old, memory_type=FACT, status=Status.TENTATIVE)) == "expired"


def test_a_forgotten_a_superseded_and_a_quarantined_memory_are_left_alone() -> None:
    gone = [
        aged(400, "1", deleted_at=NOW),
        aged(400, "2", retired_at=NOW),
        aged(400, "3", status=Status.QUARANTINED),
    ]
    assert plan_pass(gone, NOW, Options(cap=0)) == []


def test_a_task_is_archived_thirty_days_after_it_was_done() -> None:
    def done(days: int) -> Memory:
        return aged(60, memory_type=TASK, valid_to=NOW - days * DAY, updated_at=NOW - days * DAY)

    assert [only(done(29)), only(done(30))] == ["", "expired"]
    assert only(aged(60, memory_type=TASK)) == ""


def test_a_task_that_is_brought_back_is_given_its_days_again() -> None:
    back = aged(90, memory_type=TASK, valid_to=NOW - 60 * DAY, updated_at=NOW - 29 * DAY)
    assert only(back) == ""


def test_only_a_scene_that_says_so_makes_a_memory_temporary() -> None:
    assert lifetime(FACT, "temporary") == lifetime(EVENT, "临时") == DAY
    assert lifetime(FACT, "troubleshooting") is lifetime(FACT, "") is None
    assert lifetime(MemoryType.PREFERENCE, "temporary") is None


def test_what_has_expired_is_archived_at_once() -> None:
    assert only(aged(1, expires_at=NOW)) == "expired"
    assert only(aged(1, expires_at=NOW + timedelta(seconds=1))) == ""


def test_feedback_is_archived_after_ninety_days_and_purged_only_when_asked() -> None:
    old = aged(90, memory_type=MemoryType.FEEDBACK, access_count=9)
    assert only(old) == "expired"
    assert only(replace(old, tier=Tier.ARCHIVED)) == ""
    asked = Options(purges_feedback=True)
    assert only(old, options=asked) == "purged"
    assert only(replace(old, tier=Tier.ARCHIVED), options=asked) == "purged"
    assert only(aged(89, memory_type=MemoryType.FEEDBACK), options=asked) == "cooled"


def test_feedback_that_a_lesson_rests_on_stays() -> None:
    old = aged(90, memory_type=MemoryType.FEEDBACK, access_count=9, tier=Tier.COLD)
    asked = Options(purges_feedback=True)
    assert only(old, options=asked, around=Around(cited=frozenset({"m1"}))) == ""


def test_a_fact_that_nobody_confirms_for_180_days_weighs_a_tenth() -> None:
    fact = aged(180, memory_type=FACT)
    younger = replace(fact, updated_at=fact.updated_at + DAY)
    assert validity(fact, NOW) == pytest.approx(0.1 * validity(younger, NOW))
    confirmed = replace(fact, status=Status.CONFIRMED)
    assert validity(confirmed, NOW) == validity(confirmed, NOW - 170 * DAY)
    assert validity(replace(fact, memory_type=TASK), NOW) == validity(younger, NOW)


def episode(memory_id: str, days: float, content: str = "Ann ran in the park", **given: Any) -> Any:
    return aged(days, memory_id, content=content, layer=Layer.EPISODIC, **given)


def test_an_episode_that_is_due_takes_its_cold_like_along() -> None:
    three = [episode("1", 90), episode("2", 85), episode("3", 82)]
    steps = plan_pass(three, NOW)
    assert told(steps) == [("compressed", ("1", "2", "3"))]
    assert steps[0].actual == "3 alike, 1 due; heat 0.258 after 90 days untouched"
    summary, *sources = changed(steps[0], now=NOW, new_id="sum")
    assert summary.evidence == ("1", "2", "3")
    assert {source.tier for source in sources} == {Tier.ARCHIVED}
    assert {source.related_ids for source in sources} == {("sum",)}


def test_nothing_is_compressed_before_one_of_the_group_is_due() -> None:
    three = [episode("1", 85), episode("2", 84), episode("3", 82)]
    assert told(plan_pass(three, NOW)) == [("cooled", (each,)) for each in "123"]


def test_what_is_no_event_waits_until_it_is_faint() -> None:
    def facts(days: int) -> list[Memory]:
        return [
            episode(each, days - int(each) / 9, memory_type=FACT, access_count=5) for each in "123"
        ]

    assert {action for action, _ in told(plan_pass(facts(152), NOW))} == {"cooled"}
    assert told(plan_pass(facts(154), NOW)) == [("compressed", ("1", "2", "3"))]


def test_an_archived_episode_still_joins_its_like_but_only_one_summary() -> None:
    archived = [episode(each, 120, tier=Tier.ARCHIVED) for each in "12"]
    summary = aged(
        1, "s", source=Source.RETROSPECTION, scene="compression", evidence=("1",), heat=1.0
    )
    due = episode("3", 91)
    assert told(plan_pass([*archived, due], NOW)) == [("compressed", ("1", "2", "3"))]
    with_summary = plan_page([due], NOW, UNASKED, around=Around(others=(*archived, summary)))
    assert told(with_summary) == [("archived", ("3",))]


@pytest.mark.parametrize(
    "reason",
    [
        {"source": Source.EXTERNAL},
        {"status": Status.DISPUTED},
        {"layer": Layer.SEMANTIC},
        {"agent_id": "another"},
        {"last_accessed_at": NOW},
    ],
    ids=str,
)
def test_what_a_summary_must_not_speak_for_is_no_part_of_it(reason: dict[str, Any]) -> None:
    three = [episode("1", 95), episode("2", 95), replace(episode("3", 95), **reason)]
    assert "compressed" not in {action for action, _ in told(plan_pass(three, NOW))}


def test_a_summary_of_what_is_no_longer_believed_is_withdrawn() -> None:
    summary = aged(1, source=Source.RETROSPECTION, scene="compression", evidence=("1", "2", "3"))
    [step] = plan_page([summary], NOW, UNASKED, around=Around(lost=frozenset({"2"})))
    assert (step.action, step.actual) == ("withdrawn", "1 of 3 are not")
    [gone] = changed(step, now=NOW, new_id="")
    assert gone.is_forgotten


def test_a_whole_life_knows_what_its_summaries_rest_on() -> None:
    sources = [episode(each, int(each)) for each in "12"]
    summary = aged(
        1,
        source=Source.RETROSPECTION,
        scene="compression",
        evidence=("1", "2"),
        status=Status.TENTATIVE,
    )
    assert plan_pass([*sources, summary], NOW) == []
    gone = replace(sources[0], deleted_at=NOW)
    assert told(plan_pass([gone, sources[1], summary], NOW)) == [("withdrawn", ("m1",))]


def test_a_cap_archives_the_coldest_active_unconfirmed_episodes() -> None:
    three = [episode("1", 3), episode("2", 9), episode("3", 6)]
    others = [
        episode("4", 60, status=Status.CONFIRMED),
        episode("5", 60, memory_type=MemoryType.PREFERENCE),
        aged(60, "6"),
    ]
    steps = plan_pass([*three, *others], NOW, Options(cap=1))
    assert sorted(told(steps)) == [("evicted", ("2",)), ("evicted", ("3",))]
    assert plan_pass([*three, *others], NOW, Options(cap=3)) == []


def test_of_equally_cold_episodes_the_newest_stay() -> None:
    steps = plan_cap([episode(each, 5) for each in "2134"], NOW, cap=2)
    assert sorted(each for step in steps for each in step.memory_ids) == ["1", "2"]


def test_a_clock_that_jumps_back_two_days_ages_nothing_and_undoes_nothing() -> None:
    back = NOW - 2 * DAY
    fresh = aged(0)
    assert heat_at(fresh, back) == 1.0
    assert plan_pass([fresh, replace(aged(95), tier=Tier.ARCHIVED)], back, Options()) == []


def test_a_memory_of_the_future_counts_as_just_written() -> None:
    future = aged(-400)
    assert heat_at(future, NOW) == 1.0
    assert plan_pass([future], NOW) == []
    assert validity(replace(future, memory_type=FACT), NOW) > 0.9


def test_a_task_that_ends_before_it_begins_is_over_when_it_was_written() -> None:
    backwards: dict[str, Any] = {
        "memory_type": TASK,
        "valid_from": NOW,
        "valid_to": NOW - 900 * DAY,
    }
    assert [only(aged(29, **backwards)), only(aged(30, **backwards))] == ["", "expired"]


@pytest.mark.parametrize("zone", ["America/New_York", "Europe/Berlin", "Australia/Lord_Howe"])
def test_thirty_days_are_720_hours_where_the_clocks_change(zone: str) -> None:
    done_at = datetime(2030, 3, 1, 12, tzinfo=ZoneInfo(zone))
    task = a_memory(memory_type=TASK, created_at=done_at, updated_at=done_at, valid_to=done_at)
    instant = done_at.astimezone(UTC) + timedelta(hours=720)
    assert plan_pass([task], instant - timedelta(seconds=1)) == []
    assert told(plan_pass([task], instant)) == [("expired", ("m1",))]


CONTENTS = (
    *(f"Ann ran in the park{end}" for end in ("", ".", "!", " again", " in the rain")),
    *("用户在公园跑步", "用户在公园跑步。", "用户在公园慢慢跑步"),
    *("The build failed", "The build did not fail", "Build 7 failed", "Build 8 failed"),
)
TIMES = st.integers(-10, 400).map(lambda days: NOW - days * DAY)


@st.composite
def lives(draw: Callable[..., Any]) -> list[Memory]:
    """One user's memories, with coincidences."""
    return [
        a_memory(
            f"m{number:02}",
            content=draw(st.sampled_from(CONTENTS)),
            memory_type=draw(st.sampled_from([EVENT, EVENT, *MemoryType])),
            layer=draw(st.sampled_from([Layer.EPISODIC, Layer.EPISODIC, Layer.SEMANTIC])),
            status=draw(st.sampled_from([Status.TENTATIVE, Status.TENTATIVE, *Status])),
            source=draw(st.sampled_from([Source.AGENT_INFERENCE, Source.EXTERNAL])),
            created_at=(written := draw(TIMES)),
            updated_at=max(written, draw(TIMES)),
            last_accessed_at=draw(st.none() | TIMES),
            access_count=draw(st.integers(0, 4)),
            heat=draw(st.sampled_from([0.05, 0.5, 1.0, 2.0])),
            tier=draw(st.sampled_from([Tier.ACTIVE, *Tier])),
            expires_at=draw(st.none() | st.none() | TIMES),
            valid_to=draw(st.none() | st.none() | TIMES),
            deleted_at=draw(st.none() | st.none() | TIMES),
            retired_at=draw(st.none() | st.none() | TIMES),
        )
        for number in range(draw(st.integers(0, 14)))
    ]


OPTIONS = st.sampled_from([Options(), Options(cap=0), Options(cap=2, purges_feedback=True)])


@given(lives(), OPTIONS)
def test_a_second_pass_right_after_finds_nothing_to_do(lived: Any, options: Options) -> None:
    once = after(lived, plan_pass(lived, NOW, options))
    assert plan_pass(once, NOW, options) == []


@given(lives(), OPTIONS, st.randoms(use_true_random=False))
def test_the_order_of_memories_changes_nothing(lived: Any, options: Options, chance: Any) -> None:
    shuffled = chance.sample(lived, len(lived))
    one, other = plan_pass(lived, NOW, options), plan_pass(shuffled, NOW, options)
    assert sorted(told(one)) == sorted(told(other))


@given(lives(), OPTIONS)
def test_what_is_kept_only_ever_gives_way_to_the_same_statement(
    lived: Any, options: Options
) -> None:
    for step in plan_pass(lived, NOW, options):
        if any(map(is_kept, step.memories)):
            assert step.action is Action.MERGED


@given(lives(), OPTIONS)
def test_steps_come_in_order_and_each_follows_the_version_before(
    lived: Any, options: Options
) -> None:
    steps = plan_pass(lived, NOW, options)
    order = [list(Action).index(step.action) for step in steps]
    assert order == sorted(order)
    versions = {memory.id: memory.version for memory in lived}
    for step in steps:
        assert [each.version for each in step.memories] == [versions[i] for i in step.memory_ids]
        versions |= {each.id: each.version for each in changed(step, now=NOW, new_id="new")}
