"""What PostgreSQL raises, as errors of ours: the one place where they are translated."""

from collections.abc import Iterator
from contextlib import contextmanager

import psycopg
import psycopg_pool
from psycopg import errors

from hindsight_memory.errors import (
    Conflict,
    Damaged,
    HindsightError,
    Incompatible,
    InvalidInput,
    Unavailable,
)

TRY_AGAIN = (errors.SerializationFailure, errors.DeadlockDetected)
"""The transaction was undone, and would succeed by itself."""

TRANSLATED: tuple[tuple[type[Exception], type[HindsightError], str], ...] = (
    (psycopg_pool.PoolClosed, Unavailable, "the store is closed"),
    (
        psycopg_pool.PoolTimeout,
        Unavailable,
        "no connection to PostgreSQL is free, or it does not answer ({error}); retry later",
    ),
    (psycopg.IntegrityError, Conflict, "another write came first ({error}); read again and retry"),
    (errors.SerializationFailure, Conflict, "other writers kept changing the same; retry later"),
    (errors.DeadlockDetected, Conflict, "other writers kept changing the same; retry later"),
    (errors.LockNotAvailable, Unavailable, "another process is writing the same: {error}"),
    (errors.QueryCanceled, Unavailable, "PostgreSQL was stopped by a timeout: {error}"),
    (
        errors.InsufficientPrivilege,
        Unavailable,
        "PostgreSQL refuses it to this role: {error}; see docs/postgres.md",
    ),
    (
        errors.UndefinedTable,
        Incompatible,
        "the tables are not there, or not in the search_path: {error}",
    ),
    (
        errors.DuplicateTable,
        Incompatible,
        "the schema has tables of another program: {error}; name another, see docs/postgres.md",
    ),
    (errors.DataCorrupted, Damaged, "PostgreSQL found damage: {error}; restore a backup"),
    (errors.IndexCorrupted, Damaged, "PostgreSQL found damage: {error}; reindex, or restore"),
    (errors.CharacterNotInRepertoire, InvalidInput, "PostgreSQL cannot keep this text: {error}"),
    (errors.UntranslatableCharacter, InvalidInput, "PostgreSQL cannot keep this text: {error}"),
    (psycopg.OperationalError, Unavailable, "PostgreSQL does not answer: {error}"),
    (psycopg.InterfaceError, Unavailable, "PostgreSQL does not answer: {error}"),
)
"""The first row that fits. What fits none is a bug of ours and stays itself."""


@contextmanager
def our_errors() -> Iterator[None]:
    try:
        yield
    except (psycopg.Error, psycopg_pool.PoolTimeout) as error:
        raise _translated(error) from error


def _translated(error: Exception) -> Exception:
    if isinstance(error, psycopg.DataError) and "NUL" in str(error):
        return InvalidInput("PostgreSQL keeps no text with a NUL in it; leave it out")
    for kind, ours, told in TRANSLATED:
        if isinstance(error, kind):
            return ours(told.format(error=said(error)))
    return error


def said(error: Exception) -> str:
    """What happened, in one line: of the server's messages without the values of the row."""
    primary = error.diag.message_primary if isinstance(error, psycopg.Error) else None
    return " ".join((primary or str(error)).split())
