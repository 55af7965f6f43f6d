"""``call``: an operation exactly as an agent calls it."""

import click

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import wire
from hindsight_memory.interfaces.cli.output import show_json
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.cli.stdin import is_terminal, read_bytes
from hindsight_memory.interfaces.operations import named


@click.command(params=shared())
@click.argument("tool")
@click.argument("arguments", metavar="[JSON]", default="-")
@pass_shell
def call(shell: Shell, tool: str, arguments: str) -> None:
    """Run any operation by its tool name, with JSON.

    JSON is an object with the operation's arguments; left out, or as -, it is read from stdin.
    The result is printed as JSON: what an agent gets as structured content.
    """
    operation = named(tool)
    given = wire.decode(_raw(arguments) or b"{}")
    if not isinstance(given, dict):
        raise InvalidInput(f"the arguments of {tool} are a JSON object, not {arguments!r}")
    show_json(shell.run(operation, given))


def _raw(arguments: str) -> bytes:
    if arguments != "-":
        return arguments.encode("utf-8", "surrogateescape")
    return b"" if is_terminal() else read_bytes().strip()
