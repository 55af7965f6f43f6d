"""What is skipped is small talk and nothing else; what is kept gets its type."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.admission import admit_turn, classify, is_greeting, low_value_note
from hindsight_memory.core.policy import MemoryType

LOCOMO = Path(__file__).parents[3] / "shared" / "data" / "locomo_dev.json"

GREETINGS = [
    "hi",
    "Hello!",
    "HEY there :)",
    "Hi Claude!",
    "good morning, everyone",
    "Thanks, John!",
    "thank you so much 🙏",
    "ok",
    "Okay, got it.",
    "ｏｋ！",
    "haha",
    "bye",
    "Bye bye, see you tomorrow!",
    "👍",
    "你好",
    "您好！",
    "早上好",
    "谢谢",
    "謝謝你！",
    "太感谢了～",
    "好的，谢谢",
    "嗯嗯",
    "哈哈哈",
    "收到，明白了。",
    "拜拜，明天见",
]
NOT_GREETINGS = [
    "hi, I'm Bob",
    "Thanks to Ann we moved",
    "Thanks, Friday.",
    "OK, Paris",
    "ok use port 8000",
    "Hello World Inc. is our client",
    "5",
    "Berlin",
    "no",
    "...",
    "",
    "你好，我叫张三",
    "好的，周五",
    "好吃的是辣的",
    "谢谢，我不吃辣",
    "明天见客户",
]


@pytest.mark.parametrize("text", GREETINGS)
def test_a_bare_greeting_is_one(text: str) -> None:
    assert is_greeting(text)
    assert admit_turn(text, role="user").verdict == "skip"


@pytest.mark.parametrize("text", NOT_GREETINGS)
def test_what_says_more_is_no_greeting(text: str) -> None:
    assert not is_greeting(text)


@given(st.sampled_from(GREETINGS), st.sampled_from(["Ann moved to Oslo", "用户对花生过敏", "7"]))
def test_a_greeting_does_not_hide_a_fact(greeting: str, fact: str) -> None:
    for text in (f"{greeting}, {fact}", f"{fact}。{greeting}", f"{greeting}\n{fact}"):
        assert not is_greeting(text)
        assert admit_turn(text, role="assistant").verdict == "keep"


@pytest.mark.parametrize(
    "text",
    [
        "I prefer dark mode.",
        "I'm allergic to peanuts",
        "We chose Postgres because of the JSON support.",
        "No, the port is 8001, not 8000.",
        "Never deploy on Fridays",
        "Thanks! My daughter Ann starts school in May.",
        "I moved to Oslo. I think the weather is nice.",
        "Berlin",
        "用户对花生过敏",
        "不对，端口是8001",
        "我们选用PG，因为团队熟悉。",
        "我比较喜欢自然风光，你有推荐的地方吗？",
        "我很喜欢旅游和看电影，你呢？",
        "预算不能超过5000",
    ],
)
def test_facts_preferences_decisions_and_corrections_are_kept(text: str) -> None:
    assert admit_turn(text, role="user").verdict == "keep"


@pytest.mark.parametrize(
    "text",
    [
        "Maybe we should move to Oslo",
        "I think it is the cache, not the network",
        "Still debugging the login",
        "It might rain.",
        "Do you have any goals in mind?",
        "可能是缓存的问题",
        "还在试新的方案",
        "我觉得他会同意",
        "你有什么推荐？",
    ],
)
def test_inferences_intermediate_states_and_questions_are_tentative(text: str) -> None:
    assert admit_turn(text, role="user").verdict == "tentative"


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "nothing is said"),
        (" \n...", "nothing is said"),
        ("Thanks, Sam! Have a great one!", "a greeting, thanks or an acknowledgement"),
        ("Hey! Long time no see, how's it going?", "small talk"),
        ("你好，最近怎么样？", "small talk"),
        ("brb", "over before anybody could recall it"),
        ("OK, back in 5 minutes", "over before anybody could recall it"),
        ("稍等一下，我马上回来", "over before anybody could recall it"),
        ("and then...", "a fragment: no thing and no action in it"),
        ("那个……然后", "a fragment: no thing and no action in it"),
    ],
)
def test_the_reason_for_skipping_is_named(text: str, reason: str) -> None:
    admission = admit_turn(text, role="user")
    assert (admission.verdict, admission.reason) == ("skip", reason)


def test_only_an_assistant_offers_help_that_nobody_need_remember() -> None:
    offer = "不用谢！如果有需要，你可以随时找我聊天。"
    assert admit_turn(offer, role="assistant").verdict == "skip"
    assert admit_turn(offer, role="user").verdict == "keep"


@pytest.mark.parametrize("text", ["how are you?", "brb", "What is the port?", "你好"])
def test_a_write_of_little_value_gets_a_note(text: str) -> None:
    assert (low_value_note(text) or "").startswith("looks of little value: ")


@pytest.mark.parametrize("text", ["User may be allergic to nuts", "port 8000", "可能对花生过敏"])
def test_a_write_of_value_gets_no_note(text: str) -> None:
    assert low_value_note(text) is None


CUED = {
    MemoryType.PREFERENCE: """
        User prefers dark mode|I like tea|She doesn't eat meat|Always use pnpm|叫我小王
        From now on answer in Chinese|Bob is allergic to nuts|My favourite colour is blue
        用户喜欢深色主题|以后都用中文回答|我不吃香菜|用户对花生过敏|记得每次都要先跑测试
    """,
    MemoryType.DECISION: """
        We decided to use Postgres|We chose Redis because it is fast|The team settled on Rust
        我们决定用Go|数据库选用PG|方案定了
    """,
    MemoryType.TASK: """
        TODO: fix the login|User needs to renew the passport|Send the report by Friday
        Remind me to call Ann|待办：修复登录|周五前交报告|记得买牛奶|下周要做体检
    """,
    MemoryType.FEEDBACK: """
        That was wrong|Your answer was very helpful|This is too slow
        回答太慢了|这个结果不对|很有用
    """,
    MemoryType.LESSON: """
        Learned that the API is rate limited|It turns out the cache was stale
        Next time check the logs first|踩坑：时区要显式设置|原来是缓存没有清|教训：先备份
    """,
    MemoryType.FACT: """
        The billing service listens on port 8000|It looks like rain|Ann works at Google
        The release is in May|数据库端口是5432|公司原来的名字是甲|张三住在北京
    """,
}


@pytest.mark.parametrize("kind", CUED)
def test_cues_give_the_type(kind: MemoryType) -> None:
    texts = [text.strip() for line in CUED[kind].strip().splitlines() for text in line.split("|")]
    assert {text: classify(text, is_event=False) for text in texts} == dict.fromkeys(texts, kind)


def test_what_happened_is_an_event_whatever_it_says() -> None:
    assert classify("We decided to use Postgres", is_event=True) is MemoryType.EVENT


@given(st.text() | st.lists(st.sampled_from([*GREETINGS, *NOT_GREETINGS])).map(" ".join))
def test_any_text_is_decided(text: str) -> None:
    assert admit_turn(text, role="user").verdict in {"keep", "tentative", "skip"}
    assert classify(text, is_event=False) in MemoryType
    if is_greeting(text):
        assert low_value_note(text) is not None


@pytest.mark.skipif(not LOCOMO.exists(), reason=f"no conversations at {LOCOMO}")
def test_turns_that_answer_questions_are_not_skipped() -> None:
    skipped, total = [], 0
    for sample in json.loads(LOCOMO.read_text()):
        wanted = {turn for question in sample["qa"] for turn in question["evidence"]}
        for turn in _turns(sample["conversation"]):
            if turn["dia_id"] in wanted:
                total += 1
                if admit_turn(turn["text"], role="user").verdict == "skip":
                    skipped.append(turn["text"])
    assert total > 700
    # The label is wrong: it answers nothing.
    assert skipped == ["Hey Evan! Long time no see, how's it going?"]


def _turns(conversation: dict[str, object]) -> list[dict[str, str]]:
    sessions = [turns for turns in conversation.values() if isinstance(turns, list)]
    return [turn for turns in sessions for turn in turns]
