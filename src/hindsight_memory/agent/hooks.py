"""What happens at the events of a client that runs hooks: each is a process of its own.

What is noted goes into a file of the session at once, and to memory in a batch when the turn ends.
Importing this module is cheap, because it happens before every tool call.
"""

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hindsight_memory.agent import seen
from hindsight_memory.agent.client import Client
from hindsight_memory.errors import InvalidInput

if TYPE_CHECKING:  # it brings what reads two languages
    from hindsight_memory.agent.batch import Entry

EVENTS = (
    "session-start",
    "prompt",
    "before-tool",
    "after-tool",
    "tool-failed",
    "stop",
    "session-end",
)

RESULT_CHARACTERS = 2_000
"""Of an error; of results nothing is kept."""

NOTED, SENT, TOLD, SEEN = ".jsonl", ".sent", ".told", ".seen"
"""Files of a session: what happened, how many writes of it were sent, how many entries working
memory was told, what the model was shown."""

_OURS = re.compile(
    r"hindsight[-_]memory|^(?:mcp:)?(?:working_memory"
    r"|memory_(?:write|search|update|forget|verify|retrospect|feedback|context|advise))$"
)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Happened:
    """What a client says happened. project: of the working folder's repository. keeps_context: a
    session goes on with what the model has read. was_stopped: somebody stopped the call.
    """

    session_id: str = ""
    project: str = ""
    prompt: str = ""
    tool: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    error: str = ""
    keeps_context: bool = False
    was_stopped: bool = False


def read(event: str, given: Mapping[str, Any]) -> Happened:
    """From what Claude Code, Codex or Cursor write to a hook. What is missing stays empty."""
    folder = given.get("cwd") or next(iter(given.get("workspace_roots") or ()), "")
    arguments = given.get("tool_input", given.get("arguments", {}))
    error = given.get("error") or given.get("error_message") or ""
    if event == "after-tool":
        error = _failure(given.get("tool_response", given.get("tool_output")))
    return Happened(
        session_id=str(given.get("session_id") or given.get("conversation_id") or ""),
        project=project_of(Path(folder)) if folder else "",
        prompt=str(given.get("prompt") or ""),
        tool=str(given.get("tool_name") or given.get("tool") or ""),
        arguments=arguments if isinstance(arguments, Mapping) else {"input": arguments},
        error=_text(error)[:RESULT_CHARACTERS],
        keeps_context=given.get("source") == "resume",
        was_stopped=given.get("is_interrupt") is True,
    )


def project_of(folder: Path) -> str:
    """The name of the repository that ``folder`` is in, without its address; "" outside of one."""
    for each in (folder, *folder.parents):
        if (each / ".git").exists():
            return each.name
    return ""


class Hooks:
    """The events of one client. spool: the folder of what was noted."""

    def __init__(self, client: Client, spool: Path) -> None:
        self._client = client
        self._spool = spool

    def run(self, event: str, happened: Happened) -> str:
        """What to show to the model; "" for nothing. Raises HindsightError."""
        return "" if _is_ours(happened.tool) else _RUNS[event](self, happened)

    def started(self, happened: Happened) -> str:
        """A session begins, or goes on with a model that has forgotten what it had read."""
        if not happened.keeps_context:
            self._file(happened.session_id, SEEN).unlink(missing_ok=True)
        return self.context(happened)

    def context(self, happened: Happened) -> str:
        """What the model has not in view yet."""
        if happened.prompt:
            self._note(happened, {"role": "user", "content": happened.prompt})
        given = {"task": happened.prompt, **_scope(happened)}
        block = str(self._client.call("memory_context", given).get("context", ""))
        return self._unseen(happened, block)

    def advice(self, happened: Happened) -> str:
        """A caution once, and what fails as often as it is about to be done."""
        given = {"tool": happened.tool, "arguments": happened.arguments, **_scope(happened)}
        answer = self._client.call("memory_advise", given)
        verdict, block = answer.get("verdict", "none"), str(answer.get("advice", ""))
        if verdict == "none" or not block:
            return ""
        told = self._unseen(happened, block) if verdict == "caution" else block
        if told:
            self._note(happened, {"advised": happened.tool})
        return told

    def ended(self, happened: Happened) -> str:
        """A tool call, well or with an error."""
        if happened.was_stopped:  # that is no failure of the call
            return ""
        called = {
            "tool": happened.tool,
            "arguments": happened.arguments,
            "outcome": "failure" if happened.error else "success",
            "error": happened.error,
        }
        self._note(happened, called)
        return ""

    def failed(self, happened: Happened) -> str:
        return self.ended(happened if happened.error else replace(happened, error="failed"))

    def stopped(self, happened: Happened) -> str:
        """Write what is new of this session, then look back at it; and what other sessions left,
        while memory was away.
        """
        self._send(happened.session_id)
        self._tell(happened.session_id)
        self._client.call("memory_retrospect", _scope(happened))
        return ""

    def finished(self, happened: Happened) -> str:
        self.stopped(happened)
        for suffix in (NOTED, SENT, TOLD, SEEN):
            self._file(happened.session_id, suffix).unlink(missing_ok=True)
        return ""

    def _unseen(self, happened: Happened, block: str) -> str:
        """Without what the session has been shown, unless that says something else now."""
        path = self._file(happened.session_id, SEEN)
        known = set(path.read_text().split()) if path.exists() else set[str]()
        told = seen.unseen(block, known)
        if told:
            self._spool.mkdir(parents=True, exist_ok=True)
            with path.open("a") as file:
                file.write("".join(f"{key}\n" for key in seen.keys(told)))
        return told

    def _note(self, happened: Happened, entry: Mapping[str, Any]) -> None:
        line = {"at": datetime.now(UTC).isoformat(), "project": happened.project, **entry}
        self._spool.mkdir(parents=True, exist_ok=True)
        with self._file(happened.session_id, NOTED).open("a", encoding="utf-8") as spool:
            spool.write(json.dumps(line) + "\n")  # one write, so that parallel hooks do not mix

    def _send(self, session_id: str) -> None:
        """All writes of the session have their numbers, so that those that were sent are not sent
        again, and one that was sent and not noted is recognised by its key.
        """
        from hindsight_memory.agent.batch import Batch

        lines = self._lines(session_id)
        writes = Batch().take(_entries(lines))
        project = next((line["project"] for line in lines if line.get("project")), "")
        sent_file = self._file(session_id, SENT)
        sent = int(sent_file.read_text() or 0) if sent_file.exists() else 0
        for number, write in enumerate(writes[sent:], start=sent + 1):
            key = f"hook-{session_id}-{number}"
            given = {**write, "session_id": session_id, "idempotency_key": key}
            with suppress(InvalidInput):  # it would be refused each time
                self._client.call("memory_write", given | ({"project": project} if project else {}))
            sent_file.write_text(str(number))

    def _tell(self, session_id: str) -> None:
        """Working memory, what is news to it since the last time, and at first the goal."""
        from hindsight_memory.agent.notepad import tell

        path = self._file(session_id, TOLD)
        so_far = int(path.read_text() or 0) if path.exists() else None
        if entries := [*_entries(self._lines(session_id))]:
            path.write_text(str(tell(self._client, session_id, entries, so_far)))

    def _lines(self, session_id: str) -> list[dict[str, Any]]:
        path = self._file(session_id, NOTED)
        if not path.exists():
            return []
        found = []
        for line in path.read_text(encoding="utf-8").splitlines():
            try:
                found.append(json.loads(line))
            except ValueError:  # a hook was killed while it wrote
                continue
        return found

    def _file(self, session_id: str, suffix: str) -> Path:
        name = _UNSAFE.sub("_", session_id)[:100] or "unknown"
        return self._spool / f"{name}{suffix}"


_RUNS: Mapping[str, Callable[[Hooks, Happened], str]] = {
    "session-start": Hooks.started,
    "prompt": Hooks.context,
    "before-tool": Hooks.advice,
    "after-tool": Hooks.ended,
    "tool-failed": Hooks.failed,
    "stop": Hooks.stopped,
    "session-end": Hooks.finished,
}


_TELLING: Mapping[str, str] = {
    "session-start": "SessionStart",
    "prompt": "UserPromptSubmit",
    "before-tool": "PreToolUse",
}
"""Events at which Claude Code and Codex read something, by their names of them."""


def written(client: str, event: str, told: str) -> str:
    """``told`` in the form that the client reads; "" where it reads none at this event.

    Nothing here ever permits or forbids a call: that stays with the client's own rules.
    """
    if not told:
        return ""
    if client == "cursor":
        return json.dumps({"additional_context": told}, ensure_ascii=False)
    if event not in _TELLING:
        return ""
    output = {"hookEventName": _TELLING[event], "additionalContext": told}
    return json.dumps({"hookSpecificOutput": output}, ensure_ascii=False)


def _entries(lines: Iterable[Mapping[str, Any]]) -> "Iterator[Entry]":
    """What was said and called; and of a call, whether memory had spoken of that tool before."""
    from hindsight_memory.agent.batch import Called, Said

    advised = set[str]()
    for line in lines:
        at = datetime.fromisoformat(line["at"])
        if "advised" in line:
            advised.add(line["advised"])
        elif "tool" in line:
            given = {name: line[name] for name in ("tool", "arguments", "outcome", "error")}
            yield Called(**given, at=at, was_advised=line["tool"] in advised)
            advised.discard(line["tool"])
        else:
            yield Said(role=line["role"], content=line["content"], at=at)


def _is_ours(tool: str) -> bool:
    """Whether it is a tool of this memory, by whatever name a client gives it."""
    return _OURS.search(tool.casefold()) is not None


def _scope(happened: Happened) -> dict[str, str]:
    given = {"session_id": happened.session_id, "project": happened.project}
    return {name: value for name, value in given.items() if value}


def _failure(response: Any) -> str:
    """What a tool's answer says went wrong; "" where it went well. Clients without an event of
    their own for failures tell them here.
    """
    if not isinstance(response, Mapping):
        return ""
    if response.get("is_error") or response.get("isError") or response.get("success") is False:
        return _text(response.get("error") or response.get("content") or "failed")
    code = response.get("exit_code", response.get("exitCode", 0))
    if isinstance(code, int) and code != 0:
        return _text(response.get("stderr") or response.get("output") or f"exit code {code}")
    return ""


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
