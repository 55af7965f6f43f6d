"""Labelled pairs: hardly a true fact is retired, and most changes are seen."""

import json
import re
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from itertools import pairwise, permutations
from pathlib import Path
from time import perf_counter
from typing import Any

import pytest

from hindsight_memory.core.conflict import Statement, Verdict, judge

DATA = Path(__file__).parents[3] / "shared" / "data"
MONDAY = datetime(2026, 1, 5, tzinfo=UTC)
RETIRING = {Verdict.SUPERSEDED, Verdict.REFUTED}
FORGETEVAL = [
    "forgeteval_external_v07",
    "forgeteval_adv_part",
    "forgeteval_generated_part",
    "forgeteval_zh_templated",
]

pytestmark = pytest.mark.skipif(not DATA.exists(), reason=f"no labelled data at {DATA}")


def load(name: str) -> Any:
    return json.loads((DATA / f"{name}.json").read_text("utf-8"))


def said(content: str, day: int) -> Statement:
    return Statement(content=content, happened_at=MONDAY + timedelta(days=day))


def retires(new: str, old: str) -> bool:
    return judge(said(old, 0), said(new, 1)).verdict in RETIRING


@pytest.mark.parametrize(("language", "recall"), [("en", 0.65), ("zh", 0.85)])
def test_labelled_pairs(language: str, recall: float) -> None:
    pairs = [pair for pair in load("pairs_supersession_en_zh") if pair["lang"] == language]
    retired = [pair["label"] for pair in pairs if retires(pair["new"], pair["old"])]
    changes = sum(pair["label"] == "supersedes" for pair in pairs)
    assert retired.count("supersedes") / len(retired) >= 0.97
    assert retired.count("supersedes") / changes >= recall


def test_the_last_of_several_values_wins_and_no_other_fact_falls() -> None:
    facts = [said(text, number) for number, text in load("factconsolidation_6k")["pools"]["6k"]]
    known = {fact: slot_of(fact.content) for fact in facts}
    won = lost = 0
    for old, new in permutations(facts, 2):
        fell = judge(old, new).verdict in RETIRING
        if known[old] != known[new] or new.happened_at < old.happened_at:
            assert not fell, (old.content, new.content)
        elif old.content != new.content:
            won, lost = won + fell, lost + (not fell)
    assert won / (won + lost) >= 0.93


RELATION = re.compile(
    r"The .+? is located in the city of|The (?:name|univeristy|type|company) .+? is(?= )"
    r"|The .+? is|.+?'s child is|.+? (?:is|was) (?:located|founded|created|born) in the \w+ of"
    r"|.+? (?:died|worked|works) in the \w+ of|.+? plays the position of|.+? is married to"
    r"|.+? was \w+ by|.+? is employed by|.+? is associated with the sport of|.+? is a citizen of"
    r"|.+? speaks the language of|.+? is famous for|.+? is affiliated with the religion of"
    r"|.+? was written in the language of"
)
"""The shapes that these facts are written in: what precedes the value."""


def slot_of(fact: str) -> str:
    found = RELATION.match(fact)
    assert found, fact
    return found[0]


def setups() -> Iterator[tuple[str, str, str]]:
    for name in FORGETEVAL:
        for case in load(name):
            for place, old in enumerate(case["setup_facts"]):
                yield from ((case["id"], old, new) for new in case["setup_facts"][place + 1 :])


def test_of_facts_told_together_only_updates_retire_one() -> None:
    fallen = {case for case, old, new in setups() if retires(new, old)}
    # These cases tell a fact and its update before anything is asked of the memory.
    assert fallen == {
        "ext_dxy_paraphrase_supersession_02",
        "ext_dxy_temporal_qualifier_02",
        "ext_dxy_cyclic_supersession_02",
        "ext_dxy3_partial_fact_mutation_02",
        "ext_dxy2_partial_fact_mutation_01",
        "ext_med_temporal_qualifier_01",
    }


def test_real_talk_retires_almost_nothing() -> None:
    retired = total = 0
    for person in load("memorybank_cn").values():
        days = sorted(person["history"].items())
        talk = [turn["query"] for _, turns in days for turn in turns]
        for old, new in pairwise(talk):
            total += 1
            retired += retires(new, old)
    assert total > 500
    assert retired / total < 0.002


def test_a_pair_is_judged_in_a_third_of_a_millisecond() -> None:
    pairs = [(said(p["old"], 0), said(p["new"], 1)) for p in load("pairs_supersession_en_zh")]
    for old, new in pairs:
        judge(old, new)
    started = perf_counter()
    for old, new in pairs:
        judge(old, new)
    assert (perf_counter() - started) / len(pairs) < 0.0003
