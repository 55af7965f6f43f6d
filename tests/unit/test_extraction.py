"""What of a conversation is taken as statements, and what is dropped."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.extraction import extracted

LABELS = json.loads(Path(__file__).with_name("labelled_turns.json").read_text("utf-8"))
DATA = Path(__file__).parents[3] / "shared" / "data"


@pytest.mark.parametrize(
    ("turn", "kept"),
    [
        ("Thanks! The API listens on port 8000.", ["The API listens on port 8000."]),
        ("Always run the tests before a commit.", ["Always run the tests before a commit."]),
        (
            "We decided to use Redis, because it is fast. Sounds good?",
            ["We decided to use Redis, because it is fast."],
        ),
        ("我对花生过敏。你好！谢谢你的建议。", ["我对花生过敏。"]),
        ("以后回答都用中文", ["以后回答都用中文"]),
        ("生产环境的数据库用 PostgreSQL。", ["生产环境的数据库用 PostgreSQL。"]),
        ("我喜欢摄影，你有什么推荐吗？", ["我喜欢摄影，你有什么推荐吗？"]),
        ("你喜欢看电影吗？", []),
        ("Good luck, you got this!", []),
        ("祝你一切顺利，我会努力的。", []),
        ("I'll keep that in mind, thanks for your advice.", []),
        ("学习新技能是一个非常好的锻炼方式。", []),
    ],
)
def test_statements_are_taken_and_courtesies_are_not(turn: str, kept: list[str]) -> None:
    assert [item.content for item in extracted(turn)] == kept


def test_an_assistant_only_gives_decisions_and_lessons() -> None:
    turn = "I love hiking. We decided to use gbk, because utf-8 failed."
    assert [item.content for item in extracted(turn, role="assistant")] == [
        "We decided to use gbk, because utf-8 failed."
    ]


def test_an_item_says_whether_its_speaker_was_sure() -> None:
    [sure] = extracted("I moved to Berlin.")
    [unsure] = extracted("Maybe I moved too early.")
    assert (sure.is_hedged, unsure.is_hedged) == (False, True)


@given(st.text(alphabet="我喜欢茶I like.tea 。！?？\n", max_size=80))
def test_an_item_quotes_its_place_in_the_turn(turn: str) -> None:
    for item in extracted(turn):
        assert turn[item.start : item.end] == item.content


def labelled() -> Iterator[tuple[str, str, bool]]:
    """Role, text and label of each of the hundred turns."""
    bank = json.loads((DATA / "memorybank_cn.json").read_text("utf-8"))
    locomo = json.loads((DATA / "locomo_dev.json").read_text("utf-8"))
    said = {
        (talk["sample_id"], turn["dia_id"]): turn["text"]
        for talk in locomo
        for turns in talk["conversation"].values()
        if isinstance(turns, list)
        for turn in turns
    }
    for label in LABELS:
        if label["file"] == "locomo_dev":
            yield "user", said[label["sample"], label["dia_id"]], label["keep"]
        else:
            yield _of_the_bank(bank, label)


def _of_the_bank(bank: dict[str, Any], label: dict[str, Any]) -> tuple[str, str, bool]:
    turn = bank[label["user"]]["history"][label["day"]][label["index"]]
    role = "user" if label["field"] == "query" else "assistant"
    return role, turn[label["field"]], label["keep"]


@pytest.mark.skipif(not DATA.exists(), reason="the labelled data is not beside the checkout")
def test_of_a_hundred_labelled_turns_nine_in_ten_are_taken_rightly() -> None:
    """The rules were written with these labels in view: it guards them, and proves no more."""
    found = [(bool(extracted(text, role=role)), keep) for role, text, keep in labelled()]
    right = sum(taken and keep for taken, keep in found)
    assert len(found) == 100
    assert right / sum(taken for taken, _ in found) >= 0.9
    assert right / sum(keep for _, keep in found) >= 0.8
