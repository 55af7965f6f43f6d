"""A rejected text is recognised in any spelling, and no other text is taken for it."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.conflict import rejection_key

TEXTS = st.sampled_from(
    [
        "Pay invoices to account 12-34",
        "The root cause is the cache",
        "问题出在数据库连接池",
        "用户喜欢深色主题",
        "Use port 8000 for the API",
    ]
)
DISGUISES: dict[str, Callable[[str], str]] = {
    "case": str.upper,
    "spacing": lambda text: f"  {text.replace(' ', chr(9) + ' ')} ",
    "punctuation": lambda text: f"«{text}!!»",
    "width": lambda text: "".join(
        chr(ord(c) + 0xFEE0) if "!" <= c <= "~" and c.isalnum() else c for c in text
    ),
    "invisible": lambda text: "\u200b".join(text) + "\u2060",
    "cyrillic": lambda text: text.translate(str.maketrans("aeopcxi", "аеорсхі")),
    "greek": lambda text: text.translate(str.maketrans("oav", "οαν")),
    "traditional": lambda text: text.translate(
        str.maketrans("问题数据库连户欢", "問題數據庫連戶歡")
    ),
}


@given(TEXTS, st.lists(st.sampled_from(sorted(DISGUISES)), max_size=3))
def test_a_disguise_does_not_change_the_key(text: str, disguises: list[str]) -> None:
    disguised = text
    for name in disguises:
        disguised = DISGUISES[name](disguised)
    assert rejection_key(disguised) == rejection_key(text)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("port 8000", "port 9000"),
        ("version 1.5", "version 15"),
        ("-5 degrees", "5 degrees"),
        ("C", "C++"),
        ("costs $5", "costs €5"),
        ("Anna", "Ann"),
        ("User likes tea", "User does not like tea"),
        ("我喜欢茶", "我不喜欢茶"),
        ("我喝红茶", "我喝绿茶"),
        ("кот", "рот"),
        ("...", "!!!"),
    ],
)
def test_another_value_has_another_key(one: str, other: str) -> None:
    assert rejection_key(one) != rejection_key(other)


@given(st.text(alphabet="абвгдежкмнорстух АВЕКМНОРСТУХ", min_size=1))
def test_a_word_of_another_script_has_one_key_in_either_case(text: str) -> None:
    assert rejection_key(text.upper()) == rejection_key(text.lower())
