"""``worker``: does the jobs of a store, beside servers that do none."""

import signal
from types import FrameType

import click
import structlog

from hindsight_memory.engine.promised import worker
from hindsight_memory.interfaces.cli.shell import Shell, pass_shell, shared

log = structlog.get_logger(__name__)


@click.command(
    "worker",
    params=[
        click.Option(["--once"], is_flag=True, help="End when nothing more is due."),
        *shared("store_url", "as_json"),
    ],
)
@pass_shell
def worker_(shell: Shell, *, once: bool) -> None:
    """Do what was promised for later, until it is stopped.

    That is queued writes, and upkeep once a day. Any number of workers share one store. Ctrl-C or
    SIGTERM stop it: long work is handed back. Servers with HINDSIGHT_MEMORY_WORKER=false leave
    their jobs to it.
    """
    shell.usual_log_level = "info"
    with shell.memories() as memories:
        work = worker(memories.parts)

        def stop(_signal: int, _frame: FrameType | None) -> None:
            work.stop()

        signal.signal(signal.SIGTERM, stop)
        signal.signal(signal.SIGINT, stop)
        if once:
            work.drain()
            return
        log.info("worker_started")
        work.run()
