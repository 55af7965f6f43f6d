"""Results as a person sees them."""

import io
from datetime import UTC, datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from pydantic import BaseModel
from rich.console import Console

from hindsight_memory.core.policy import MemoryType, Source, Status
from hindsight_memory.interfaces.cli.views import VIEWS, Glance
from hindsight_memory.interfaces.cli.wording import age, clock, cut, safe
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.interfaces.schemas import (
    HistoryOut,
    HitOut,
    ListOut,
    MemoryOut,
    RevisionOut,
    SearchOut,
    SourceOut,
)

NOW = datetime(2026, 5, 2, 12, tzinfo=UTC)
GLANCE = Glance(NOW, ZoneInfo("Asia/Shanghai"))


def memory(content: str, **fields: Any) -> MemoryOut:
    known: dict[str, Any] = {
        "id": "m1",
        "memory_type": MemoryType.FACT,
        "user_id": "mei",
        "status": Status.TENTATIVE,
        "source": Source.AGENT_INFERENCE,
        "trust": 0.5,
        "confidence": 0.6,
        "importance": 0.5,
        "created_at": NOW - timedelta(days=3),
        "updated_at": NOW,
        "version": 1,
    }
    return MemoryOut(content=content, **(known | fields))


def hit(shown: MemoryOut, **fields: Any) -> HitOut:
    source = SourceOut(
        memory_id=shown.id, source=shown.source, agent_id="", session_id="", said_at=NOW
    )
    known: dict[str, Any] = {"score": 0.5, "parts": {}, "verdict": "current", "sources": [source]}
    return HitOut(memory=shown, **(known | fields))


def searched(*hits: HitOut, **fields: Any) -> SearchOut:
    known: dict[str, Any] = {"abstained": False, "recall_id": "r1"}
    return SearchOut(hits=list(hits), **(known | fields))


def lines(result: BaseModel, *, width: int = 100) -> list[str]:
    """What is printed, without the spaces that fill a table."""
    console = Console(file=io.StringIO(), width=width, highlight=False, markup=False, emoji=False)
    with console.capture() as captured:
        console.print(VIEWS[type(result)](result, GLANCE))
    return [line.rstrip() for line in captured.get().splitlines()]


def test_every_result_has_a_view() -> None:
    assert {operation.gives for operation in OPERATIONS} <= VIEWS.keys()


def test_what_was_left_out_is_told_with_the_way_to_see_it() -> None:
    assert lines(searched(suppressed=2)) == [
        "2 superseded left out; --include superseded shows them",
        "recall r1",
    ]


def test_a_hit_shows_rank_score_content_verdict_type_age_and_id() -> None:
    assert lines(searched(hit(memory("用户偏好用中文交流", tags=["语言"])))) == [
        "#  score  memory",
        "1  0.500  用户偏好用中文交流",
        "          current · fact · 3 d · m1 · #语言",
        "recall r1",
    ]


def test_a_hit_fits_into_80_columns_with_a_whole_id() -> None:
    long = memory("x", id="01a22e57-d46e-72f2-b022-06ae72f5c50e", memory_type=MemoryType.PREFERENCE)
    shown = lines(searched(hit(long, verdict="unverified")), width=80)
    assert shown[2].endswith("unverified · preference · 3 d · 01a22e57-d46e-72f2-b022-06ae72f5c50e")


def test_parts_are_shown_as_bars_when_they_are_explained() -> None:
    explained = hit(memory("x"), parts={"relevance": 0.4, "relevance.words": 1.0})
    assert lines(searched(explained))[3:5] == [
        f"          relevance       0.400 {'█' * 8}",
        f"          relevance.words 1.000 {'█' * 20}",
    ]


def test_parts_are_not_shown_unasked() -> None:
    assert not any(
        "relevance" in line for line in lines(searched(hit(memory("x"), parts={"relevance": 1})))
    )


def test_what_a_hit_stands_for_is_named() -> None:
    other = SourceOut(
        memory_id="m2", source=Source.DOCUMENT, agent_id="", session_id="", said_at=NOW
    )
    assert "          also m2" in lines(searched(hit(memory("x"), sources=[other])))


def test_an_abstention_and_notes_are_told() -> None:
    assert lines(searched(abstained=True, notes=["tags were relaxed"])) == [
        "Nothing that was found really answers this.",
        "tags were relaxed",
        "recall r1",
    ]


def test_content_is_no_markup() -> None:
    assert "1  0.500  [bold]:smile:[/bold] [link=x]" in lines(
        searched(hit(memory("[bold]:smile:[/bold] [link=x]")))
    )


def test_what_a_terminal_would_obey_is_spelt_out() -> None:
    """An imported memory, or a field that no rule reads, can hold anything."""
    shown = lines(memory("a\x1b[31mred", scene="\x07\u202e"))
    assert shown[0] == r"a\x1b[31mred"
    assert r"scene         \x07\u202e" in shown


def test_a_memory_is_shown_whole_and_its_empty_fields_are_not() -> None:
    shown = lines(memory("line 1\n" + "x" * 400, metadata={"键": 1}), width=500)
    assert shown[:2] == ["line 1", "x" * 400]
    assert 'metadata      {"键": 1}' in shown
    assert not any("project" in line for line in shown)


def test_times_are_shown_in_the_zone_of_the_settings() -> None:
    assert "updated_at    2026-05-02 20:00:00 CST" in lines(memory("x"))


def test_history_shows_who_changed_what_and_why() -> None:
    revision = RevisionOut(
        version=2, at=NOW, actor="a1", operation="updated", reason="typo", before={"content": "旧"}
    )
    assert lines(HistoryOut(memory=memory("new"), revisions=[revision]))[3:] == [
        "version  when                     change",
        "2        2026-05-02 20:00:00 CST  updated by a1: typo",
        '                                  content was "旧"',
    ]


def test_a_full_page_says_how_to_see_more() -> None:
    assert lines(ListOut(memories=[memory("x")], next="m1"))[-1] == "more with --before m1"


def test_lists_cut_long_memories() -> None:
    assert cut("a\n" + "b" * 300) == "a " + "b" * 297 + "…"
    assert cut("a\n\tb") == "a b"


@pytest.mark.parametrize(
    ("apart", "told"),
    [
        (timedelta(seconds=59), "now"),
        (timedelta(minutes=1), "1 min"),
        (timedelta(hours=25), "1 d"),
        (timedelta(days=45), "1 mo"),
        (timedelta(days=800), "2 y"),
        (timedelta(hours=-3), "in 3 h"),
    ],
)
def test_an_age_is_its_largest_whole_unit(apart: timedelta, told: str) -> None:
    assert age(NOW - apart, NOW) == told


def test_a_clock_names_its_zone() -> None:
    assert clock(NOW, UTC) == "2026-05-02 12:00:00 UTC"


def test_safe_text_keeps_lines_and_tabs() -> None:
    assert safe("a\n\tb\u200f\x85\ud800") == "a\n\tb\\u200f\\x85\\ud800"
