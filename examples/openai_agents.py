"""An agent of OpenAI's Agents SDK with memory: its second run knows what the first one learned.

    python examples/openai_agents.py

Needs `pip install 'hindsight-memory[openai-agents]'`. The model is scripted, so that it runs
without a key: it takes every file for UTF-8, unless its instructions say that gbk worked.
"""

import asyncio
import json
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

from agents import Agent, Model, ModelResponse, RunConfig, Runner, Usage, function_tool
from openai.types import responses

from hindsight_memory import Hindsight
from hindsight_memory.agent.integrations.openai_agents import MemoryHooks, remembering
from hindsight_memory.agent.session import AgentSession

FILE = Path(tempfile.mkdtemp()) / "orders" / "may.csv"


@function_tool
def read_file(path: str, encoding: str) -> str:
    """Read a text file."""
    try:
        text = Path(path).read_text(encoding)
    except UnicodeDecodeError as error:
        print(f"encoding={encoding}: failed")
        return f"Error: UnicodeDecodeError: {error}"
    print(f"encoding={encoding}: {text}")
    return text


class Scripted(Model):
    """Stands in for a language model."""

    async def get_response(self, *_: Any, **given: Any) -> ModelResponse:
        outputs = (each for each in given["input"] if each.get("type") == "function_call_output")
        results = [each["output"] for each in outputs]
        if results and not results[-1].startswith("Error"):
            text = responses.ResponseOutputText(text="Done.", type="output_text", annotations=[])
            item: Any = responses.ResponseOutputMessage(
                id="m", role="assistant", type="message", status="completed", content=[text]
            )
        else:
            knows = results or "encoding=gbk worked" in given["system_instructions"]
            arguments = {"path": str(FILE), "encoding": "gbk" if knows else "utf-8"}
            item = responses.ResponseFunctionToolCall(
                type="function_call",
                call_id=f"call{len(results)}",
                name="read_file",
                arguments=json.dumps(arguments),
            )
        return ModelResponse(output=[item], usage=Usage(), response_id=None)

    def stream_response(self, *_: Any, **__: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


async def work(memory: Hindsight) -> None:
    session = AgentSession(memory, project="shop")
    instructions = remembering(session, "You import orders.")
    agent = Agent(name="importer", instructions=instructions, tools=[read_file], model=Scripted())
    quiet = RunConfig(tracing_disabled=True)
    await Runner.run(agent, "Import orders/may.csv.", hooks=MemoryHooks(session), run_config=quiet)


if __name__ == "__main__":
    FILE.parent.mkdir()
    FILE.write_text("绿茶,12", "gbk")
    for number in (1, 2):
        print(f"--- session {number}")
        with Hindsight.open(f"sqlite:///{FILE.parent}/memory.db") as opened:
            asyncio.run(work(opened))
