"""LangGraph's store contract on ours, inside a compiled graph."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from hindsight_memory import Hindsight
from hindsight_memory.agent.integrations.langgraph import HindsightStore
from hindsight_memory.errors import InvalidInput


@pytest.fixture
def store(tmp_path: Path) -> Iterator[HindsightStore]:
    with Hindsight.open(f"sqlite:///{tmp_path}/m.db", embedder="hashing:64") as memory:
        yield HindsightStore(memory)


def keys(found: list[Any]) -> list[str]:
    return [item.key for item in found]


def test_what_is_put_is_got_exactly(store: HindsightStore) -> None:
    value = {"text": "喜欢辣", "n": [1, None, {"a": 2.5}]}
    store.put(("users", "张伟"), "k.1", value)
    item = store.get(("users", "张伟"), "k.1")
    assert item is not None
    assert (item.namespace, item.key, item.value) == (("users", "张伟"), "k.1", value)
    assert store.get(("users",), "k.1") is None
    assert store.get(("users", "张伟"), "k") is None


def test_a_key_holds_what_was_put_last_since_its_first_put(store: HindsightStore) -> None:
    store.put(("a",), "k", {"v": 1})
    first = store.get(("a",), "k")
    store.put(("a",), "k", {"v": 2})
    last = store.get(("a",), "k")
    assert first is not None
    assert last is not None
    assert (last.value, last.created_at) == ({"v": 2}, first.created_at)
    assert last.updated_at > first.updated_at
    assert keys(store.search(("a",))) == ["k"]


def test_equal_values_of_two_keys_stay_two_items(store: HindsightStore) -> None:
    store.put(("a",), "one", {"text": "the port is 5432"})
    store.put(("a",), "two", {"text": "the port is 5432"})
    store.put(("b",), "one", {"text": "the port is 5433"})
    assert sorted(keys(store.search(("a",)))) == ["one", "two"]
    assert keys(store.search(("b",))) == ["one"]


def test_deleting_takes_one_key_and_no_other(store: HindsightStore) -> None:
    store.put(("a",), "one", {"v": 1})
    store.put(("a",), "two", {"v": 1})
    store.delete(("a",), "one")
    assert store.get(("a",), "one") is None
    assert keys(store.search(("a",))) == ["two"]


@pytest.mark.parametrize(
    ("query", "first"), [("What does she drink?", "drink"), ("她对什么过敏", "allergy")]
)
def test_a_search_ranks_what_lies_below_a_prefix(
    store: HindsightStore, query: str, first: str
) -> None:
    store.put(("u", "1"), "drink", {"text": "She likes to drink green tea"})
    store.put(("u", "1"), "allergy", {"text": "她对花生过敏"})
    store.put(("u", "2"), "other", {"text": "她对牛奶过敏, what does she drink"})
    found = store.search(("u", "1"), query=query)
    assert found[0].key == first
    assert found[0].score is not None
    assert "other" not in keys(found)


def test_filters_compare_values(store: HindsightStore) -> None:
    for number in range(4):
        store.put(("a",), f"k{number}", {"n": number, "kind": "even" if number % 2 == 0 else "odd"})
    assert keys(store.search(("a",), filter={"kind": "odd"})) == ["k3", "k1"]
    assert keys(store.search(("a",), filter={"n": {"$gte": 1, "$lt": 3}})) == ["k2", "k1"]
    assert keys(store.search(("a",), filter={"n": {"$gt": "x"}})) == []
    assert keys(store.search(("a",), limit=2, offset=1)) == ["k2", "k1"]
    with pytest.raises(InvalidInput, match=r"no filter '\$in'"):
        store.search(("a",), filter={"n": {"$in": [1]}})


def test_namespaces_are_listed_by_prefix_suffix_and_depth(store: HindsightStore) -> None:
    for namespace in [("a", "x", "1"), ("a", "y", "1"), ("b", "x")]:
        store.put(namespace, "k", {"v": 1})
    assert store.list_namespaces() == [("a", "x", "1"), ("a", "y", "1"), ("b", "x")]
    assert store.list_namespaces(prefix=("a", "*"), suffix=("1",)) == [
        ("a", "x", "1"),
        ("a", "y", "1"),
    ]
    assert store.list_namespaces(max_depth=1) == [("a",), ("b",)]
    assert store.list_namespaces(limit=1, offset=1) == [("a", "y", "1")]


def test_what_is_not_indexed_is_got_and_not_found(store: HindsightStore) -> None:
    store.put(("a",), "hidden", {"text": "blue whale"}, index=False)
    store.put(("a",), "part", {"title": "blue whale", "body": "red fox"}, index=["title"])
    assert keys(store.search(("a",), query="blue whale")) == ["part"]
    assert store.get(("a",), "hidden") is not None


def test_an_item_lives_as_long_as_its_ttl(store: HindsightStore) -> None:
    store.put(("a",), "gone", {"v": 1}, ttl=0)
    store.put(("a",), "here", {"v": 1}, ttl=60)
    assert store.get(("a",), "gone") is None
    assert keys(store.search(("a",))) == ["here"]


def test_a_read_starts_the_ttl_anew_where_it_is_asked_to(store: HindsightStore) -> None:
    store.put(("a",), "k", {"v": 1}, ttl=60)
    kept = store.get(("a",), "k", refresh_ttl=False)
    assert kept is not None
    assert store.get(("a",), "k", refresh_ttl=True) is not None
    renewed = store.get(("a",), "k", refresh_ttl=False)
    assert renewed is not None
    assert (renewed.created_at, renewed.value) == (kept.created_at, kept.value)
    assert renewed.updated_at > kept.updated_at


def test_a_value_that_is_too_large_is_refused_and_changes_nothing(store: HindsightStore) -> None:
    store.put(("a",), "k", {"v": 1})
    with pytest.raises(InvalidInput, match="metadata"):
        store.put(("a",), "k", {"v": "x" * 20_000})
    item = store.get(("a",), "k")
    assert item is not None
    assert item.value == {"v": 1}


class State(TypedDict):
    told: str


async def test_a_graph_that_is_compiled_with_the_store_remembers(store: HindsightStore) -> None:
    async def note(state: State, *, store: BaseStore) -> State:
        await store.aput(("notes",), "last", {"text": state["told"]})
        found = await store.asearch(("notes",), query="tea")
        return {"told": found[0].value["text"]}

    graph = StateGraph(State)
    graph.add_node("note", note)
    graph.add_edge(START, "note")
    graph.add_edge("note", END)
    answer = await graph.compile(store=store).ainvoke({"told": "I like tea"})
    assert answer == {"told": "I like tea"}
