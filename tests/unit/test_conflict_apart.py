"""True facts that look like values of one attribute, and are not: both stay."""

from datetime import UTC, datetime, timedelta

import pytest

from hindsight_memory.core.conflict import Statement, Verdict, judge

MONDAY = datetime(2030, 1, 7, 9, tzinfo=UTC)
RETIRING = {Verdict.SUPERSEDED, Verdict.REFUTED}


def verdict(old: str, new: str) -> Verdict:
    before = Statement(content=old, happened_at=MONDAY)
    return judge(before, Statement(content=new, happened_at=MONDAY + timedelta(minutes=1))).verdict


DATED = [
    ("Bob worked at Acme in 2010", "Bob worked at Globex in 2015"),
    ("The retry limit was 3 in 2020", "The retry limit was 5 in 2021"),
    ("队列端口是5672", "队列端口去年是5671"),
    ("我住在上海", "我去年住在杭州"),
]
OTHER_ATTRIBUTES = [
    ("Bob's favourite book is Dune", "Bob's favourite film is Alien"),
    ("我们把数据库改用Postgres", "我们把缓存改用Redis"),
    ("小周换了手机", "小周换了工作"),
    ("Dana switched to oat milk", "Dana switched to a standing desk"),
    ("The farm has 30 goats in the valley", "The farm has 45 goats on the hill"),
]
PROPERTIES = [
    ("The database is Postgres", "The database is slow"),
    ("The deadline is Friday", "The deadline is tight"),
    ("The default branch is main", "The default branch is protected"),
    ("截止日期是周五", "截止日期是固定的"),
    ("Bob lives in Paris", "Bob lives in a small flat"),
    ("Bob lives in Paris", "Bob lives in fear"),
    ("用户住在上海", "用户住在一楼"),
    ("用户住在上海", "用户住在宿舍"),
    ("用户在腾讯工作", "用户在晚上工作"),
]
PART_TIME = [
    ("Bob lives in Paris", "Bob lives in Rome on weekends"),
    ("Bob works at Acme", "Bob works at home on Fridays"),
]
SEVERAL = [
    ("The train stops at platform 3", "The train stops at platform 7"),
]


@pytest.mark.parametrize(("old", "new"), DATED)
def test_what_was_at_one_date_leaves_what_was_at_another(old: str, new: str) -> None:
    assert verdict(old, new) not in RETIRING


@pytest.mark.parametrize(("old", "new"), OTHER_ATTRIBUTES)
def test_another_attribute_leaves_the_first(old: str, new: str) -> None:
    assert verdict(old, new) not in RETIRING


@pytest.mark.parametrize(("old", "new"), PROPERTIES)
def test_a_property_is_no_value_of_the_slot(old: str, new: str) -> None:
    assert verdict(old, new) not in RETIRING
    assert verdict(new, old) not in RETIRING


@pytest.mark.parametrize(("old", "new"), PART_TIME)
def test_a_part_of_the_time_leaves_the_rest(old: str, new: str) -> None:
    assert verdict(old, new) not in RETIRING


@pytest.mark.parametrize(("old", "new"), SEVERAL)
def test_several_hold_at_once(old: str, new: str) -> None:
    assert verdict(old, new) not in RETIRING


def test_a_port_listened_on_is_one() -> None:
    assert verdict("The api listens on port 80", "The api listens on port 443") is (
        Verdict.SUPERSEDED
    )
