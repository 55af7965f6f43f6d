"""Looking whether what a memory hangs on is as it was: files, dates, exit codes. No model.

"Could not observe" is not "changed": what this process may not read, cannot reach or was not
allowed to run says nothing about the memory. A new kind is a function here and a row of ``KINDS``.
"""

import hashlib
import os
import stat
import subprocess
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from datetime import time as clock_time
from pathlib import Path
from types import MappingProxyType
from typing import cast

from hindsight_memory.core.probes import Observation, Probe, Seen, check_probe, when_passed
from hindsight_memory.errors import InvalidInput

COMMAND_SECONDS = 5.0
"""Longest run of a command."""

HASHED_BYTES = 256 * 2**20
"""Largest file that is hashed: about a second."""

BLOCK_BYTES = 2**20


@dataclass(frozen=True, slots=True)
class Prober:
    """commands: first words that may be run; none by default. zone: where a day ends."""

    commands: Sequence[str] = ()
    zone: tzinfo = UTC
    command_seconds: float = COMMAND_SECONDS

    def observe(self, probe: Probe, now: datetime) -> Observation:
        """Never raises: what stands in the way is told as the detail."""
        try:
            check_probe(dict(probe))
        except InvalidInput as error:
            return _unobservable(str(error))
        try:
            return KINDS[str(probe["kind"])](self, probe, now)
        except OSError as error:
            return _unobservable(error.strerror or type(error).__name__)


def _path_exists(_prober: Prober, probe: Probe, _now: datetime) -> Observation:
    path, wanted = _path(probe), probe.get("exists", True)
    exists = _stat(path) is not None
    if not exists and not _is_reachable(path):
        return _unobservable("its folder is not there either: another machine, or not mounted")
    told = f"{probe['path']} {'exists' if exists else 'does not exist'}"
    return Observation(Seen.UNCHANGED if exists == wanted else Seen.CHANGED, told)


def _file_hash(_prober: Prober, probe: Probe, _now: datetime) -> Observation:
    path = _path(probe)
    status = _stat(path)
    if status is None:
        if not _is_reachable(path):
            return _unobservable("its folder is not there either: another machine, or not mounted")
        return Observation(Seen.CHANGED, f"{probe['path']} does not exist")
    if not stat.S_ISREG(status.st_mode):  # to read a pipe or a device may never end
        return _unobservable(f"{probe['path']} is no regular file")
    if status.st_size > HASHED_BYTES:
        return _unobservable(f"{probe['path']} has more than {HASHED_BYTES} bytes")
    if _sha256(path) == str(probe["sha256"]).lower():
        return Observation(Seen.UNCHANGED, f"{probe['path']} has the same content")
    return Observation(Seen.CHANGED, f"{probe['path']} has another content")


def _date_passed(prober: Prober, probe: Probe, now: datetime) -> Observation:
    given = when_passed(str(probe["date"]))
    if isinstance(given, datetime):
        end = given
    elif given is not None:
        end = datetime.combine(given, clock_time(), prober.zone) + timedelta(days=1)
    else:
        return _unobservable(f"{probe['date']} is no date")
    has_passed = now >= end
    told = f"{probe['date']} has {'' if has_passed else 'not '}passed"
    return Observation(Seen.CHANGED if has_passed else Seen.UNCHANGED, told)


def _command(prober: Prober, probe: Probe, _now: datetime) -> Observation:
    """No shell: each word is one argument, whatever it holds."""
    words = [str(word) for word in cast("list[str]", probe["command"])]
    if words[0] not in prober.commands:
        return _unobservable(f"{words[0]!r} is not among the commands that probes may run")
    nothing = subprocess.DEVNULL
    try:
        done = subprocess.run(  # noqa: S603 - the allow-list is the user's
            words,
            stdin=nothing,
            stdout=nothing,
            stderr=nothing,
            timeout=prober.command_seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return _unobservable(f"{words[0]!r} took longer than {prober.command_seconds:g} s")
    if done.returncode < 0:
        return _unobservable(f"{words[0]!r} was ended by signal {-done.returncode}")
    seen = Seen.CHANGED if done.returncode else Seen.UNCHANGED
    return Observation(seen, f"{words[0]!r} ended with {done.returncode}")


KINDS: Mapping[str, Callable[[Prober, Probe, datetime], Observation]] = MappingProxyType(
    {
        "path_exists": _path_exists,
        "file_hash": _file_hash,
        "date_passed": _date_passed,
        "command": _command,
    }
)


def _path(probe: Probe) -> Path:
    return Path(os.path.expanduser(str(probe["path"])))  # noqa: PTH111 - Path's raises without home


def _stat(path: Path) -> os.stat_result | None:
    """None where there is nothing. Raises OSError where one cannot know."""
    try:
        return path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _is_reachable(path: Path) -> bool:
    """Whether what is missing is missing from a place that is there."""
    return _stat(path.parent) is not None


def _sha256(path: Path) -> str:
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while block := file.read(BLOCK_BYTES):
            digest.update(block)
    return digest.hexdigest()


def _unobservable(detail: str) -> Observation:
    return Observation(Seen.UNOBSERVABLE, detail)
