"""Reaching a server that may not be there yet, and finding its tables ready."""

import time

import psycopg
import structlog
from psycopg.conninfo import conninfo_to_dict

from hindsight_memory.errors import InvalidInput
from hindsight_memory.stores.postgres.failures import our_errors, said
from hindsight_memory.stores.postgres.migrating import known, migrate
from hindsight_memory.stores.postgres.queries import QUERIES, Connection, text

log = structlog.get_logger(__name__)

PAUSE_SECONDS = 0.5
"""Between two attempts: a server that starts takes about a second."""

ATTEMPT_SECONDS = 5
"""For one attempt: an address that nobody has answers nothing at all."""

NOT_READY = ("starting up", "shutting down", "recovery", "too many", "remaining connection slots")
"""What a server says that refuses a connection now, and not for ever."""


def prepare(url: str, admin_url: str, *, wait_seconds: float) -> None:
    """Wait for the server, and bring the tables up to date. Raises InvalidInput for what is no
    address of a database.
    """
    for address in (url, admin_url):
        _check(address)
    with our_errors():
        with connected(url, wait_seconds) as serving:
            [(role,)] = serving.execute(text(QUERIES["who"])).fetchall()
        with connected(admin_url, wait_seconds) as owner:
            migrate(owner, role, known())


def _check(url: str) -> None:
    try:
        conninfo_to_dict(url)
    except psycopg.ProgrammingError as error:
        raise InvalidInput(f"HINDSIGHT_MEMORY_STORE_URL: {said(error)}") from error


def connected(url: str, wait_seconds: float) -> Connection:
    """A connection, as soon as there is one. Raises Unavailable after ``wait_seconds``, or at once
    where waiting is of no use.
    """
    deadline = time.monotonic() + wait_seconds
    while True:
        try:
            return psycopg.connect(url, autocommit=True, connect_timeout=ATTEMPT_SECONDS)
        except psycopg.OperationalError as error:
            if not _may_come(error) or time.monotonic() >= deadline:
                raise
            left = round(deadline - time.monotonic())
            log.warning("waiting_for_postgresql", seconds_left=left, reason=said(error))
            time.sleep(PAUSE_SECONDS)


def _may_come(error: psycopg.OperationalError) -> bool:
    """Whether nobody answers, or who answers is not ready yet. Of a failed connection psycopg knows
    no code, only what libpq says.
    """
    said = str(error)
    return "FATAL" not in said or any(reason in said for reason in NOT_READY)
