"""A copy of the file as it is at one instant, while others write to the file."""

from contextlib import closing
from pathlib import Path

import apsw

from hindsight_memory.core.ports import Progress
from hindsight_memory.errors import Damaged, InvalidInput, Unavailable
from hindsight_memory.stores.sqlite.database import DAMAGES

PAGES = 1_000
"""Copied at a time; progress is told between."""


def back_up(path: str, target: str, progress: Progress) -> None:
    """Write the file at ``path`` to the new file ``target``, whole and checked, or not at all.

    Raises InvalidInput where ``target`` is taken, Unavailable or Damaged where it cannot be done.
    """
    if not Path(path).is_file():
        raise Unavailable(f"there is no file {path!r} to back up")
    if Path(target).exists():
        raise InvalidInput(f"{target!r} is there already; name a new file")
    part = Path(f"{target}.part")
    try:
        _copy(path, part, progress)
        part.rename(target)
    except DAMAGES as error:
        raise Damaged(f"{path!r} cannot be copied whole: {error}") from error
    except (apsw.Error, OSError) as error:
        raise Unavailable(f"cannot write {target!r}: {error}") from error
    finally:
        part.unlink(missing_ok=True)


def _copy(path: str, part: Path, progress: Progress) -> None:
    """From a snapshot: without one, each write of others would make it begin anew."""
    part.unlink(missing_ok=True)
    part.touch(mode=0o600)
    source = apsw.Connection(path, apsw.SQLITE_OPEN_READONLY)
    with closing(source), closing(apsw.Connection(str(part))) as target:
        source.execute("BEGIN")
        source.pragma("schema_version")
        with target.backup("main", source, "main") as backup:
            while not backup.done:
                backup.step(PAGES)
                progress(backup.page_count - backup.remaining, backup.page_count)
        target.pragma("journal_mode", "DELETE")
        found = target.pragma("integrity_check")
    if found != "ok":
        raise apsw.CorruptError(str(found))
