"""From episodes to belief: what each further one makes of a conclusion, and why."""

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.induction import KEY, RULES, Rule, rule_of, weigh
from hindsight_memory.core.model import Layer, Memory
from hindsight_memory.core.policy import Source, Status
from hindsight_memory.testing.samples import a_memory

CONTRAST = RULES["contrast"]


def episodes(*sessions: str, source: Source = Source.TOOL_RESULT) -> list[Memory]:
    """One for each session named, ids as they come."""
    return [
        a_memory(f"{number}-{name}", session_id=name, source=source, layer=Layer.EPISODIC)
        for number, name in enumerate(sessions)
    ]


@pytest.mark.parametrize(
    ("sessions", "against", "status", "score"),
    [
        (["s1"], 0, Status.TENTATIVE, 2 / 3),
        (["s1", "s1"], 0, Status.TENTATIVE, 3 / 4),
        (["s1", "s1", "s2"], 0, Status.CONFIRMED, 4 / 5),
        (["s1", "s1", "s2"], 1, Status.DISPUTED, 4 / 6),
        (["s1", "s1", "s2"], 2, Status.DISPUTED, 4 / 7),
        (["s1", "s1", "s2"], 3, Status.DEPRECATED, 4 / 8),
        ([], 0, Status.DEPRECATED, 1 / 2),
    ],
)
def test_a_conclusion_climbs_and_falls(
    sessions: list[str], against: int, status: Status, score: float
) -> None:
    counter = [a_memory(f"no-{number}") for number in range(against)]
    found = weigh(CONTRAST, episodes(*sessions), counter)
    assert (found.status, found.score) == (status, score)


def test_of_one_session_two_episodes_count_however_many_there_are() -> None:
    found = weigh(CONTRAST, episodes(*["s1"] * 9))
    assert (found.support, found.sessions, found.status) == (2, 1, Status.TENTATIVE)


def test_one_episode_forms_nothing_and_two_do() -> None:
    assert not weigh(CONTRAST, episodes("s1")).is_formed
    assert weigh(CONTRAST, episodes("s1", "s2")).is_formed


def test_an_episode_in_which_it_was_shown_counts_zero() -> None:
    shown = episodes("s1", "s1", "s2")
    found = weigh(CONTRAST, shown, injected={shown[2].id})
    assert (found.support, found.sessions, found.injected) == (2, 1, 1)
    assert found.status is Status.TENTATIVE


def test_an_episode_in_which_it_was_shown_may_still_contradict() -> None:
    shown = episodes("s1", "s1", "s2")
    found = weigh(CONTRAST, shown[:2], shown[2:], injected={shown[2].id})
    assert (found.counter, found.status) == (1, Status.DISPUTED)


def test_what_was_done_once_in_each_of_three_sessions_is_a_habit() -> None:
    habit = RULES["habit"]
    once, often = weigh(habit, episodes("s1")), weigh(habit, episodes("s1", "s1", "s1", "s2"))
    assert (once.is_formed, often.is_formed) == (False, False)
    found = weigh(habit, episodes("s1", "s2", "s3"))
    assert (found.is_formed, found.status) == (True, Status.CONFIRMED)


def test_the_users_word_confirms_at_once() -> None:
    said = episodes("s1", source=Source.USER_EXPLICIT)
    assert weigh(RULES["decision"], said).status is Status.CONFIRMED
    assert not weigh(RULES["decision"], episodes("s1")).is_formed
    assert weigh(CONTRAST, [], is_users_word=True).status is Status.CONFIRMED


def test_the_users_word_is_disputed_by_a_counter_example_and_never_deprecated() -> None:
    counter = episodes("s1", "s2", "s3")
    assert weigh(CONTRAST, [], counter, is_users_word=True).status is Status.DISPUTED


def test_what_is_seen_across_conclusions_stays_tentative() -> None:
    found = weigh(RULES["conclusion"], episodes("s1", "s2", "s3"))
    assert found.status is Status.TENTATIVE
    counter = [a_memory("no")]
    assert weigh(RULES["conclusion"], episodes("s1", "s2"), counter).status is Status.DISPUTED


@pytest.mark.parametrize(
    ("sessions", "against", "reason"),
    [
        (
            ["s1"],
            0,
            (
                "not formed: required support >= 2; "
                "actual support 1 from 1 session, 0 counter-examples, score 0.67"
            ),
        ),
        (
            ["s1", "s1"],
            0,
            (
                "tentative: required support >= 2 (to be confirmed: support >= 3 from "
                ">= 2 sessions, no counter-example); actual support 2 from 1 session, "
                "0 counter-examples, score 0.75"
            ),
        ),
        (
            ["s1", "s1", "s2"],
            1,
            (
                "disputed: required no counter-example; "
                "actual support 3 from 2 sessions, 1 counter-example, score 0.67"
            ),
        ),
        (
            ["s1", "s1", "s2"],
            3,
            (
                "deprecated: required a score > 0.5; "
                "actual support 3 from 2 sessions, 3 counter-examples, score 0.50"
            ),
        ),
    ],
)
def test_each_step_tells_what_it_required_and_what_it_found(
    sessions: list[str], against: int, reason: str
) -> None:
    counter = [a_memory(f"no-{number}") for number in range(against)]
    assert weigh(CONTRAST, episodes(*sessions), counter).reason == reason


def test_only_what_rests_on_episodes_is_weighed() -> None:
    lesson = a_memory(metadata={KEY: {"kind": "contrast"}})
    assert rule_of(lesson) is None
    assert rule_of(replace(lesson, evidence=("1",))) is CONTRAST
    assert rule_of(a_memory(evidence=("1",))) is None
    assert rule_of(a_memory(evidence=("1",), metadata={KEY: "contrast"})) is None


EPISODES = st.builds(
    lambda number: a_memory(str(number), session_id=f"s{number % 4}"), st.integers(0, 15)
)
MANY = st.lists(EPISODES, max_size=8, unique_by=lambda episode: episode.id)


@given(MANY, MANY, st.sampled_from([*RULES.values()]), st.randoms(use_true_random=False))
def test_neither_order_nor_repetition_matters(
    supporting: list[Memory], against: list[Memory], rule: Rule, random: Random
) -> None:
    expected = weigh(rule, supporting, against, injected={"1"})
    again = [*supporting, *supporting[:3]]
    random.shuffle(again)
    assert weigh(rule, again, against[::-1] * 2, injected={"1"}) == expected


@given(MANY, EPISODES)
def test_more_support_never_lowers_a_conclusion_nor_a_counter_example_lifts_it(
    supporting: list[Memory], one: Memory
) -> None:
    rank = [Status.DEPRECATED, Status.DISPUTED, Status.TENTATIVE, Status.CONFIRMED].index
    before = weigh(CONTRAST, supporting)
    assert rank(weigh(CONTRAST, [*supporting, one]).status) >= rank(before.status)
    assert rank(weigh(CONTRAST, supporting, [one]).status) <= rank(before.status)
