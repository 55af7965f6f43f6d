"""Working memory: what patches make of a document, its bounds, and what is read as a patch."""

from dataclasses import replace
from itertools import permutations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.folding import BOUNDS, size_bytes
from hindsight_memory.core.model import Json
from hindsight_memory.core.patches import OPS, patches_from, shortened
from hindsight_memory.core.policy import Source
from hindsight_memory.core.working import (
    ARGUMENTS_BYTES,
    AddFact,
    AppendCall,
    Attempt,
    Document,
    Fact,
    Item,
    Patch,
    PopItem,
    PushItem,
    RecordAttempt,
    Reprioritise,
    SetGoal,
    ToolCall,
    Turn,
    brings_news,
    from_json,
    patched,
    read,
    shows,
    to_json,
    unread,
    without,
)
from hindsight_memory.errors import InvalidInput

EMPTY = Document()


def test_each_patch_changes_its_part() -> None:
    patches: list[Patch] = [
        SetGoal(goal="导入一月订单"),
        AddFact(fact="文件是 gbk 编码", source=Source.TOOL_RESULT),
        PushItem(item="write the summary", priority=3),
        PushItem(item="check totals", priority=8),
        RecordAttempt(action="read_csv(encoding=utf-8)", error="UnicodeDecodeError"),
        AppendCall(tool="read_csv", arguments={"encoding": "gbk"}, status="success"),
    ]
    assert patched(EMPTY, patches).document == Document(
        task_goal="导入一月订单",
        confirmed_facts=(Fact(fact="文件是 gbk 编码", source=Source.TOOL_RESULT),),
        pending_items=(
            Item(item="check totals", priority=8),
            Item(item="write the summary", priority=3),
        ),
        failed_attempts=(Attempt(action="read_csv(encoding=utf-8)", error="UnicodeDecodeError"),),
        tool_call_history=(
            ToolCall(tool="read_csv", arguments={"encoding": "gbk"}, status="success"),
        ),
    )


@pytest.mark.parametrize(
    "patch",
    [
        AddFact(fact="THE PORT is 8080"),
        PushItem(item="CHECK totals", priority=5),
        RecordAttempt(action="Connect", error="timeout"),
        SetGoal(goal="导入"),
    ],
)
def test_what_is_said_again_changes_nothing(patch: Any) -> None:
    before = patched(
        EMPTY,
        [
            AddFact(fact="The port is 8080"),
            PushItem(item="check totals"),
            RecordAttempt(action="connect", error="Timeout"),
            SetGoal(goal="导入"),
        ],
    ).document
    assert patched(before, [patch]).document == before


def test_another_value_is_another_fact() -> None:
    facts = [AddFact(fact="The port is 8080"), AddFact(fact="The port is 8081")]
    assert len(patched(EMPTY, facts).document.confirmed_facts) == 2


@pytest.mark.parametrize("order", [*permutations(["external", "user_explicit", "document"])])
def test_a_fact_has_the_best_source_that_stated_it(order: tuple[str, ...]) -> None:
    told = [AddFact(fact="端口是 8080", source=Source(each)) for each in order]
    [fact] = patched(EMPTY, told).document.confirmed_facts
    assert fact.source is Source.USER_EXPLICIT


def test_the_first_item_is_done_where_none_is_named() -> None:
    pushed = [PushItem(item="b"), PushItem(item="a", priority=9), PushItem(item="c")]
    done = patched(EMPTY, [*pushed, PopItem()])
    assert [each.item for each in done.document.pending_items] == ["b", "c"]
    assert done.notes == ()


def test_an_item_is_done_by_name_and_moved_by_priority() -> None:
    pushed = [PushItem(item="核对总数"), PushItem(item="写报告"), PushItem(item="发邮件")]
    moved = patched(EMPTY, [*pushed, Reprioritise(item="发邮件", priority=9)]).document
    done = patched(moved, [PopItem(item="核对总数")]).document
    assert [(each.item, each.priority) for each in done.pending_items] == [
        ("发邮件", 9),
        ("写报告", 5),
    ]


@pytest.mark.parametrize(
    ("patch", "note"),
    [
        (PopItem(item="写报告"), "no pending item '写报告'"),
        (Reprioritise(item="x", priority=1), "no pending item 'x'"),
        (PopItem(), "no pending item"),
    ],
)
def test_an_item_that_is_not_there_is_noted(patch: Any, note: str) -> None:
    assert patched(EMPTY, [patch]).notes == (note,)
    assert patched(EMPTY, [patch]).document == EMPTY


@pytest.mark.parametrize(
    ("patch", "is_news"),
    [
        (AddFact(fact="The port is 8081"), True),
        (AddFact(fact="the PORT is 8080"), False),
        (RecordAttempt(action="connect", error="refused"), True),
        (RecordAttempt(action="connect", error="timeout"), False),
        (AppendCall(tool="connect", status="failure"), True),
        (AppendCall(tool="connect", status="success"), True),
        (AppendCall(tool="connect", status="unknown"), False),
        (AppendCall(tool="ls", status="success"), False),
        (AppendCall(tool="cat", status="success"), False),
        (SetGoal(goal="another"), False),
        (PushItem(item="another"), False),
    ],
)
def test_only_a_new_fact_or_failure_is_news_and_what_ends_one(patch: Any, *, is_news: bool) -> None:
    known: list[Patch] = [
        AddFact(fact="The port is 8080"),
        RecordAttempt(action="connect", error="timeout"),
        AppendCall(tool="connect", status="failure"),
        AppendCall(tool="ls", status="failure"),
        AppendCall(tool="ls", status="success"),
    ]
    assert brings_news(patched(EMPTY, known).document, [patch]) is is_news


def test_what_is_purged_is_in_no_list() -> None:
    allergy = "对花生过敏"
    full = patched(
        EMPTY,
        [
            SetGoal(goal="给对花生过敏的客人点餐"),
            AddFact(fact="客人對花生過敏"),
            AddFact(fact="客人两位"),
            PushItem(item=f"确认{allergy}"),
            RecordAttempt(action="order", reason=allergy),
            AppendCall(tool="note", arguments={"lines": [{"text": f"他{allergy}。"}]}),
            AppendCall(tool="menu"),
        ],
    ).document
    turns = [Turn(speaker="user", text=f"他{allergy}"), Turn(speaker="user", text="两位")]
    full = replace(unread(full, turns).document, problem=f"{allergy}？")
    assert without(full, [allergy]) == Document(
        unread=(turns[1],),
        confirmed_facts=(Fact(fact="客人两位"),),
        tool_call_history=(ToolCall(tool="menu"),),
    )


def test_what_only_resembles_the_purged_stays() -> None:
    facts = [AddFact(fact="The port is 8080"), AddFact(fact="The port is 80801")]
    kept = without(patched(EMPTY, facts).document, ["the port is 8080"])
    assert kept.confirmed_facts == (Fact(fact="The port is 80801"),)


TEXTS = st.text(min_size=1, max_size=500)
PATCHES = st.one_of(
    st.builds(AddFact, fact=TEXTS, source=st.sampled_from(Source)),
    st.builds(PushItem, item=TEXTS, priority=st.integers(0, 10)),
    st.builds(PopItem, item=st.just("") | TEXTS),
    st.builds(RecordAttempt, action=TEXTS, reason=TEXTS, error=TEXTS),
    st.builds(AppendCall, tool=TEXTS, arguments=st.dictionaries(TEXTS, TEXTS, max_size=3)),
)


@given(st.lists(PATCHES, max_size=120))
def test_a_document_stays_within_its_bounds_and_survives_json(patches: list[Any]) -> None:
    document = patched(EMPTY, patches).document
    for name, bound in BOUNDS.items():
        entries = getattr(document, name)
        assert len(entries) <= bound.entries
        assert sum(size_bytes(each) + 1 for each in entries) <= bound.size_bytes
    assert from_json(to_json(document)) == document


@given(st.integers(0, 200), st.integers(1, 500))
def test_what_is_folded_is_the_oldest_and_is_counted(count: int, length: int) -> None:
    facts = [f"{number:03} {'事' * length}"[:500] for number in range(count)]
    document = patched(EMPTY, [AddFact(fact=each) for each in facts]).document
    kept = [each.fact for each in document.confirmed_facts]
    folded = document.folded.get("confirmed_facts", 0)
    assert folded + len(kept) == count
    assert kept == facts[folded:]


@given(st.lists(st.integers(0, 10), min_size=41, max_size=80))
def test_of_pending_items_the_least_urgent_give_way(priorities: list[int]) -> None:
    pushed = [PushItem(item=str(n), priority=each) for n, each in enumerate(priorities)]
    kept = patched(EMPTY, pushed).document.pending_items
    assert [each.priority for each in kept] == sorted(priorities, reverse=True)[:40]


def test_what_was_folded_is_told() -> None:
    calls = [AppendCall(tool=str(number)) for number in range(43)]
    told = patched(EMPTY, calls)
    assert told.notes == ("tool_call_history: 3 of the oldest folded, to keep it small",)
    assert [each.tool for each in told.document.tool_call_history[:2]] == ["3", "4"]


@given(st.lists(PATCHES, max_size=6), st.lists(PATCHES, max_size=6))
def test_facts_and_attempts_are_the_same_whoever_comes_first(
    ours: list[Any], theirs: list[Any]
) -> None:
    """While nothing is folded; so a patch that lost a race can be made again."""
    one, other = (patched(EMPTY, each).document for each in (ours + theirs, theirs + ours))
    if not one.folded and not other.folded:
        assert spelt(one) == spelt(other)


def spelt(document: Document) -> tuple[object, ...]:
    facts = {each.fact.casefold(): each.source for each in document.confirmed_facts}
    return len(facts), sorted(facts.values()), len(document.failed_attempts)


def test_patches_are_read_with_their_defaults() -> None:
    given: list[dict[str, object]] = [
        {"op": "set_goal", "goal": " 导入订单 "},
        {"op": "add_fact", "fact": "port 8080", "source": None},
        {"op": "push_item", "item": "check", "priority": 10},
        {"op": "pop_item"},
        {"op": "reprioritise", "item": "check", "priority": 0},
        {"op": "record_attempt", "action": "run", "error": "\x1b[31mbad\x1b[0m\nline"},
        {"op": "append_call", "tool": "ls", "status": "failure"},
    ]
    assert {each["op"] for each in given} == OPS.keys()
    assert patches_from(given) == [
        SetGoal(goal="导入订单"),
        AddFact(fact="port 8080"),
        PushItem(item="check", priority=10),
        PopItem(),
        Reprioritise(item="check", priority=0),
        RecordAttempt(action="run", error="[31mbad [0m line"),
        AppendCall(tool="ls", status="failure"),
    ]


@pytest.mark.parametrize(
    ("bad", "said"),
    [
        ("add the fact", "patch must be a list of objects, not str"),
        ([{"op": "pop_item"}] * 51, "patch: 51 given, at most 50"),
        (["pop_item"], "patch.0 must be an object, not str"),
        ([{}], "patch.0.op: no operation None; known: set_goal, add_fact"),
        ([{"op": ["add_fact"]}], "patch.0.op: no operation"),
        ([{"op": "pop_item"}, {"op": "drop_table"}], "patch.1.op: no operation 'drop_table'"),
        ([{"op": "add_fact"}], "patch.0: add_fact needs 'fact'"),
        ([{"op": "add_fact", "fact": "x", "item": "y"}], "add_fact takes no 'item'"),
        ([{"op": "add_fact", "fact": "事" * 501}], "patch.0.fact has 501 characters"),
        ([{"op": "add_fact", "fact": " "}], "patch.0.fact: content is blank"),
        ([{"op": "add_fact", "fact": 8080}], "patch.0.fact must be text, not int"),
        ([{"op": "add_fact", "fact": "x", "source": "user_confirmed"}], "no source"),
        ([{"op": "push_item", "item": "x", "priority": 11}], "priority is 11; give 0 to 10"),
        ([{"op": "push_item", "item": "x", "priority": True}], "a whole number, not bool"),
        ([{"op": "push_item", "item": "x", "priority": 1.5}], "a whole number, not float"),
        ([{"op": "append_call", "tool": "x", "status": "ok"}], "no status 'ok'"),
        ([{"op": "append_call", "tool": " "}], "patch.0.tool is blank"),
        ([{"op": "append_call", "tool": "x", "arguments": [1]}], "must be a JSON object"),
        ([{"op": "record_attempt", "action": "\x00"}], "patch.0.action is blank"),
    ],
)
def test_what_is_no_patch_is_refused_with_its_place(bad: object, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        patches_from(bad)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
NUMBERED = st.none() | st.integers() | st.text() | st.lists(st.text(), max_size=30)
LIKE_PATCHES = st.lists(
    st.dictionaries(
        st.sampled_from(["op", "fact", "item", "priority", "tool", "arguments", "status"]),
        st.sampled_from([*OPS]) | JSON,
    ),
    max_size=3,
)


@given(JSON | LIKE_PATCHES)
def test_whatever_a_model_answers_is_read_or_refused(answer: object) -> None:
    try:
        patches = patches_from(answer)
    except InvalidInput:
        return
    to_json(patched(EMPTY, patches).document)


@given(st.dictionaries(st.text(), NUMBERED, max_size=8))
def test_arguments_are_shortened_to_their_bound(arguments: dict[str, Json]) -> None:
    [patch] = patches_from([{"op": "append_call", "tool": "x", "arguments": {}}])
    assert isinstance(patch, AppendCall)
    kept = shortened(arguments)
    assert size_bytes(ToolCall(tool="", arguments=kept)) <= ARGUMENTS_BYTES + 100
    assert [*kept] == [*arguments][: len(kept)]


def test_long_arguments_keep_both_ends_of_their_values() -> None:
    kept = shortened({"path": "/data/" + "很" * 500 + "/jan.csv", "rows": 5})
    assert kept == {"path": "/data/" + "很" * 33 + "…" + "很" * 31 + "/jan.csv", "rows": 5}


def test_what_was_read_waits_no_longer() -> None:
    first, second = Turn(speaker="user", text="a"), Turn(speaker="user", text="b")
    waiting = replace(unread(EMPTY, [first, second]).document, problem="timeout")
    assert read(waiting, [first]) == Document(unread=(second,))
    assert unread(EMPTY, [first] * 22).notes == (
        "unread: 2 of the oldest folded, to keep it small",
    )


FULL = patched(
    EMPTY,
    [SetGoal(goal="g"), AddFact(fact="f"), PushItem(item="i"), RecordAttempt(action="a")],
).document


@pytest.mark.parametrize(
    ("later", "is_there"),
    [
        (FULL, True),
        (patched(FULL, [AddFact(fact="g"), AppendCall(tool="t")]).document, True),
        (patched(FULL, [PopItem()]).document, False),
        (patched(FULL, [SetGoal(goal="h")]).document, False),
        (without(FULL, ["f"]), False),
        (without(FULL, ["a"]), False),
        (EMPTY, False),
    ],
)
def test_a_document_shows_what_it_told_earlier_until_it_is_gone(
    later: Document, *, is_there: bool
) -> None:
    assert shows(later, FULL) is is_there
    assert shows(later, EMPTY)
