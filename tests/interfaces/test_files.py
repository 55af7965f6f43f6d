"""Files that people name for an export or an import."""

from pathlib import Path

import pytest

from hindsight_memory.errors import InvalidInput, Unavailable
from hindsight_memory.interfaces.library import Hindsight


def test_an_export_that_fails_leaves_the_file_as_it_was(memory: Hindsight, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    memory.export_to(path)
    before = path.read_bytes()
    memory.write("tea")

    def full(_done: int, _total: int | None) -> None:
        raise OSError(28, "No space left on device")

    with pytest.raises(Unavailable, match=r"all\.jsonl': No space left on device"):
        memory.export_to(path, progress=full)
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.glob("*all.jsonl*")] == ["all.jsonl"]
    memory.export_to(path)
    assert path.read_bytes().count(b"\n") == 2
    assert path.stat().st_mode & 0o077 == 0


def test_an_export_replaces_only_exports(memory: Hindsight, tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("my notes")
    with pytest.raises(InvalidInput, match=r"notes\.txt' exists and is no export; name another"):
        memory.export_to(path)
    assert path.read_text() == "my notes"


def test_an_export_to_a_device_leaves_the_device(memory: Hindsight) -> None:
    assert memory.export_to("/dev/null") == 0
    assert Path("/dev/null").is_char_device()


@pytest.mark.parametrize("path", ["missing/all.jsonl", "."])
def test_a_path_that_is_no_file_is_told(memory: Hindsight, tmp_path: Path, path: str) -> None:
    with pytest.raises(InvalidInput, match=r"No such file|Is a directory"):
        memory.import_from(tmp_path / path)
    with pytest.raises(InvalidInput, match=r"No such file|Is a directory"):
        memory.export_to(tmp_path / path)
