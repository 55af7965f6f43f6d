"""Making the tables, and bringing them up to date, while servers of two releases are at work.

A migration has two halves. ``NNNN_name.pre.sql`` adds what the release needs, and leaves servers of
the release before it working. ``NNNN_name.post.sql`` takes away what only that one needed: it runs
when a server of the release after it starts. So two neighbouring releases overlap, and a server
refuses a database only where a post half has taken away something that it needs.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import resources

import structlog
from psycopg import errors

from hindsight_memory.errors import Incompatible, Unavailable
from hindsight_memory.stores.postgres.failures import said
from hindsight_memory.stores.postgres.queries import QUERIES, Connection, text

log = structlog.get_logger(__name__)

PRE, POST = "pre", "post"

OLDEST_VECTOR = (0, 8)
"""The version of pgvector that goes on scanning its index until enough is found."""

_FILE = re.compile(r"(\d{4})_\w+\.(pre|post)\.sql")


@dataclass(frozen=True, slots=True, order=True)
class Migration:
    number: int
    half: str
    script: str


def known() -> list[Migration]:
    """Those of this release, in order."""
    files = (resources.files("hindsight_memory.stores.postgres") / "migrations").iterdir()
    found = [
        Migration(int(match[1]), match[2], file.read_text("utf-8"))
        for file in files
        if (match := _FILE.fullmatch(file.name))
    ]
    return sorted(found, key=lambda each: (each.number, each.half == POST))


def migrate(connection: Connection, serving_role: str, migrations: Sequence[Migration]) -> None:
    """Apply what is due of ``migrations``, and let ``serving_role`` use the tables.

    One server at a time, and all or nothing. Raises Incompatible where a newer release has taken
    away what this one needs, and Unavailable where this role may not do it.
    """
    if not _due(connection, migrations) and _may_serve(connection, serving_role):
        return
    try:
        with connection.transaction():
            connection.execute(text(QUERIES["hold_schema"]))
            _extend(connection)
            connection.execute(text(QUERIES["make_ledger"]))
            for migration in _due(connection, migrations):
                _apply(connection, migration)
            _grant(connection, serving_role)
    except errors.InsufficientPrivilege as error:
        raise Unavailable(
            f"this role may not bring the tables up to date ({said(error)}); give that of their "
            "owner in HINDSIGHT_MEMORY_STORE_ADMIN_URL"
        ) from error


def _due(connection: Connection, migrations: Sequence[Migration]) -> list[Migration]:
    """Each pre half that is missing, and the post halves of all releases before this one."""
    [(is_there,)] = connection.execute(text(QUERIES["is_there"])).fetchall()
    applied = set(connection.execute(text(QUERIES["applied"])).fetchall()) if is_there else set()
    ours = max(each.number for each in migrations)
    taken_away = max((number for number, half in applied if half == POST), default=0)
    if taken_away > ours:
        raise Incompatible(
            f"the database has format {taken_away}, and this version reads up to {ours}; upgrade "
            "hindsight-memory"
        )
    return [
        each
        for each in migrations
        if (each.number, each.half) not in applied and (each.half == PRE or each.number < ours)
    ]


def _apply(connection: Connection, migration: Migration) -> None:
    log.info("migration_applied", number=migration.number, half=migration.half)
    connection.execute(migration.script.encode())
    given = {"number": migration.number, "half": migration.half}
    connection.execute(text(QUERIES["note_applied"]), given)


def _extend(connection: Connection) -> None:
    found = connection.execute(text(QUERIES["extension_version"])).fetchall()
    if not found:
        try:
            connection.execute(text(QUERIES["make_extension"]))
        except (
            errors.FeatureNotSupported,
            errors.InsufficientPrivilege,
            errors.UndefinedFile,
        ) as error:
            raise Unavailable(
                f"the database has no pgvector, and this role cannot add it ({said(error)}); "
                "install it, and let a superuser run: CREATE EXTENSION vector"
            ) from error
        found = connection.execute(text(QUERIES["extension_version"])).fetchall()
    [(version,)] = found
    if tuple(map(int, version.split(".")[:2])) < OLDEST_VECTOR:
        raise Incompatible(f"pgvector is {version}, and 0.8 or newer is needed; upgrade it")


def _may_serve(connection: Connection, role: str) -> bool:
    [(may,)] = connection.execute(text(QUERIES["may_write"]), {"role": role}).fetchall()
    return bool(may)


def _grant(connection: Connection, role: str) -> None:
    if not _may_serve(connection, role):
        connection.execute(text(QUERIES["name_role"]), {"role": role})
        connection.execute(text(QUERIES["grant"]))
