"""``install``: memory for an agent's client, by its own settings."""

import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

import click
import platformdirs
from pydantic import BaseModel, Field
from rich.console import Group, RenderableType
from rich.text import Text

from hindsight_memory.agent.client import HttpClient
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.cli.views import Glance
from hindsight_memory.interfaces.cli.wording import safe
from hindsight_memory.interfaces.clients import installing
from hindsight_memory.interfaces.clients.entries import CLIENTS, NAME, Folder


class FileOut(BaseModel):
    path: str
    what: str = Field(description="What of ours is in this file.")
    changed: bool
    diff: str = Field(description="Unified; empty where nothing changes.")


class InstallOut(BaseModel):
    client: str
    dry_run: bool = Field(description="Whether nothing was changed.")
    uninstalled: bool = Field(description="Whether our entries were taken out, not put in.")
    files: list[FileOut]


@click.command(
    "install",
    params=[
        click.Argument(["client"], type=click.Choice(list(CLIENTS))),
        click.Option(["--url"], default="", help="A server to ask; else the client starts one."),
        click.Option(["--dry-run"], is_flag=True, help="Only show what would change."),
        click.Option(["--uninstall"], is_flag=True, help="Take our entries out again."),
        *shared("as_json"),
    ],
)
@pass_shell
def install(shell: Shell, client: str, *, url: str, dry_run: bool, uninstall: bool) -> None:
    """Give an agent's client memory, by its own settings.

    It gets the MCP server, and hooks where it has them. With --url it asks that server, and finds
    its key in the variable HINDSIGHT_MEMORY_API_KEY, so that the key is in no file. Only our own
    entries are written; all else in its files keeps every byte, and what was there before is kept
    beside them. Doing it twice changes nothing the second time.
    """
    folders = _folders()
    made = installing.removal if uninstall else installing.installation
    server = HttpClient(url).url if url else ""
    changes = list(made(client, folders, _command(), url=server))
    if not dry_run:
        for change in changes:
            installing.apply(change, keeps_backup=not uninstall)
    files = [
        FileOut(path=str(each.path), what=each.what, changed=each.is_one, diff=each.diff())
        for each in changes
    ]
    result = InstallOut(client=client, dry_run=dry_run, uninstalled=uninstall, files=files)
    show(shell, result, told)


def told(result: InstallOut, _glance: Glance) -> RenderableType:
    """A line for each file, and what changes in it where nothing was changed yet."""
    lines: list[RenderableType] = []
    for file in result.files:
        lines.append(Text.assemble((_mark(result, file), "bold"), f"  {safe(file.path)}"))
        if result.dry_run and file.diff:
            lines.append(Text(safe(file.diff), "dim"))
    title = CLIENTS[result.client].title
    after = "" if result.dry_run else f"Restart {title} so that it reads its settings."
    return Group(*lines, Text(after))


def _mark(result: InstallOut, file: FileOut) -> str:
    if not file.changed:
        return f"unchanged: {file.what}"
    done = "taken out" if result.uninstalled else "put in"
    return f"{'would be ' if result.dry_run else ''}{done}: {file.what}"


def _folders() -> Mapping[Folder, Path]:
    return {"home": Path.home(), "config": platformdirs.user_config_path(roaming=True)}


def _command() -> Path:
    """Where this program lies: clients start it without our PATH. Raises InvalidInput."""
    beside = Path(sys.executable).with_name(NAME)
    found = str(beside) if beside.exists() else shutil.which(NAME)
    if found is None:
        raise InvalidInput(f"the command {NAME!r} is not installed; install the package first")
    return Path(found)
