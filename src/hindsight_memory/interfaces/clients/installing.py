"""Our entries in the files of a client: put in, taken out, told before it is done."""

import difflib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import files
from hindsight_memory.interfaces.clients.entries import CLIENTS, NAME, Edit, File, Folder, Target

BACKUP_SUFFIX = ".before-hindsight-memory"


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """What becomes of one file. before, after: its text; None where there is no file."""

    path: Path
    what: str
    before: str | None
    after: str | None

    @property
    def is_one(self) -> bool:
        return self.before != self.after

    def diff(self) -> str:
        before, after = ((text or "").splitlines() for text in (self.before, self.after))
        name = str(self.path)
        return "\n".join(difflib.unified_diff(before, after, name, name, lineterm=""))


def installation(
    client: str, folders: Mapping[Folder, Path], command: PurePath, *, url: str = ""
) -> Iterator[Change]:
    """What installing would change. url: of the server to ask, where the client starts none.

    Raises InvalidInput for a file that we cannot read.
    """
    for file in CLIENTS[client].files:
        path, before = _read(file, folders)
        after = _edited(path, _adding(file, Target(command, url)), before)
        yield Change(path=path, what=file.what, before=before, after=after)


def removal(
    client: str, folders: Mapping[Folder, Path], command: PurePath, *, url: str = ""
) -> Iterator[Change]:
    """What taking it out would change. Where nobody else changed the file since, it is what it was
    before to the byte; otherwise all that is not ours stays as it is.
    """
    for file in CLIENTS[client].files:
        path, now = _read(file, folders)
        if now is None:
            continue
        backup = _text(_backup(path))
        # Who installed twice, in two ways, has our first entry in the backup of the second time.
        is_theirs = NAME not in (backup or "")
        if is_theirs and now == _edited(path, _adding(file, Target(command, url)), backup):
            after = backup
        else:
            after = _edited(path, file.removed, now)
        yield Change(path=path, what=file.what, before=now, after=after)


def apply(change: Change, *, keeps_backup: bool) -> None:
    """Raises Unavailable when it cannot be written; the file is as it was then.

    keeps_backup: what was there before is kept beside it.
    """
    if not change.is_one:
        return
    backup = _backup(change.path)
    if keeps_backup and change.before is not None:
        files.write_text(backup, change.before)
    if change.after is None:
        change.path.unlink(missing_ok=True)
    else:
        files.write_text(change.path, change.after)
    if not keeps_backup:
        backup.unlink(missing_ok=True)


def _adding(file: File, target: Target) -> Edit:
    return lambda text: file.added(text, target)


def _read(file: File, folders: Mapping[Folder, Path]) -> tuple[Path, str | None]:
    path = folders[file.folder] / file.path
    resolved = path.resolve()  # settings are often links into a folder of dotfiles
    return resolved, _text(resolved)


def _text(path: Path) -> str | None:
    if not path.exists():
        return None
    with files.reading(path) as source:
        raw = source.read()
    try:
        return raw.decode()
    except UnicodeDecodeError as error:
        raise InvalidInput(f"{str(path)!r} is not UTF-8: {error}; it was left as it is") from error


def _edited(path: Path, edit: Edit, text: str | None) -> str:
    try:
        return edit(text or "")
    except (InvalidInput, IndexError) as error:
        raise InvalidInput(f"{str(path)!r}: {error}; it was left as it is") from error


def _backup(path: Path) -> Path:
    return path.with_name(path.name + BACKUP_SUFFIX)
