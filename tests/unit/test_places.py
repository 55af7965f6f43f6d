"""Where a call does its work."""

from typing import Any

import pytest

from hindsight_memory.core.places import place, runs_programs


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"path": "data/orders/part-0001.csv"}, {"path": "/srv/data/orders/part-0002.csv"}),
        ({"path": "orders/jan.csv"}, {"path": "orders/february.csv"}),
        ({"path": "报表/一月.xlsx"}, {"path": "报表/十二月.xlsx"}),
        ({"path": "orders/mar_2029.csv"}, {"path": "orders/sept_2030.csv"}),
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
        ({"path": "data/market.csv"}, {"path": "data/decode.csv"}),
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
