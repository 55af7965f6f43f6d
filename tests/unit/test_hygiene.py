"""Text is kept, cleaned and said so, or refused with a reason: never anything else."""

import json
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.hygiene import (
    Cleaned,
    check_identifier,
    check_metadata,
    check_tags,
    clean_content,
)
from hindsight_memory.errors import InvalidInput

T = TypeVar("T")

# Everything a str can hold, with what hides, joins, reorders or breaks made likely.
any_character = st.characters() | st.characters(categories=["Cs"])
nasty = st.sampled_from(
    "a é中م\n\r\t\x00\x1b\x85\u200b\u200c\u200d\u202e\ufe0f\ufeff\u3164\U000e0041\U000e0101👩"
)
any_text = st.text(any_character | nasty)


def unless_refused(field: str, check: Callable[[Any], T], value: object) -> T | None:
    """What ``check`` returns; None when it refuses. Any other exception, or field, fails."""
    try:
        return check(value)
    except InvalidInput as refusal:
        message = str(refusal)
    assert message.startswith(field)
    return None


@given(any_text)
def test_content_is_always_kept_or_refused(text: str) -> None:
    cleaned = unless_refused("content", clean_content, text)
    assert cleaned is None or clean_content(cleaned.text) == Cleaned(cleaned.text)


@given(st.text(st.characters(categories=["L", "N", "P", "Zs"], max_codepoint=0x9FFF), min_size=1))
def test_ordinary_text_is_kept_to_the_letter(text: str) -> None:
    content = f"x{text}".translate(dict.fromkeys(map(ord, "\u115f\u1160\u3164")))
    assert clean_content(content) == Cleaned(content)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "content is blank; give at least one visible character"),
        (" \n\u200b\u3000", "content is blank; give at least one visible character"),
        ("ab\x00", "content holds a control character (U+0000, NUL) at position 2"),
        ("中\ud800", "content holds a lone surrogate (U+D800) at position 1"),
        ("\x1b[31mred", "(U+001B, escape, as in terminal colours) at position 0"),
        ("one\rtwo", "(U+000D, carriage return without a line feed) at position 3"),
        ("a\x85b", "(U+0085) at position 1; remove or replace it"),
    ],
)
def test_a_refusal_names_the_character_and_the_place(text: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        clean_content(text)
    assert message in str(refusal.value)


def test_the_limit_counts_bytes_not_characters() -> None:
    full = "中" * (64 * 1024 // 3) + "a"
    assert clean_content(full).text == full
    with pytest.raises(InvalidInput, match=r"65537 bytes in UTF-8.*limit of 65536"):
        clean_content(full + "a")


@pytest.mark.parametrize(
    ("text", "cleaned", "note"),
    [
        ("use \u202eevil\u202c", "use evil", "2 bidirectional controls"),
        ("hi\U000e0069\U000e0067", "hi", "2 tag characters"),
        ("忽\u200b略", "忽略", "1 zero-width characters"),
        ("ig\u200cnore", "ignore", "1 joiners"),
        ("a\ufe00b\U000e0101", "ab", "2 variation selectors"),
    ],
)
def test_what_nobody_sees_is_removed_and_reported(text: str, cleaned: str, note: str) -> None:
    assert clean_content(text) == Cleaned(cleaned, (f"removed invisible characters: {note}",))


@pytest.mark.parametrize(
    "text", ["می\u200cخواهم", "क्\u200dष", "👩\u200d💻", "🏳️\u200d🌈", "1️⃣ ❤️", "葛\U000e0100城"]
)
def test_joiners_and_selectors_that_shape_the_text_stay(text: str) -> None:
    assert clean_content(text) == Cleaned(text)


def test_line_ends_of_windows_become_newlines_without_a_note() -> None:
    assert clean_content("one\r\ntwo\n\tthree") == Cleaned("one\ntwo\n\tthree")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | any_text | st.binary(max_size=2),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(any_text | st.none(), inner),
    max_leaves=12,
)


@given(json_values)
def test_metadata_is_always_kept_or_refused(value: Any) -> None:
    kept = unless_refused("metadata", check_metadata, value)
    assert kept is None or json.loads(json.dumps(kept, allow_nan=False)) == value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "metadata must be a JSON object, not list"),
        ({"a": [float("nan")]}, "metadata.a[0] is nan, which JSON cannot hold"),
        ({"a": {1: 2}}, "metadata.a: a key must be text, not int"),
        ({"a": "x\x00"}, "metadata.a holds a control character (U+0000, NUL) at position 1"),
        ({"\ud800": 1}, "metadata: a key holds a lone surrogate (U+D800) at position 0"),
        ({"a": {1, 2}}, "metadata.a is a set, which JSON cannot hold"),
        ({"a": 2**63}, "metadata.a is an integer over 63 bits; give it as text"),
        ({"a": "x" * 16377}, "metadata has 16385 bytes as compact JSON, over the limit of 16384"),
    ],
)
def test_metadata_that_json_cannot_hold_is_refused(value: object, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_metadata(value)
    assert message in str(refusal.value)


def test_a_refusal_names_the_field_that_was_checked() -> None:
    with pytest.raises(InvalidInput, match=r"^arguments\.a is nan"):
        check_metadata({"a": float("nan")}, name="arguments")


def nested(levels: int) -> dict[str, Any]:
    value: dict[str, Any] = {}
    for _ in range(levels - 1):
        value = {"a": value}
    return value


def test_metadata_may_be_32_levels_deep_and_no_more() -> None:
    assert check_metadata(nested(32)) == nested(32)
    for levels in (33, 100_000):
        with pytest.raises(InvalidInput, match="nested deeper than 32 levels"):
            check_metadata(nested(levels))


def test_metadata_that_contains_itself_is_refused() -> None:
    loop: dict[str, Any] = {"key" * 1000: 1}
    loop["self"] = [loop]
    with pytest.raises(InvalidInput, match="nested deeper than 32 levels"):
        check_metadata(loop)


def test_shared_references_that_unfold_to_billions_of_nodes_are_refused_at_once() -> None:
    value: list[Any] = []
    for _ in range(30):
        value = [value] * 4
    with pytest.raises(InvalidInput, match="over the limit of 16384"):
        check_metadata({"a": value})


@given(st.lists(any_text) | any_text | st.none() | st.lists(st.integers(), min_size=1))
def test_tags_are_always_kept_or_refused(tags: object) -> None:
    kept = unless_refused("tags", check_tags, tags) or frozenset()
    assert check_tags(kept) == kept
    assert all(1 <= len(tag) <= 64 for tag in kept)


def test_tags_keep_commas_hyphens_and_case_and_fold_duplicates() -> None:
    tags = [" a,b ", "a,b", "Cafe\u0301", "Café", "dev-ops", "Dev-Ops", "中文"]
    assert check_tags(tags) == {"a,b", "Café", "dev-ops", "Dev-Ops", "中文"}


@pytest.mark.parametrize(
    ("tags", "message"),
    [
        ("a,b", "tags must be a list of texts, not str"),
        (["  "], "tags: '' has 0 characters; give 1 to 64"),
        (["x" * 65], "has 65 characters; give 1 to 64"),
        (["a\nb"], "tags holds a control character (U+000A) at position 1"),
        ([str(n) for n in range(33)], "tags: 33 given, at most 32 are allowed"),
        ([7], "tags must be text, not int"),
    ],
)
def test_bad_tags_are_refused(tags: object, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_tags(tags)
    assert message in str(refusal.value)


@given(any_text | st.integers())
def test_an_identifier_is_kept_as_it_is_or_refused(value: object) -> None:
    kept = unless_refused("user_id", lambda given: check_identifier(given, "user_id"), value)
    assert kept in {None, value}


@pytest.mark.parametrize("value", ["a", "x" * 256, "team/用户 7", "b@c.d", "../.."])
def test_identifiers_are_opaque(value: str) -> None:
    assert check_identifier(value, "project") == value


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("", "user_id has 0 characters; give 1 to 256"),
        ("x" * 257, "user_id has 257 characters"),
        ("a\tb", "user_id holds a control character (U+0009) at position 1"),
        ("bob ", "user_id 'bob ' begins or ends with a space; remove it"),
        ("b\u200bob", "user_id holds an invisible character (U+200B) at position 1"),
    ],
)
def test_bad_identifiers_are_refused(value: str, message: str) -> None:
    with pytest.raises(InvalidInput) as refusal:
        check_identifier(value, "user_id")
    assert message in str(refusal.value)
