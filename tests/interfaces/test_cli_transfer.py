"""``export`` and ``import``, from a shell."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
from click.testing import CliRunner, Result

from hindsight_memory.interfaces.cli.main import cli

TURNS = [
    {"speaker": "user", "content": "我对花生过敏，请记住"},
    {"speaker": "user", "content": "你好"},
    {"speaker": "Mei", "content": "I moved the database to port 5433."},
]


@pytest.fixture(autouse=True)
def logs() -> Iterator[None]:
    yield
    structlog.reset_defaults()  # they went to a stderr that is gone with the runner


def run(store: Path, *args: str, stdin: str | bytes | None = None) -> Result:
    variables = {
        "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{store}",
        "HINDSIGHT_MEMORY_EMBEDDER": "hashing:256",
    }
    return CliRunner(env=variables).invoke(cli, args, input=stdin)


def answer(store: Path, *args: str, stdin: str | bytes | None = None) -> Any:
    """The result of a command that succeeds."""
    result = run(store, *args, "--json", stdin=stdin)
    assert (result.exit_code, result.stderr) == (0, "")
    return json.loads(result.stdout)


def conversation(*turns: dict[str, str]) -> str:
    times = {"session_id": "s1", "said_at": "2026-05-02T09:00:00Z"}
    return "".join(json.dumps(turn | times, ensure_ascii=False) + "\n" for turn in turns)


def exported(store: Path) -> list[bytes]:
    """The lines of an export to stdout, without the header, which holds the time."""
    result = run(store, "export")
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout_bytes.splitlines()[1:]


def test_what_is_exported_comes_back_exactly(tmp_path: Path) -> None:
    first, second, file = tmp_path / "1.db", tmp_path / "2.db", tmp_path / "all.jsonl"
    written = answer(first, "write", "用户偏好用中文交流", "--user", "mei")["memory"]["id"]
    answer(first, "update", written, "--importance", "0.9")
    answer(first, "forget", written)
    answer(first, "write", "CI needs Node 20")
    assert answer(first, "export", str(file)) == {"exported": 2}
    assert answer(second, "import", str(file))["lines"] == {"stored": 2}
    assert exported(second) == exported(first)
    assert len(exported(first)) == 2


def test_importing_again_passes_over_what_is_there(tmp_path: Path) -> None:
    store = tmp_path / "memory.db"
    answer(store, "write", "CI needs Node 20")
    lines = run(store, "export").stdout_bytes
    assert answer(store, "import", "-", stdin=lines)["lines"] == {"unchanged": 1}


def test_imported_memories_have_vectors_at_the_end(tmp_path: Path) -> None:
    first, second = tmp_path / "1.db", tmp_path / "2.db"
    answer(first, "write", "CI needs Node 20")
    answer(second, "import", "-", stdin=run(first, "export").stdout_bytes)
    findings = {each["check"]: each for each in answer(second, "doctor")["findings"]}
    assert findings["vectors"]["state"] == "ok"


def test_an_export_can_be_of_one_user(tmp_path: Path) -> None:
    store = tmp_path / "memory.db"
    answer(store, "write", "hers", "--user", "mei")
    answer(store, "write", "his", "--user", "tom")
    lines = run(store, "export", "--user", "mei").stdout.splitlines()[1:]
    assert [json.loads(line)["memory"]["content"] for line in lines] == ["hers"]


def test_options_before_the_command_narrow_an_export_too(tmp_path: Path) -> None:
    store, file = tmp_path / "1.db", tmp_path / "mei.jsonl"
    answer(store, "write", "CI needs Node 20", "--user", "bob")
    answer(store, "write", "用户偏好用中文交流", "--user", "mei")
    assert answer(store, "--user", "mei", "export", str(file)) == {"exported": 1}


def test_a_conversation_becomes_episodes_and_a_report(tmp_path: Path) -> None:
    store = tmp_path / "memory.db"
    report = answer(store, "import", "-", stdin=conversation(*TURNS))
    assert report["lines"] == {"stored": 2, "skipped": 1}
    assert sum(report["skipped"].values()) == 1
    kept = [(each["content"], each["source"]) for each in answer(store, "list")["memories"]]
    assert sorted(kept) == [
        ("Mei: I moved the database to port 5433.", "external"),
        ("user: 我对花生过敏，请记住", "user_explicit"),
    ]


def test_the_user_of_a_conversation_can_have_a_name(tmp_path: Path) -> None:
    store = tmp_path / "memory.db"
    answer(store, "import", "-", "--user-speaker", "Mei", stdin=conversation(TURNS[2]))
    [memory] = answer(store, "list")["memories"]
    assert memory["source"] == "user_explicit"


def test_a_line_that_is_not_kept_is_told_and_exits_with_1(tmp_path: Path) -> None:
    result = run(tmp_path / "memory.db", "import", "-", stdin=conversation(TURNS[0]) + "odd\n")
    assert result.exit_code == 1
    shown = result.stdout.split("\n")
    assert [line.rstrip() for line in shown[:2]] == ["1  stored", "1  failed"]
    assert shown[2].startswith("line 2: not a line of JSON: ")


def test_strict_stops_at_the_first_such_line(tmp_path: Path) -> None:
    store = tmp_path / "memory.db"
    result = run(store, "import", "-", "--strict", stdin="odd\n" + conversation(TURNS[0]))
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr.startswith("error: invalid_input: line 1: not a line of JSON: ")


def test_a_missing_file_is_no_traceback(tmp_path: Path) -> None:
    result = run(tmp_path / "memory.db", "import", str(tmp_path / "none.jsonl"))
    assert result.exit_code == 2
    assert result.stderr.startswith("error: invalid_input: ")
    assert result.stderr.count("\n") == 1


def test_a_file_that_is_no_export_is_not_replaced(tmp_path: Path) -> None:
    file = tmp_path / "thesis.txt"
    file.write_text("years of work")
    assert run(tmp_path / "memory.db", "export", str(file)).exit_code == 2
    assert file.read_text() == "years of work"
