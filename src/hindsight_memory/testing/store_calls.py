"""What a store keeps of an agent's dealings: the calls of its tools, and what it was shown."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hindsight_memory.core.changes import Injection
from hindsight_memory.core.filters import is_visible, matches
from hindsight_memory.core.model import Event, Layer, Scope
from hindsight_memory.core.ports import Store
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.testing.samples import (
    ANN,
    NOON,
    a_memory,
    filters,
    fresh_tenant,
    memories,
    on_one_store,
    put,
    scopes,
    some_changes,
)

LATER = NOON + timedelta(hours=1)
CALL = a_memory("1", layer=Layer.EPISODIC, event=Event(role="tool", tool="read_csv"))
SHOWN = Injection(user_id="ann", session_id="s1", memory_id="1", digest="d1", at=NOON)


class Calls:
    """``settle`` is StoreSuite's."""

    def settle(self) -> None:
        raise NotImplementedError

    def test_the_calls_of_a_tool_come_newest_first(self, store: Store) -> None:
        put(store, CALL, replace(CALL, id="2", content="2", project="web"))
        put(store, replace(CALL, id="3", content="3", event=Event(tool="read_csv_file")))
        put(store, a_memory("4", content="read_csv"))
        assert ids(store, "read_csv") == ["2", "1"]
        assert [c.id for c in store.calls(ANN, "read_csv", where=Filter(), limit=1)] == ["2"]

    @pytest.mark.parametrize("tool", ["读取表格", "mcp__db__query", 'a"b', "工具 'x' %_"])
    def test_a_tool_is_found_by_its_exact_name(self, store: Store, tool: str) -> None:
        put(store, replace(CALL, event=Event(tool=tool)))
        assert ids(store, tool) == ["1"]
        assert ids(store, tool[:-1]) == []
        assert ids(store, tool.upper() + "_") == []

    @on_one_store
    @given(st.data())
    def test_calls_are_those_that_match_the_filter(self, store: Store, data: st.DataObject) -> None:
        tenant = fresh_tenant()
        stored = data.draw(memories(tenant))
        scope, where = data.draw(scopes(tenant)), data.draw(filters())
        tool = data.draw(st.sampled_from(["a", "工", "aa"]))
        put(store, *stored)
        found = store.calls(scope, tool, where=where, limit=99)
        assert [each.id for each in found] == [
            each.id
            for each in reversed(stored)
            if each.event is not None
            and each.event.tool == tool
            and is_visible(scope, each)
            and matches(where, each)
        ]

    def test_what_was_shown_in_a_session_is_kept_once(self, store: Store) -> None:
        put(store, CALL)
        store.apply(some_changes(injections=(SHOWN, replace(SHOWN, digest="d0"))))
        store.apply(some_changes(injections=(replace(SHOWN, at=LATER),)))
        assert store.injected("acme", "ann", "s1") == [replace(SHOWN, digest="d0"), SHOWN]

    def test_what_was_shown_is_known_of_its_session_only(self, store: Store) -> None:
        put(store, CALL)
        store.apply(some_changes(injections=(SHOWN,)))
        assert store.injected("acme", "ann", "s2") == []
        assert store.injected("acme", "bob", "s1") == []
        assert store.injected("other", "ann", "s1") == []

    def test_nothing_tells_that_a_purged_memory_was_shown(self, store: Store) -> None:
        put(store, CALL, replace(CALL, id="11", content="11"))
        kept = replace(SHOWN, memory_id="11")
        store.apply(some_changes(injections=(SHOWN, kept)))
        store.apply(some_changes(purges=("1",)))
        assert store.injected("acme", "ann", "s1") == [kept]


def ids(store: Store, tool: str, scope: Scope = ANN) -> list[str]:
    return [each.id for each in store.calls(scope, tool, where=Filter(), limit=9)]
