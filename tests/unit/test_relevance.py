"""Evidence becomes relevance, by arithmetic alone."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.relevance import bm25, coverage, rarities, relevance
from hindsight_memory.core.retrieval import Evidence, Found, TermStatistics

STATISTICS = TermStatistics(
    documents=10, average_terms=5.0, document_counts={"rare": 1, "common": 9}
)
RARITIES = rarities(("rare", "common"), STATISTICS)


def evidence(memory_id: str, similarity: float | None = None, **given: object) -> Evidence:
    plain = Evidence(id=memory_id, similarity=similarity, term_total=5)
    return replace(plain, **given)  # type: ignore[arg-type]  # a test helper takes any field


def totals(*found: Evidence) -> dict[str, float]:
    measured = relevance(Found(evidence=found, statistics=STATISTICS))
    return {memory_id: each.total for memory_id, each in measured.items()}


def test_bm25_is_the_published_formula() -> None:
    # log(1 + 9.5 / 1.5) = 1.9924; length is average, so 1 * 1.9 / (1 + 0.9) = 1
    score = bm25(evidence("a", term_counts={"rare": 1}), RARITIES, STATISTICS.average_terms)
    assert score == pytest.approx(1.9924, abs=1e-4)


def test_a_rare_word_counts_more_than_a_common_one() -> None:
    rare, common = evidence("a", term_counts={"rare": 1}), evidence("b", term_counts={"common": 1})
    assert bm25(rare, RARITIES, 5.0) > bm25(common, RARITIES, 5.0) > 0


def test_coverage_is_the_share_of_rarity() -> None:
    half = coverage(evidence("a", term_counts={"rare": 2}), RARITIES)
    assert coverage(evidence("a"), RARITIES) == 0.0
    assert half == pytest.approx(1.9924 / (1.9924 + 0.1466), abs=1e-3)


def test_meaning_and_words_add_up() -> None:
    found = totals(
        evidence("both", 0.9, term_counts={"rare": 1}),
        evidence("meaning", 0.9),
        evidence("words", 0.8, term_counts={"rare": 1}),
        evidence("neither", 0.8),
    )
    assert found["both"] > found["meaning"] > found["words"] > found["neither"]


def test_without_any_word_meaning_decides_alone() -> None:
    assert totals(evidence("a", 0.9), evidence("b", 0.8)) == pytest.approx({"a": 1.5, "b": 0.0})


def test_one_without_a_vector_is_judged_by_its_words() -> None:
    found = totals(
        evidence("not embedded yet", term_counts={"rare": 1}),
        evidence("near", 0.9),
        evidence("far", 0.8),
    )
    assert found["not embedded yet"] > found["near"] > found["far"]


def test_what_is_near_to_everything_counts_less() -> None:
    found = totals(
        evidence("filler", 0.85, typicality=0.98),
        evidence("answer", 0.84, typicality=0.90),
        evidence("far", 0.7, typicality=0.9),
    )
    assert found["answer"] > found["filler"]


def test_neighbours_lend_and_a_question_lends_more_to_its_answer() -> None:
    asked = evidence("asked", 0.9, session_id="s", is_question=True, later=("answer",))
    answer = evidence("answer", 0.8, session_id="s", earlier=("asked",))
    stated = replace(asked, is_question=False)
    lent = relevance(Found(evidence=(asked, answer)))["answer"].context
    less = relevance(Found(evidence=(stated, answer)))["answer"].context
    assert (lent, less) == pytest.approx((0.6, 0.3))


def test_a_question_states_nothing() -> None:
    asked = evidence("a", 0.9, is_question=True)
    assert totals(asked, evidence("b", 0.9))["a"] == pytest.approx(1.3)


@given(
    st.lists(
        st.builds(
            Evidence,
            id=st.text("abc", min_size=1, max_size=3),
            session_id=st.sampled_from(["", "s", "t"]),
            similarity=st.none() | st.floats(-1, 1),
            typicality=st.floats(-1, 1),
            is_question=st.booleans(),
            term_counts=st.dictionaries(st.sampled_from(["rare", "common"]), st.integers(1, 9)),
            term_total=st.integers(0, 50),
            earlier=st.lists(st.text("abc", min_size=1, max_size=3), max_size=2).map(tuple),
        ),
        unique_by=lambda each: each.id,
    )
)
def test_relevance_stays_in_its_range_and_ignores_order(found: list[Evidence]) -> None:
    measured = relevance(Found(evidence=tuple(found), statistics=STATISTICS))
    turned = relevance(Found(evidence=tuple(found[::-1]), statistics=STATISTICS))
    assert all(-0.2 <= each.total <= 2.25 + 1e-9 for each in measured.values())
    assert measured == turned
