"""The command ``hindsight-memory``. What a command needs is imported when the command is used.

An operation is a command by its row of OPERATIONS; anything else, and what shows its result in a
way of its own, is a row of ``COMMANDS``.
"""

import importlib
import signal
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import click

from hindsight_memory.interfaces.cli import endings
from hindsight_memory.interfaces.cli.shell import shared

SUMMARY = "Long-term memory for LLM agents that knows what can still be believed."


@dataclass(frozen=True, slots=True)
class Row:
    """A command of its own: its module and name there, and its line in the list of commands."""

    module: str
    name: str
    summary: str


COMMANDS: Mapping[str, Row] = {
    "restore": Row("commands", "restore", "Bring back a forgotten, cold or archived memory."),
    "working-memory": Row(
        "working", "working_memory", "Show what an agent has in hand in a session, or patch it."
    ),
    "call": Row("call", "call", "Run any operation by its tool name, with JSON."),
    "mcp": Row("mcp", "mcp", "Serve one MCP client over stdin and stdout."),
    "serve": Row("serve", "serve", "Serve REST and MCP over HTTP."),
    "key": Row("key", "key_", "Make an API key for a tenant."),
    "worker": Row("worker", "worker_", "Do what was promised for later, until it is stopped."),
    "install": Row("install", "install", "Give an agent's client memory, by its own settings."),
    "hook": Row("hook", "hook", "Answer an event of an agent's client."),
    "import": Row(
        "transfer", "import_", "Bring in an export, conversations or what other tools remember."
    ),
    "export": Row("transfer", "export", "Write memories and their histories as JSON Lines."),
    "copy": Row(
        "copying",
        "copy_",
        "Bring all memories from one store into another, with their histories, and compare.",
    ),
    "backup": Row(
        "copying",
        "backup",
        "Write a copy of the SQLite file, while it is in use, as it is at one instant.",
    ),
    "maintain": Row(
        "maintain", "maintain_", "Let memories that nobody needs cool, end and make room."
    ),
    "doctor": Row("doctor", "doctor", "Check the store, the embedder and the settings."),
    "calibrate": Row(
        "calibrate", "calibrate", "Measure what the similarities of an embedder mean."
    ),
    "reconcile": Row(
        "reconcile", "reconcile", "Compare the vectors in Qdrant with the store, and mend them."
    ),
    "reembed": Row("reembed", "reembed", "Give every memory vectors of the current embedder."),
}


class Doors(click.Group):
    """Lists every command and imports only the one that runs."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        from hindsight_memory.interfaces.operations import OPERATIONS

        plain = [each.command for each in OPERATIONS if each.command not in COMMANDS]
        return [*plain, *COMMANDS]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        row = COMMANDS.get(cmd_name)
        if row is not None:
            module = importlib.import_module(f"hindsight_memory.interfaces.cli.{row.module}")
            command: click.Command = getattr(module, row.name)
            return command
        from hindsight_memory.interfaces.cli.commands import operation_commands

        return operation_commands().get(cmd_name)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        if not ctx.resilient_parsing and self.get_command(ctx, args[0]) is None:
            ctx.fail(f"no command {args[0]!r}; known: {', '.join(self.list_commands(ctx))}")
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        from hindsight_memory.interfaces.cli.commands import operation_commands

        rows = [
            (name, (command.help or "").split(". ")[0].split("; ")[0].rstrip(".") + ".")
            for name, command in operation_commands().items()
            if name not in COMMANDS
        ]
        rows += [(name, row.summary) for name, row in COMMANDS.items()]
        with formatter.section("Commands"):
            formatter.write_dl(rows)

    def invoke(self, ctx: click.Context) -> Any:
        with endings.told(ctx):
            return super().invoke(ctx)


@click.group(
    cls=Doors,
    help=SUMMARY,
    params=shared(),
    context_settings={"help_option_names": ["-h", "--help"]},
)
@click.version_option(package_name="hindsight-memory")
def cli() -> None:
    """Runs before every command."""


def main() -> None:
    # Like Ctrl-C, so that what is open is closed before the process ends.
    signal.signal(signal.SIGTERM, signal.default_int_handler)
    cli(prog_name="hindsight-memory")
