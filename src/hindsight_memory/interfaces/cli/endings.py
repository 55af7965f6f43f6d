"""How a command ends that cannot do what it was asked: one line on stderr, and an exit code."""

import os
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import NoReturn

import click

from hindsight_memory.errors import (
    Conflict,
    HindsightError,
    Incompatible,
    InvalidInput,
    NotFound,
    RateLimited,
    Unauthenticated,
    Unavailable,
)
from hindsight_memory.interfaces.cli.shell import Shell

EXIT_CODES: Mapping[type[BaseException], int] = {
    InvalidInput: 2,  # also click's, for a wrong option
    NotFound: 3,
    Conflict: 4,
    Incompatible: 5,
    Unavailable: 6,
    RateLimited: 6,
    Unauthenticated: 7,
    Exception: 1,
    KeyboardInterrupt: 130,  # 128 + SIGINT, as shells report it
    BrokenPipeError: 141,  # 128 + SIGPIPE
}
"""By the nearest class that an error has here."""


@contextmanager
def told(context: click.Context) -> Iterator[None]:
    """Ends the process for whatever the block raises; a bug is logged with its traceback."""
    try:
        yield
    except click.exceptions.Exit:
        raise
    except click.UsageError as error:
        if not Shell.of(context).as_json:
            raise
        _end(context, InvalidInput(error.format_message()))
    except BrokenPipeError as error:
        # What is still in the buffer would raise again, when Python flushes it at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        context.exit(exit_code(error))
    except KeyboardInterrupt as error:
        context.exit(exit_code(error))
    except Exception as error:  # noqa: BLE001 - the boundary of this door
        _end(context, error)


def exit_code(error: BaseException) -> int:
    return next(EXIT_CODES[kind] for kind in type(error).__mro__ if kind in EXIT_CODES)


def _end(context: click.Context, error: Exception) -> NoReturn:
    from hindsight_memory import logs
    from hindsight_memory.interfaces.failures import failure_of

    if not isinstance(error, HindsightError):
        logs.configure("error")
    failure = failure_of(error)
    if Shell.of(context).as_json:
        click.echo(failure.model_dump_json(), err=True)
    else:
        one_line = " ".join(failure.message.split())
        click.echo(f"error: {failure.code}: {one_line}", err=True)
    context.exit(exit_code(error))
