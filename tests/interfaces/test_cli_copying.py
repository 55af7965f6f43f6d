"""Whole stores from the shell: ``copy`` and ``backup``."""

import json
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.library import Hindsight


class Shell:
    def __init__(self, folder: Path) -> None:
        self._run = CliRunner(env={"HINDSIGHT_MEMORY_EMBEDDER": "hashing:256"}).invoke
        self.folder = folder

    def url(self, name: str) -> str:
        return f"sqlite:///{self.folder / name}"

    def __call__(self, *words: str) -> Result:
        return self._run(cli, list(words))

    def write(self, name: str, content: str) -> None:
        written = self("write", content, "--store", self.url(name))
        assert written.exit_code == 0, written.output

    def contents(self, name: str) -> list[str]:
        listed = self("list", "--json", "--store", self.url(name))
        return [memory["content"] for memory in json.loads(listed.stdout)["memories"]]


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    return Shell(tmp_path)


def test_a_store_is_copied_and_compared(shell: Shell) -> None:
    shell.write("a.db", "用户对花生过敏")
    copied = shell("copy", "--from", shell.url("a.db"), "--to", shell.url("b.db"))
    assert copied.exit_code == 0
    assert copied.stdout == ("1 memories of 1 tenants: 1 stored\nall of it is there, as it was\n")
    assert shell.contents("b.db") == ["用户对花生过敏"]
    again = shell("copy", "--from", shell.url("a.db"), "--to", shell.url("b.db"), "--json")
    assert json.loads(again.stdout)["lines"] == {"unchanged": 1}


def test_a_copy_that_differs_is_a_failure(shell: Shell) -> None:
    shell.write("a.db", "tea")
    shell("copy", "--from", shell.url("a.db"), "--to", shell.url("b.db"))
    shell.write("a.db", "tea")
    differs = shell("copy", "--from", shell.url("a.db"), "--to", shell.url("b.db"))
    assert differs.exit_code == 1
    assert "is not the same in both" in " ".join(differs.stdout.split())


def test_a_store_is_not_copied_into_itself(shell: Shell) -> None:
    refused = shell("copy", "--from", shell.url("a.db"), "--to", shell.url("a.db"))
    assert refused.exit_code == 2
    assert "name the same store" in refused.stderr


def test_a_backup_is_put_in_place_and_read(shell: Shell) -> None:
    shell.write("a.db", "tea")
    made = shell("backup", str(shell.folder / "kept.db"), "--store", shell.url("a.db"))
    assert made.exit_code == 0, made.output
    shell.write("a.db", "coffee")
    for file in shell.folder.glob("a.db*"):
        file.unlink()
    (shell.folder / "kept.db").rename(shell.folder / "a.db")
    assert shell.contents("a.db") == ["tea"]
    assert shell("doctor", "--store", shell.url("a.db")).exit_code == 0
    assert oct((shell.folder / "a.db").stat().st_mode)[-3:] == "600"


def test_a_backup_is_whole_while_others_write(shell: Shell) -> None:
    done = threading.Event()
    with Hindsight.open(shell.url("a.db"), embedder="hashing:256") as memory:
        memory.write("fact 0")

        def write() -> None:
            number = 1
            while not done.is_set():
                memory.write(f"fact {number}")
                number += 1

        writer = threading.Thread(target=write)
        writer.start()
        kept = str(shell.folder / "kept.db")
        made = shell("backup", kept, "--store", shell.url("a.db"), "--json")
        done.set()
        writer.join()
    assert json.loads(made.stdout) == {"file": kept}
    numbers = [int(content.split()[1]) for content in shell.contents("kept.db")]
    assert numbers == list(range(len(numbers)))[::-1]
    assert shell("doctor", "--store", shell.url("kept.db")).exit_code == 0


def test_a_backup_overwrites_nothing(shell: Shell) -> None:
    shell.write("a.db", "tea")
    refused = shell("backup", str(shell.folder / "a.db"), "--store", shell.url("a.db"))
    assert (refused.exit_code, shell.contents("a.db")) == (2, ["tea"])
    assert "is there already; name a new file" in refused.stderr


def test_what_is_no_store_is_not_backed_up(shell: Shell) -> None:
    kept = str(shell.folder / "kept.db")
    missing = shell("backup", kept, "--store", shell.url("a.db"))
    assert "there is no file" in missing.stderr
    (shell.folder / "a.db").write_bytes(b"SQLite format 3\0" + b"x" * 9000)
    broken = shell("backup", kept, "--store", shell.url("a.db"))
    assert broken.exit_code != 0
    nowhere = shell("backup", str(shell.folder / "no" / "kept.db"), "--store", shell.url("a.db"))
    assert nowhere.exit_code != 0
    elsewhere = shell("backup", kept, "--store", "postgresql://localhost/x")
    assert "backed up by its own tools" in elsewhere.stderr
    assert list(shell.folder.glob("kept*")) == []
