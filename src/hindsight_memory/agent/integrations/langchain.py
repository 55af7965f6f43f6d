"""Memory for LangChain's agents: ``create_agent(..., middleware=[MemoryMiddleware(memory)])``.

The task gets what is worth knowing about it; a call that failed before is held once, with the
reason; how calls end is remembered. Needs ``pip install 'hindsight-memory[langchain]'``.
"""

import asyncio
import threading
import uuid
from collections.abc import Awaitable, Callable
from typing import Any, NotRequired

from langchain.agents.middleware import (
    AgentMiddleware,
    AgentState,
    ModelRequest,
    ModelResponse,
    ToolCallRequest,
)
from langchain_core.messages import AnyMessage, HumanMessage, SystemMessage, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Command

from hindsight_memory.agent.client import Client
from hindsight_memory.agent.session import Advice, AgentSession

Ended = ToolMessage | Command[Any]


class MemoryState(AgentState[Any]):
    memory_session: NotRequired[str]
    memory_context: NotRequired[str]


class MemoryMiddleware(AgentMiddleware[MemoryState, Any, Any]):
    """One for any number of runs, also at the same time; each run is a session of its own.

    holds: whether a call that memory says to avoid is answered with the advice instead of being
    run; the same call again is run. given: what ``AgentSession`` takes.
    """

    state_schema = MemoryState

    def __init__(self, client: Client, *, holds: bool = True, **given: Any) -> None:
        super().__init__()
        self._client = client
        self._holds = holds
        self._given = given
        self._lock = threading.Lock()
        self._sessions: dict[str, AgentSession] = {}
        self._held: dict[str, set[str]] = {}

    def before_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any]:
        session = AgentSession(self._client, session_id=uuid.uuid4().hex, **self._given)
        with self._lock:
            self._sessions[session.session_id] = session
            self._held[session.session_id] = set()
        task = _last_said(state["messages"])
        session.turn("user", task)
        return {"memory_session": session.session_id, "memory_context": session.start(task)}

    async def abefore_agent(self, state: MemoryState, runtime: Runtime[Any]) -> dict[str, Any]:
        return await asyncio.to_thread(self.before_agent, state, runtime)

    def wrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], ModelResponse[Any]],
    ) -> ModelResponse[Any]:
        return handler(_with_context(request))

    async def awrap_model_call(
        self,
        request: ModelRequest[Any],
        handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]],
    ) -> ModelResponse[Any]:
        return await handler(_with_context(request))

    def wrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Ended]
    ) -> Ended:
        held = self._asked(request)
        if held is not None:
            return held
        try:
            ended = handler(request)
        except Exception as error:
            self._note(request, error)
            raise
        self._note(request, ended)
        return ended

    async def awrap_tool_call(
        self, request: ToolCallRequest, handler: Callable[[ToolCallRequest], Awaitable[Ended]]
    ) -> Ended:
        held = await asyncio.to_thread(self._asked, request)
        if held is not None:
            return held
        try:
            ended = await handler(request)
        except Exception as error:
            await asyncio.to_thread(self._note, request, error)
            raise
        await asyncio.to_thread(self._note, request, ended)
        return ended

    def after_agent(self, state: MemoryState, runtime: Runtime[Any]) -> None:
        with self._lock:
            session = self._sessions.pop(state.get("memory_session", ""), None)
            self._held.pop(state.get("memory_session", ""), None)
        if session is not None:
            session.end()

    async def aafter_agent(self, state: MemoryState, runtime: Runtime[Any]) -> None:
        await asyncio.to_thread(self.after_agent, state, runtime)

    def _asked(self, request: ToolCallRequest) -> ToolMessage | None:
        """What the model is told instead of the call; None when it is to be made."""
        session = self._session(request)
        if session is None:
            return None
        name, arguments = request.tool_call["name"], request.tool_call["args"]
        advice: Advice = session.before_tool(name, arguments)
        held = self._held.get(session.session_id, set())
        call = f"{name} {arguments!r}"
        if advice.verdict != "avoid" or not self._holds or call in held:
            return None
        held.add(call)
        said = f"{advice.text}\nThe call was not made. Make it again to make it anyway."
        return ToolMessage(said, tool_call_id=request.tool_call["id"] or "", name=name)

    def _note(self, request: ToolCallRequest, ended: Ended | Exception) -> None:
        session = self._session(request)
        if session is None:
            return
        error: str | Exception | None = ended if isinstance(ended, Exception) else None
        if isinstance(ended, ToolMessage) and ended.status == "error":
            error = ended.text
        session.after_tool(request.tool_call["name"], request.tool_call["args"], error=error)

    def _session(self, request: ToolCallRequest) -> AgentSession | None:
        return self._sessions.get(str(request.state.get("memory_session", "")))


def _with_context(request: ModelRequest[Any]) -> ModelRequest[Any]:
    """After the agent's own prompt, which stays what a cache of prompts knows."""
    context = request.state.get("memory_context", "")
    if not context:
        return request
    said = request.system_message.text if request.system_message else ""
    return request.override(system_message=SystemMessage(f"{said}\n\n{context}".strip()))


def _last_said(messages: list[AnyMessage]) -> str:
    said = (each.text for each in reversed(messages) if isinstance(each, HumanMessage))
    return next(said, "")
