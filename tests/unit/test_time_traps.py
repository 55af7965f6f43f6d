"""Words that look like a time and are none."""

from datetime import UTC, datetime

import pytest

from hindsight_memory.core.time import find_time

NOW = datetime(2026, 3, 11, 14, 30, tzinfo=UTC)

NO_TIME = """
you may want to march on
it may 3 times out of 10
this may be wrong, and what is in may be lost
we sat in the sun for a second
the last time we met
the last year of school
the next day
every Monday
Friday
Will April and June come?
version v2.3.1 on port 8080
3.5 of 10, at 192.168.1.10
2023
in 2048 tokens
from 2000 to 2048 tokens
march 5 miles
30 people
2023-13-45
v2023-05-08
report-2023-05-08.md
/var/log/2023/05/08/app.log
monday.com
2019-nCoV
99999999 days ago
9999 years ago
5月饼好吃吗
二月红是谁
《神圣十月》是什么时候播出的
光明天地在哪里
以前天天跑步
目前天气
先天后天
日本周边旅游
一周一次
每周三开会
5号楼在哪
两天前往北京
第三天
三个月
说明年份
2023年级
民国29年
3.5年前
8月十五
现在
"""


@pytest.mark.parametrize("text", [line for line in NO_TIME.splitlines() if line.strip()])
def test_what_only_looks_like_a_time_is_none(text: str) -> None:
    assert find_time(text, NOW) is None
