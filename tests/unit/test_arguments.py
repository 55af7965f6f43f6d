"""What of the arguments of a call is remembered, and when those of two calls are alike."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.arguments import BYTES, bounded
from hindsight_memory.core.calls import normalised
from hindsight_memory.core.hygiene import check_metadata

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


def test_what_a_model_says_beside_a_command_is_no_part_of_the_call() -> None:
    said = {"command": "pytest -q", "description": "Run the tests", "timeout": 9}
    assert bounded(said) == {"command": "pytest -q", "timeout": 9}
    assert bounded({"title": "x", "description": "y"}) == {"title": "x", "description": "y"}


PARTS = st.sampled_from(
    [
        *("a.csv", "/srv/x", "17", "4,5", "2026-01-02", "https://a.example/1", "9f86d081884c7d65"),
        *(
            "read",
            "读取",
            " ",
            "=",
            ",",
            "<",
            ">",
            "utf-8",
            "v1.2",
            "~",
            "-",
            "C:\\x\\b.py",
            "T10:00Z",
        ),
    ]
)
TEXTS = st.lists(PARTS, max_size=6).map("".join) | st.text(max_size=20)


@given(st.dictionaries(TEXTS, TEXTS | st.integers() | st.lists(TEXTS, max_size=3), max_size=4))
def test_normalised_arguments_stay_as_they_are_when_normalised_again(given: dict[str, Any]) -> None:
    once = normalised(given)
    assert normalised(json.loads(once)) == once
