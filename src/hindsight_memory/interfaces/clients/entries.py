"""What we put into the settings of agents' clients, and how it comes out again. Pure.

A new client is a row of ``CLIENTS``.
"""

import shlex
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any, Literal, TypeAlias

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.clients import jsontext

NAME = "hindsight-memory"

TIMEOUT_SECONDS = 10
"""After which a client goes on without a hook."""

Folder = Literal["home", "config"]
"""Below which a file lies: the home folder, or where the system keeps programs' settings."""

Edit: TypeAlias = Callable[[str], str]
"""A file's text, before and after."""


KEY_VARIABLE = "HINDSIGHT_MEMORY_API_KEY"
"""Where clients find the key of a server; it goes into none of their files."""


@dataclass(frozen=True, slots=True)
class Target:
    """What a client is given: our command, which it starts itself, or the server at ``url``."""

    command: PurePath
    url: str = ""


@dataclass(frozen=True, slots=True)
class File:
    """One file of a client, and what we do to it. what: for people."""

    folder: Folder
    path: str
    what: str
    added: Callable[[str, Target], str]
    removed: Edit


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientRow:
    title: str
    files: tuple[File, ...]


HOOKS: Mapping[str, str] = {
    "SessionStart": "session-start",
    "UserPromptSubmit": "prompt",
    "PreToolUse": "before-tool",
    "PostToolUse": "after-tool",
    "Stop": "stop",
}
"""Events of Claude Code and Codex, and our names of them."""

HOOKS_CLAUDE = {**HOOKS, "PostToolUseFailure": "tool-failed", "SessionEnd": "session-end"}

HOOKS_CURSOR: Mapping[str, str] = {
    "sessionStart": "session-start",
    "beforeSubmitPrompt": "prompt",
    "preToolUse": "before-tool",
    "postToolUse": "after-tool",
    "postToolUseFailure": "tool-failed",
    "stop": "stop",
    "sessionEnd": "session-end",
}


def _server(folder: Folder, path: str, key: str, *, typed: bool = True, variable: str = "") -> File:
    """An entry that starts ``hindsight-memory mcp``, or names a server, under the name ``key`` of a
    JSON file. variable: how the client spells one of the environment; "" where it knows no servers
    but those that it starts.
    """

    def added(text: str, target: Target) -> str:
        entry = {"type": "http" if target.url else "stdio"} if typed else {}
        entry |= _reached(target, variable)
        return jsontext.with_member(text, [key], NAME, entry)

    def removed(text: str) -> str:
        return _without_empty(jsontext.without(text, [key, NAME]), [key])

    return File(folder, path, "the MCP server", added, removed)


def _reached(target: Target, variable: str) -> dict[str, Any]:
    if not target.url:
        return {"command": str(target.command), "args": ["mcp"]}
    if not variable:
        raise InvalidInput("this client knows no servers but those that it starts; leave out --url")
    shown = f"Bearer {variable.format(KEY_VARIABLE)}"
    return {"url": f"{target.url}/mcp", "headers": {"Authorization": shown}}


def _hooks(
    path: str, client: str, events: Mapping[str, str], *, nested: bool, versioned: bool = False
) -> File:
    """nested: each event lists groups of hooks, as with Claude Code; else the hooks themselves."""

    def added(text: str, target: Target) -> str:
        text = removed(text)
        server = f" --url {shlex.quote(target.url)}" if target.url else ""
        if versioned and "version" not in jsontext.value_of(text):
            text = jsontext.with_member(text, [], "version", 1)
        for event, ours in events.items():
            run = f"{shlex.quote(str(target.command))} hook {ours} --client {client}{server}"
            hook: dict[str, Any] = {"command": run, "timeout": TIMEOUT_SECONDS}
            item = {"hooks": [{"type": "command", **hook}]} if nested else hook
            text = jsontext.with_item(text, ["hooks", event], item)
        return text

    def removed(text: str) -> str:
        for event, items in jsontext.value_of(text).get("hooks", {}).items():
            ours = [at for at, item in enumerate(items) if _is_our_hook(item)]
            for at in reversed(ours):
                text = jsontext.without(text, ["hooks", event], at)
            if ours:
                text = _without_empty(text, ["hooks", event])
        return _without_empty(text, ["hooks"])

    return File("home", path, "the hooks", added, removed)


def _is_our_hook(item: Any) -> bool:
    if not isinstance(item, Mapping):
        return False
    hooks = item.get("hooks")
    inner: Sequence[Any] = hooks if isinstance(hooks, list) else [item]
    commands = [str(each.get("command", "")) for each in inner if isinstance(each, Mapping)]
    return any(f"{NAME} hook " in each or f"{NAME}' hook " in each for each in commands)


def _without_empty(text: str, path: Sequence[str]) -> str:
    """Without the object or array at ``path``, when nothing is left in it."""
    node: Any = jsontext.value_of(text)
    for name in path:
        if not isinstance(node, Mapping) or name not in node:
            return text
        node = node[name]
    return jsontext.without(text, path) if node in ({}, []) else text


def _codex_server(text: str, target: Target) -> str:
    started = f'command = {_toml(str(target.command))}\nargs = ["mcp"]\n'
    served = f'url = {_toml(target.url + "/mcp")}\nbearer_token_env_var = "{KEY_VARIABLE}"\n'
    lines = f"[mcp_servers.{NAME}]\n{served if target.url else started}"
    before = _without_codex_server(text)
    whole = (before + "\n" if before.strip() else "") + lines
    try:
        tomllib.loads(whole)
    except tomllib.TOMLDecodeError as error:
        raise InvalidInput(f"the file does not take our table: {error}; add it by hand") from error
    return whole


def _without_codex_server(text: str) -> str:
    """Without our table: its head and the lines up to the next head."""
    kept: list[str] = []
    is_ours = False
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith("["):
            head = line.split("#")[0].strip().strip("[]").replace('"', "").replace("'", "")
            was_ours, is_ours = is_ours, (head + ".").startswith(f"mcp_servers.{NAME}.")
            if is_ours and not was_ours and kept and not kept[-1].strip():
                kept.pop()  # the blank line that we put before it
        if not is_ours:
            kept.append(line)
    return "".join(kept)


def _toml(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'


CLIENTS: Mapping[str, ClientRow] = {
    "claude-code": ClientRow(
        title="Claude Code",
        files=(
            _server("home", ".claude.json", "mcpServers", variable="${{{}}}"),
            _hooks(".claude/settings.json", "claude-code", HOOKS_CLAUDE, nested=True),
        ),
    ),
    "codex": ClientRow(
        title="Codex",
        files=(
            File(
                "home",
                ".codex/config.toml",
                "the MCP server",
                _codex_server,
                _without_codex_server,
            ),
            _hooks(".codex/hooks.json", "codex", HOOKS, nested=True),
        ),
    ),
    "cursor": ClientRow(
        title="Cursor",
        files=(
            _server("home", ".cursor/mcp.json", "mcpServers", typed=False, variable="${{env:{}}}"),
            _hooks(".cursor/hooks.json", "cursor", HOOKS_CURSOR, nested=False, versioned=True),
        ),
    ),
    "claude-desktop": ClientRow(
        title="Claude Desktop",
        files=(_server("config", "Claude/claude_desktop_config.json", "mcpServers", typed=False),),
    ),
    "vscode": ClientRow(
        title="Visual Studio Code",
        files=(_server("config", "Code/User/mcp.json", "servers", variable="${{env:{}}}"),),
    ),
}
