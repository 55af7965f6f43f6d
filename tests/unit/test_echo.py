"""What memory has shown is recognised when it comes back, and nothing else is."""

from collections.abc import Sequence
from typing import Any

import pytest

from hindsight_memory.core import echo
from hindsight_memory.core.context import Item, line
from hindsight_memory.core.model import Draft, Event, Layer, Visibility
from hindsight_memory.core.policy import Source, Status
from hindsight_memory.testing.samples import NOON, a_memory

SHOWN = [
    a_memory("zh", content="用户偏好用中文交流"),
    a_memory("en", content="CI needs Node 20"),
    a_memory("lines", content="Deploys:\n# one at a time"),
]
INJECTED = echo.injections(SHOWN, user_id="ann", session_id="s1", at=NOON)


@pytest.mark.parametrize(
    ("content", "ids"),
    [
        ("用户偏好用中文交流。", ("zh",)),
        ("根据记忆，用户偏好用中文交流", ("zh",)),
        ("我记得：用户偏好用中文交流！", ("zh",)),
        ("笔记里写着：用户偏好用中文交流", ("zh",)),
        ("CI needs Node 20", ("en",)),
        ("As memory says, CI needs Node 20.", ("en",)),
        ("I recall from an earlier session that CI needs Node 20", ("en",)),
        ("Note: CI needs Node 20", ("en",)),
        ("According to my long-term memory, CI needs Node 20", ("en",)),
        ("I recall that CI needs Node 20. 用户偏好用中文交流。", ("en", "zh")),
        (line(Item(memory=SHOWN[1]), now=NOON), ("en",)),
        (line(Item(memory=SHOWN[2]), now=NOON), ("lines",)),
    ],
)
def test_a_repetition_is_recognised(content: str, ids: Sequence[str]) -> None:
    assert echo.repeated(content, INJECTED) == ids


@pytest.mark.parametrize(
    "content",
    [
        "CI needs Node 22",
        "CI does not need Node 20",
        "According to my memory, CI does not need Node 20",
        "CI needs Node 20. Deploys take an hour.",
        "用户偏好用英文交流",
        "用户偏好用中文交流，但代码注释用英文",
        "The staging CI needs Node 20",
        "Note:",
        "",
    ],
)
def test_anything_new_is_no_repetition(content: str) -> None:
    assert echo.repeated(content, INJECTED) == ()


def test_what_is_kept_of_an_injection_holds_no_text() -> None:
    assert all("Node" not in str(each) for each in INJECTED)


def a_draft(**changes: Any) -> Draft:
    return Draft(**{"content": "CI needs Node 20", "user_id": "ann", "agent_id": "ada", **changes})


@pytest.mark.parametrize(
    ("changes", "may_be"),
    [
        ({}, True),
        ({"source": Source.RETROSPECTION}, True),
        ({"source": Source.USER_EXPLICIT}, False),
        ({"source": Source.TOOL_RESULT}, False),
        ({"layer": Layer.EPISODIC}, False),
        ({"event": Event(action="said")}, False),
        ({"supersedes": "1"}, False),
    ],
)
def test_only_a_statement_of_an_agent_can_be_an_echo(
    changes: dict[str, Any], *, may_be: bool
) -> None:
    assert echo.may_be(a_draft(**changes)) is may_be


@pytest.mark.parametrize(
    "changes",
    [
        {"project": "web"},
        {"visibility": Visibility.PRIVATE},
        {"user_id": "bob"},
        {"status": Status.DEPRECATED},
        {"retired_at": NOON},
        {"deleted_at": NOON},
    ],
)
def test_only_what_stands_in_the_same_place_is_repeated(changes: dict[str, Any]) -> None:
    assert echo.is_of(a_draft(), a_memory())
    assert not echo.is_of(a_draft(), a_memory(**changes))


def test_what_rests_on_the_word_of_the_user_is_news() -> None:
    assert echo.is_news([a_memory(source=Source.USER_EXPLICIT)])
    assert not echo.is_news([a_memory(source=Source.AGENT_INFERENCE)])
