"""A run of OpenAI's Agents SDK with our hooks, and a scripted model."""

from collections.abc import AsyncIterator, Mapping
from typing import Any

from agents import (
    Agent,
    Model,
    ModelResponse,
    RunConfig,
    Runner,
    Usage,
    function_tool,
)
from openai.types.responses import (
    ResponseFunctionToolCall,
    ResponseOutputMessage,
    ResponseOutputText,
)

from hindsight_memory.agent.integrations.openai_agents import MemoryHooks, remembering
from hindsight_memory.agent.session import AgentSession


class Memory:
    def __init__(self) -> None:
        self.asked: list[tuple[str, Mapping[str, Any]]] = []

    def call(self, name: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        self.asked.append((name, arguments))
        return {"context": "# Memory\n- gbk worked."} if name == "memory_context" else {}


class Scripted(Model):
    """Calls the tool with utf-8, then with gbk, then answers."""

    def __init__(self) -> None:
        self.told: list[str | None] = []

    async def get_response(
        self, system_instructions: str | None, *args: Any, **kwargs: Any
    ) -> ModelResponse:
        self.told.append(system_instructions)
        turn = len(self.told)
        if turn <= 2:
            encoding = ["utf-8", "gbk"][turn - 1]
            item: Any = ResponseFunctionToolCall(
                type="function_call",
                call_id=f"c{turn}",
                name="read",
                arguments=f'{{"encoding": "{encoding}"}}',
            )
        else:
            text = ResponseOutputText(type="output_text", text="done", annotations=[])
            item = ResponseOutputMessage(
                id="m", type="message", role="assistant", status="completed", content=[text]
            )
        return ModelResponse(output=[item], usage=Usage(), response_id=None)

    def stream_response(self, *args: Any, **kwargs: Any) -> AsyncIterator[Any]:
        raise NotImplementedError


@function_tool
def read(encoding: str) -> str:
    """Read the file."""
    if encoding == "utf-8":
        raise ValueError("bad byte")
    return "812 rows"


async def test_a_run_is_told_what_is_known_and_what_it_did_is_remembered() -> None:
    memory, model = Memory(), Scripted()
    session = AgentSession(memory, session_id="s")
    agent = Agent(
        name="importer",
        instructions=remembering(session, "You import orders."),
        tools=[read],
        model=model,
    )
    result = await Runner.run(
        agent,
        "Import it. Prices are never in dollars.",
        hooks=MemoryHooks(session),
        run_config=RunConfig(tracing_disabled=True),
    )
    assert result.final_output == "done"
    assert model.told == ["You import orders.\n\n# Memory\n- gbk worked."] * 3
    written = [given["content"] for name, given in memory.asked if name == "memory_write"]
    assert written[0] == "Prices are never in dollars."
    assert written[1].startswith("read(encoding=utf-8) failed: ")
    assert written[2] == "read(encoding=gbk) worked"
    assert memory.asked[-1][0] == "memory_retrospect"
    assert session.problems == []
