"""The operations as commands."""

from collections.abc import Collection, Mapping
from functools import cache
from typing import Any

import click

from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.parameters import parameters
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import BY_NAME, OPERATIONS


def command_of(
    operation: Operation,
    name: str,
    *,
    only: Collection[str] | None = None,
    always: Mapping[str, Any] | None = None,
    text: str = "",
) -> click.Command:
    """only: the fields that it offers. always: arguments that it gives by itself."""

    def run(shell: Shell, **typed: Any) -> None:
        given = {name: value for name, value in typed.items() if value is not None}
        show(shell, shell.run(operation, {**given, **(always or {})}))

    offered = [
        parameter
        for parameter in parameters(operation.takes)
        if only is None or parameter.name in only
    ]
    return click.Command(
        name,
        callback=pass_shell(run),
        params=[*offered, *shared("store_url", "as_json")],
        help=text or operation.description,
    )


@cache
def operation_commands() -> Mapping[str, click.Command]:
    """By name, in the order of the table."""
    return {operation.command: command_of(operation, operation.command) for operation in OPERATIONS}


restore = command_of(
    BY_NAME["memory_update"],
    "restore",
    only={"memory_id", "expected_version", "reason", "agent_id"},
    always={"restore": True},
    text="Bring back a forgotten, cold or archived memory.",
)
