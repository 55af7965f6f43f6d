"""A lesson says where it holds: at which files, which host, which system."""

from typing import Any

import pytest
from tests.unit.test_retrospection import episode, seen

from hindsight_memory.core.hints import hints
from hindsight_memory.core.moments import Asked
from hindsight_memory.core.retrospection import failures, lessons
from hindsight_memory.core.retrospection.where import where
from hindsight_memory.core.retrospection.wording import worded

UNICODE = "UnicodeDecodeError: byte 0xb9"


@pytest.mark.parametrize(
    ("arguments", "there"),
    [
        ({"path": "data/orders/a.csv", "encoding": "gbk"}, {"path": "orders/*.csv"}),
        ({"path": "data/2026-01/a.csv"}, {"path": "#-#/*.csv"}),
        ({"file_path": "/home/ann/shop/src/app.py"}, {"file_path": "src/*.py"}),
        ({"文件": "数据/一月.csv"}, {"文件": "数据/*.csv"}),
        ({"path": "a.csv"}, {"path": "*.csv"}),
        ({"url": "https://api.example.com/v1/users?id=7"}, {"url": "api.example.com"}),
        ({"service": "billing", "id": 7}, {"service": "billing"}),
        ({"数据库": "仓库", "sql": "SELECT 1"}, {"数据库": "仓库"}),
        ({"host": "db.internal"}, {"host": "db.internal"}),
        ({"city": "Berlin", "pattern": "TODO", "user": "ann", "mode": "fast"}, {}),
        ({"command": "pip install pandas", "description": "Install pandas"}, {}),
        ({"rows": 100, "strict": True}, {}),
    ],
)
def test_files_hosts_and_systems_say_where(
    arguments: dict[str, Any], there: dict[str, str]
) -> None:
    assert where(arguments, but=["encoding"]) == there


@pytest.mark.parametrize(
    ("failed", "worked", "error", "told"),
    [
        (
            {"path": "data/orders/a.csv", "encoding": "utf-8"},
            {"path": "data/orders/a.csv", "encoding": "gbk"},
            UNICODE,
            f"t (path=orders/*.csv) with encoding=utf-8 failed: {UNICODE}; encoding=gbk worked",
        ),
        (
            {"服务": "报表", "格式": "csv"},
            {"服务": "报表", "格式": "xlsx"},
            "格式不支持",
            "t (服务=报表) 用 格式=csv 会失败：格式不支持；格式=xlsx 可行",
        ),
        (
            {"path": "data/orders/a.csv", "sep": ","},
            {"path": "data/orders/a.csv"},
            "unrecognized option 'sep'",
            "t with sep=, failed: unrecognized option 'sep'; no sep worked",
        ),
    ],
)
def test_a_lesson_names_the_place_unless_it_holds_anywhere(
    failed: dict[str, Any], worked: dict[str, Any], error: str, told: str
) -> None:
    [found] = seen(episode(1, "t", failed, error), episode(2, "t", worked))
    assert worded(found) == told


def orders(number: int, encoding: str, error: str = "", folder: str = "orders") -> Any:
    arguments = {"path": f"data/{folder}/may.csv", "encoding": encoding}
    return episode(number, "read", arguments, error)


def test_what_happens_elsewhere_speaks_neither_for_nor_against_it() -> None:
    here = [orders(1, "utf-8", UNICODE), orders(2, "gbk"), orders(3, "gbk")]
    there = [orders(4, "gbk", UNICODE, "clients"), orders(5, "gbk", folder="clients")]
    [found] = seen(*here)
    bearing = lessons.bearing(found, [*here, *there])
    assert (bearing.supports, bearing.against) == (tuple(here), ())


def test_the_same_place_speaks_against_it() -> None:
    here = [orders(1, "utf-8", UNICODE), orders(2, "gbk"), orders(3, "gbk", UNICODE)]
    [found] = seen(*here[:2])
    assert lessons.bearing(found, here).against == (here[2],)


def test_two_places_teach_two_lessons() -> None:
    found = seen(
        orders(1, "utf-8", UNICODE),
        orders(2, "gbk"),
        orders(3, "utf-8", UNICODE, "archive"),
        orders(4, "latin-1", folder="archive"),
    )
    assert [worded(each) for each in found] == [
        f"read (path=orders/*.csv) with encoding=utf-8 failed: {UNICODE}; encoding=gbk worked",
        f"read (path=archive/*.csv) with encoding=utf-8 failed: {UNICODE}; encoding=latin-1 worked",
    ]


@pytest.mark.parametrize(("folder", "speaks"), [("orders", True), ("clients", False)])
def test_before_a_call_it_is_told_only_where_it_holds(folder: str, *, speaks: bool) -> None:
    pair = [orders(1, "utf-8", UNICODE), orders(2, "gbk")]
    [pattern] = seen(*pair)
    found = lessons.formed(
        pattern,
        lessons.bearing(pattern, pair),
        word=worded,
        tenant="default",
        user_id="ann",
        new_id="lesson",
        now=pair[1].created_at,
    )
    assert found.memory is not None
    asked = Asked(tool="read", arguments={"path": f"x/{folder}/new.csv", "encoding": "utf-8"})
    assert bool(hints(asked, [found.memory], [])) is speaks


LIMITS = (
    "429 Too Many Requests",
    "HTTP 429: slow down",
    "RateLimitError: rate limited, retry after 2 s",
    "请求过于频繁，请稍后再试",
    "访问太频繁",
    "触发限流",
    "调用超出配额",
)


@pytest.mark.parametrize("error", LIMITS)
def test_a_limit_that_was_hit_teaches_nothing_about_other_arguments(error: str) -> None:
    assert failures.is_outage(error)
    assert seen(episode(1, "t", {"mode": "a"}, error), episode(2, "t", {"mode": "b"})) == []


@pytest.mark.parametrize("error", LIMITS)
@pytest.mark.parametrize("name", ["delay", "pause_seconds", "batch_size", "concurrency", "间隔"])
def test_but_what_helps_against_limits_is_a_lesson(error: str, name: str) -> None:
    [found] = seen(episode(1, "t", {name: 0}, error), episode(2, "t", {name: 5}))
    assert (found.kind, found.facts["worked"]) == ("contrast", {name: 5})


@pytest.mark.parametrize(
    "error", ["ValueError: bad date in line 429", "KeyError at row 503", "第 429 行格式错误"]
)
def test_a_number_that_is_no_status_is_no_outage(error: str) -> None:
    assert not failures.is_outage(error)
