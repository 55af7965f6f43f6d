"""When two tool calls are alike, and how one is told."""

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.calls import CALL_CHARACTERS, Call, described, error_kind, normalised

AT = datetime(2026, 3, 1, tzinfo=UTC)


def call(**given: Any) -> Call:
    return Call(memory_id="m", session_id="s", at=AT, **given)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"path": "data/jan.csv"}, {"path": "/srv/x/feb.csv"}),
        ({"path": "报告/一月.xlsx"}, {"path": "二月.xlsx"}),
        ({"id": "9f86d081884c7d65"}, {"id": "2c26b46b68ffc68f"}),
        ({"day": "2026-01-02"}, {"day": "2026-02-03T10:00:00Z"}),
        ({"limit": 10}, {"limit": 500}),
        ({"q": "orders where id = 17"}, {"q": "orders  where id = 4711"}),
        ({"url": "https://a.example/v1/users/1"}, {"url": "https://a.example/v1/users/2"}),
        ({"a": 1, "b": "x"}, {"b": "x", "a": 2}),
        ({"rows": ["a.csv", "b.csv"]}, {"rows": ["c.csv", "d.csv"]}),
    ],
)
def test_calls_of_one_kind_are_alike(one: dict[str, Any], other: dict[str, Any]) -> None:
    assert normalised(one) == normalised(other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ({"encoding": "utf-8"}, {"encoding": "gbk"}),
        ({"path": "a.csv"}, {"path": "a.json"}),
        ({"path": "a.csv"}, {"file": "a.csv"}),
        ({"path": "a.csv"}, {"path": "a.csv", "encoding": "gbk"}),
        ({"dry_run": True}, {"dry_run": False}),
        ({"mode": "r"}, {"mode": "rb"}),
        ({"编码": "简体"}, {"编码": "繁体"}),
        ({"command": "make test"}, {"command": "make lint"}),
        ({"model": "v1"}, {"model": "v2"}),
    ],
)
def test_calls_that_differ_in_what_they_do_are_not(
    one: dict[str, Any], other: dict[str, Any]
) -> None:
    assert normalised(one) != normalised(other)


def test_a_call_is_told_in_a_line() -> None:
    failed = call(
        tool="read_csv",
        arguments={"path": "一月.csv", "rows": 5},
        outcome="failure",
        error="UnicodeDecodeError:\n  byte 0xb9",
    )
    assert described(failed) == (
        "read_csv(path=一月.csv, rows=5) failed: UnicodeDecodeError: byte 0xb9"
    )
    assert described(call(tool="ping", outcome="success")) == "ping() worked"


@given(st.dictionaries(st.text(max_size=300), st.text(max_size=3_000), max_size=9), st.text())
def test_what_is_told_stays_short_and_in_one_line(arguments: dict[str, str], error: str) -> None:
    told = described(call(tool="t", arguments=arguments, outcome="failure", error=error))
    assert len(told) <= CALL_CHARACTERS + 320


def test_an_error_is_known_again_by_its_first_line() -> None:
    assert error_kind("HTTP 429: retry in 3 s\ntrace") == error_kind("http 429: retry in 40 s")
    assert error_kind("KeyError: 'a'") != error_kind("ValueError: 'a'")
    assert error_kind("") == ""
