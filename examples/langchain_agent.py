"""A LangChain agent with memory as middleware: a call that failed before is not made again.

    python examples/langchain_agent.py

Needs `pip install 'hindsight-memory[langchain]'`. The model is scripted, so that it runs without a
key: it takes every file for UTF-8 until something in the conversation says gbk.
"""

import tempfile
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage
from langchain_core.outputs import ChatGeneration, ChatResult
from langchain_core.tools import ToolException, tool

from hindsight_memory import Hindsight
from hindsight_memory.agent.integrations.langchain import MemoryMiddleware

FILE = Path(tempfile.mkdtemp()) / "orders.csv"


@tool
def read_file(path: str, encoding: str) -> str:
    """Read a text file."""
    try:
        text = Path(path).read_text(encoding)
    except UnicodeDecodeError as error:
        print(f"encoding={encoding}: failed")
        raise ToolException(f"UnicodeDecodeError: {error}; is it gbk?") from error
    print(f"encoding={encoding}: {text}")
    return text


read_file.handle_tool_error = True  # the model is told of it, and goes on


class Scripted(BaseChatModel):
    """Stands in for a language model."""

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def bind_tools(self, tools: Any, **_: Any) -> "Scripted":
        return self

    def _generate(self, messages: list[BaseMessage], *_: Any, **__: Any) -> ChatResult:
        last = messages[-1]
        if last.type == "tool" and "," in last.text and "gbk" not in last.text:
            answer = AIMessage(f"Imported: {last.text}")
        else:
            encoding = "gbk" if last.type == "tool" else "utf-8"
            arguments = {"path": str(FILE), "encoding": encoding}
            call = {"name": "read_file", "args": arguments, "id": str(len(messages))}
            answer = AIMessage("", tool_calls=[call])
        return ChatResult(generations=[ChatGeneration(message=answer)])


if __name__ == "__main__":
    FILE.write_text("绿茶,12", "gbk")
    with Hindsight.open(f"sqlite:///{FILE.parent}/memory.db") as memory:
        remembering = [MemoryMiddleware(memory, project="shop")]
        agent = create_agent(Scripted(), [read_file], middleware=remembering)
        for number in (1, 2):
            print(f"--- session {number}")
            ended = agent.invoke({"messages": [HumanMessage("Import the orders.")]})
            for message in ended["messages"]:
                if "The call was not made" in message.text:
                    print("memory: held back a call that had failed")
            print(ended["messages"][-1].text)
