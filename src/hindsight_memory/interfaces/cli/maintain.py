"""``maintain``: one pass over what is remembered, and what it did about it."""

import click
from pydantic import BaseModel, Field
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from hindsight_memory.core.life import Options
from hindsight_memory.core.steps import Action
from hindsight_memory.engine.maintain import Report, maintain
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.progress import progress_bar
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, setting, shared
from hindsight_memory.interfaces.cli.views import Glance
from hindsight_memory.interfaces.cli.wording import cut


class StepOut(BaseModel):
    action: Action
    rule: str
    memory_ids: list[str]
    user_id: str
    content: str = Field(description="Of the first of these memories.")
    required: str
    actual: str


class MaintainOut(BaseModel):
    dry_run: bool = Field(description="Whether nothing was changed.")
    looked_at: int = Field(description="How many memories.")
    counts: dict[Action, int] = Field(description="How many steps of each kind.")
    overtaken: int = Field(description="Steps left, because a memory changed meanwhile.")
    steps: list[StepOut] = Field(description="The first 1,000 of them, and why.")


@click.command(
    "maintain",
    params=[
        click.Option(["--dry-run"], is_flag=True, help="Only tell what it would do, and why."),
        click.Option(["user_id", "--user-id", "--user"], help="Only memories of this user."),
        setting("episode_cap", "--cap", type=int, help="Most active unconfirmed episodes a user."),
        click.Option(
            ["--purge-feedback"],
            is_flag=True,
            help="Also remove feedback past its 90 days, for good.",
        ),
        *shared("store_url", "as_json"),
    ],
)
@pass_shell
def maintain_(shell: Shell, user_id: str | None, *, dry_run: bool, purge_feedback: bool) -> None:
    """Let memories that nobody needs cool, end and make room; tell of each step why.

    Preferences, decisions, lessons and confirmed facts stay. All that it does can be undone with
    restore, but a purge, which it does only when told. Can be stopped at any time.
    """
    options = Options(cap=shell.settings.episode_cap, purges_feedback=purge_feedback)
    with shell.memories() as memories, progress_bar("looking") as progress:
        report = maintain(
            memories.parts,
            shell.caller().tenant,
            user_id=user_id,
            dry_run=dry_run,
            options=options,
            progress=progress,
        )
    show(shell, _told(report, dry_run=dry_run), _steps)


def _told(report: Report, *, dry_run: bool) -> MaintainOut:
    return MaintainOut(
        dry_run=dry_run,
        looked_at=report.looked_at,
        counts=dict(report.counts),
        overtaken=report.overtaken,
        steps=[
            StepOut(
                action=step.action,
                rule=step.rule,
                memory_ids=list(step.memory_ids),
                user_id=step.user_id,
                content=step.content,
                required=step.required,
                actual=step.actual,
            )
            for step in report.steps
        ],
    )


def _steps(result: MaintainOut, _glance: Glance) -> RenderableType:
    table = Table(box=None, pad_edge=False, header_style="dim")
    for heading in ("what", "memory", "why"):
        table.add_column(heading, overflow="fold")
    for step in result.steps:
        others = len(step.memory_ids) - 1
        memory = Text(cut(step.content))
        memory.append(f"\n{step.memory_ids[0]}", "dim")
        memory.append(f" and {others} more" if others else "", "dim")
        why = Text(f"{step.rule}: {step.actual}")
        why.append(f"\nrequired: {step.required}", "dim")
        table.add_row(Text(step.action, "cyan"), memory, why)
    return Group(*([table] if result.steps else []), Text(_summed_up(result)))


def _summed_up(result: MaintainOut) -> str:
    done = ", ".join(f"{count} {action}" for action, count in result.counts.items())
    would = "; a dry run: nothing was changed" if result.dry_run else ""
    left = f"; {result.overtaken} left, they changed meanwhile" if result.overtaken else ""
    return f"{result.looked_at} memories looked at: {done or 'nothing to do'}{would}{left}"
