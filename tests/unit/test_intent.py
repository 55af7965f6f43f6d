"""What open questions are after, and that plain lookups are after nothing."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.intent import INTENTS, Distilled, Intent, about, distil, is_constraint
from hindsight_memory.core.policy import MemoryType

OPEN = """
eating | what should I cook tonight
eating | Any ideas for dinner?
eating | Can you recommend a restaurant for six people?
eating | What's for lunch?
eating | I'm hungry
eating | Plan a weekly menu for me
eating | 今晚吃什么？
eating | 帮我点外卖
eating | 晚饭做什么菜好
eating | 推荐一家附近的餐厅
eating | 聚餐选哪家饭店比较好
travel | Where should we go on holiday this summer?
travel | Help me plan a trip to Japan
travel | Book a flight to Berlin for Friday
travel | 国庆去哪里玩比较好
travel | 帮我做一个云南旅游攻略
travel | 出差订哪家酒店
gift | What should I get her for her birthday?
gift | Suggest a gift for my father
gift | 送女朋友什么礼物好
gift | 妈妈生日该准备点什么
health | How can I exercise without hurting my back?
health | Recommend a workout for beginners
health | 怎么减肥比较健康
health | 想开始跑步，有什么建议
scheduling | When should we schedule the meeting?
scheduling | Set up a call with the design team
scheduling | 帮我安排一下明天的会议
scheduling | 什么时候开会合适
coding | Which library should I use for HTTP requests?
coding | Write a function that parses dates
coding | How should I name the new branch?
coding | 用什么框架写后端
coding | 帮我写个 Python 脚本
coding | 提交代码前该做什么
writing | Draft an email to the customer
writing | How should I reply to this message?
writing | 帮我写一封请假邮件
writing | 周报怎么写
conversing | 你好
conversing | hello!
conversing | What language should I answer in?
conversing | 用什么语言回答用户
conversing | 该怎么称呼你
shopping | What laptop should I buy?
shopping | 我想买双跑鞋
shopping | 哪款手机值得买
deploying | How do I deploy this to production?
deploying | Which port should the server listen on?
deploying | 怎么部署到测试环境
deploying | 数据库配置用什么端口
troubleshooting | Why does it fail with a timeout?
troubleshooting | The build is not working
troubleshooting | How do I fix this error?
troubleshooting | 报错了怎么办
troubleshooting | 为什么连不上数据库
troubleshooting | 部署又失败了
entertainment | Recommend me a movie
entertainment | What should I read next?
entertainment | 周末看什么电影
entertainment | 推荐几首歌单
learning | How should I learn Rust?
learning | 怎么学日语
"""

LOOKUPS = """
What did Caroline eat on Monday?
Where did Anna buy the dress?
When did Melanie go camping in June?
What kind of restaurant does John like?
Which book did Tim recommend to John?
What is the name of Maria's puppy?
Who cooked dinner for the team last night?
How many trips has Evan taken this year?
What was the movie about?
Which port does the billing service use?
What recipe did I send you yesterday?
Does Sam have any allergies?
What did we decide about the database?
Why did Jolene sell her car?
Who recommended the hotel in Rome?
Where is the office?
What is our refund policy?
Tell me about the migration last spring
the deadline of project Apollo
Is Bob a vegetarian?
我上周三吃了什么？
你给我推荐过哪些电影？
我的花生过敏是什么时候发现的？
王峰在哪家餐厅过的生日？
他送了我什么礼物？
我喜欢吃什么？
数据库的端口是多少？
你还记得我去过哪里旅游吗？
谁负责部署？
这本书的作者是谁？
4月30号我做了一道什么菜？
小李叫什么名字
会议是哪天开的
我们为什么选择了这个框架？
项目的截止日期
李雪喜欢哪些菜系？
"""

CONSTRAINTS = """
用户对花生过敏
我在忌口，不吃辣
不能在周五上线
提交前必须跑测试
禁止直接推送到主分支
他从不喝酒
不要用表格回答
The user is allergic to peanuts
Never push to main
You must not share the key
Always run the tests before a commit
Avoid dairy
Do not use tables
She doesn't eat pork
A review is required
"""

NO_CONSTRAINTS = """
用户喜欢意大利菜
能不能吃辣都行
要不要一起去
他昨天去了博物馆
不要紧
The user likes Italian food
I enjoy spicy noodles
They went hiking last week
I can't wait to see you
It must have been fun
The port is 8080
It must be tough for him
她也说不准
"""


def lines(table: str) -> list[str]:
    return table.strip().splitlines()


@pytest.mark.parametrize("line", lines(OPEN))
def test_an_open_question_fires_its_intent(line: str) -> None:
    name, query = line.split(" | ")
    assert name in distil(query).intents


@pytest.mark.parametrize("query", lines(LOOKUPS))
def test_a_plain_lookup_fires_nothing(query: str) -> None:
    assert distil(query) == Distilled()


@pytest.mark.parametrize("text", lines(CONSTRAINTS))
def test_what_must_or_must_not_be_is_a_constraint(text: str) -> None:
    assert is_constraint(text)


@pytest.mark.parametrize("text", lines(NO_CONSTRAINTS))
def test_what_somebody_likes_or_did_is_no_constraint(text: str) -> None:
    assert not is_constraint(text)


def test_cooking_tonight_is_more_about_the_allergy_than_the_liking_and_not_about_the_port() -> None:
    for query in ("今晚吃什么？", "what should I cook tonight"):
        topics = distil(query).topics
        assert about("用户对花生过敏", topics) == 0.75
        assert about("The user has several food allergies", topics) == 0.75
        assert about("用户喜欢意大利菜", topics) == 0.5
        assert about("The billing service listens on port 8080", topics) == 0


@pytest.mark.parametrize(
    ("text", "strength"),
    [
        ("The user is a vegan", 0.5),
        ("two vegans, one allergy: allergies to nuts", 0.875),
        ("He disliked it", 0.5),
        ("ＶＥＧＡＮ", 0.5),
        ("對花生過敏", 0.5),
        ("veganism", 0),
        ("a minute ago", 0),
        ("", 0),
    ],
)
def test_each_further_topic_halves_what_is_left(text: str, strength: float) -> None:
    assert about(text, ("vegan", "allergy", "dislike", "nut", "过敏")) == strength


def test_nothing_is_about_no_topics() -> None:
    assert about("peanuts", ()) == 0


def test_a_caller_adds_an_intent() -> None:
    chess = Intent(
        name="chess",
        subjects=("opening",),
        memory_types=frozenset({MemoryType.LESSON}),
        topics=("sicilian",),
    )
    assert distil("Which opening should I play?", (*INTENTS, chess)) == Distilled(
        intents=("chess",), memory_types=frozenset({MemoryType.LESSON}), topics=("sicilian",)
    )


def test_two_intents_give_each_topic_once() -> None:
    found = distil("Recommend a restaurant for her birthday gift dinner")
    assert found.intents == ("eating", "gift")
    assert len(found.topics) == len(set(found.topics))
    assert found.memory_types == frozenset(
        {MemoryType.PREFERENCE, MemoryType.FACT, MemoryType.LESSON, MemoryType.EVENT}
    )


@pytest.mark.parametrize("intent", INTENTS, ids=lambda intent: intent.name)
def test_every_intent_is_shown_and_names_topics_in_both_languages(intent: Intent) -> None:
    shown = [line.split(" | ")[1] for line in lines(OPEN) if line.startswith(intent.name)]
    assert {query.isascii() for query in shown} == {True, False}
    assert {topic.isascii() for topic in intent.topics} == {True, False}
    assert intent.memory_types


@given(st.text(st.characters(exclude_categories=())))
def test_any_text_has_a_strength_between_0_and_1(text: str) -> None:
    topics = distil(text).topics or INTENTS[0].topics
    assert 0 <= about(text, topics) <= 1
    assert is_constraint(text) in {True, False}


def questions(value: object) -> list[str]:
    """Every text under a key ``question``, at any depth."""
    if isinstance(value, list):
        return [found for item in value for found in questions(item)]
    if not isinstance(value, dict):
        return []
    own = [value["question"]] if isinstance(value.get("question"), str) else []
    return own + [found for item in value.values() for found in questions(item)]


@pytest.mark.parametrize("name", ["locomo_dev.json", "cmrc2018_trial.json"])
def test_hardly_any_benchmark_lookup_fires(name: str) -> None:
    path = Path(__file__).parents[3] / "shared" / "data" / name
    if not path.exists():
        pytest.skip(f"{name} is not beside this checkout")
    asked = questions(json.loads(path.read_text("utf-8")))
    fired = [question for question in asked if distil(question).intents]
    assert len(asked) >= 1000
    assert len(fired) / len(asked) < 0.01
