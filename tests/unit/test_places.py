"""Where a call does its work, and how its errors are taken."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.arguments import BYTES, bounded
from hindsight_memory.core.hygiene import check_metadata
from hindsight_memory.core.mishaps import Kind, kind_of
from hindsight_memory.core.places import place, runs_programs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"path": "data/orders/part-0001.csv"}, {"path": "/srv/data/orders/part-0002.csv"}),
        ({"path": "orders/jan.csv"}, {"path": "orders/february.csv"}),
        ({"path": "报表/一月.xlsx"}, {"path": "报表/十二月.xlsx"}),
        ({"url": "https://a.example/v1/u/1"}, {"url": "https://a.example/v1/u/2?x=3"}),
        ({"service": "billing", "id": 1}, {"service": "billing", "id": 2}),
        ({"service": "报表", "limit": 10}, {"service": "报表", "limit": 99, "user_id": "u7"}),
        ({"command": "pip install a"}, {"command": "pip install b"}),
        ({"day": "2026-01-02"}, {"day": "2026-02-03"}),
    ],
)
def test_calls_at_one_place(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert place(one) == place(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"path": "data/orders.csv"}, {"path": "data/clients.csv"}),
        ({"path": "orders/1.csv"}, {"path": "clients/1.csv"}),
        ({"path": "orders/1.csv"}, {"path": "orders/1.json"}),
        ({"url": "https://a.example/x"}, {"url": "https://b.example/x"}),
        ({"service": "billing"}, {"service": "crm"}),
        ({"database": "订单库"}, {"database": "客户库"}),
        ({"command": "pip install a"}, {"command": "npm install a"}),
    ],
)
def test_calls_at_different_places(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert place(one) != place(other)


def test_the_files_of_a_folder_are_near_each_other() -> None:
    one, other = {"path": "data/orders.csv"}, {"path": "data/clients.csv"}
    assert place(one, is_wide=True) == place(other, is_wide=True)
    assert place(one, is_wide=True) != place({"path": "x/orders.csv"}, is_wide=True)


def test_what_says_how_can_be_left_out() -> None:
    assert place({"p": "a.csv", "encoding": "gbk"}, but=["encoding"]) == place({"p": "a.csv"})


@pytest.mark.parametrize(
    ("arguments", "is_so"),
    [
        ({"command": "ls"}, True),
        ({"shell_command": "ls"}, True),
        ({"path": "a", "mode": "r"}, False),
    ],
)
def test_a_shell_is_known_by_its_arguments(arguments: dict[str, Any], *, is_so: bool) -> None:
    assert runs_programs(arguments) is is_so


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("UnicodeDecodeError: 'utf-8' codec can't decode byte 0xb9", Kind.UNFIT),
        ("400 Bad Request: a date has the wrong format", Kind.UNFIT),
        ("编码错误：无法用 utf-8 解码", Kind.UNFIT),
        ("ProgrammingError: syntax error at or near LIMIT", Kind.UNFIT),
        ("TypeError: f() got an unexpected keyword argument 'sep'", Kind.FORM),
        ("error: unrecognized arguments: --foo", Kind.FORM),
        ("缺少必填参数 date", Kind.FORM),
        ("429 Too Many Requests: slow down", Kind.LIMIT),
        ("请求过于频繁，请稍后再试", Kind.LIMIT),
        ("TimeoutError: no answer in 30 s", Kind.PASSING),
        ("连接超时", Kind.PASSING),
        ("sqlite3.OperationalError: database is locked", Kind.PASSING),
        ("KeyboardInterrupt", Kind.PASSING),
        ("FileNotFoundError: 'a.csv'", Kind.TARGET),
        ("文件不存在", Kind.TARGET),
        ("ModuleNotFoundError: No module named 'x'", Kind.TARGET),
        ("2 failed, 3 passed", Kind.TARGET),
        ("KeyError: 'a'", Kind.UNKNOWN),
        ("", Kind.UNKNOWN),
    ],
)
def test_an_error_tells_whether_the_call_would_fail_again(error: str, kind: Kind) -> None:
    assert kind_of(error) is kind


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=300),
    lambda inner: st.lists(inner, max_size=30) | st.dictionaries(st.text(max_size=90), inner),
    max_leaves=60,
)


@given(st.dictionaries(st.text(max_size=90), JSON, max_size=40))
def test_any_arguments_can_be_remembered_once_bounded(arguments: dict[str, Any]) -> None:
    kept = bounded(arguments)
    assert check_metadata(kept) == kept
    assert bounded(kept) == kept


def test_short_arguments_stay_and_long_ones_keep_both_ends() -> None:
    plain = {"path": "a.csv", "rows": 5, "all": True, "opts": {"sep": ";"}, "none": None}
    assert bounded(plain) == plain
    [told] = bounded({"content": "start" + "x" * 90_000 + "end"}).values()
    assert str(told).startswith("start")
    assert str(told).endswith("end")
    many = bounded({f"a{n}": ["数" * 240] * 20 for n in range(24)})
    assert len(str(many).encode()) <= BYTES
