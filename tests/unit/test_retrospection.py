"""What episodes show, pattern by pattern: which differences count, which errors say what."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.calls import Call, described, event_of
from hindsight_memory.core.model import Event, Layer, Memory
from hindsight_memory.core.policy import Source
from hindsight_memory.core.retrospection import failures, lessons
from hindsight_memory.core.retrospection.differences import difference
from hindsight_memory.core.retrospection.model import Pattern
from hindsight_memory.core.retrospection.wording import worded
from hindsight_memory.testing.samples import NOON, a_memory

Arguments = Mapping[str, Any]
UNICODE = "UnicodeDecodeError: byte 0xb9"


def episode(number: int, tool: str, arguments: Arguments, error: str = "") -> Memory:
    at = NOON + timedelta(seconds=number)
    call = Call(
        memory_id="",
        session_id="s1",
        tool=tool,
        arguments=arguments,
        outcome="failure" if error else "success",
        error=error,
        at=at,
    )
    return a_memory(
        f"m{number}",
        content=described(call),
        event=event_of(call),
        layer=Layer.EPISODIC,
        source=Source.TOOL_RESULT,
        session_id="s1",
        created_at=at,
    )


def said(number: int, words: str, source: Source = Source.USER_EXPLICIT) -> Memory:
    return a_memory(
        f"t{number}",
        content=words,
        event=Event(role="user"),
        layer=Layer.EPISODIC,
        source=source,
        session_id="s1",
        created_at=NOON + timedelta(seconds=number),
    )


def seen(*episodes: Memory) -> list[Pattern]:
    return [each for session in lessons.sessions(episodes) for each in lessons.patterns(session)]


def after_failure(tool: str, error: str, failed: Arguments, worked: Arguments) -> list[str]:
    """What one failure and one success show, in words."""
    found = seen(episode(1, tool, failed, error), episode(2, tool, worked))
    return [worded(each) for each in found if each.kind != "failure"]


@pytest.mark.parametrize(
    ("failed", "worked", "apart"),
    [
        ({"encoding": "utf-8"}, {"encoding": "gbk"}, ({"encoding": "utf-8"}, {"encoding": "gbk"})),
        ({}, {"编码": "gbk"}, ({}, {"编码": "gbk"})),
        ({"strict": True}, {"strict": 1}, ({"strict": True}, {"strict": 1})),
        ({"limit": 1000}, {"limit": 100}, ({"limit": 1000}, {"limit": 100})),
        ({"id": "7", "mode": "a"}, {"id": "8", "mode": "b"}, ({"mode": "a"}, {"mode": "b"})),
        (
            {"command": "pip install pandas"},
            {"command": "pip install --no-cache-dir pandas"},
            ({"command": ""}, {"command": "--no-cache-dir"}),
        ),
        (
            {"command": "python run.py"},
            {"command": "python3 run.py"},
            ({"command": "python"}, {"command": "python3"}),
        ),
        (
            {"query": "SELECT * FROM user"},
            {"query": "SELECT * FROM users"},
            ({"query": "user"}, {"query": "users"}),
        ),
    ],
)
def test_only_what_differs_is_named(
    failed: Arguments, worked: Arguments, apart: tuple[Arguments, Arguments]
) -> None:
    found = difference(failed, worked)
    assert found is not None
    assert (found.failed, found.worked) == apart


@pytest.mark.parametrize(
    ("failed", "worked"),
    [
        ({"path": "a.csv"}, {"path": "a.csv"}),
        ({"path": "a.csv"}, {"path": "b.csv"}),
        ({"path": "数据/一月.csv", "rows": 1}, {"path": "数据/二月.csv", "rows": 2}),
        ({"command": "git push origin main"}, {"command": "git pull origin main"}),
        ({"command": "make test"}, {"command": "ls -la /tmp"}),
        ({"a": 1, "b": 1, "c": 1, "d": 1}, {"a": 2, "b": 2, "c": 2, "d": 2}),
    ],
)
def test_calls_about_different_things_teach_nothing(failed: Arguments, worked: Arguments) -> None:
    assert difference(failed, worked) is None


@given(st.dictionaries(st.text(max_size=4), st.text(max_size=40) | st.integers(), max_size=4))
def test_a_call_does_not_differ_from_itself(arguments: dict[str, Any]) -> None:
    assert difference(arguments, dict(arguments)) is None


ARGUMENTS = st.dictionaries(
    st.sampled_from(["path", "mode", "command", "编码"]),
    st.sampled_from(["gbk", "utf-8", "pip install a", "pip install -i x a", 1, True, None, "a.py"]),
    max_size=3,
)


@given(ARGUMENTS, ARGUMENTS)
def test_the_two_calls_of_a_contrast_bear_it_out(
    failed: dict[str, Any], worked: dict[str, Any]
) -> None:
    pair = [episode(1, "t", failed, "TypeError: x"), episode(2, "t", worked)]
    for pattern in seen(*pair):
        if pattern.kind == "contrast":
            assert lessons.bearing(pattern, pair).supports == tuple(pair)


@pytest.mark.parametrize(
    ("tool", "error", "failed", "worked", "told"),
    [
        (
            "api",
            "HTTP 429: slow down",
            {"delay": 0},
            {"delay": 1},
            "api with delay=0 failed: HTTP 429: slow down; delay=1 worked",
        ),
        (
            "get",
            "ReadTimeout",
            {"timeout": 5},
            {"timeout": 60},
            "get with timeout=5 failed: ReadTimeout; timeout=60 worked",
        ),
        (
            "bash",
            "ModuleNotFoundError: No module named 'x'",
            {"command": "pytest -q"},
            {"command": "uv run pytest -q"},
            (
                "bash (pytest) as it was failed: ModuleNotFoundError: No module named 'x'; "
                "`uv run` worked"
            ),
        ),
        (
            "read",
            "Traceback (most recent call last):\n  File x\nKeyError: 'date'",
            {"header": 0},
            {},
            "read with header=0 failed: KeyError: 'date'; no header worked",
        ),
    ],
)
def test_a_failure_and_what_worked_in_words(
    tool: str, error: str, failed: Arguments, worked: Arguments, told: str
) -> None:
    assert after_failure(tool, error, failed, worked) == [told]


@pytest.mark.parametrize(
    ("error", "failed", "worked"),
    [
        ("Network is unreachable", {"mode": "a"}, {"mode": "b"}),
        ("连接超时", {"mode": "a"}, {"mode": "b"}),
        ("KeyboardInterrupt", {"mode": "a"}, {"mode": "b"}),
        ("用户拒绝了这次调用", {"mode": "a"}, {"mode": "b"}),
        ("FileNotFoundError: a.csv", {"path": "a.csv"}, {"path": "b.csv"}),
    ],
)
def test_an_outage_an_interruption_and_another_file_are_no_lesson(
    error: str, failed: Arguments, worked: Arguments
) -> None:
    assert after_failure("tool", error, failed, worked) == []


def test_a_success_before_a_failure_explains_nothing() -> None:
    worked, failed = {"encoding": "gbk"}, {"encoding": "utf-8"}
    found = seen(episode(1, "t", worked), episode(2, "t", failed, UNICODE))
    assert [each.kind for each in found] == ["failure"]


def test_the_nearest_success_that_differs_least_is_taken() -> None:
    found = seen(
        episode(1, "t", {"a": 1, "b": 1}, UNICODE),
        episode(2, "t", {"a": 2, "b": 2}),
        episode(3, "t", {"a": 1, "b": 2}),
    )
    assert [worded(each) for each in found] == [f"t with b=1 failed: {UNICODE}; b=2 worked"]


@pytest.mark.parametrize(
    ("error", "kind"),
    [
        ("UnicodeDecodeError: byte 0xb9", "unicodedecodeerror"),
        ("UnicodeDecodeError: byte 0xff in 三月.csv", "unicodedecodeerror"),
        ("HTTP 400 Bad Request: id 17", "400"),
        ("Traceback\n  x\nValueError: bad", "valueerror"),
        ("列 3 不匹配", "列 <n> 不匹配"),
    ],
)
def test_errors_of_one_kind_have_one_class(error: str, kind: str) -> None:
    assert failures.class_of(error) == kind


@pytest.mark.parametrize(
    ("error", "told"),
    [
        ("", ""),
        ("bad date\ntry again", "bad date"),
        ("Exit code 1", "Exit code 1"),
        ("Exit code 127\nbash: python: command not found", "bash: python: command not found"),
        ("Exit code 1\n=== test session starts ===\nFAILED a.py::t - x", "FAILED a.py::t - x"),
        (
            "Exit code 1\nTraceback (most recent call last):\n  File x\nKeyError: 'a'",
            "KeyError: 'a'",
        ),
        ("Traceback (most recent call last):\n  File x\nKeyError: 'a'\ndone", "KeyError: 'a'"),
        ("读入 3 行\n错误：编码无效", "错误：编码无效"),
    ],
)
def test_of_an_error_is_told_the_line_that_says_what_it_is(error: str, told: str) -> None:
    assert failures.told(error) == told


@pytest.mark.parametrize(
    "words",
    [
        "No, thanks.",
        "No, the meeting is at 5.",
        "We use tabs in Berlin.",
        "Should I use tabs, not spaces?",
        "不用谢",
        "不要紧",
        "我不喜欢用英文的网站",
        "要不要用中文？",
    ],
)
def test_what_corrects_nothing_is_no_correction(words: str) -> None:
    assert seen(said(1, words)) == []


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("No, use tabs.", "Use tabs instead of spaces."),
        ("I said answer in Chinese!", "please answer in Chinese next time"),
        ("不对，用中文", "不要用英文，用中文"),
        ("別用英文", "不要用英文了"),
        ("以后用公制单位", "我说过，用公制单位"),
    ],
)
def test_the_same_demand_in_other_words_is_one_correction(one: str, other: str) -> None:
    [first], [second] = seen(said(1, one)), seen(said(2, other))
    assert first.key == second.key


def test_only_the_user_corrects() -> None:
    assert seen(said(1, "No, use tabs.", Source.AGENT_INFERENCE)) == []
    assert len(seen(said(1, "No, use tabs."))) == 1


def test_who_speaks_is_not_part_of_what_is_said() -> None:
    turn = a_memory(
        "1",
        content="Ann: No, use tabs.",
        event=Event(role="user", participants=("Ann",)),
        layer=Layer.EPISODIC,
        source=Source.USER_EXPLICIT,
    )
    [found] = seen(turn)
    assert found.facts["wanted"] == "use tabs"


@pytest.mark.parametrize(
    ("turns", "decision", "reason"),
    [
        (
            ["We decided to use Redis because it is shared."],
            "We decided to use Redis",
            "it is shared",
        ),
        (
            ["因为预算有限，所以我们决定先用 SQLite。"],
            "我们决定先用 SQLite",
            "预算有限",
        ),
        (
            ["We decided to use Redis.", "Because it is shared."],
            "We decided to use Redis",
            "it is shared",
        ),
    ],
)
def test_a_decision_is_found_with_its_reason(turns: list[str], decision: str, reason: str) -> None:
    [found] = seen(*(said(number, turn) for number, turn in enumerate(turns)))
    assert found.facts == {"decision": decision, "reason": reason}


def test_a_decision_without_a_reason_is_left_as_it_was_said() -> None:
    assert seen(said(1, "We decided to use Redis.")) == []


@given(st.text(max_size=300), st.text(max_size=80))
def test_no_text_breaks_the_rules(words: str, error: str) -> None:
    for pattern in seen(said(1, words), episode(2, "t", {"x": words}, error or "x")):
        assert "\n" not in worded(pattern) or pattern.kind == "decision"
