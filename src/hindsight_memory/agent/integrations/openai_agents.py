"""Memory for OpenAI's Agents SDK: ``Runner.run(agent, task, hooks=MemoryHooks(session))``.

    session = AgentSession(memory)
    agent = Agent(name="importer", instructions=remembering(session, "You import orders."))
    await Runner.run(agent, task, hooks=MemoryHooks(session))

Needs ``pip install 'hindsight-memory[openai-agents]'``.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from agents import Agent, AgentHookContext, RunContextWrapper, RunHooks, Tool
from agents.items import TResponseInputItem
from agents.tool_context import ToolContext

from hindsight_memory.agent.session import AgentSession

Instructions = Callable[[RunContextWrapper[Any], Agent[Any]], Awaitable[str]]


def remembering(session: AgentSession, instructions: str = "") -> Instructions:
    """``instructions``, and after them what is worth knowing for the task that is run; asked for
    once a task, so that a cache of prompts can serve the turns of it.
    """
    known: dict[str, str] = {}

    async def told(context: RunContextWrapper[Any], agent: Agent[Any]) -> str:
        task = _said(context.turn_input)
        if task not in known:
            known[task] = await asyncio.to_thread(session.start, task)
        return f"{instructions}\n\n{known[task]}".strip()

    return told


class MemoryHooks(RunHooks[Any]):
    """What a run says and does goes to memory; when it ends, the session does."""

    def __init__(self, session: AgentSession) -> None:
        self._session = session
        self._said: set[str] = set()

    async def on_agent_start(self, context: AgentHookContext[Any], agent: Agent[Any]) -> None:
        task = _said(context.turn_input)
        if task and task not in self._said:
            self._said.add(task)
            await asyncio.to_thread(self._session.turn, "user", task)

    async def on_tool_end(
        self, context: RunContextWrapper[Any], agent: Agent[Any], tool: Tool, result: object
    ) -> None:
        """The SDK tells the model of an error as a result; what begins like one counts as one."""
        arguments = _arguments(context)
        error = str(result) if _failed(result) else None
        await asyncio.to_thread(
            lambda: self._session.after_tool(tool.name, arguments, result=result, error=error)
        )

    async def on_agent_end(
        self, context: AgentHookContext[Any], agent: Agent[Any], output: Any
    ) -> None:
        await asyncio.to_thread(self._session.turn, "assistant", str(output))
        await asyncio.to_thread(self._session.end, "unknown")


FAILED = "An error occurred while running the tool"
"""How the SDK's default handler begins to tell a model that a tool raised."""


def _failed(result: object) -> bool:
    return isinstance(result, str) and result.startswith((FAILED, "Error", "error:"))


def _arguments(context: RunContextWrapper[Any]) -> Mapping[str, Any]:
    raw = context.tool_arguments if isinstance(context, ToolContext) else ""
    try:
        arguments = json.loads(raw or "{}")
    except ValueError:
        return {"input": raw}
    return arguments if isinstance(arguments, Mapping) else {"input": arguments}


def _said(items: list[TResponseInputItem]) -> str:
    """What the user said last."""
    for item in reversed(items):
        if item.get("role") == "user":
            content = item.get("content")
            if isinstance(content, str):
                return content
            if isinstance(content, list):
                return "\n".join(str(each.get("text", "")) for each in content)
    return ""
