"""Which episodes are alike, and what a summary of them says."""

import re
from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.compression import Episode, groups, is_alike, is_summary, summary
from hindsight_memory.core.model import Layer, Memory, Visibility
from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.core.text import query_terms
from hindsight_memory.testing.samples import NOON, a_memory


def episodes(*contents: str, **given: Any) -> list[Memory]:
    """One a day."""
    return [
        a_memory(
            f"e{number}",
            content=content,
            layer=Layer.EPISODIC,
            memory_type=MemoryType.EVENT,
            created_at=NOON + timedelta(days=number),
            **given,
        )
        for number, content in enumerate(contents)
    ]


def alike(one: str, other: str) -> bool:
    first, second = map(Episode, episodes(one, other))
    assert is_alike(first, second) == is_alike(second, first)
    return is_alike(first, second)


def contents(found: Iterable[Iterable[Memory]]) -> list[list[str]]:
    return [[memory.content for memory in group] for group in found]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann asked for the weather in Berlin", "Ann asked about the weather in Berlin again"),
        ("用户询问了北京的天气", "用户又询问了北京的天气情况"),
        ("The nightly build of billing passed", "The nightly build of billing passed at last"),
    ],
)
def test_the_same_happening_in_other_words_is_alike(one: str, other: str) -> None:
    assert alike(one, other)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("Ann asked about the weather in Berlin", "Ann booked two tickets to the opera"),
        ("The billing service moved to port 8000", "The billing service moved to port 9000"),
        ("Ann likes the new office in Berlin", "Ann does not like the new office in Berlin"),
        ("Ann asked about the weather in Berlin", "Ann asked about the weather in Munich"),
        ("Dinner with Ann at the old harbour", "Dinner with Bob at the old harbour"),
        ("用户在公园跑了三公里", "用户在公园跑了五公里"),
        ("用户今天去公司上班", "用户今天没去公司上班"),
        ("用户询问了北京的天气情况", "用户询问了上海的天气情况"),
        ("", ""),
    ],
)
def test_other_happenings_values_people_and_places_are_not(one: str, other: str) -> None:
    assert not alike(one, other)


def test_two_subjects_are_not_alike() -> None:
    one, other = episodes("ran home late", "ran home late again")
    assert is_alike(Episode(one), Episode(replace(other, subject="ann")))
    assert not is_alike(
        Episode(replace(one, subject="bob")), Episode(replace(other, subject="ann"))
    )


def test_a_document_is_not_compressed() -> None:
    assert len(groups(episodes(*(f"run {'home ' * 190}{end}" for end in ".!?")))) == 1
    assert groups(episodes(*(f"run {'home ' * 200}{end}" for end in ".!?"))) == []


@pytest.mark.parametrize(
    "place",
    [{"project": "web"}, {"user_id": "bob"}, {"visibility": Visibility.PRIVATE}, {"agent_id": "b"}],
    ids=str,
)
def test_a_summary_stays_in_one_place_and_with_one_author(place: dict[str, Any]) -> None:
    one, two, three = episodes("ran home", "ran home.", "ran home!")
    assert len(groups([one, two, three])) == 1
    assert groups([one, two, replace(three, **place)]) == []


CHAIN = ["ran home late", "ran home late in rain and storm", "ran home in rain and storm today"]


def test_a_chain_of_neighbours_never_becomes_one_summary() -> None:
    assert [alike(*pair) for pair in combinations(CHAIN, 2)] == [True, False, True]
    assert groups(episodes(*CHAIN)) == []
    twice = episodes(*CHAIN, *(f"{each}." for each in CHAIN), f"{CHAIN[0]}!", f"{CHAIN[2]}!")
    for group in groups(twice):
        assert {CHAIN[0], CHAIN[2]} > {memory.content.strip(".!") for memory in group} - {CHAIN[1]}


def test_two_are_no_group() -> None:
    assert groups(episodes("ran home", "ran home.")) == []


def test_the_summary_is_made_of_sentences_with_dates_and_count() -> None:
    [group] = groups(
        episodes(
            "Ann asked about the weather in Berlin. It rained.",
            "Ann asked about the weather in Berlin",
            "Ann asked for the weather in Berlin, again. It rained.",
        )
    )
    made = summary(group, new_id="sum", now=NOON + timedelta(days=99))
    assert made.content == (
        "Ann asked for the weather in Berlin, again. It rained. (3 times, 2030-01-01 to 2030-01-03)"
    )


def test_a_chinese_summary_reads_as_chinese() -> None:
    [group] = groups(
        episodes("用户询问了北京的天气。", "用户询问了北京的天气", "用户又询问了北京的天气")
    )
    made = summary(group, new_id="sum", now=NOON)
    assert made.content == "用户又询问了北京的天气。（共3次，2030-01-01 至 2030-01-03）"


def test_a_summary_is_believed_no_more_than_the_least_of_its_evidence() -> None:
    group = episodes("ran home", "ran home.", "ran home!", tags=frozenset({"run"}))
    group[1] = replace(group[1], trust=0.3, confidence=0.2, importance=0.9, status=Status.CONFIRMED)
    made = summary(group, new_id="sum", now=NOON)
    assert (made.source, made.status) == (Source.RETROSPECTION, Status.TENTATIVE)
    assert (made.trust, made.confidence, made.importance) == (0.3, 0.2, 0.9)
    assert (made.evidence, made.tags) == (("e0", "e1", "e2"), frozenset({"run"}))
    assert (made.valid_from, made.created_at) == (NOON, NOON)
    assert (made.layer, made.memory_type) == (Layer.SEMANTIC, MemoryType.EVENT)
    assert is_summary(made)
    assert not any(map(is_summary, group))


def test_a_summary_of_more_than_events_is_a_fact() -> None:
    group = episodes("ran home", "ran home.", "ran home!")
    group[0] = replace(group[0], memory_type=MemoryType.TASK)
    assert summary(group, new_id="sum", now=NOON).memory_type is MemoryType.FACT


SAMPLES = ("sun", "rain", "雨", "7", "8", "not", "bus", "car", "不", "late", "early")
WORDS = st.lists(st.sampled_from(SAMPLES), min_size=1)
SOME = st.lists(WORDS.map(" ".join), max_size=9).map(lambda texts: episodes(*texts))


@given(SOME, st.randoms(use_true_random=False))
def test_all_of_a_group_are_alike_and_no_order_changes_it(found: list[Memory], chance: Any) -> None:
    grouped = groups(found)
    for group in grouped:
        assert all(is_alike(*map(Episode, pair)) for pair in combinations(group, 2))
    assert groups(chance.sample(found, len(found))) == grouped


@given(SOME)
def test_a_summary_says_all_that_its_sources_say_and_nothing_else(found: list[Memory]) -> None:
    for group in groups(found):
        said = re.sub(r" \(\d+ times.*|（共.*", "", summary(group, new_id="s", now=NOON).content)
        terms = {term for memory in group for term in query_terms(memory.content)}
        assert set(query_terms(said)) == terms
