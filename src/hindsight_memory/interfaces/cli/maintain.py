"""``maintain``: one pass over what is remembered, and what it did about it."""

import click

from hindsight_memory.core.life import Options
from hindsight_memory.engine.maintain import maintain
from hindsight_memory.interfaces.cli.output import show
from hindsight_memory.interfaces.cli.progress import progress_bar
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, setting, shared
from hindsight_memory.interfaces.upkeep import MaintainOut


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
    show(shell, MaintainOut.of(report, dry_run=dry_run))
