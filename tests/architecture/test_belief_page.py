"""The ladder that docs/belief.md tells is that of the code, which decides its examples so."""

import re
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import get_args

import pytest

from hindsight_memory.core.conflict import Resolution, Statement, judge, settle
from hindsight_memory.core.conflict.ladder import RUNGS
from hindsight_memory.core.policy import Status
from hindsight_memory.engine.verifying import Action

PAGE = (Path(__file__).parents[2] / "docs/belief.md").read_text("utf-8")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def named_rows(heading: str) -> list[list[str]]:
    """The cells of the rows below ``heading`` that begin with a name, which is bare here."""
    start = PAGE.index(f"\n{heading}\n") + len(heading) + 2
    below = re.split("^#+ ", PAGE[start:], maxsplit=1, flags=re.MULTILINE)[0]
    found = re.findall(r"^\| `(\w+)` \| (.*) \|$", below, re.MULTILINE)
    return [[name, *(cell.strip() for cell in rest.split("|"))] for name, rest in found]


CONTRADICTIONS = named_rows("### First: do they contradict?")
LADDER = named_rows("### Then: does something forbid to retire the older?")
EXAMPLES = [row for row in LADDER if " / " in row[2] and "`" not in row[2]]


def told_pair(older: str, newer: str) -> tuple[Statement, Statement]:
    """The newer was said a day later."""
    return (
        Statement(content=older, happened_at=NOON),
        Statement(content=newer, happened_at=NOON + timedelta(days=1)),
    )


def test_the_rungs_are_told_in_their_order_with_what_they_require() -> None:
    assert [row[:2] for row in LADDER] == [[rung.rule, rung.required] for rung in RUNGS]


@pytest.mark.parametrize("row", EXAMPLES, ids=lambda row: str(row[0]))
def test_the_example_of_a_rung_fails_it_and_retires_nothing(row: list[str]) -> None:
    rule, _, pair, told = row
    old, new = told_pair(*pair.split(" / "))
    judged = judge(old, new)
    is_history = settle(judged, old, new).resolution is Resolution.KEEP_OLD
    stays = {"complementary": "both", "tension": "doubt"}[judged.verdict]
    assert (judged.rule, "history" if is_history else stays) == (rule, told)


@pytest.mark.parametrize("row", CONTRADICTIONS, ids=lambda row: str(row[0]))
def test_the_example_of_a_contradiction_is_found_by_its_rule(row: list[str]) -> None:
    rule, older, newer = row
    old, new = told_pair(older, newer)
    judged = judge(old, new)
    assert judged.rule == rule
    assert settle(judged, old, new).resolution is Resolution.KEEP_NEW


def test_each_status_and_each_action_is_told() -> None:
    statuses = named_rows("## How far a memory is believed")
    actions = named_rows("## Settling it yourself")
    assert [row[0] for row in statuses] == list(Status)
    assert [row[0] for row in actions] == list(get_args(Action))
