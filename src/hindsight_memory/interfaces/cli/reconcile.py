"""``reconcile``: after an index beside the store was restored, or lost something."""

import click
from pydantic import BaseModel
from rich.console import Group, RenderableType
from rich.text import Text

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.progress import progress_bar
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.cli.views import Glance


class ReconcileOut(BaseModel):
    told: list[str]


@click.command(params=shared("store_url", "as_json"))
@pass_shell
def reconcile(shell: Shell) -> None:
    """Compare the vectors in Qdrant with the store, and mend them.

    What is missing is brought, and what belongs to nothing is removed. Can be stopped at any time.
    """
    if not shell.settings.vector_url.get_secret_value():
        raise InvalidInput("HINDSIGHT_MEMORY_VECTOR_URL names no Qdrant to compare the store with")
    with shell.memories() as memories, progress_bar("comparing") as progress:
        told = memories.parts.store.reconcile(progress)
    show(shell, ReconcileOut(told=told), _shown)


def _shown(result: ReconcileOut, _glance: Glance) -> RenderableType:
    return Group(*map(Text, result.told))
