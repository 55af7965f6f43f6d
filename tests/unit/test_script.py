"""One answer to what is Chinese."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.script import CJK, HAN, KANA, has_han

HAN_CHARACTERS = ["中", "㐀", "鿿", "𠀀", "𪜀", "𰻝", "〇", "々", "\uf900", "\U0002f800"]
"""Common ones, extensions A, B, C and G, zero, repetition, and two blocks for compatibility."""

OTHERS = ["a", "é", "1", "あ", "カ", "한", "，", "。", "・", "「", "①", "🀄", "α", ""]


@pytest.mark.parametrize("character", HAN_CHARACTERS)
def test_a_han_character_of_any_block_is_one(character: str) -> None:
    assert has_han(character)
    assert has_han(f"tea {character} tea")


@pytest.mark.parametrize("text", OTHERS)
def test_kana_hangul_and_marks_are_not(text: str) -> None:
    assert not has_han(text)


@given(st.text())
def test_cjk_is_han_kana_and_hangul(text: str) -> None:
    for character in text:
        one_of = [re.match(f"[{kind}]", character) is not None for kind in (HAN, KANA, "가-힣")]
        assert (re.match(f"[{CJK}]", character) is not None) is any(one_of)


def test_each_of_them_is_a_letter_or_a_digit() -> None:
    found = re.findall(f"[{CJK}]", "".join(map(chr, range(sys.maxunicode + 1))))
    assert len(found) > 100_000
    assert [character for character in found if not character.isalnum()] == []
