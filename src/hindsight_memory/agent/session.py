"""One task of an agent, with memory at the moments that matter. It never stops the agent.

session = AgentSession(Hindsight.open(), project="shop")
prompt += session.start("Import the January orders")
advice = session.before_tool("read_csv", {"path": "jan.csv"})
session.after_tool("read_csv", {"path": "jan.csv"}, error="UnicodeDecodeError")
session.end("success")
"""

import asyncio
import queue
import threading
import time
import uuid
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import Any, Literal, Self

import structlog

from hindsight_memory.agent.batch import Batch, Called, Entry, Said, Write
from hindsight_memory.agent.client import Client
from hindsight_memory.agent.notepad import Untold, goal_of
from hindsight_memory.core.arguments import bounded
from hindsight_memory.core.model import Json
from hindsight_memory.errors import HindsightError, InvalidInput, Unavailable

log = structlog.get_logger(__name__)

TURNS = 5
"""Entries that are written together (design, section 9)."""

REST_SECONDS = 30.0
"""How long a memory that missed its deadline is left alone."""

MOST_WAITING = 1_000
"""Writes kept for a memory that is away; beyond that the oldest are given up, and counted."""

RESULT_CHARACTERS = 2_000

Outcome = Literal["success", "failure", "unknown"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Advice:
    """What memory says about a tool call that is about to be made.

    text: for the model; "" when there is nothing to say. verdict: "none", "caution", "avoid" or
    "prefer". worked_with: arguments that worked.
    """

    text: str = ""
    verdict: str = "none"
    failures: int = 0
    successes: int = 0
    last_error: str = ""
    worked_with: Mapping[str, Json] | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Ended:
    """How a session ended for memory. lessons: what it learned. waiting: writes that memory has
    not taken; ``flush`` tries again. lost: those given up, because too many waited.
    """

    lessons: tuple[str, ...] = ()
    seen: int = 0
    written: int = 0
    waiting: int = 0
    lost: int = 0


class AgentSession:
    """Not to be shared between threads; make one for each task.

    deadline_seconds: the longest that ``start`` and ``before_tool`` hold the agent; ``end`` takes
    up to ten times that. Whatever goes wrong with memory is in ``problems``, and nowhere else.
    """

    def __init__(
        self,
        client: Client,
        *,
        session_id: str | None = None,
        project: str | None = None,
        user_id: str | None = None,
        agent_id: str | None = None,
        turns_per_batch: int = TURNS,
        deadline_seconds: float = 2.0,
    ) -> None:
        self.session_id = session_id or uuid.uuid4().hex
        self.problems: list[str] = []
        self._client = client
        given = {"project": project, "user_id": user_id, "agent_id": agent_id}
        self._scope = {name: value for name, value in given.items() if value is not None}
        self._owner = {name: self._scope[name] for name in self._scope if name != "project"}
        self._turns_per_batch = turns_per_batch
        self._deadline_seconds = deadline_seconds
        self._batch = Batch()
        self._untold = Untold()
        self._entries: list[Entry] = []
        self._waiting: deque[Write] = deque()
        self._numbered = 0
        self._written = 0
        self._lost = 0
        self._resting_until = 0.0
        self._advised: set[str] = set()

    def start(self, task: str) -> str:
        """What is worth knowing for ``task``, fenced, for the system prompt; "" if nothing is. It
        becomes the goal of the session's working memory.
        """
        until = time.monotonic() + self._deadline_seconds
        given = {"task": task, "session_id": self.session_id, **self._scope}
        answer = self._ask("memory_context", given, self._deadline_seconds)
        self._untold.goal = goal_of(task)
        self._tell(until)
        return str(answer.get("context", ""))

    def turn(self, role: Literal["user", "assistant"], content: str) -> None:
        """Note what was said. Written at once or later, in batches."""
        self._note(Said(role=role, content=content, at=datetime.now(UTC)))

    def before_tool(self, name: str, arguments: Mapping[str, Json]) -> Advice:
        """What is known about such a call: how it failed, what worked."""
        given = {
            "tool": name,
            "arguments": bounded(arguments),
            "session_id": self.session_id,
            **self._scope,
        }
        answer = self._ask("memory_advise", given, self._deadline_seconds)
        advice = _advice(answer)
        if advice.verdict != "none":
            self._advised.add(name)
        return advice

    def after_tool(
        self,
        name: str,
        arguments: Mapping[str, Json],
        *,
        result: object = None,
        error: str | BaseException | None = None,
    ) -> None:
        """Note how a call ended: with ``error``, or else well."""
        self._note(
            Called(
                tool=name,
                arguments=dict(arguments),
                outcome="success" if error is None else "failure",
                error=_told(error)[:RESULT_CHARACTERS],
                at=datetime.now(UTC),
                was_advised=name in self._advised,
            )
        )
        self._advised.discard(name)

    def end(self, outcome: Outcome = "unknown") -> Ended:
        """Write what waits and look back over the session."""
        long = self._deadline_seconds * 10
        self.flush(deadline_seconds=long)
        self._tell(time.monotonic() + long)
        lessons: Sequence[Any] = ()
        if not self._waiting:  # looking back at half a session would draw half of the conclusions
            given = {"session_id": self.session_id, "outcome": outcome, **self._scope}
            lessons = self._ask("memory_retrospect", given, long).get("lessons", ())
        return Ended(
            lessons=tuple(str(each.get("content", "")) for each in lessons),
            seen=self._batch.seen,
            written=self._written,
            waiting=len(self._waiting),
            lost=self._lost,
        )

    def flush(self, *, deadline_seconds: float | None = None) -> None:
        """Write what was noted, as far as memory takes it; the rest waits for the next time."""
        for write in self._batch.take(self._entries):
            self._numbered += 1
            key = f"{self.session_id}-{self._numbered}"
            self._waiting.append(
                {**write, "session_id": self.session_id, "idempotency_key": key, **self._scope}
            )
        self._entries.clear()
        while len(self._waiting) > MOST_WAITING:
            self._waiting.popleft()
            self._lost += 1
        self._write(time.monotonic() + (deadline_seconds or self._deadline_seconds))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        self.end("success" if kind is None else "failure")

    def _note(self, entry: Entry) -> None:
        self._entries.append(entry)
        self._untold.add(entry)
        self._tell(time.monotonic() + self._deadline_seconds)
        if len(self._entries) >= self._turns_per_batch:
            self.flush()

    def _tell(self, until: float) -> None:
        """Working memory, what is news to it; what it does not take waits for the next news."""
        owner = {"session_id": self.session_id, **self._owner}
        if self._untold.goal:
            patch = [{"op": "set_goal", "goal": self._untold.goal}]
            if not self._is_done("working_memory", {"patch": patch, **owner}, until):
                return
            self._untold.goal = ""
        if entries := self._untold.due():
            given = {"entries": entries, **owner}
            if self._is_done("working_memory_turn", given, until):
                self._untold.done()

    def _is_done(self, tool: str, given: Mapping[str, Any], until: float) -> bool:
        """Also when it is refused, because it would be again."""
        try:
            self._call(tool, given, until - time.monotonic())
        except InvalidInput as error:
            self._problem(error)
        except HindsightError as error:
            self._problem(error)
            return False
        return True

    def _write(self, until: float) -> None:
        while self._waiting and (left := until - time.monotonic()) > 0:
            try:
                self._call("memory_write", self._waiting[0], left)
                self._written += 1
            except InvalidInput as error:  # it would be refused again
                self._problem(error)
            except HindsightError as error:
                self._problem(error)
                return
            self._waiting.popleft()

    def _ask(self, tool: str, given: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        """Nothing, where memory fails."""
        try:
            return self._call(tool, given, seconds)
        except HindsightError as error:
            self._problem(error)
            return {}

    def _call(self, tool: str, given: Mapping[str, Any], seconds: float) -> Mapping[str, Any]:
        if time.monotonic() < self._resting_until:
            raise Unavailable(f"{tool}: memory missed a deadline and is left alone for a while")
        try:
            return within(seconds, partial(self._client.call, tool, given))
        except Unavailable:
            self._resting_until = time.monotonic() + REST_SECONDS
            raise

    def _problem(self, error: HindsightError) -> None:
        log.warning("memory_failed", code=error.code, error=str(error))
        self.problems.append(f"{error.code}: {error}")


def within(seconds: float, call: Callable[[], Mapping[str, Any]]) -> Mapping[str, Any]:
    """What ``call`` gives in time. Raises Unavailable afterwards; the call itself goes on, in a
    thread that does not keep the process from ending.
    """
    answers: queue.SimpleQueue[Mapping[str, Any] | HindsightError] = queue.SimpleQueue()

    def run() -> None:
        try:
            answers.put(call())
        except HindsightError as error:
            answers.put(error)
        except Exception as error:  # the agent goes on, whatever is wrong with memory
            log.exception("memory_broke")
            answers.put(Unavailable(f"memory failed: {error}"))

    threading.Thread(target=run, name="memory", daemon=True).start()
    try:
        answer = answers.get(timeout=max(0.0, seconds))
    except queue.Empty as error:
        raise Unavailable(f"memory did not answer in {seconds:.1f} s") from error
    if isinstance(answer, HindsightError):
        raise answer
    return answer


def _advice(answer: Mapping[str, Any]) -> Advice:
    return Advice(
        text=str(answer.get("advice", "")),
        verdict=str(answer.get("verdict", "none")),
        failures=int(answer.get("failures", 0)),
        successes=int(answer.get("successes", 0)),
        last_error=str(answer.get("last_error", "")),
        worked_with=answer.get("worked_with"),
    )


def _told(error: str | BaseException | None) -> str:
    if isinstance(error, BaseException):
        return f"{type(error).__name__}: {error}"
    return error or ""


class AsyncAgentSession:
    """The same for code on an event loop, which nothing here holds up."""

    def __init__(self, client: Client, **given: Any) -> None:
        self.sync = AgentSession(client, **given)

    async def start(self, task: str) -> str:
        return await asyncio.to_thread(self.sync.start, task)

    async def turn(self, role: Literal["user", "assistant"], content: str) -> None:
        await asyncio.to_thread(self.sync.turn, role, content)

    async def before_tool(self, name: str, arguments: Mapping[str, Json]) -> Advice:
        return await asyncio.to_thread(self.sync.before_tool, name, arguments)

    async def after_tool(self, name: str, arguments: Mapping[str, Json], **ended: Any) -> None:
        """ended: ``result`` or ``error``."""
        await asyncio.to_thread(partial(self.sync.after_tool, name, arguments, **ended))

    async def end(self, outcome: Outcome = "unknown") -> Ended:
        return await asyncio.to_thread(self.sync.end, outcome)
