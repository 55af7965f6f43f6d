"""What a newer statement of a user means for an older one."""

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.conflict import Statement, Verdict, judge

MONDAY = datetime(2030, 1, 7, 9, tzinfo=UTC)
RETIRING = {Verdict.SUPERSEDED, Verdict.REFUTED}


def said(content: str, day: int) -> Statement:
    return Statement(content=content, happened_at=MONDAY + timedelta(days=day))


def verdict(old: str, new: str) -> Verdict:
    return judge(said(old, 0), said(new, 1)).verdict


SUPERSEDED = [
    ("User lives in Berlin.", "User moved to Oslo last month."),
    ("User works at Initech.", "User quit and joined a robotics startup."),
    ("Ann worked at Initech from 2015 to 2018.", "Ann joined Globex in 2019."),
    ("User does not have any pets.", "User adopted a beagle."),
    ("User is allergic to peanuts.", "User has outgrown their peanut allergy."),
    ("User plays tennis every week.", "User stopped playing tennis after an injury."),
    ("User is married to Kim.", "User and Kim divorced last year."),
    ("User is a vegetarian.", "User started eating meat again."),
    ("User likes coffee.", "User gave up coffee."),
    ("User likes coffee on weekends.", "User gave up coffee."),
    ("The billing service listens on port 8000.", "The billing service listens on port 9000."),
    ("The API version is v1.2.", "The API version is v2.0."),
    ("The deadline is Friday.", "The deadline was moved to May 7."),
    ("The team uses MySQL.", "The team migrated from MySQL to PostgreSQL."),
    ("User prefers dark mode.", "User prefers light mode."),
    ("The API supports XML.", "The API no longer supports XML."),
    ("Ann leads the search project.", "Bob took over the search project from Ann."),
    ("User's favorite color is teal.", "User's favourite colour is now orange."),
    ("The feature is enabled.", "The feature is disabled."),
    ("The team uses Python 3.9.", "The team upgraded to Python 3.12."),
    ("User wants short answers.", "User wants detailed answers from now on."),
    (
        "Ivy oversees the harbour survey.",
        "Responsibility for the harbour survey now belongs to Noel.",
    ),
    ("Ivy oversees hiring of welders.", "Responsibility for welder hiring belongs to Noel now."),
    ("Otto owned a Volvo from 2001 to 2009.", "Otto bought a Subaru in 2010."),
    ("Otto married in 2011.", "Otto's divorce was finalized in 2019."),
    ("Otto was diagnosed with lupus.", "Otto's lupus went into remission."),
    ("User owns a poodle named Lola.", "User moved after their dog passed away."),
    ("Ward 3 used feeding plan B.", "Ward 3 switched to feeding plan C."),
    ("User takes the bus to work.", "User bikes to work now."),
    ("User smokes a pack a day.", "User quit smoking."),
    ("我喜欢喝咖啡", "我戒咖啡了"),
    ("我喜欢喝咖啡", "我现在改喝茶了"),
    ("用户喜欢吃辣", "用户最近在忌口"),
    ("我住在杭州", "我上个月搬到成都了"),
    ("张三2018年加入甲公司", "张三2021年跳槽到乙公司"),
    ("我没有养宠物", "我领养了一只猫"),
    ("我对花生过敏", "我对花生不过敏了"),
    ("我吃素", "我又开始吃肉了"),
    ("数据库端口是5432", "数据库的端口改成5433了"),
    ("接口版本是v1.2", "接口版本升级到v2.0"),
    ("我们用MySQL", "我们从MySQL迁移到PostgreSQL了"),
    ("支付模块由张三负责", "支付模块移交给李四了"),
    ("服务器支持IPv6", "服务器不支持IPv6了"),
    ("用户偏好深色主题", "用户偏好浅色主题"),
    ("用户偏好用中文交流", "以后回答用英文"),
    ("周会定在周三", "周会改到周四"),
    ("用户單身", "用户结婚了"),
    ("User lives in Oslo", "用户搬到了慕尼黑"),
]
REFUTED = [
    ("User lives in Berlin.", "Correction: User lives in Munich."),
    ("The problem lies in the cache.", "Actually, the problem lies in the connection pool."),
    (
        "The crash was caused by the cache.",
        "It turned out that the crash was not caused by the cache but by the pool.",
    ),
    ("问题出在缓存", "其实问题出在连接池"),
    ("登录失败的原因是缓存", "登录失败的原因不是缓存而是连接池"),
]
TENSION = [
    ("The deadline is Friday.", "The deadline is May 7."),
    ("User lives in Berlin", "用户住在柏林"),
    ("问题出在缓存", "问题出在连接池"),
]
COMPLEMENTARY = [
    ("User likes tea.", "User likes coffee."),
    ("User speaks French.", "User speaks German."),
    ("User is allergic to peanuts.", "User is allergic to shellfish."),
    ("User works at Initech.", "User works at Initech Robotics."),
    ("User lives in York.", "User used to live in Leeds."),
    ("User lives in York.", "User plans to move to Leeds."),
    ("User lives in York.", "User almost moved to Leeds."),
    ("User lived in Leeds for five years.", "User lives in York."),
    ("Ann joined Globex in 2019.", "Ann worked at Initech from 2015 to 2018."),
    ("The port is 8000 in staging.", "The port is 9000 in production."),
    ("User drinks coffee in the morning.", "User drinks tea in the evening."),
    ("User prefers dark mode.", "User prefers light mode on the phone."),
    ("User's name is Ann.", "user's name is ann"),
    ("我喜欢喝咖啡", "我喜欢喝茶"),
    ("我喜欢喝咖啡", "周末我喜欢喝茶"),
    ("我会说法语", "我会说德语"),
    ("我对花生过敏", "我对牛奶过敏"),
    ("原型用SQLite", "生产环境用PostgreSQL"),
    ("在家我用Mac", "在公司我用Windows"),
    ("我住在杭州", "我以前住在成都"),
    ("我住在杭州", "我打算搬到成都"),
    ("用户住在杭州", "用户住在杭州西湖区"),
    ("张三2021年跳槽到乙公司", "张三2018年加入甲公司"),
]
UNRELATED = [
    ("User is allergic to peanuts.", "User likes Thai food."),
    ("The billing service listens on port 8000.", "The payment service listens on port 8000."),
    ("Ann works at Initech.", "Bob works at Globex."),
    ("User lives in York.", "User's brother moved to Leeds."),
    ("User works at Initech.", "User joined a choir."),
    ("User moved to Leeds.", "The meeting moved to Monday."),
    ("User likes coffee.", "User quit smoking."),
    ("User forgot his password.", "User's password is hunter2."),
    ("He lives in York.", "He lives in Leeds."),
    ("Is the port 5000?", "The host is alpha."),
    ("我对花生过敏", "我喜欢吃辣"),
    ("支付服务监听8000端口", "订单服务监听8000端口"),
    ("我住在杭州", "我爸妈住在成都"),
    ("我在甲公司上班", "我老婆在乙公司上班"),
    ("我喜欢喝咖啡", "我戒烟了"),
    ("我的弟弟是张三", "我的上司是李四"),
    ("他住在北京", "他住在上海"),
    ("打印机正在维护中", "会议室搬到了4楼"),
]


@pytest.mark.parametrize(("old", "new"), SUPERSEDED)
def test_a_change_supersedes(old: str, new: str) -> None:
    assert verdict(old, new) is Verdict.SUPERSEDED


@pytest.mark.parametrize(("old", "new"), REFUTED)
def test_a_correction_refutes(old: str, new: str) -> None:
    assert verdict(old, new) is Verdict.REFUTED


@pytest.mark.parametrize(("old", "new"), TENSION)
def test_what_cannot_be_compared_is_a_tension(old: str, new: str) -> None:
    assert verdict(old, new) is Verdict.TENSION


@pytest.mark.parametrize(("old", "new"), COMPLEMENTARY)
def test_what_can_hold_beside_the_other_is_complementary(old: str, new: str) -> None:
    assert verdict(old, new) is Verdict.COMPLEMENTARY


@pytest.mark.parametrize(("old", "new"), UNRELATED)
def test_another_subject_or_attribute_is_unrelated(old: str, new: str) -> None:
    assert verdict(old, new) is Verdict.UNRELATED
    assert verdict(new, old) not in RETIRING


def test_a_judgement_names_its_rule_and_shows_what_it_saw() -> None:
    judgement = judge(said("User lives in York.", 0), said("User moved to Leeds.", 1))
    assert judgement.rule == "replaced_value"
    assert judgement.evidence == ("user lives in york", "user moved to leeds")
    assert judgement.actual == (
        "user/residence: york at 2030-01-07T09:00:00+00:00"
        " -> user/residence: leeds at 2030-01-08T09:00:00+00:00"
    )


def test_what_still_holds_of_a_compound_statement_is_told() -> None:
    moved = said("User moved to Kyoto.", 1)
    old = said("User lives in Tokyo and has two cats.", 0)
    assert judge(old, moved).remaining == ("user has two cats",)
    assert judge(said("User lives in Tokyo.", 0), moved).remaining == ()


def test_what_is_said_again_is_not_left_over() -> None:
    old = said("张三是甲公司的工程师,常驻厦门,精通德语", 0)
    judgement = judge(old, said("张三是乙公司的工程师,常驻厦门,精通德语", 1))
    assert (judgement.verdict, judgement.remaining) == (Verdict.SUPERSEDED, ())


def test_a_text_too_long_to_weigh_retires_nothing() -> None:
    essay = "User moved to Leeds. " + "It was a long way. " * 50
    assert judge(said("User lives in York.", 0), said(essay, 1)).verdict is Verdict.UNRELATED


NAMES = st.sampled_from(
    ["Ann", "Bob", "Globex", "billing service", "张三", "李四", "支付服务", "user"]
)
PREDICATES = st.sampled_from(
    [
        "lives in York",
        "moved to Leeds",
        "quit Globex",
        "is on port 80",
        "住在杭州",
        "改用Vim了",
        "负责人是王五",
    ]
)


@given(NAMES, NAMES, PREDICATES, PREDICATES)
def test_a_statement_never_retires_one_about_somebody_else(
    one: str, other: str, before: str, after: str
) -> None:
    if one != other:
        assert verdict(f"{one} {before}", f"{other} {after}") not in RETIRING


@given(st.text(max_size=60), st.text(max_size=60))
def test_any_text_can_be_judged(old: str, new: str) -> None:
    assert verdict(old, new) in set(Verdict)
