"""``working-memory``: what an agent has in hand in a session, shown and patched."""

from collections.abc import Callable, Mapping
from typing import Any

import click

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import wire
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.operations import BY_NAME

Patch = dict[str, Any]


@click.command(
    "working-memory",
    params=[
        click.Argument(["session_id"], required=False),
        click.Option(["--goal"], help="What the session is to achieve."),
        click.Option(["--fact"], multiple=True, help="Found out (can be repeated)."),
        click.Option(["--source"], help="Who says so, for --fact; default user_explicit."),
        click.Option(["--push"], multiple=True, help="Still to do (can be repeated)."),
        click.Option(["--priority"], type=int, help="Of --push: 0 to 10, default 5."),
        click.Option(["--pop"], multiple=True, help="Done (can be repeated)."),
        click.Option(["--failed"], multiple=True, help="Tried in vain (can be repeated)."),
        click.Option(
            ["--patch"], multiple=True, metavar="JSON", help="A patch, or a list (can be repeated)."
        ),
        *shared("store_url", "user_id", "agent_id", "as_json"),
    ],
)
@pass_shell
def working_memory(shell: Shell, /, session_id: str | None, **typed: Any) -> None:
    """Show what an agent has in hand in a session, or patch it.

    That is its goal, facts, what is to do, what failed, and calls. With options it is patched
    first: all of it is done, or none.
    """
    given = {"session_id": session_id, "patch": _patches(typed)}
    show(shell, shell.run(BY_NAME["working_memory"], given))


def _patches(typed: Mapping[str, Any]) -> list[Patch]:
    """In the order of the options' rows, whatever order they were typed in."""
    found = [] if typed["goal"] is None else [{"op": "set_goal", "goal": typed["goal"]}]
    for name, made in _FRIENDLY.items():
        found += [made(text, typed) for text in typed[name]]
    for text in typed["patch"]:
        found += _from_json(text)
    return found


_FRIENDLY: Mapping[str, Callable[[str, Mapping[str, Any]], Patch]] = {
    "fact": lambda text, typed: {
        "op": "add_fact",
        "fact": text,
        "source": typed["source"] or "user_explicit",
    },
    "push": lambda text, typed: {"op": "push_item", "item": text, "priority": typed["priority"]},
    "pop": lambda text, _typed: {"op": "pop_item", "item": text},
    "failed": lambda text, _typed: {"op": "record_attempt", "action": text},
}


def _from_json(text: str) -> list[Patch]:
    try:
        given = wire.decode(text.encode("utf-8", "surrogateescape"))
    except InvalidInput as error:
        raise InvalidInput(f"--patch: {error}") from error
    return given if isinstance(given, list) else [given]
