"""``reembed``: after a change of the embedder."""

import click
from pydantic import BaseModel
from rich.console import RenderableType
from rich.text import Text

from hindsight_memory.engine import maintenance
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.progress import progress_bar
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.cli.views import Glance


class ReembedOut(BaseModel):
    embedded: int


@click.command(params=shared("store_url", "as_json"))
@pass_shell
def reembed(shell: Shell) -> None:
    """Give every memory vectors of the current embedder, and drop those of others.

    Can be stopped at any time; the next time goes on from there.
    """
    with shell.memories() as memories, progress_bar("embedding") as progress:
        embedded = maintenance.reembed(memories.parts, progress)
    show(shell, ReembedOut(embedded=embedded), told)


def told(result: ReembedOut, _glance: Glance) -> RenderableType:
    return Text(f"{result.embedded} memories embedded")
