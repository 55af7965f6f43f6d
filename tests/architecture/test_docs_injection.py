"""The page about what an agent is told has the numbers and the verdicts of the code."""

import re
from datetime import timedelta
from pathlib import Path
from typing import get_args

import pytest

from hindsight_memory.core import advice, contrasts, relevant, standing
from hindsight_memory.core.context import LONGEST_ITEM
from hindsight_memory.core.hints import Verdict
from hindsight_memory.interfaces.agent_schemas import AdviseIn, ContextIn

PAGE = (Path(__file__).parents[2] / "docs/injection.md").read_text("utf-8")
TABLE = re.findall(r"^\| (?:`(\w+)`)? *\| (.*) \|$", PAGE.split("| verdict |")[1], re.MULTILINE)


def test_each_verdict_is_told_and_no_other() -> None:
    told = [name for name, _ in TABLE if name]
    assert sorted(told) == sorted(get_args(Verdict))


@pytest.mark.parametrize(
    ("told", "number"),
    [
        (r"at most (\d+) tokens", LONGEST_ITEM),
        (r"`top_k` \((\d+)\)", ContextIn("x").top_k),
        (r"`token_budget` \((\d+)\) is", ContextIn("x").token_budget),
        (r"`token_budget` \((\d+)\)\.", AdviseIn("x").token_budget),
        (r"importance from ([\d.]+) \|", standing.IMPORTANT),
        (r"\(searching\.md\) from ([\d.]+)\)", relevant.SURE),
        (r"words with the task \(([\d.]+) of", relevant.SHARED_WORDS),
        (r"a similarity from ([\d.]+) where", relevant.LIKELY),
        (r"a similarity from ([\d.]+)\n", relevant.LIKED),
        (r"in the last (\d+) days", advice.FRESH / timedelta(days=1)),
        (r"in the last (\d+) minutes", advice.WAIT / timedelta(minutes=1)),
        (r"as it is or (\d+) times", advice.FAILS_AGAIN),
        (r"exactly this failed (\d+) times", advice.FAILS_AGAIN),
        (r"such calls failed (\d+) times in", advice.FAILS_ALWAYS),
        (r"failed in (\d+) sessions, for", advice.SESSIONS),
        (r"at (\d+) places of the same", contrasts.FEWEST_PLACES),
    ],
)
def test_a_number_is_that_of_the_code(told: str, number: float) -> None:
    assert [float(each) for each in re.findall(told, PAGE)] == [number]
