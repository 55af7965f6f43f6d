"""A LangGraph graph with this memory as its store: what one run learned, the next one finds.

    python examples/langgraph_store.py

Needs `pip install 'hindsight-memory[langgraph]'`. The model is scripted, so that it runs without a
key: it takes every file for UTF-8, unless a lesson says otherwise.
"""

import tempfile
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from langgraph.graph import END, START, StateGraph
from langgraph.store.base import BaseStore

from hindsight_memory import Hindsight
from hindsight_memory.agent.integrations.langgraph import HindsightStore

LESSONS = ("shop", "lessons")


class State(TypedDict):
    path: str
    lesson: NotRequired[str]
    tried: NotRequired[list[str]]
    text: NotRequired[str]


def recall(state: State, *, store: BaseStore) -> dict[str, str]:
    """Before the task: is anything known about such files?"""
    found = store.search(LESSONS, query=f"reading {Path(state['path']).name}", limit=1)
    return {"lesson": found[0].value["text"] if found else ""}


def read(state: State) -> dict[str, object]:
    """The scripted model, and the tool that it calls."""
    tried = state.get("tried", [])
    encoding = "gbk" if tried or "gbk" in state.get("lesson", "") else "utf-8"
    try:
        text = Path(state["path"]).read_text(encoding)
    except UnicodeDecodeError:
        text = ""
    print(f"encoding={encoding}: {text or 'failed'}")
    return {"tried": [*tried, encoding], "text": text}


def learn(state: State, *, store: BaseStore) -> dict[str, str]:
    """After the task: what did not work at first is worth a lesson."""
    *failed, worked = state.get("tried", [])
    if not failed:
        return {}
    lesson = f"{Path(state['path']).name}: reading as {failed[0]} failed, {worked} worked"
    store.put(LESSONS, Path(state["path"]).name, {"text": lesson})
    print(f"learned: {lesson}")
    return {"lesson": lesson}


def graph(store: BaseStore) -> Any:
    built = StateGraph(State)
    built.add_node("recall", recall)
    built.add_node("read", read)
    built.add_node("learn", learn)
    built.add_edge(START, "recall")
    built.add_edge("recall", "read")
    built.add_conditional_edges("read", lambda state: "learn" if state["text"] else "read")
    built.add_edge("learn", END)
    return built.compile(store=store)


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "orders.csv"
        file.write_text("绿茶,12", "gbk")
        for number in (1, 2):
            print(f"--- session {number}")
            with Hindsight.open(f"sqlite:///{folder}/memory.db") as memory:
                graph(HindsightStore(memory)).invoke({"path": str(file)})
