"""Which words are forms of one."""

import pytest

from hindsight_memory.core.word_forms import is_form


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("peanut", "peanuts"),
        ("allergies", "allergic"),
        ("administers", "administration"),
        ("maintained", "maintenance"),
        ("attend", "attendance"),
        ("subscribe", "subscription"),
        ("decided", "decision"),
        ("apply", "application"),
        ("supervises", "supervisor"),
        ("deploying", "deployment"),
        ("approve", "approval"),
        ("renewed", "renewal"),
        ("extend", "extension"),
        ("ключ", "ключ"),
    ],
)
def test_inflections_and_derivations_are_forms_of_one_word(one: str, other: str) -> None:
    assert is_form(one, other)
    assert is_form(other, one)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("party", "part"),
        ("general", "generation"),
        ("fact", "factor"),
        ("nation", "native"),
        ("port", "portal"),
        ("star", "start"),
        ("form", "formation"),
        ("station", "state"),
        ("police", "policy"),
        ("allergy", "allegory"),
        ("ключ", "ключи"),
    ],
)
def test_words_that_only_begin_alike_are_not(one: str, other: str) -> None:
    assert not is_form(one, other)
