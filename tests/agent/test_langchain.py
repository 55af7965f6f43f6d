"""An agent of LangChain with our middleware, and a scripted model."""

from collections.abc import Mapping
from typing import Any

import pytest
from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import tool
from pydantic import Field

from hindsight_memory.agent.integrations.langchain import MemoryMiddleware


class Memory:
    """A client that says to avoid utf-8 and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append((name, arguments))
        match name:
            case "memory_context":
                return {"context": "# Memory\n- Prices are in euros."}
            case "memory_advise" if arguments["arguments"].get("encoding") == "utf-8":
                return {"advice": "utf-8 failed twice; gbk worked.", "verdict": "avoid"}
            case _:
                return {}

    def written(self) -> list[str]:
        return [given["content"] for name, given in self.asked if name == "memory_write"]


class Model(BaseChatModel):
    """Reads with utf-8, and with gbk when it is told to."""

    seen: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **kwargs: Any) -> "Model":
        return self

    def _generate(self, messages: list[BaseMessage], *args: Any, **kwargs: Any) -> ChatResult:
        self.seen.append(messages)
        answers = [each.text for each in messages if each.type == "tool"]
        if len(answers) < 2:
            encoding = "gbk" if any("gbk worked" in each for each in answers) else "utf-8"
            call = {"name": "read", "args": {"encoding": encoding}, "id": str(len(answers))}
            message = AIMessage("", tool_calls=[call])
        else:
            message = AIMessage(answers[-1])
        return ChatResult(generations=[ChatGeneration(message=message)])


@pytest.fixture
def calls() -> list[str]:
    return []


def agent(memory: Memory, model: Model, calls: list[str], **given: Any) -> Any:
    @tool
    def read(encoding: str) -> str:
        """Read the file."""
        calls.append(encoding)
        if encoding == "utf-8":
            raise ValueError("bad byte")
        return "812 rows"

    return create_agent(model, [read], middleware=[MemoryMiddleware(memory, **given)])


ASKED: Any = {"messages": [HumanMessage("Prices are never in dollars. Import the file.")]}


def test_an_agent_is_told_what_is_known_and_spared_a_known_failure(calls: list[str]) -> None:
    memory, model = Memory(), Model()
    answer = agent(memory, model, calls).invoke(ASKED)
    assert answer["messages"][-1].text == "812 rows"
    assert calls == ["gbk"]
    assert model.seen[0][0].text == "# Memory\n- Prices are in euros."
    assert memory.written() == ["Prices are never in dollars.", "read(encoding=gbk) worked"]
    assert memory.asked[-1][0] == "memory_retrospect"


async def test_the_same_on_an_event_loop(calls: list[str]) -> None:
    memory = Memory()
    answer = await agent(memory, Model(), calls).ainvoke(ASKED)
    assert (answer["messages"][-1].text, calls) == ("812 rows", ["gbk"])


def test_without_holding_the_failure_is_made_and_remembered(calls: list[str]) -> None:
    memory = Memory()
    with pytest.raises(ValueError, match="bad byte"):
        agent(memory, Model(), calls, holds=False, turns_per_batch=1).invoke(ASKED)
    assert calls == ["utf-8"]
    assert memory.written()[-1] == "read(encoding=utf-8) failed: ValueError: bad byte"
