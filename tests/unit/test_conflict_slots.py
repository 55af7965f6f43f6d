"""What a text gives which attribute."""

import pytest

from hindsight_memory.core.conflict import Polarity, Slot, slots
from hindsight_memory.core.conflict.english_table import PREDICATES
from hindsight_memory.core.conflict.english_words import LEMMAS
from hindsight_memory.core.conflict.kinds import kind_of
from hindsight_memory.core.conflict.periods import ENDLESS, dated
from hindsight_memory.core.conflict.places import is_organisation, is_place

ENDED, DENIED = Polarity.ENDED, Polarity.DENIED


def slot(
    subject: str,
    attribute: str,
    value: str,
    polarity: Polarity = Polarity.HOLDS,
    *,
    many: bool = False,
) -> Slot:
    return Slot(
        subject=subject,
        attribute=attribute,
        value=value,
        polarity=polarity,
        is_single_valued=not many,
    )


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Oslo.", slot("user", "residence", "oslo")),
        ("User works for Globex.", slot("user", "employer", "globex")),
        ("The port of the billing service is 8000.", slot("billing service", "port", "8000")),
        ("The billing service port is 8000.", slot("billing service", "port", "8000")),
        ("Ann's manager is Bob.", slot("ann", "manager", "bob")),
        ("Ann's backup email is a@b.c", slot("ann", "backup email", "a@b.c")),
        ("Ann is the owner of the search project.", slot("search project", "owner", "ann")),
        ("The chairperson of Globex is Ann.", slot("globex", "chair", "ann")),
        ("User speaks fluent French.", slot("user", "language", "french", many=True)),
        ("User no longer speaks French.", slot("user", "language", "french", ENDED, many=True)),
        ("User has no pets.", slot("user", "pet", "", DENIED, many=True)),
        ("User is allergic to peanuts.", slot("user", "allergy", "peanut", many=True)),
        ("User gave up coffee.", slot("user", "* habit", "coffee", ENDED, many=True)),
        ("User is 30 years old.", slot("user", "age", "30")),
        ("The deadline is May 5.", slot("", "deadline", "may 5")),
        ("The meeting is at 9:30.", slot("meeting", "schedule", "9:30")),
        ("User wants replies in German.", slot("user", "reply language", "german")),
        ("我住在杭州", slot("user", "residence", "杭州")),
        ("张三在美团工作", slot("张三", "employer", "美团")),
        ("數據庫的端口是5432", slot("数据库", "port", "5432")),
        ("支付模块由张三负责", slot("支付模块", "owner", "张三")),
        ("张三的备用邮箱是a@b.c", slot("张三", "备用 email", "a@b.c")),
        ("我不会说法语", slot("user", "language", "french", DENIED, many=True)),
        ("我没有养宠物", slot("user", "pet", "", DENIED, many=True)),
        ("我戒咖啡了", slot("user", "*", "咖啡", ENDED, many=True)),
        ("我对花生过敏", slot("user", "allergy", "花生", many=True)),
        ("年会定在12月15日", slot("年会", "schedule", "12月15日")),
        ("以后回答用中文", slot("user", "reply language", "chinese")),
        ("我最喜欢的颜色是蓝色", slot("user", "favorite color", "blue")),
        ("登录失败的原因是证书过期", slot("登录失败", "cause", "证书过期")),
    ],
)
def test_slot(text: str, expected: Slot) -> None:
    assert slots(text)[:1] == (expected,)


@pytest.mark.parametrize("text", ["", "hello", "你好", "What now?", "...", "he", "他喜欢辣"])
def test_no_slot_where_nothing_is_stated_of_anybody_known(text: str) -> None:
    assert slots(text) == ()


def test_each_clause_has_its_slots() -> None:
    found = slots("User lives in Tokyo, speaks Thai and works at Globex.")
    assert [(each.attribute, each.value) for each in found] == [
        ("residence", "tokyo"),
        ("language", "thai"),
        ("employer", "globex"),
    ]


def test_both_languages_name_one_slot_alike() -> None:
    assert slots("User is vegan.") == slots("用户是纯素食者")


def test_every_verb_of_the_table_is_known() -> None:
    verbs = [key.removeprefix("can ").split() for key in PREDICATES]
    plain = {words[0] for words in verbs if words[0] not in {"be", "have"}}
    assert plain - set(LEMMAS.values()) == set()


@pytest.mark.parametrize(
    ("value", "kind"),
    [
        ("light blue", ("color", "light blue")),
        ("strict vegan diet", ("diet", "vegan")),
        ("纯素食者", ("diet", "vegan")),
        ("debug mode", None),
        ("深色模式", ("theme", "dark")),
        ("go", ("programming language", "go")),
        ("way to go", None),
    ],
)
def test_kind(value: str, kind: tuple[str, str] | None) -> None:
    assert kind_of(value) == kind


def test_a_name_may_be_a_place_an_organisation_or_neither() -> None:
    assert (is_place("oslo"), is_place("中山路20号"), is_place("globex")) == (True, True, False)
    names = ["oslo robotics group", "甲公司", "oslo"]
    assert [is_organisation(name) for name in names] == [True, True, False]


@pytest.mark.parametrize(
    ("text", "period", "rest"),
    [
        ("lived in rome from 2015 to 2018", (24180, 24227), "lived in rome"),
        ("has lived in rome since may 2022", (24268, ENDLESS), "has lived in rome"),
        ("was in rome until 2020", (0, 24251), "was in rome"),
        ("ann's 2024 boss was bob", (24288, 24299), "ann's boss was bob"),
        ("张三2020年加入甲公司", (24240, 24251), "张三加入甲公司"),
        ("张三从2025年3月起在甲公司", (24302, ENDLESS), "张三在甲公司"),
        ("drives a 2018 van", None, "drives a 2018 van"),
        ("port 2024", None, "port 2024"),
    ],
)
def test_years(text: str, period: tuple[int, int] | None, rest: str) -> None:
    assert dated(text) == (period, rest)
