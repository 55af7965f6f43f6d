"""Files that people name: read line by line, replaced as a whole, and failures told as ours."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import IO

from hindsight_memory.core.records import START
from hindsight_memory.errors import InvalidInput, Unavailable

CHUNK_BYTES = 1 << 20


@contextmanager
def reading(path: Path) -> Iterator[IO[bytes]]:
    """Raises InvalidInput when there is no such file, Unavailable when it cannot be read."""
    with _our_errors(path), path.open("rb") as source:
        yield source


def count_lines(path: Path) -> int | None:
    """None for a pipe, which can be read only once."""
    if not path.is_file():
        return None
    with reading(path) as source:
        return sum(chunk.count(b"\n") for chunk in iter(lambda: source.read(CHUNK_BYTES), b""))


@contextmanager
def replacing(path: Path) -> Iterator[IO[bytes]]:
    """What is written appears at ``path`` when the block ends, all of it and durably; when the
    block raises, ``path`` is as it was. Only its owner may read it. A pipe or device is written to.

    Raises InvalidInput for a file that is no export, lest a slip of the pen costs somebody a file,
    and Unavailable when it cannot be written.
    """
    with _our_errors(path):
        if path.exists() and not path.is_file():
            with path.open("wb") as target:
                yield target
            return
        _refuse_other(path)
        with _beside(path.resolve()) as target:
            yield target


@contextmanager
def _beside(path: Path) -> Iterator[IO[bytes]]:
    """A temporary file in the same folder, because only inside one file system is a move atomic."""
    with NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as target:
        try:
            yield target
            target.flush()
            os.fsync(target.fileno())
            Path(target.name).replace(path)
        except BaseException:
            with suppress(OSError):
                Path(target.name).unlink()
            raise


def write_text(path: Path, text: str) -> None:
    """The whole file appears at once and durably, with the rights that the old one had; its folder
    is made where it is missing. Raises Unavailable when it cannot be written.
    """
    with _our_errors(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        rights = path.stat().st_mode if path.exists() else None
        with _beside(path) as target:
            target.write(text.encode())
            if rights is not None:
                Path(target.name).chmod(rights)


def _refuse_other(path: Path) -> None:
    if not path.exists():
        return
    with path.open("rb") as old:
        start = old.read(len(START))
    if start not in {b"", START}:
        raise InvalidInput(f"{str(path)!r} exists and is no export; name another file")


@contextmanager
def _our_errors(path: Path) -> Iterator[None]:
    try:
        yield
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError) as error:
        raise InvalidInput(f"{str(path)!r}: {error.strerror}") from error
    except OSError as error:
        raise Unavailable(f"{str(path)!r}: {error.strerror or error}") from error
