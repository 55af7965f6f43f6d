"""How well a model tells apart pairs of texts of known kinds, and the scale that follows. Pure.

``calibration`` applies such a scale; here it is found out. A new kind of pair is a member of
``Kind``; a question that is asked about two kinds is a row of ``QUESTIONS``.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import median, quantiles

from hindsight_memory.core.calibration import Scale


class Kind(StrEnum):
    """What a pair of texts has in common."""

    SAME = "same meaning"
    CHANGED = "changed value"
    RELATED = "related"
    UNRELATED = "unrelated"
    ANSWER = "question, its answer"
    OTHER_ANSWER = "question, another"
    COPY = "query, the same text"


Cosines = Mapping[Kind, Sequence[float]]

QUESTIONS: Sequence[tuple[Kind, Kind]] = (
    (Kind.SAME, Kind.UNRELATED),
    (Kind.SAME, Kind.RELATED),
    (Kind.RELATED, Kind.UNRELATED),
    (Kind.ANSWER, Kind.OTHER_ANSWER),
    (Kind.SAME, Kind.CHANGED),
)
"""The first should be nearer than the second; the last no model can tell, and the rules of values
do.
"""

LEAST_STEP = 0.01
"""Between two anchors of a scale: a model that tells nothing apart still has a scale."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """Of so many pairs: the tenth percentile, the median and the ninetieth."""

    pairs: int
    low: float
    middle: float
    high: float


def spread(values: Sequence[float]) -> Spread:
    """At least two."""
    tenths = quantiles(values, n=10, method="inclusive")
    return Spread(pairs=len(values), low=tenths[0], middle=median(values), high=tenths[-1])


def separation(nearer: Sequence[float], farther: Sequence[float]) -> float:
    """How often one of ``nearer`` is above one of ``farther``, a tie counting half: the area under
    the ROC curve. 1 = always, 0.5 = as by chance.
    """
    below = sorted(farther)
    ranks = (bisect_left(below, each) + bisect_right(below, each) for each in nearer)
    return sum(ranks) / (2 * len(nearer) * len(below))


def scale_of(cosines: Cosines) -> Scale:
    """By medians, in the order that a scale needs."""
    unrelated = _middle(cosines, Kind.UNRELATED, 0.0, 1.0 - LEAST_STEP)
    elsewhere = _middle(cosines, Kind.OTHER_ANSWER, 0.0, 1.0 - 2 * LEAST_STEP)
    answer = _middle(cosines, Kind.ANSWER, elsewhere + LEAST_STEP, 1.0 - LEAST_STEP)
    return Scale(
        unrelated_passages=unrelated,
        unrelated_query=elsewhere,
        true_answer=answer,
        same_query=_middle(cosines, Kind.COPY, answer + LEAST_STEP, 1.0),
    )


def _middle(cosines: Cosines, kind: Kind, least: float, most: float) -> float:
    return round(min(most, max(least, median(cosines[kind]))), 3)
