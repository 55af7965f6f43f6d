"""When and by whom something is said decides what becomes of it."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.conflict import Resolution, Statement, Verdict, judge, settle
from hindsight_memory.core.model import Memory
from hindsight_memory.core.policy import TRUST, MemoryType, Source

MONDAY = datetime(2030, 1, 7, 9, tzinfo=UTC)
DAY = timedelta(days=1)
OLD = Statement(content="User lives in York.", happened_at=MONDAY)
NEW = Statement(content="User moved to Leeds.", happened_at=MONDAY + DAY)
CHANGES = [
    ("User lives in York.", "User moved to Leeds."),
    ("The port is 8000.", "The port is 9000."),
    ("User likes coffee.", "User gave up coffee."),
    ("User lives in York.", "Correction: User lives in Leeds."),
    ("我住在杭州", "我搬到成都了"),
    ("我喜欢喝咖啡", "我戒咖啡了"),
]


def by(statement: Statement, source: Source) -> Statement:
    return replace(statement, source=source, trust=TRUST[source].trust)


@pytest.mark.parametrize(
    ("change", "rule", "verdict"),
    [
        ({"happened_at": MONDAY - DAY}, "back_filled", Verdict.COMPLEMENTARY),
        ({"happened_at": MONDAY}, "same_time", Verdict.TENSION),
        ({"time_is_inferred": True}, "inferred_time", Verdict.TENSION),
        ({"valid_to": MONDAY + 3 * DAY}, "passing", Verdict.COMPLEMENTARY),
        ({}, "replaced_value", Verdict.SUPERSEDED),
    ],
    ids=str,
)
def test_the_time_of_the_newer(change: dict[str, Any], rule: str, verdict: Verdict) -> None:
    judgement = judge(OLD, replace(NEW, **change))
    assert (judgement.rule, judgement.verdict) == (rule, verdict)


def test_what_had_ended_before_is_not_retired_again() -> None:
    assert judge(replace(OLD, valid_to=MONDAY), NEW).rule == "ended_before"


def test_an_end_that_is_not_reached_is_no_reason_against() -> None:
    assert judge(replace(OLD, valid_to=MONDAY + 9 * DAY), NEW).verdict is Verdict.SUPERSEDED


def test_an_inferred_time_of_the_older_retires_nothing_and_protects_nothing() -> None:
    assert judge(replace(OLD, time_is_inferred=True), NEW).verdict is Verdict.SUPERSEDED


def test_a_year_before_the_older_was_said_does_not_explain_the_change() -> None:
    joined = replace(NEW, content="User joined Globex in 2022.")
    judgement = judge(replace(OLD, content="User works at Initech."), joined)
    assert (judgement.rule, judgement.verdict) == ("began_before", Verdict.TENSION)


def test_a_cause_of_nobody_knows_what_needs_a_common_tag() -> None:
    tags = frozenset({"login"})
    old = Statement(content="问题出在缓存", happened_at=MONDAY, tags=tags)
    new = Statement(content="问题出在连接池", happened_at=MONDAY + DAY, tags=tags)
    assert judge(old, new).verdict is Verdict.REFUTED
    assert judge(old, replace(new, tags=frozenset())).verdict is Verdict.TENSION


@given(st.sampled_from(CHANGES), st.timedeltas(min_value=timedelta(microseconds=1), max_value=DAY))
def test_a_back_filled_statement_never_retires_a_newer_one(
    change: tuple[str, str], before: timedelta
) -> None:
    old = Statement(content=change[0], happened_at=MONDAY)
    new = Statement(content=change[1], happened_at=MONDAY - before)
    assert settle(judge(old, new), old, new).resolution is Resolution.KEEP_OLD


@given(st.sampled_from(CHANGES), st.sampled_from(Source), st.sampled_from(Source))
def test_the_newer_stays_exactly_when_its_source_is_as_good(
    change: tuple[str, str], source: Source, newer: Source
) -> None:
    old = by(Statement(content=change[0], happened_at=MONDAY), source)
    new = by(Statement(content=change[1], happened_at=MONDAY + DAY), newer)
    disposition = settle(judge(old, new), old, new)
    if TRUST[newer].trust >= TRUST[source].trust:
        assert disposition.resolution is Resolution.KEEP_NEW
    else:
        assert (disposition.resolution, disposition.is_disputed) == (Resolution.KEEP_BOTH, True)


@given(st.sampled_from(CHANGES), st.sampled_from(Source))
def test_an_inferred_time_never_retires_anything(change: tuple[str, str], source: Source) -> None:
    old = Statement(content=change[0], happened_at=MONDAY, trust=0.0)
    new = by(Statement(content=change[1], happened_at=MONDAY + DAY, time_is_inferred=True), source)
    disposition = settle(judge(old, new), old, new)
    assert (disposition.resolution, disposition.is_disputed) == (Resolution.KEEP_BOTH, False)


def test_different_values_at_one_time_are_disputed() -> None:
    new = replace(NEW, happened_at=MONDAY)
    disposition = settle(judge(OLD, new), OLD, new)
    assert (disposition.resolution, disposition.is_disputed) == (Resolution.KEEP_BOTH, True)


def test_two_people_at_one_time_are_for_a_person_to_decide() -> None:
    old = by(OLD, Source.USER_CONFIRMED)
    new = by(replace(NEW, happened_at=MONDAY), Source.USER_CONFIRMED)
    assert settle(judge(old, new), old, new).resolution is Resolution.MANUAL


@pytest.mark.parametrize("content", ["User likes tea.", "User lives in York.", "User has a cat."])
def test_what_can_both_hold_is_kept_undisputed(content: str) -> None:
    new = replace(NEW, content=content)
    disposition = settle(judge(OLD, new), OLD, new)
    assert (disposition.resolution, disposition.is_disputed) == (Resolution.KEEP_BOTH, False)


def test_a_part_that_still_holds_keeps_the_older_from_being_retired() -> None:
    old = replace(OLD, content="User lives in York and speaks Thai.")
    disposition = settle(judge(old, NEW), old, NEW)
    assert (disposition.resolution, disposition.is_disputed) == (Resolution.KEEP_BOTH, False)


def test_what_happened_once_is_never_superseded() -> None:
    old = replace(OLD, memory_type=MemoryType.EVENT)
    assert (judge(old, NEW).rule, judge(old, NEW).verdict) == ("event", Verdict.COMPLEMENTARY)


def test_a_memory_becomes_a_statement() -> None:
    memory = Memory(
        id="1",
        tenant="acme",
        user_id="ann",
        agent_id="coder",
        content="我对花生过敏",
        source=Source.TOOL_RESULT,
        trust=0.7,
        tags=frozenset({"health"}),
        valid_from=MONDAY - DAY,
        created_at=MONDAY,
        updated_at=MONDAY,
    )
    assert Statement.of(memory) == Statement(
        content="我对花生过敏",
        happened_at=MONDAY - DAY,
        source=Source.TOOL_RESULT,
        trust=0.7,
        memory_type=MemoryType.FACT,
        tags=frozenset({"health"}),
        valid_from=MONDAY - DAY,
    )
