"""The page about retrospection tells the rules that are in the code."""

import re
from pathlib import Path

from hindsight_memory.core.induction import DOUBTFUL, RULES, Rule
from hindsight_memory.core.policy import TRUST, Source
from hindsight_memory.core.retrospection.lessons import IMPORTANCE, KINDS, Change

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/retrospection.md").read_text("utf-8")
TABLE = re.findall(r"^\| `(\w+)` \|(.*)\|$", PAGE, re.MULTILINE)


def test_each_kind_is_told_with_what_it_becomes() -> None:
    told = {name: rest.split("|")[1].split()[-1] for name, rest in TABLE if name in RULES}
    assert told == {name: kind.memory_type for name, kind in KINDS.items()}
    assert told.keys() == RULES.keys()


def test_the_thresholds_are_those_of_the_rules() -> None:
    rule, steps = Rule(), dict(TABLE)
    assert f"support of {rule.forms_at};" in steps["tentative"]
    assert f"support of {rule.confirms_at} from {rule.sessions} sessions" in steps["confirmed"]
    assert f"above {DOUBTFUL}" in steps["disputed"]
    assert f"{DOUBTFUL} or below" in steps["deprecated"]
    assert (rule.per_session, "at most two of one session count" in PAGE) == (2, True)
    assert (RULES["habit"].sessions, "asks for three sessions" in PAGE) == (3, True)


def test_the_numbers_of_a_lesson_are_those_of_the_code() -> None:
    least = TRUST[Source.RETROSPECTION].trust
    assert re.findall(r"importance ([\d.]+),.*\n?.*\(and ([\d.]+)\)", PAGE) == [
        (str(IMPORTANCE), str(least))
    ]


def test_each_outcome_of_a_lesson_is_told_with_the_tool() -> None:
    section = (ROOT / "docs/mcp.md").read_text("utf-8").split("### `memory_retrospect`")[1]
    told = re.findall(r"^- `(\w+)`:", section.split("\n### ")[0], re.MULTILINE)
    assert told == [*Change]
