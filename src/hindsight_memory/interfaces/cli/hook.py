"""``hook``: what a client of ours runs at its events. It never stops the client."""

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click
import platformdirs

from hindsight_memory.agent import hooks
from hindsight_memory.agent.client import Client, HttpClient
from hindsight_memory.errors import Unavailable

CLIENTS = ("claude-code", "codex", "cursor")

SERVER_SECONDS = 5.0
"""A server that is there answers a search in milliseconds, and a look back in a second or two."""


@click.command("hook", hidden=True)
@click.argument("event", type=click.Choice(hooks.EVENTS))
@click.option("--client", type=click.Choice(CLIENTS), default="claude-code", help="Whose form.")
@click.option(
    "--url", default="http://127.0.0.1:8080", show_default=True, help="A server to ask, if it runs."
)
def hook(event: str, client: str, url: str) -> None:
    """Answer an event of an agent's client.

    Its JSON comes on stdin. Where no server runs, the store is opened here. Whatever goes wrong,
    the client goes on: the reason is on stderr, and the exit code is 0.
    """
    try:
        happened = hooks.read(event, _given())
        told = hooks.Hooks(lambda: _opened(url), _spool()).run(event, happened)
        sys.stdout.buffer.write(hooks.written(client, event, told).encode())
    except Exception as error:  # noqa: BLE001 - an agent is worth more than its memory
        click.echo(f"hindsight-memory: {event}: {error}", err=True)


def _given() -> dict[str, Any]:
    given = json.loads(sys.stdin.buffer.read() or b"{}")
    return given if isinstance(given, dict) else {}


def _spool() -> Path:
    return platformdirs.user_state_path("hindsight-memory", appauthor=False) / "sessions"


@contextmanager
def _opened(url: str) -> Iterator[Client]:
    """The server, and this process where there is none."""
    yield _Either(url)


class _Either:
    def __init__(self, url: str) -> None:
        self._server: HttpClient | None = HttpClient(url, timeout_seconds=SERVER_SECONDS)

    def call(self, tool: str, arguments: Any) -> Any:
        """By the server; or, once it was found not to run, by a store opened here."""
        if self._server is not None:
            try:
                return self._server.call(tool, arguments)
            except Unavailable:
                self._server = None
        from hindsight_memory.interfaces.library import Hindsight

        with Hindsight.open() as memory:
            return memory.call(tool, arguments)
