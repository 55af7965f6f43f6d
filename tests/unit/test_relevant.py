"""What is near enough to a task to be shown unasked, and what is wanted in every task."""

from typing import Any

import pytest

from hindsight_memory.core.policy import Source
from hindsight_memory.core.relevant import near, weight
from hindsight_memory.core.retrieval import Answer, Hit
from hindsight_memory.core.standing import is_standing
from hindsight_memory.testing.samples import a_memory


def hit(score: float, similarity: float | None, *, words: float = 0.0, intent: float = 0.0) -> Hit:
    parts = {"relevance.words": words, "relevance.intent": intent}
    memory = a_memory(f"{score}")
    return Hit(
        memory=memory,
        score=score,
        parts=parts,
        verdict="current",
        sources=(memory,),
        similarity=similarity,
    )


def answer(*hits: Hit, abstained: bool = False) -> Answer:
    return Answer(hits=hits, abstained=abstained, notes=(), recall_id="")


@pytest.mark.parametrize(
    ("found", "is_near"),
    [
        (hit(1.0, 0.5), True),
        (hit(1.0, 0.49), False),
        (hit(1.0, 0.2, words=0.2), True),
        (hit(1.0, 0.1, words=0.9), False),
        (hit(1.0, None, words=0.2), True),
        (hit(1.0, None, words=0.1), False),
        (hit(1.0, 0.0, intent=1.0), True),
        (hit(1.0, 0.25, intent=0.3), True),
        (hit(1.0, 0.2, intent=0.9), False),
        (hit(1.0, None, intent=0.9), False),
    ],
)
def test_a_memory_earns_its_place_by_meaning_by_words_or_by_what_the_task_is_after(
    found: Hit, *, is_near: bool
) -> None:
    assert list(near(answer(found))) == [found] * is_near


def test_what_is_far_behind_the_best_is_about_something_else() -> None:
    best, second, far = hit(1.0, 0.9), hit(0.5, 0.6), hit(0.49, 0.6)
    assert near(answer(best, second, far)) == [best, second]


def test_likings_are_not_measured_by_the_constraint_beside_them() -> None:
    allergy, dish = hit(1.0, 0.1, intent=2.25), hit(0.4, 0.3, intent=0.45)
    assert near(answer(allergy, dish)) == [allergy, dish]


def test_an_answer_that_abstains_shows_nothing() -> None:
    assert list(near(answer(hit(1.0, 0.9), abstained=True))) == []
    assert list(near(answer())) == []


SAID = {"source": Source.USER_EXPLICIT}


@pytest.mark.parametrize(
    "content",
    [
        "用户偏好用中文交流",
        "以后回答用中文",
        "用簡體中文回答",
        "叫我小王",
        "请叫我小王",
        "回答要简洁",
        "解释尽量通俗",
        "不要在回复里用表情符号",
        "语气轻松一点",
        "Reply in English",
        "Always answer in Chinese.",
        "Speak German with me",
        "The user prefers concise answers",
        "The user prefers English for code comments",
        "Explain things in simple words",
        "Keep your replies brief",
        "Be brief",
        "No emojis, please",
        "Call me Ann",
    ],
)
def test_how_to_be_spoken_to_is_wanted_in_every_task(content: str) -> None:
    assert is_standing(a_memory(content=content, **SAID))


@pytest.mark.parametrize(
    "content",
    [
        "用户喜欢看中文电影",
        "喜欢和朋友交流",
        "喜欢简洁的设计",
        "医生叫我少吃糖",
        "我在学用英语写作",
        "她回复邮件很慢",
        "The user prefers Chinese food",
        "I use French press every morning",
        "The user wants to learn to speak Spanish",
        "I love to talk about football",
        "API responses are JSON",
        "The reply to the ticket is due Monday",
        "Call me on Monday, not before",
        "The team communicates over Slack",
    ],
)
def test_what_only_uses_the_same_words_is_not(content: str) -> None:
    assert not is_standing(a_memory(content=content, **SAID))


@pytest.mark.parametrize(
    ("changes", "is_so"),
    [
        ({**SAID, "importance": 0.8}, True),
        ({**SAID, "importance": 0.7}, False),
        ({"source": Source.AGENT_INFERENCE, "importance": 1.0}, False),
    ],
)
def test_what_the_user_gave_weight_is_wanted_always(
    changes: dict[str, Any], *, is_so: bool
) -> None:
    assert is_standing(a_memory(content="Never on Fridays", **changes)) is is_so


def test_what_no_task_tells_apart_is_ordered_by_importance_then_use() -> None:
    used, plain = a_memory("1", used_count=3), a_memory("2")
    dear = a_memory("0", importance=0.9)
    assert sorted([plain, used, dear], key=weight, reverse=True) == [dear, used, plain]
