"""``hook``: what a client of ours runs at its events. It never stops the client."""

import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import click
import platformdirs

from hindsight_memory.agent import hooks
from hindsight_memory.agent.client import Client, HttpClient
from hindsight_memory.core.addresses import is_loopback
from hindsight_memory.errors import Unavailable
from hindsight_memory.interfaces import wire

CLIENTS = ("claude-code", "codex", "cursor")

SERVER_SECONDS = 5.0
"""A server that is there answers a search in milliseconds, and a look back in a second or two."""


@click.command("hook", hidden=True)
@click.argument("event", type=click.Choice(hooks.EVENTS))
@click.option("--client", type=click.Choice(CLIENTS), default="claude-code", help="Whose form.")
@click.option(
    "--url",
    envvar="HINDSIGHT_MEMORY_SERVER_URL",
    default="http://127.0.0.1:8080",
    show_default=True,
    show_envvar=True,
    help="A server to ask.",
)
@click.option(
    "--api-key",
    envvar="HINDSIGHT_MEMORY_API_KEY",
    default="",
    show_envvar=True,
    help="The key to show to it.",
)
def hook(event: str, client: str, url: str, api_key: str) -> None:
    """Answer an event of an agent's client.

    Its JSON comes on stdin. Where no server runs on this machine, the store is opened here.
    Whatever goes wrong, the client goes on: the reason is on stderr, and the exit code is 0.
    """
    # Settings read the same two variables, but take 0.1 s to import before every tool call.
    try:
        happened = hooks.read(event, _given())
        with _opened(HttpClient(url, timeout_seconds=SERVER_SECONDS, api_key=api_key)) as memory:
            told = hooks.Hooks(memory, _spool()).run(event, happened)
        sys.stdout.buffer.write(hooks.written(client, event, told).encode())
    except Exception as error:  # noqa: BLE001 - an agent is worth more than its memory
        from hindsight_memory.interfaces.failures import failure_of

        click.echo(f"hindsight-memory: {event}: {failure_of(error).message}", err=True)


def _given() -> dict[str, Any]:
    given = wire.decode(sys.stdin.buffer.read() or b"{}")
    return given if isinstance(given, dict) else {}


def _spool() -> Path:
    return platformdirs.user_state_path("hindsight-memory", appauthor=False) / "sessions"


@contextmanager
def _opened(server: HttpClient) -> Iterator[Client]:
    """The server; or, once it was found not to run, a store that stays open for the event.

    In place of a server on another machine no store is opened: what is written here would never
    get there.
    """
    if not is_loopback(str(urlsplit(server.url).hostname)):
        yield server
        return
    with ExitStack() as stack:
        yield _Either(server, stack)


class _Either:
    def __init__(self, server: Client, stack: ExitStack) -> None:
        self._asked, self._stack = server, stack
        self._is_open = False

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Mapping[str, Any]:
        try:
            return self._asked.call(tool, arguments)
        except Unavailable:
            if self._is_open:
                raise
        from hindsight_memory.interfaces.library import Hindsight

        self._asked, self._is_open = self._stack.enter_context(Hindsight.open()), True
        return self._asked.call(tool, arguments)
