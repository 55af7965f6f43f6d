"""What a phrase denotes: every spelling, nothing that merely resembles."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.denote import Phrase, unwrapped


@pytest.mark.parametrize(
    ("phrase", "content"),
    [
        ("gen-itgc", "重跑gen-itgc后通过"),
        ("gen-itgc", "GEN_ITGC failed"),
        ("gen-itgc", "we ran gen itgc, twice"),
        ("gen-itgc", "GenItgc is slow."),
        ("genitgc", "gen-itgc"),
        ("userId", "the column user_id is unique"),
        ("peanut allergy", "Peanut-allergy noted"),
        ("张三", "张三负责支付"),
        ("花生", "用户对花生过敏"),
        ("花生过敏", "用戶對花生過敏"),
        ("port 8000", "it listens on ｐｏｒｔ ８０００"),
        ("v2.3", "released v2.3."),
        ("Ann", "Ann's laptop"),
        ("everything about gen-itgc", "gen-itgc"),
        ("删除关于张三的记忆", "张三负责支付"),
        ("C++", "prefers C++ to Rust"),
        ("ann@example.com", "mail Ann@example.com today"),
        ("ann@example.com", "客户ann@example.com上周下单"),
        ("ann@example.com", "write to ann+shop@example.com"),
        ("14:30", "the appointment is at 14:30"),
        ("415-555-0123", "call +1-415-555-0123"),
        ("138 1234 5678", "手机13812345678"),
        ("9780134685991", "ISBN 978-0-13-468599-1"),
        ("example.com/shop", "see https://www.example.com/shop"),
        ("黄丽", "黄丽会说俄语"),
        ("黄丽", "黄丽住在青岛"),
    ],
)
def test_every_surface_form_is_denoted(phrase: str, content: str) -> None:
    assert Phrase(phrase).denotes(content)


@pytest.mark.parametrize(
    ("phrase", "content"),
    [
        ("gen-itgc", "gen-itgc-2 failed"),
        ("gen-itgc", "gen-itgc2"),
        ("gen-itgc", "pre-gen-itgc"),
        ("gen-itgc", "itgc gen"),
        ("v2.3", "v2.3.1 is out"),
        ("2.3", "23 apples"),
        ("12-345", "12345 apples"),
        ("415-555-0123", "call 415-555-01234"),
        ("ann@example.com", "mail ann.lee@example.com"),
        ("ann@example.com", "mail joann@example.com"),
        ("ann@example.com", "ann example.com"),
        ("example.com", "example.com.cn"),
        ("14:30", "it takes 14 30 times"),
        ("社", "社会在发展"),
        ("port 80", "port 8080"),
        ("ann", "mail ann@example.com"),
        ("ann", "Joanna"),
        ("张三", "张三丰创立武当"),
        ("花生", "用户喜欢花生酱"),
        ("peanut allergy", "allergic to peanuts"),
        ("user", "the column user_id"),
    ],
)
def test_nothing_that_merely_resembles_is_denoted(phrase: str, content: str) -> None:
    assert not Phrase(phrase).denotes(content)


@pytest.mark.parametrize("phrase", ["", "  ", "...", "“”", "-"])
def test_a_phrase_without_letters_denotes_nothing(phrase: str) -> None:
    assert Phrase(phrase).is_empty
    assert not Phrase(phrase).denotes("anything at all")


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("forget everything about the VPN", "the VPN"),
        ("memories of Ann", "Ann"),
        ("关于数据库的所有信息", "数据库"),
        ("请忘记“旧密码”", "旧密码"),
        ("about:blank", "about:blank"),
    ],
)
def test_the_words_around_a_name_are_taken_off(phrase: str, name: str) -> None:
    assert unwrapped(phrase) == name


@given(st.text(), st.text())
def test_any_text_is_decided(phrase: str, content: str) -> None:
    assert Phrase(phrase).denotes(content) in {True, False}


@given(st.text("abz019-_ 中文", min_size=1, max_size=12))
def test_a_phrase_denotes_itself(phrase: str) -> None:
    wanted = Phrase(phrase)
    assert wanted.is_empty or wanted.denotes(f"。{unwrapped(phrase)}。")
