"""Times named in a query, in English and Chinese."""

import re
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.text import fold
from hindsight_memory.core.time import TimeSpan, find_time
from hindsight_memory.core.time.rows import ROWS, Row
from hindsight_memory.core.time.words import (
    DAYS,
    MONTHS,
    NUMBERS,
    STRETCHES,
    THIRDS,
    TURNS,
    UNITS,
    WEEKDAYS,
)

NOW = datetime(2026, 3, 11, 14, 30, tzinfo=UTC)  # a Wednesday

NAMED = """
today | 2026-03-11 | 2026-03-12
what did we decide yesterday? | 2026-03-10 | 2026-03-11
the day before yesterday | 2026-03-09 | 2026-03-10
tomorrow | 2026-03-12 | 2026-03-13
the day after tomorrow | 2026-03-13 | 2026-03-14
tonight | 2026-03-11T18 | 2026-03-12T05
this morning | 2026-03-11T05 | 2026-03-11T12
last night | 2026-03-10T18 | 2026-03-11T05
40 minutes ago | 2026-03-11T13 | 2026-03-11T14
an hour ago | 2026-03-11T13 | 2026-03-11T14
half an hour ago | 2026-03-11T14 | 2026-03-11T15
3 days ago | 2026-03-08 | 2026-03-09
two weeks ago | 2026-02-23 | 2026-03-02
a couple of months ago | 2026-01-01 | 2026-02-01
half a year ago | 2025-09-01 | 2025-10-01
two years ago | 2024-01-01 | 2025-01-01
in the last 3 days | 2026-03-08 | 2026-03-12
in the past few days | 2026-03-06 | 2026-03-12
the last two weeks | 2026-02-25 | 2026-03-12
over the past month | 2026-02-11 | 2026-03-12
last 2 hours | 2026-03-11T12:30 | 2026-03-11T14:30
next 3 days | 2026-03-11 | 2026-03-15
the next 2 hours | 2026-03-11T14:30 | 2026-03-11T16:30
this week | 2026-03-09 | 2026-03-16
last week | 2026-03-02 | 2026-03-09
next week | 2026-03-16 | 2026-03-23
the week before last | 2026-02-23 | 2026-03-02
last weekend | 2026-03-07 | 2026-03-09
next weekend | 2026-03-21 | 2026-03-23
over the weekend | 2026-03-07 | 2026-03-09
last month | 2026-02-01 | 2026-03-01
next month | 2026-04-01 | 2026-05-01
last quarter | 2025-10-01 | 2026-01-01
this year | 2026-01-01 | 2027-01-01
last year | 2025-01-01 | 2026-01-01
the year after next | 2028-01-01 | 2029-01-01
last Tuesday | 2026-03-10 | 2026-03-11
last Wednesday | 2026-03-04 | 2026-03-05
this Friday | 2026-03-13 | 2026-03-14
next Friday | 2026-03-20 | 2026-03-21
on Wednesday | 2026-03-11 | 2026-03-12
on Thursday | 2026-03-05 | 2026-03-06
Friday of last week | 2026-03-06 | 2026-03-07
March 3rd | 2026-03-03 | 2026-03-04
March 12 | 2025-03-12 | 2025-03-13
3 March 2024 | 2024-03-03 | 2024-03-04
the 3rd of March | 2026-03-03 | 2026-03-04
March 3, 2024 | 2024-03-03 | 2024-03-04
8 May, 2023 | 2023-05-08 | 2023-05-09
December 1,2023 | 2023-12-01 | 2023-12-02
May 3 last year | 2025-05-03 | 2025-05-04
May 3-5, 2023 | 2023-05-03 | 2023-05-06
Feb 27 to 28 | 2026-02-27 | 2026-03-01
29 February | 2024-02-29 | 2024-03-01
2023-05-08 | 2023-05-08 | 2023-05-09
2023-05-08T10:00:00Z | 2023-05-08 | 2023-05-09
2023/5/8 | 2023-05-08 | 2023-05-09
2023-05 | 2023-05-01 | 2023-06-01
May 2023 | 2023-05-01 | 2023-06-01
in March | 2026-03-01 | 2026-04-01
in May | 2025-05-01 | 2025-06-01
last March | 2025-03-01 | 2025-04-01
next May | 2026-05-01 | 2026-06-01
this December | 2026-12-01 | 2027-01-01
in 2022 | 2022-01-01 | 2023-01-01
in 2020-2022 | 2020-01-01 | 2023-01-01
the 1990s | 1990-01-01 | 2000-01-01
the 80s | 1980-01-01 | 1990-01-01
summer 2023 | 2023-06-01 | 2023-09-01
winter of 2023 | 2023-12-01 | 2024-03-01
last summer | 2025-06-01 | 2025-09-01
next spring | 2027-03-01 | 2027-06-01
Q3 2024 | 2024-07-01 | 2024-10-01
in Q4 | 2025-10-01 | 2026-01-01
the first half of 2023 | 2023-01-01 | 2023-07-01
今天 | 2026-03-11 | 2026-03-12
我昨天说了什么 | 2026-03-10 | 2026-03-11
前天天气怎么样 | 2026-03-09 | 2026-03-10
大前天 | 2026-03-08 | 2026-03-09
明天 | 2026-03-12 | 2026-03-13
后天 | 2026-03-13 | 2026-03-14
後天 | 2026-03-13 | 2026-03-14
今晚吃什么 | 2026-03-11T18 | 2026-03-12T05
昨晚 | 2026-03-10T18 | 2026-03-11T05
今早 | 2026-03-11T05 | 2026-03-11T12
半小时前 | 2026-03-11T14 | 2026-03-11T15
两个小时前 | 2026-03-11T12 | 2026-03-11T13
三天前 | 2026-03-08 | 2026-03-09
十二天前 | 2026-02-27 | 2026-02-28
一百二十天前 | 2025-11-11 | 2025-11-12
3 天之前 | 2026-03-08 | 2026-03-09
２天前 | 2026-03-09 | 2026-03-10
两周前 | 2026-02-23 | 2026-03-02
半个月前 | 2026-02-23 | 2026-03-02
3个月前 | 2025-12-01 | 2026-01-01
半年前 | 2025-09-01 | 2025-10-01
两年前 | 2024-01-01 | 2025-01-01
最近7天 | 2026-03-04 | 2026-03-12
过去三个月 | 2025-12-11 | 2026-03-12
近半年 | 2025-09-11 | 2026-03-12
这两天 | 2026-03-09 | 2026-03-12
前几天 | 2026-03-06 | 2026-03-12
未来三天 | 2026-03-11 | 2026-03-15
这周 | 2026-03-09 | 2026-03-16
上周 | 2026-03-02 | 2026-03-09
上週 | 2026-03-02 | 2026-03-09
上上周 | 2026-02-23 | 2026-03-02
下个星期 | 2026-03-16 | 2026-03-23
周末 | 2026-03-07 | 2026-03-09
上周末 | 2026-03-07 | 2026-03-09
本周末 | 2026-03-14 | 2026-03-16
上周三 | 2026-03-04 | 2026-03-05
上周一起吃饭 | 2026-03-02 | 2026-03-09
上星期日 | 2026-03-08 | 2026-03-09
上个礼拜天 | 2026-03-08 | 2026-03-09
这周五 | 2026-03-13 | 2026-03-14
下周一 | 2026-03-16 | 2026-03-17
周三 | 2026-03-11 | 2026-03-12
星期四 | 2026-03-05 | 2026-03-06
本月 | 2026-03-01 | 2026-04-01
上个月 | 2026-02-01 | 2026-03-01
上上个月 | 2026-01-01 | 2026-02-01
下个月 | 2026-04-01 | 2026-05-01
上个月5号 | 2026-02-05 | 2026-02-06
上季度 | 2025-10-01 | 2026-01-01
今年 | 2026-01-01 | 2027-01-01
去年 | 2025-01-01 | 2026-01-01
前年 | 2024-01-01 | 2025-01-01
明年 | 2027-01-01 | 2028-01-01
5月2日 | 2025-05-02 | 2025-05-03
3月11号 | 2026-03-11 | 2026-03-12
五月二日 | 2025-05-02 | 2025-05-03
2 月 3 日 | 2026-02-03 | 2026-02-04
3月份 | 2026-03-01 | 2026-04-01
12月 | 2025-12-01 | 2026-01-01
去年5月 | 2025-05-01 | 2025-06-01
今年三月 | 2026-03-01 | 2026-04-01
2024年3月 | 2024-03-01 | 2024-04-01
2024年3月5日 | 2024-03-05 | 2024-03-06
二〇二四年五月 | 2024-05-01 | 2024-06-01
2022年 | 2022-01-01 | 2023-01-01
2020-2022年 | 2020-01-01 | 2023-01-01
80年代 | 1980-01-01 | 1990-01-01
20世纪九十年代 | 1990-01-01 | 2000-01-01
10年代 | 2010-01-01 | 2020-01-01
去年夏天 | 2025-06-01 | 2025-09-01
上个冬天 | 2025-12-01 | 2026-03-01
2024年第三季度 | 2024-07-01 | 2024-10-01
第一季度 | 2026-01-01 | 2026-04-01
今年上半年 | 2026-01-01 | 2026-07-01
下半年 | 2025-07-01 | 2026-01-01
年初 | 2026-01-01 | 2026-05-01
年底 | 2025-09-01 | 2026-01-01
月初 | 2026-03-01 | 2026-03-11
月底 | 2026-02-21 | 2026-03-01
"""

RELATED = """
yesterday morning | 2026-03-10T05 | 2026-03-10T12
Monday evening | 2026-03-09T18 | 2026-03-10T05
the evening of 7 July, 2023 | 2023-07-07T18 | 2023-07-08T05
early May | 2025-05-01 | 2025-05-11
mid-August 2023 | 2023-08-11 | 2023-08-21
late May 2023 | 2023-05-21 | 2023-06-01
the end of last month | 2026-02-21 | 2026-03-01
early 2022 | 2022-01-01 | 2022-05-01
the end of summer 2023 | 2023-08-01 | 2023-09-01
the second week of November | 2025-11-08 | 2025-11-15
the last week of May 2023 | 2023-05-25 | 2023-06-01
the week before August 3, 2023 | 2023-07-27 | 2023-08-03
two days after May 3, 2023 | 2023-05-05 | 2023-05-06
since March | 2026-03-01 | ..
since last week | 2026-03-02 | ..
after 2020 | 2021-01-01 | ..
before May 3, 2023 | .. | 2023-05-03
until Friday | .. | 2026-03-07
for 2023 | 2023-01-01 | 2024-01-01
between 2020 and 2022 | 2020-01-01 | 2023-01-01
between August 11 and August 15 2023 | 2023-08-11 | 2023-08-16
from March to May | 2025-03-01 | 2025-06-01
from March to May 2023 | 2023-03-01 | 2023-06-01
May 3, 2023 to May 5, 2023 | 2023-05-03 | 2023-05-06
from 2020 to now | 2020-01-01 | 2026-03-12
昨天下午 | 2026-03-10T12 | 2026-03-10T18
5月2日晚上 | 2025-05-02T18 | 2025-05-03T05
上周三的早上 | 2026-03-04T05 | 2026-03-04T12
5月下旬 | 2025-05-21 | 2025-06-01
去年年底 | 2025-09-01 | 2026-01-01
上个月初 | 2026-02-01 | 2026-02-11
5月第二周 | 2025-05-08 | 2025-05-15
3月5日之前 | .. | 2026-03-05
2023年5月2日前 | .. | 2023-05-02
2024年之后 | 2025-01-01 | ..
5月2日后 | 2025-05-03 | ..
去年以来 | 2025-01-01 | ..
自2020年起 | 2020-01-01 | ..
自2001年 | 2001-01-01 | ..
从去年5月开始 | 2025-05-01 | ..
截至2015年 | .. | 2016-01-01
到昨天为止 | .. | 2026-03-11
在2022 | 2022-01-01 | 2023-01-01
从5月2日到5月5日 | 2025-05-02 | 2025-05-06
5月2日到5日 | 2025-05-02 | 2025-05-06
从去年三月到五月 | 2025-03-01 | 2025-06-01
从11月到2月 | 2025-11-01 | 2026-03-01
自1981年起至2012年6月 | 1981-01-01 | 2012-07-01
2020年至今 | 2020-01-01 | 2026-03-12
从去年到现在 | 2025-01-01 | 2026-03-12
上周一到周三 | 2026-03-02 | 2026-03-05
3月和5月之间 | 2025-03-01 | 2025-06-01
"""


def lines(table: str) -> list[str]:
    return table.strip().splitlines()


def instant(text: str) -> datetime:
    return datetime.fromisoformat(text)


def span(text: str, zone: tzinfo = UTC, now: datetime = NOW) -> tuple[str, str] | None:
    """Ends in ``zone``, as short as they can be written."""
    found = find_time(text, now, zone)
    return (written(found.since, zone), written(found.until, zone)) if found else None


def written(end: datetime | None, zone: tzinfo) -> str:
    return re.sub(r"(T00)?(:00)?$", "", f"{end.astimezone(zone):%Y-%m-%dT%H:%M}") if end else ".."


@pytest.mark.parametrize("line", [*lines(NAMED), *lines(RELATED)])
def test_words_mean_this_time(line: str) -> None:
    text, since, until = line.split(" | ")
    assert span(text) == (since, until)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.pattern[:40])
def test_every_row_has_an_example(row: Row) -> None:
    examples = [fold(line.split(" | ")[0]) for line in [*lines(NAMED), *lines(RELATED)]]
    assert any(re.search(row.pattern, example) for example in examples)


@pytest.mark.parametrize(
    ("zone", "now", "since", "until"),
    [
        # 01:00 on the 11th in Shanghai is still the 10th in UTC.
        ("Asia/Shanghai", "2026-03-10T17:00Z", "2026-03-10T16:00Z", "2026-03-11T16:00Z"),
        ("America/New_York", "2026-03-08T20:00Z", "2026-03-08T05:00Z", "2026-03-09T04:00Z"),
        ("America/New_York", "2026-11-01T20:00Z", "2026-11-01T04:00Z", "2026-11-02T05:00Z"),
        ("Europe/Berlin", "2026-03-29T12:00Z", "2026-03-28T23:00Z", "2026-03-29T22:00Z"),
        ("Europe/Berlin", "2026-10-25T12:00Z", "2026-10-24T22:00Z", "2026-10-25T23:00Z"),
        ("Pacific/Apia", "2026-03-10T11:30Z", "2026-03-10T11:00Z", "2026-03-11T11:00Z"),
        # Midnight itself is skipped: the day begins at one o'clock, which is the same instant.
        ("America/Sao_Paulo", "2018-11-04T12:00Z", "2018-11-04T03:00Z", "2018-11-05T02:00Z"),
    ],
)
@pytest.mark.parametrize("text", ["today", "今天"])
def test_a_day_lasts_from_local_midnight_to_local_midnight(
    text: str, zone: str, now: str, since: str, until: str
) -> None:
    assert find_time(text, instant(now), ZoneInfo(zone)) == TimeSpan(
        instant(since), instant(until), text
    )


@pytest.mark.parametrize(
    ("text", "since", "until"),
    [
        ("last week", "2026-03-01T23:00Z", "2026-03-08T23:00Z"),
        ("上周日", "2026-03-07T23:00Z", "2026-03-08T23:00Z"),
        ("this week", "2026-03-22T23:00Z", "2026-03-29T22:00Z"),
        ("本月", "2026-02-28T23:00Z", "2026-03-31T22:00Z"),
        ("tonight", "2026-03-29T16:00Z", "2026-03-30T03:00Z"),
        ("3 hours ago", "2026-03-28T23:00Z", "2026-03-29T00:00Z"),  # 04:10 less 3 h is 00:10
    ],
)
def test_the_clock_change_moves_what_spans_it(text: str, since: str, until: str) -> None:
    now = instant("2026-03-11T12:00Z" if text in {"last week", "上周日"} else "2026-03-29T02:10Z")
    found = find_time(text, now, ZoneInfo("Europe/Berlin"))
    assert found == TimeSpan(instant(since), instant(until), text)


@pytest.mark.parametrize(
    ("query", "words"),
    [
        ("我曾经在5月2日提到过什么？", "在5月2日"),
        ("上週三 買了什麼", "上週三"),
        ("What did Ann say on the evening  of 7 July?", "on the evening  of 7 July"),
        ("２天前的会议", "２天前"),
    ],
)
def test_the_words_are_given_as_they_stand_in_the_query(query: str, words: str) -> None:
    found = find_time(query, NOW)
    assert found is not None
    assert found.text == words


def test_the_narrowest_of_several_times_wins() -> None:
    assert span("last week, as you said on November 6, 2023") == ("2023-11-06", "2023-11-07")
    assert span("去年夏天和昨天") == ("2026-03-10", "2026-03-11")


def test_a_day_that_does_not_exist_falls_back_to_its_month() -> None:
    assert span("2月30日") == ("2026-02-01", "2026-03-01")


fragments = st.sampled_from(
    [line.split(" | ")[0] for line in [*lines(NAMED), *lines(RELATED)]]
    + [*DAYS, *UNITS, *TURNS, *NUMBERS, *MONTHS, *WEEKDAYS, *STRETCHES, *THIRDS]
    + [" ", "到", "至", "-", " to ", "从", "between ", " and ", "之前", "since ", "年", "月", "日"]
    + [
        "前",
        "the ",
        "of ",
        "0",
        "31",
        "99",
        "9999",
        "1" * 5000,
        "٣",
        "\ud800",
        "\u200b",
        "《",
        "》",
    ]
)
texts = st.text(st.characters(exclude_categories=())) | st.lists(fragments).map("".join)
moments = st.datetimes(
    datetime(1, 1, 3),  # noqa: DTZ001 - made aware below
    datetime(9999, 12, 29),  # noqa: DTZ001
    timezones=st.just(UTC),
)
zones = st.sampled_from(["UTC", "Asia/Shanghai", "America/New_York", "Pacific/Apia"]).map(ZoneInfo)


@given(texts, moments, zones)
def test_any_text_gives_a_time_that_lasts_or_none(text: str, now: datetime, zone: tzinfo) -> None:
    found = find_time(text, now, zone)
    if found is not None:
        assert found.text in text
        assert (found.since, found.until) != (None, None)
        assert not (found.since and found.until) or found.since < found.until


@given(moments, zones)
def test_yesterday_ends_where_today_begins(now: datetime, zone: tzinfo) -> None:
    yesterday, today = find_time("yesterday", now, zone), find_time("今天", now, zone)
    assert yesterday is not None
    assert today is not None
    assert yesterday.until == today.since
    assert today.since is not None
    assert today.since <= now < today.since + timedelta(hours=25)


@given(moments, zones, st.integers(1, 12), st.integers(1, 28))
def test_a_day_without_a_year_is_the_last_that_has_begun(
    now: datetime, zone: tzinfo, month: int, day: int
) -> None:
    found = find_time(f"{month}月{day}日", now, zone)
    if found is None:  # only before the first such day of all
        assert now.year == 1
        return
    assert found.since is not None
    local = found.since.astimezone(zone)
    assert (local.month, local.day) == (month, day)
    assert found.since <= now < found.since + timedelta(days=367)
