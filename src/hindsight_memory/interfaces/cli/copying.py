"""``copy`` and ``backup``: whole stores."""

from collections import Counter
from contextlib import ExitStack

import click
from pydantic import BaseModel, Field
from rich.console import Group, RenderableType
from rich.text import Text

from hindsight_memory.engine import copying, transfer
from hindsight_memory.engine.copying import Copied
from hindsight_memory.engine.lines import Fate
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.progress import progress_bar
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.cli.views import Glance
from hindsight_memory.interfaces.cli.wording import safe
from hindsight_memory.wiring import backup as back_up
from hindsight_memory.wiring import open_memories


class CopyOut(BaseModel):
    tenants: int
    memories: int = Field(description="Of the source.")
    lines: dict[Fate, int] = Field(description="Memories and rejections, by what became of them.")
    same: bool = Field(description="Whether all of the source is in the target, as it was.")
    differences: list[str] = Field(description="The first of them.")
    left: list[str] = Field(description="What was not copied.")

    @classmethod
    def of(cls, copied: Copied) -> "CopyOut":
        counts = Counter[Fate]()
        for report in copied.reports.values():
            counts += report.counts
        return cls(
            tenants=len(copied.reports),
            memories=copied.memories,
            lines=dict(counts),
            same=not copied.differences,
            differences=copied.differences,
            left=copied.left,
        )


class BackupOut(BaseModel):
    file: str


@click.command(
    "copy",
    params=[
        click.Option(["--from", "source"], metavar="URL", required=True, help="Where they are."),
        click.Option(["--to", "target"], metavar="URL", required=True, help="Where they go."),
        *shared("as_json"),
    ],
)
@click.pass_context
def copy_(context: click.Context, source: str, target: str) -> None:
    """Bring all memories from one store into another, with their histories, and compare.

    Can be stopped at any time and started again: what is there already is passed over. Vectors are
    made anew. Exits with 1 when the two differ.
    """
    shell = Shell.of(context)
    if source == target:
        raise InvalidInput("--from and --to name the same store")
    shell.start_logs()
    with ExitStack() as stack:
        opened = [
            stack.enter_context(open_memories(shell.settings.model_copy(update={"store_url": url})))
            for url in (source, target)
        ]
        here, there = (memories.parts for memories in opened)
        with progress_bar("copying") as progress:
            copied = copying.copy(here, there, progress)
        show(shell, CopyOut.of(copied), _copied)
        with progress_bar("embedding") as progress:
            transfer.embed_waiting(there, progress)
    context.exit(1 if copied.differences else 0)


@click.command(params=[click.Argument(["path"], metavar="FILE"), *shared("store_url", "as_json")])
@pass_shell
def backup(shell: Shell, path: str) -> None:
    """Write a copy of the SQLite file, while it is in use, as it is at one instant.

    FILE is checked before it appears, and can be read by you alone. To restore it, stop what uses
    the store, and put FILE in its place.
    """
    with progress_bar("backing up") as progress:
        back_up(shell.settings, path, progress)
    show(shell, BackupOut(file=path), _backed_up)


def _copied(result: CopyOut, _glance: Glance) -> RenderableType:
    counted = ", ".join(f"{count} {fate}" for fate, count in result.lines.items()) or "nothing"
    same = Text("all of it is there, as it was", "green")
    told = [Text(safe(each), "yellow") for each in (*result.differences, *result.left)]
    head = Text(f"{result.memories} memories of {result.tenants} tenants: {counted}")
    return Group(head, *([same] if result.same else []), *told)


def _backed_up(result: BackupOut, _glance: Glance) -> RenderableType:
    return Text(safe(f"written to {result.file}, and sound"))
