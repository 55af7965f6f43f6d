"""A search by words looks up the rarest terms first, and not more than it can afford."""

from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.stores.postings import telling

COUNTS = st.dictionaries(st.text(max_size=3), st.integers(0, 100), max_size=8)


def test_common_terms_are_left_out_where_rare_ones_are_in_enough_memories() -> None:
    counts = {"的": 90_000, "port": 1_997, "8080": 3, "staging": 9_000}
    assert telling(counts) == ["8080", "port"]
    assert telling(counts | {"port": 1_996}) == ["8080", "port", "staging"]


def test_all_are_looked_up_where_they_are_few() -> None:
    assert telling({"a": 600, "b": 20, "c": 600}) == ["b", "a", "c"]


def test_what_is_nowhere_is_not_looked_up() -> None:
    assert telling({"a": 0, "b": 1}) == ["b"]
    assert telling({"a": 0}) == []
    assert telling({}) == []


@given(COUNTS, st.integers(1, 300))
def test_no_more_is_read_than_it_takes_and_nothing_rarer_is_left_out(
    counts: dict[str, int], enough: int
) -> None:
    chosen = telling(counts, enough=enough)
    left = [count for term, count in counts.items() if count and term not in chosen]
    assert sum(counts[term] for term in chosen[:-1]) < enough
    assert not left or sum(counts[term] for term in chosen) >= enough
    assert all(counts[term] <= count for term in chosen for count in left)
