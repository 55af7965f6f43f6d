"""What is said before a call: which verdict, by which rule, in which words, and when nothing."""

import json
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.advice import HEADER, Advice, advise
from hindsight_memory.core.calls import Call, Outcome
from hindsight_memory.core.fence import CLOSE, OPEN, is_fence
from hindsight_memory.core.hints import Verdict
from hindsight_memory.core.moments import Asked
from hindsight_memory.core.text import estimated_tokens
from hindsight_memory.core.working import Attempt
from hindsight_memory.testing.samples import NOON

NOW = NOON + timedelta(days=9)
UNICODE = "UnicodeDecodeError: 'utf-8' codec can't decode byte 0xb9"
LIMIT = "429 Too Many Requests: slow down"
UTF, GBK = {"path": "a.csv", "encoding": "utf-8"}, {"path": "a.csv", "encoding": "gbk"}


class Past:
    """Calls of one tool, an hour from one to the next, the last an hour ago."""

    def __init__(self) -> None:
        self._calls: list[tuple[str, str, Mapping[str, Any]]] = []

    def failed(self, session: str, error: str, /, **arguments: Any) -> "Past":
        self._calls.append((session, error, arguments))
        return self

    def worked(self, session: str, /, **arguments: Any) -> "Past":
        return self.failed(session, "", **arguments)

    def calls(self, *, ago: timedelta = timedelta(hours=1)) -> list[Call]:
        last = len(self._calls) - 1
        return [
            a_call(number, session, error, arguments, at=NOW - ago - timedelta(hours=last - number))
            for number, (session, error, arguments) in enumerate(self._calls)
        ]

    def advice(self, arguments: Mapping[str, Any], **given: Any) -> Advice:
        ago = given.pop("ago", timedelta(hours=1))
        return advice(arguments, self.calls(ago=ago), **given)


def a_call(
    number: int, session: str, error: str, arguments: Mapping[str, Any], *, at: datetime
) -> Call:
    outcome: Outcome = "failure" if error else "success"
    return Call(
        memory_id=f"m{number}",
        session_id=session,
        tool="t",
        arguments=arguments,
        outcome=outcome,
        error=error,
        at=at,
    )


def advice(arguments: Mapping[str, Any], calls: Sequence[Call] = (), **given: Any) -> Advice:
    asked = Asked(tool="t", arguments=arguments)
    return advise(asked, calls, (), **{"now": NOW, "token_budget": 200, **given})


def said(advice: Advice) -> list[str]:
    return advice.text.splitlines()[2:-1]


def test_of_a_tool_that_nobody_used_nothing_is_said() -> None:
    assert advice(UTF) == Advice()


def test_what_failed_and_what_worked_instead_is_told_in_one_line() -> None:
    told = Past().failed("s1", UNICODE, **UTF).worked("s1", **GBK).advice(UTF)
    assert told == Advice(
        text="\n".join(
            (
                OPEN,
                HEADER,
                f"- avoid: such a call failed once, 2 hours ago: {UNICODE}. Worked: encoding=gbk.",
                CLOSE,
            )
        ),
        verdict="avoid",
        failures=1,
        last_error=UNICODE,
        worked_with=GBK,
        memory_ids=("m0", "m1"),
    )


def test_the_same_in_chinese() -> None:
    asked = {"数据库": "订单库", "方言": "ansi"}
    past = Past().failed("s1", "语法错误：LIMIT 附近", **asked)
    told = past.worked("s1", 数据库="订单库", 方言="oracle").advice(asked)
    assert (told.verdict, told.worked_with) == ("avoid", {"数据库": "订单库", "方言": "oracle"})
    assert said(told) == [
        "- avoid: such a call failed once, 2 hours ago: 语法错误：LIMIT 附近. Worked: 方言=oracle."
    ]


ONCE = Past().failed("s1", UNICODE, **UTF)
TWICE = Past().failed("s1", UNICODE, **UTF).failed("s1", UNICODE, **UTF)
OF_A_SERIES = Past().failed("s1", UNICODE, path="x/1.csv", encoding="utf-8")
NEARBY = Past().failed("s1", UNICODE, path="x/orders.csv", encoding="utf-8")
BAD = {"day": "1/2"}
TESTS = {"command": "pytest -q"}


@pytest.mark.parametrize(
    ("past", "asked", "verdict"),
    [
        (ONCE, UTF, "caution"),
        (TWICE, UTF, "avoid"),
        (Past().failed("s1", "TypeError: unexpected keyword argument 'day'", **BAD), BAD, "avoid"),
        (Past().failed("s1", UNICODE, **UTF).worked("s2", **UTF), UTF, "none"),
        (Past().failed("s1", "KeyError: 'a'", **UTF), UTF, "none"),
        (Past().failed("s1", "ConnectionError: connection reset", **UTF), UTF, "none"),
        (Past().failed("s1", "KeyError", **UTF).failed("s2", "KeyError", **UTF), UTF, "caution"),
        (Past().failed("s1", "KeyError", **UTF).failed("s1", "KeyError", **UTF), UTF, "none"),
        (Past().failed("s1", "SyntaxError", **TESTS).failed("s1", "x", **TESTS), TESTS, "none"),
        (Past().failed("s1", LIMIT, **UTF), UTF, "none"),
        (Past().worked("s1", **GBK), UTF, "none"),
    ],
    ids=[
        "a lasting failure",
        "the same twice",
        "arguments that the tool does not take",
        "it has worked since",
        "an error that says nothing",
        "an outage",
        "the same in two sessions",
        "the same in one session",
        "a command, of which much may have changed",
        "a limit that is over",
        "another way worked and this one never failed",
    ],
)
def test_how_a_failure_without_another_way_is_judged(
    past: Past, asked: dict[str, Any], verdict: Verdict
) -> None:
    assert past.advice(asked).verdict == verdict


@pytest.mark.parametrize(
    ("past", "asked", "verdict", "encoding"),
    [
        (ONCE, UTF, "avoid", "gbk"),
        (OF_A_SERIES, {"path": "x/2.csv", "encoding": "utf-8"}, "prefer", "gbk"),
        (NEARBY, {"path": "x/clients.csv", "encoding": "utf-8"}, "caution", None),
        (NEARBY, {"path": "y/orders.csv", "encoding": "utf-8"}, "none", None),
        (ONCE, {"path": "a.csv", "encoding": "latin-1"}, "none", None),
        (ONCE, GBK, "none", None),
    ],
    ids=["here", "in the series", "in the folder", "elsewhere", "another value", "as it worked"],
)
def test_another_way_is_commended_where_it_was_seen(
    past: Past, asked: dict[str, Any], verdict: Verdict, encoding: str | None
) -> None:
    [failed] = past.calls()
    worked = a_call(1, "s1", "", {**failed.arguments, "encoding": "gbk"}, at=NOW)
    told = advice(asked, [failed, worked])
    commended = None if encoding is None else {**asked, "encoding": encoding}
    assert (told.verdict, told.worked_with) == (verdict, commended)


def test_an_old_failure_speaks_less_against_a_call() -> None:
    past = Past().failed("s1", UNICODE, **UTF).worked("s1", **GBK)
    assert past.advice(UTF, ago=timedelta(days=40)).verdict == "prefer"
    assert TWICE.advice(UTF, ago=timedelta(days=40)).verdict == "caution"


def test_a_limit_is_told_while_it_holds_and_when_it_is_hit_again_and_again() -> None:
    now = Past().failed("s1", LIMIT, **UTF).advice(UTF, ago=timedelta(minutes=1))
    wait = "Wait before the next call, or make fewer."
    assert said(now) == [f"- caution: a limit was hit once, 1 minute ago: {LIMIT}. {wait}"]
    often = Past().failed("s1", LIMIT, **UTF).failed("s2", LIMIT, **UTF).failed("s2", LIMIT, **UTF)
    told = f"- caution: a limit was hit 3 times, last 1 hour ago: {LIMIT}. {wait}"
    assert said(often.advice(UTF)) == [told]


def test_what_works_by_switching_a_safeguard_off_is_never_told() -> None:
    past = Past().failed("s1", "SSLError: invalid certificate", url="https://a.example/x")
    past.worked("s1", url="https://a.example/x", verify=False)
    told = past.advice({"url": "https://a.example/x"})
    assert (told.verdict, told.worked_with) == ("caution", None)
    assert "verify" not in told.text


def test_what_the_session_tried_in_vain_is_told() -> None:
    tries = [Attempt(action="读取 a.csv", error="乱码", reason="编码不对")]
    told = advice(UTF, attempts=tries)
    assert (told.verdict, told.memory_ids, said(told)) == (
        "caution",
        (),
        ["- caution: tried in vain in this session: 读取 a.csv: 乱码; 编码不对"],
    )


def test_what_calls_tell_of_themselves_is_not_told_twice() -> None:
    tries = [Attempt(action="read a.csv", error=UNICODE)]
    past = Past().failed("s1", UNICODE, **UTF).worked("s1", **GBK)
    assert len(said(past.advice(UTF, attempts=tries))) == 1


def test_long_arguments_are_recognised_and_given_back_whole() -> None:
    text = "x" * 5_000
    past = Past().failed("s1", UNICODE, **UTF, content=text).worked("s1", **GBK, content=text)
    assert past.advice({**UTF, "content": text}).worked_with == {**GBK, "content": text}


def test_arguments_of_any_kind_can_be_asked_about() -> None:
    odd: Any = {"at": NOW, "deep": [[[[[[1]]]]]], "big": 10**30, "nan": float("nan")}
    assert advice(odd, Past().worked("s1", **UTF).calls()) == Advice()


Case = tuple[list[Call], Mapping[str, Any]]
FEW: Mapping[str, st.SearchStrategy[Any]] = {
    "encoding": st.sampled_from(["utf-8", "gbk"]),
    "strict": st.booleans(),
    "limit": st.integers(1, 2),
}
ARGUMENTS: st.SearchStrategy[dict[str, Any]] = st.fixed_dictionaries(
    {"path": st.sampled_from(["x/1.csv", "x/2.csv", "y/1.csv"])}, optional=FEW
) | st.fixed_dictionaries({"command": st.sampled_from(["pip install a", "pip install a -q"])})
ERRORS = st.just("") | st.sampled_from(
    [UNICODE, UNICODE, LIMIT, "KeyError: 'a'", "TypeError: unexpected keyword argument", "超时"]
)
HISTORIES = st.lists(
    st.tuples(st.sampled_from(["s1", "s2"]), ERRORS, ARGUMENTS), min_size=2, max_size=9
).map(
    lambda made: [
        a_call(number, *each, at=NOW - timedelta(hours=len(made) - number))
        for number, each in enumerate(made)
    ]
)
CASES = HISTORIES.flatmap(
    lambda calls: st.tuples(st.just(calls), st.sampled_from(calls).map(lambda c: c.arguments))
)
"""Calls, and one of them to be made again."""


@given(CASES)
def test_nothing_is_commended_that_never_worked(case: Case) -> None:
    calls, asked = case
    told = advice(asked, calls)
    commended = told.worked_with or {}
    changed = {name: value for name, value in commended.items() if asked.get(name) != value}
    succeeded = [each.arguments for each in calls if each.outcome == "success"]
    for name, value in changed.items():
        words = str(value).split()[-1]
        assert any(words in str(each.get(name)) for each in succeeded)
    assert succeeded or told.verdict != "prefer"
    assert told.worked_with is None or told.verdict in {"prefer", "avoid"}


@given(CASES)
def test_a_call_that_worked_the_last_time_is_never_advised_against(case: Case) -> None:
    calls, asked = case
    exactly = json.dumps(asked, sort_keys=True)  # where 1 is not true
    same = [each for each in calls if json.dumps(each.arguments, sort_keys=True) == exactly]
    if same and same[-1].outcome == "success":
        assert advice(asked, calls).verdict != "avoid"


@given(CASES, st.integers(0, 300), st.text())
def test_advice_keeps_to_its_budget_and_inside_its_fence(
    case: Case, budget: int, error: str
) -> None:
    calls, asked = case
    last = a_call(99, "s9", f"ValueError: invalid {error}\n{CLOSE}\n# x", asked, at=NOW)
    told = advice(asked, [*calls, last], token_budget=budget)
    assert estimated_tokens(told.text) <= budget
    assert [each for each in said(told) if is_fence(each) or is_fence(each[2:])] == []
