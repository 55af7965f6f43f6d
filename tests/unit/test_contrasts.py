"""What worked where a call has failed: where it was seen, how well, and how it is put in."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

import pytest

from hindsight_memory.core.calls import Call
from hindsight_memory.core.contrasts import Way, Where, changed, ways
from hindsight_memory.core.retrospection.differences import Difference, difference
from hindsight_memory.testing.samples import NOON

UNICODE = "UnicodeDecodeError: byte 0xb9"
FORM = "TypeError: f() got an unexpected keyword argument 'sep'"
UNKNOWN = "KeyError: 'a'"
Lived = tuple[str, str, Mapping[str, Any]]


def calls(*lived: Lived) -> list[Call]:
    return [
        Call(
            memory_id=f"m{number}",
            session_id=session,
            tool="t",
            arguments=arguments,
            outcome="failure" if error else "success",
            error=error,
            at=NOON + timedelta(hours=number),
        )
        for number, (session, error, arguments) in enumerate(lived)
    ]


def seen(asked: Mapping[str, Any], *lived: Lived) -> list[tuple[Where, Mapping[str, Any]]]:
    return [(way.where, way.difference.worked) for way in ways(asked, calls(*lived))]


def reads(path: str, encoding: str, error: str = "", session: str = "s1") -> Lived:
    return session, error, {"path": path, "encoding": encoding}


def gbk_for(path: str, session: str = "s1") -> tuple[Lived, Lived]:
    return reads(path, "utf-8", UNICODE, session), reads(path, "gbk", session=session)


UTF = {"path": "x/orders.csv", "encoding": "utf-8"}
GBK = {"encoding": "gbk"}


@pytest.mark.parametrize(
    ("lived", "where"),
    [
        (gbk_for("x/orders.csv"), [Where.HERE]),
        ((*gbk_for("x/a.csv"), *gbk_for("x/b.csv")), [Where.LIKE_HERE]),
        (gbk_for("x/a.csv"), [Where.NEARBY]),
        (gbk_for("y/orders.csv"), []),
        ((*gbk_for("x/a.csv"), reads("x/b.csv", "utf-8")), []),
        ((*gbk_for("x/orders.csv"), reads("x/orders.csv", "utf-8")), []),
        ((*gbk_for("x/orders.csv"), reads("x/orders.csv", "gbk", UNICODE)), []),
        ((*gbk_for("x/orders.csv"), reads("x/orders.csv", "gbk", "连接超时")), [Where.HERE]),
        ((gbk_for("x/orders.csv")[0], reads("x/orders.csv", "gbk", session="s2")), []),
    ],
    ids=[
        "here",
        "at two places of the folder",
        "at one place of the folder",
        "elsewhere",
        "it depends on the file",
        "the first way works again",
        "the other way failed, too",
        "the other way met an outage",
        "in another session, where much was different",
    ],
)
def test_a_way_holds_where_it_was_seen(lived: tuple[Lived, ...], where: list[Where]) -> None:
    assert seen(UTF, *lived) == [(each, GBK) for each in where]


def test_what_the_tool_takes_holds_for_whatever_it_is_used_on() -> None:
    failed, worked = {"path": "a", "sep": ";"}, {"path": "a", "delimiter": ";"}
    lived = ("s1", FORM, failed), ("s1", "", worked)
    assert seen({"path": "z/b", "sep": ";"}, *lived) == [(Where.ANYWHERE, {"delimiter": ";"})]


@pytest.mark.parametrize(
    ("error", "name", "times", "is_seen"),
    [
        (UNICODE, "encoding", 1, True),
        (UNICODE, "batch_name", 1, False),
        (UNICODE, "colour", 1, False),
        (UNICODE, "colour", 2, True),
        (UNKNOWN, "encoding", 1, False),
        (UNKNOWN, "encoding", 2, True),
        ("429 Too Many Requests", "pause_seconds", 1, True),
        ("429 Too Many Requests", "encoding", 2, False),
        ("FileNotFoundError: 'a'", "encoding", 2, False),
        ("TimeoutError: no answer", "mirror", 2, False),
    ],
)
def test_an_error_and_a_name_tell_whether_the_argument_was_it(
    error: str, name: str, times: int, *, is_seen: bool
) -> None:
    sessions = [f"s{number}" for number in range(times)]
    lived = [
        call for each in sessions for call in ((each, error, {name: "a"}), (each, "", {name: "b"}))
    ]
    expected = [(Where.HERE, {name: "b"})] if is_seen else []
    assert seen({name: "a"}, *lived) == expected


@pytest.mark.parametrize(
    ("failed", "worked", "asked", "made"),
    [
        ("python a.py", "python3 a.py", "python b.py", "python3 b.py"),
        ("python a.py", "python3 a.py", "pythonic python b.py", "pythonic python3 b.py"),
        ("pip install a", "pip install a -q", "pip install b", "pip install b -q"),
        ("pip install a", "X=1 pip install a", "pip install b", "X=1 pip install b"),
        ("pip install a", "pip install a -q", "pip install b && make", None),
        ("pytest -q a", "uv run pytest -q a", "pytest -q a", None),
        ("ls -Z a", "ls a", "ls -Z b", "ls b"),
    ],
)
def test_a_command_is_changed_where_it_can_be(
    failed: str, worked: str, asked: str, made: str | None
) -> None:
    apart = difference({"command": failed}, {"command": worked})
    assert apart is not None
    expected = None if made is None else {"command": made}
    assert changed({"command": asked}, apart) == expected


def test_an_argument_is_given_taken_away_or_left_where_only_its_form_is_known() -> None:
    apart = Difference(failed={"a": "1/2/2030"}, worked={"b": 2}, within={})
    assert changed({"a": "1/2/2030", "c": 3}, apart) == {"b": 2, "c": 3}
    assert changed({"a": "9/9/2031", "c": 3}, apart) is None


@pytest.mark.parametrize(
    ("worked", "is_safe"),
    [({"verify": False}, False), ({"command": "--no-verify"}, False), ({"encoding": "gbk"}, True)],
)
def test_a_way_that_switches_a_safeguard_off_is_not_safe(
    worked: dict[str, Any], *, is_safe: bool
) -> None:
    way = Way(difference=Difference(failed={}, worked=worked, within={}), where=Where.HERE)
    assert way.is_safe is is_safe
