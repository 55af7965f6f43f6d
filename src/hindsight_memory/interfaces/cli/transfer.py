"""``export`` and ``import``: memories and conversations as JSON Lines, of any length."""

import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import click
from pydantic import BaseModel, Field
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hindsight_memory.engine import transfer
from hindsight_memory.engine.exporting import export_lines
from hindsight_memory.engine.lines import Done, Fate, Line, Report
from hindsight_memory.engine.transfer import Given
from hindsight_memory.interfaces import exporting, files, importing
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.parameters import parameters
from hindsight_memory.interfaces.cli.progress import progress_bar
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared
from hindsight_memory.interfaces.cli.views import Glance
from hindsight_memory.interfaces.cli.wording import safe

STDIO = "-"

MOST_PROBLEMS = 20
"""Shown to a person; JSON has those of the report."""


class ExportOut(BaseModel):
    exported: int


class ProblemOut(BaseModel):
    line: int
    fate: Fate
    reason: str


class ImportOut(BaseModel):
    lines: dict[Fate, int] = Field(description="How many lines met each fate.")
    skipped: dict[str, int] = Field(description="How many were skipped for each reason.")
    rejected: list[ProblemOut] = Field(
        description="The first lines that were rejected here, and are kept as history only."
    )
    problems: list[ProblemOut] = Field(description="The first lines that were not kept.")


@click.command(
    "export",
    params=[
        click.Argument(["path"], metavar="[FILE]", default="-"),
        *parameters(exporting.ExportIn),
        *shared("store_url", "as_json"),
    ],
)
@pass_shell
def export(shell: Shell, /, path: str, **given: Any) -> None:
    """Write memories and their histories as JSON Lines, to FILE or to stdout.

    All memories, forgotten and superseded ones too: import brings them back as they were.
    With --as-of or --known-at only those that a list of that time shows.
    FILE can be read by you alone, and appears when it is complete.
    """
    named = {name: shell.overrides.get(name) for name in ("user_id", "project")}
    wanted = exporting.wanted(named | {name: value for name, value in given.items() if value})
    with shell.memories() as memories, _target(path) as target:
        with progress_bar("exporting") as progress:
            exported = export_lines(
                memories.parts,
                shell.caller().tenant,
                target.write,
                wanted=wanted,
                progress=progress,
            )
        target.flush()
    if path != STDIO:
        show(shell, ExportOut(exported=exported), _exported)


@click.command(
    "import",
    params=[
        click.Argument(["path"], metavar="FILE"),
        click.Option(
            ["user_speakers", "--user-speaker"],
            multiple=True,
            metavar="NAME",
            help="Who is the user in conversations, besides 'user' and the like. (can be repeated)",
        ),
        click.Option(
            ["form", "--format"],
            type=click.Choice(importing.FORMS),
            default="auto",
            show_default=True,
            help="What the file is, where it does not show.",
        ),
        click.Option(
            ["--strict"], is_flag=True, help="Stop at the first line that cannot be kept."
        ),
        *shared(),
    ],
)
@click.pass_context
def import_(
    context: click.Context, path: str, user_speakers: tuple[str, ...], form: str, *, strict: bool
) -> None:
    """Bring in an export, conversations or what other tools remember from FILE; - is stdin.

    A line is a memory, as export writes it, or a turn of a conversation:
    {"speaker": "user", "content": "...", "session_id": "...", "said_at": "2026-05-02T09:00:00Z"}.

    Also taken: notes in Markdown (CLAUDE.md, AGENTS.md, MEMORY.md), the files of the MCP memory
    server, exports of mem0 and OpenMemory, and conversations.json of ChatGPT and Claude.

    Can be stopped at any time and started again: what is there already is passed over.
    Exits with 1 when lines were not kept.
    """
    shell = Shell.of(context)
    with shell.memories() as memories:
        with _source(path, form) as (rows, total), progress_bar("importing") as progress:
            report = transfer.import_rows(
                memories.parts,
                shell.caller(),
                rows,
                user_speakers=user_speakers,
                strict=strict,
                progress=progress,
                total=total,
            )
        show(shell, _told(report), _imported)
        with progress_bar("embedding") as progress:
            transfer.embed_waiting(memories.parts, progress)
    context.exit(1 if report.problems else 0)


@contextmanager
def _target(path: str) -> Iterator[IO[bytes]]:
    if path == STDIO:
        yield sys.stdout.buffer
        return
    with files.replacing(Path(path)) as target:
        yield target


@contextmanager
def _source(path: str, form: str) -> Iterator[tuple[Iterable[Line[Given]], int | None]]:
    """The rows, and how many there are where that can be known beforehand."""
    if path == STDIO:
        yield importing.rows_of(sys.stdin.buffer, path, form), None
        return
    with files.reading(Path(path)) as lines:
        rows = importing.rows_of(lines, path, form)
        yield rows, len(rows) if isinstance(rows, list) else files.count_lines(Path(path))


def _told(report: Report) -> ImportOut:
    return ImportOut(
        lines=dict(report.counts),
        skipped=dict(report.skipped),
        rejected=[_told_of(each) for each in report.rejected],
        problems=[_told_of(each) for each in report.problems],
    )


def _told_of(done: Done) -> ProblemOut:
    return ProblemOut(line=done.line, fate=done.fate, reason=done.reason)


def _exported(result: ExportOut, _glance: Glance) -> RenderableType:
    return Text(f"{result.exported} memories exported")


def _imported(result: ImportOut, _glance: Glance) -> RenderableType:
    table = Table.grid(padding=(0, 2))
    for fate, count in result.lines.items():
        table.add_row(str(count), fate)
        if fate is Fate.SKIPPED:
            for reason, share in result.skipped.items():
                table.add_row("", Text(safe(f"{share} {reason}"), "dim"))
    problems = [
        Text(safe(f"line {each.line}: {each.reason}"), "yellow")
        for each in (*result.rejected[:MOST_PROBLEMS], *result.problems[:MOST_PROBLEMS])
    ]
    return Group(table if result.lines else Text("No lines."), *problems)
