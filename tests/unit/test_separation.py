"""How well texts are told apart, in numbers."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.calibration import Scale
from hindsight_memory.core.separation import Kind, Spread, scale_of, separation, spread

cosines = st.lists(st.floats(-1, 1), min_size=2, max_size=8)


@pytest.mark.parametrize(
    ("nearer", "farther", "share"),
    [
        ([0.9, 0.8], [0.1, 0.2], 1.0),
        ([0.1], [0.9], 0.0),
        ([0.5], [0.5], 0.5),
        ([0.9, 0.1], [0.5], 0.5),
        ([0.9, 0.5, 0.5], [0.5, 0.1], 5 / 6),
    ],
)
def test_separation_is_how_often_the_nearer_are_nearer(
    nearer: list[float], farther: list[float], share: float
) -> None:
    assert separation(nearer, farther) == pytest.approx(share)


@given(cosines, cosines)
def test_two_kinds_are_told_apart_alike_from_both_sides(
    one: list[float], other: list[float]
) -> None:
    assert separation(one, other) + separation(other, one) == pytest.approx(1)


def test_a_spread_is_of_tenths() -> None:
    values = [each / 10 for each in range(11)]
    assert spread(values) == Spread(pairs=11, low=0.1, middle=0.5, high=0.9)


@given(st.fixed_dictionaries(dict.fromkeys(Kind, cosines)))
def test_a_scale_is_in_order_whatever_was_measured(measured: dict[Kind, list[float]]) -> None:
    scale = scale_of(measured)
    assert 0 <= scale.unrelated_query < scale.true_answer < scale.same_query <= 1
    assert 0 <= scale.unrelated_passages < 1


def test_a_scale_is_made_of_medians() -> None:
    measured = {
        Kind.UNRELATED: [0.7, 0.8, 0.9],
        Kind.OTHER_ANSWER: [0.6, 0.7, 0.75],
        Kind.ANSWER: [0.8, 0.85, 0.95],
        Kind.COPY: [0.9, 0.95, 0.97],
    }
    assert scale_of(measured) == Scale(
        unrelated_passages=0.8, unrelated_query=0.7, true_answer=0.85, same_query=0.95
    )
