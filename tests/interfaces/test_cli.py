"""The command line: operations as commands, failures as exit codes, JSON as over HTTP."""

import dataclasses
import json
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import apsw
import click
import pytest
import structlog
from click.testing import CliRunner, Result

from hindsight_memory.interfaces.cli import endings
from hindsight_memory.interfaces.cli.commands import operation_commands
from hindsight_memory.interfaces.cli.main import COMMANDS, cli
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import OPERATIONS

EVERYWHERE = {"store_url", "as_json"}


@dataclass
class Terminal:
    """Runs commands in an environment of its own."""

    store: Path
    embedder: str = "hashing:256"

    def run(self, *args: str, stdin: str | bytes | None = None) -> Result:
        variables = {
            "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{self.store}",
            "HINDSIGHT_MEMORY_EMBEDDER": self.embedder,
        }
        return CliRunner(env=variables).invoke(cli, args, input=stdin)

    def said(self, *args: str, stdin: str | bytes | None = None) -> str:
        """What a command prints that succeeds."""
        result = self.run(*args, stdin=stdin)
        assert (result.exit_code, result.stderr) == (0, "")
        return result.stdout

    def json(self, *args: str, stdin: str | bytes | None = None) -> Any:
        return json.loads(self.said(*args, "--json", stdin=stdin))

    def write(self, content: str, *options: str) -> dict[str, Any]:
        memory: dict[str, Any] = self.json("write", content, *options)["memory"]
        return memory

    def failed(self, *args: str, stdin: str | bytes | None = None) -> tuple[int, str]:
        """Exit code and stderr of a command that must print no result."""
        result = self.run(*args, stdin=stdin)
        assert result.stdout == ""
        return result.exit_code, result.stderr


@pytest.fixture
def terminal(tmp_path: Path) -> Iterator[Terminal]:
    yield Terminal(tmp_path / "memory.db")
    structlog.reset_defaults()  # logs went to a stderr that is gone with the runner


@pytest.mark.parametrize("operation", OPERATIONS, ids=lambda each: each.command)
def test_every_operation_is_a_command_with_all_of_its_fields(operation: Operation) -> None:
    command = operation_commands()[operation.command]
    fields = {field.name for field in dataclasses.fields(operation.takes)}
    assert {parameter.name for parameter in command.params} - EVERYWHERE == fields


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_of_commands_says_what_the_commands_say(name: str) -> None:
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help is not None
    assert command.help.startswith(COMMANDS[name].summary.removesuffix("."))


def test_help_lists_every_command(terminal: Terminal) -> None:
    listed = terminal.said("--help").partition("Commands:")[2]
    plain = [each.command for each in OPERATIONS if each.command not in COMMANDS]
    names = [*plain, *COMMANDS]
    assert [line.split()[0] for line in listed.splitlines() if line[2:3].strip()] == names


def test_chinese_comes_back_as_it_was_written(terminal: Terminal) -> None:
    written = terminal.write("用户偏好用中文交流")
    found = terminal.json("search", "用什么语言交流")
    assert [hit["memory"]["content"] for hit in found["hits"]] == ["用户偏好用中文交流"]
    assert terminal.json("show", written["id"])["content"] == "用户偏好用中文交流"


def test_a_dash_reads_all_of_stdin(terminal: Terminal) -> None:
    terminal.said("write", "-", stdin="第一行\nsecond line\n")
    [memory] = terminal.json("list")["memories"]
    assert memory["content"] == "第一行\nsecond line"


def test_stdin_that_is_not_utf_8_is_refused(terminal: Terminal) -> None:
    code, told = terminal.failed("write", "-", stdin="中文".encode("gbk"))
    assert code == 2
    assert told.startswith("error: invalid_input: stdin is not UTF-8")


def test_a_repeated_option_is_a_list_and_a_comma_separates_nothing(terminal: Terminal) -> None:
    memory = terminal.write("tags", "--tag", "a,b", "--tags", "c-d")
    assert memory["tags"] == ["a,b", "c-d"]


def test_an_empty_option_empties_a_list(terminal: Terminal) -> None:
    memory = terminal.write("tags", "--tag", "a")
    assert terminal.json("update", memory["id"], "--tags", "")["tags"] == []


def test_objects_are_written_as_json(terminal: Terminal) -> None:
    event = '{"tool": "构建", "outcome": "failure"}'
    memory = terminal.write("build failed", "--event", event, "--metadata", '{"n": 1}')
    assert (memory["event"]["tool"], memory["event"]["outcome"]) == ("构建", "failure")
    assert (memory["layer"], memory["metadata"]) == ("episodic", {"n": 1})


def test_wrong_json_names_its_option(terminal: Terminal) -> None:
    code, told = terminal.failed("write", "x", "--metadata", "{")
    assert code == 2
    assert "Invalid value for '--metadata': not JSON" in told


def test_times_and_numbers_reach_the_operation(terminal: Terminal) -> None:
    memory = terminal.write("x", "--valid-from", "2026-05-02T09:00:00+08:00", "--importance", "0.8")
    assert (memory["valid_from"], memory["importance"]) == ("2026-05-02T01:00:00Z", 0.8)


def test_shared_options_stand_before_a_command_or_after_it(terminal: Terminal) -> None:
    terminal.said("--user", "mei", "write", "before")
    terminal.said("write", "after", "--user", "mei")
    users = [memory["user_id"] for memory in terminal.json("--user", "mei", "list")["memories"]]
    assert users == ["mei", "mei"]
    assert json.loads(terminal.said("--json", "list")) == {"memories": [], "next": None}


def test_a_person_may_confirm(terminal: Terminal) -> None:
    assert terminal.write("x", "--source", "user_confirmed")["status"] == "confirmed"


def test_forgotten_memories_can_be_restored(terminal: Terminal) -> None:
    memory = terminal.write("port 5432")
    terminal.said("forget", memory["id"])
    assert terminal.json("list")["memories"] == []
    terminal.said("restore", memory["id"], "--reason", "by mistake")
    assert [each["id"] for each in terminal.json("list")["memories"]] == [memory["id"]]


def test_forgetting_a_phrase_only_shows_what_it_denotes(terminal: Terminal) -> None:
    memory = terminal.write("gen-itgc runs at night")
    assert memory["id"] in terminal.said("forget", "--query", "gen-itgc")
    assert len(terminal.json("list")["memories"]) == 1


def test_feedback_may_say_that_nothing_was_used(terminal: Terminal) -> None:
    recall_id = terminal.json("search", "anything")["recall_id"]
    assert terminal.json("feedback", recall_id, "--no-helped") == {"used_ids": []}


@pytest.mark.parametrize("stdin", [None, '{"query": "node"}'])
def test_call_answers_as_the_command_does(terminal: Terminal, stdin: str | None) -> None:
    terminal.write("CI needs Node 20")
    given = ["-"] if stdin else ['{"query": "node"}']
    called = json.loads(terminal.said("call", "memory_search", *given, stdin=stdin))
    found = terminal.json("search", "node")
    assert called["hits"][0]["memory"]["id"] == found["hits"][0]["memory"]["id"]
    assert called.keys() == found.keys()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["nothing"], "no tool 'nothing'; known: memory_write, memory_search, "),
        (["memory_get", "{"], "not JSON: "),
        (["memory_get", "[]"], "the arguments of memory_get are a JSON object, not '[]'"),
        (["memory_get"], "memory_id: Field required"),
    ],
)
def test_wrong_calls_say_what_is_wrong(terminal: Terminal, arguments: list[str], told: str) -> None:
    code, stderr = terminal.failed("call", *arguments)
    assert code == 2
    assert stderr.startswith(f"error: invalid_input: {told}")


def test_an_unknown_command_is_answered_with_the_known_ones(terminal: Terminal) -> None:
    code, told = terminal.failed("serach", "x")
    assert code == 2
    assert "no command 'serach'; known: write, search, " in told


def test_an_unknown_memory_exits_with_3(terminal: Terminal) -> None:
    assert terminal.failed("show", "x") == (3, "error: not_found: no memory 'x'\n")


def test_a_conflict_exits_with_4(terminal: Terminal) -> None:
    memory = terminal.write("x")
    command = ("update", memory["id"], "--importance", "1", "--expected-version", "9")
    code, told = terminal.failed(*command)
    assert (code, told.startswith("error: conflict: ")) == (4, True)


def test_a_file_of_another_program_exits_with_5(terminal: Terminal) -> None:
    apsw.Connection(str(terminal.store)).execute("CREATE TABLE other (a)")
    code, told = terminal.failed("list")
    assert (code, told.startswith("error: incompatible: ")) == (5, True)


def test_a_damaged_file_exits_with_6(terminal: Terminal) -> None:
    terminal.store.write_bytes(b"no database" * 1000)
    code, told = terminal.failed("list")
    assert (code, told.startswith("error: damaged: ")) == (6, True)


def test_failures_are_json_on_stderr_when_json_is_wanted(terminal: Terminal) -> None:
    code, told = terminal.failed("show", "x", "--json")
    failure = {"code": "not_found", "message": "no memory 'x'", "details": {}}
    assert (code, json.loads(told)) == (3, failure)


def test_a_wrong_option_is_json_too(terminal: Terminal) -> None:
    code, told = terminal.failed("--json", "search", "x", "--top-k", "many")
    assert (code, json.loads(told)["code"]) == (2, "invalid_input")


def test_a_bug_is_logged_and_told_as_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(click.exceptions.Exit) as ended, endings.told(click.Context(cli)):
        raise KeyError("a secret")
    logged, told = capsys.readouterr().err.splitlines()
    structlog.reset_defaults()
    assert ended.value.exit_code == 1
    assert told == "error: error: internal error"
    assert "KeyError" in json.loads(logged)["exception"]


def test_serving_other_machines_without_keys_is_refused(terminal: Terminal) -> None:
    code, told = terminal.failed("serve", "--host", "0.0.0.0")  # noqa: S104 - what is refused
    assert code == 2
    assert "other machines reach '0.0.0.0', so callers must show an API key" in told
    assert "`hindsight-memory key`" in told


def test_a_taken_port_is_named(terminal: Terminal) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        code, told = terminal.failed("serve", "--port", port)
    assert code == 6
    assert told.startswith(f"error: unavailable: cannot listen on port {port} of 127.0.0.1: ")


def test_doctor_finds_nothing_wrong_with_a_sound_store(terminal: Terminal) -> None:
    terminal.write("x")
    found = terminal.json("doctor")
    assert [(each["check"], each["state"]) for each in found["findings"]] == [
        ("versions", "ok"),
        ("store", "ok"),
        ("integrity", "ok"),
        ("audit", "ok"),
        ("beliefs", "ok"),
        ("embedder", "ok"),
        ("vectors", "ok"),
        ("jobs", "ok"),
    ]
    assert found["settings"]["HINDSIGHT_MEMORY_EMBEDDER"] == "hashing:256"


def test_doctor_exits_with_1_and_names_what_is_inconsistent(terminal: Terminal) -> None:
    memory = terminal.write("x")
    apsw.Connection(str(terminal.store)).execute("DELETE FROM revisions")
    result = terminal.run("doctor", "--json")
    found = json.loads(result.stdout)
    problems = [each["told"] for each in found["findings"] if each["state"] == "problem"]
    assert (result.exit_code, found["healthy"]) == (1, False)
    assert any(memory["id"] in problem for problem in problems)


def test_doctor_tells_the_head_of_the_audit_log_and_misses_one_that_is_gone(
    terminal: Terminal,
) -> None:
    def audit(*options: str) -> tuple[int, list[tuple[str, str]]]:
        result = terminal.run("doctor", "--json", *options)
        found = json.loads(result.stdout)["findings"]
        told = [(each["state"], each["told"]) for each in found if each["check"] == "audit"]
        return result.exit_code, told

    assert audit() == (0, [("ok", "it has no entry yet")])
    terminal.write("x")
    code, [(state, told)] = audit()
    assert (code, state, told.split("; ")[0]) == (0, "ok", "1 entries of 'default'")
    head = told.split("the head is ")[1]
    terminal.write("y")
    assert audit("--head", head)[1][0] == ("ok", f"it goes on from the head {head!r}")
    code, told_first = audit("--head", head[::-1])
    assert (code, told_first[0]) == (
        1,
        ("problem", f"the head {head[::-1]!r} is not in it: entries were cut off, or made anew"),
    )


def test_doctor_makes_indexes_anew_when_told_to(terminal: Terminal) -> None:
    terminal.write("x")
    apsw.Connection(str(terminal.store)).execute("DELETE FROM words")
    assert "doctor --repair" in terminal.run("doctor").stdout
    findings = terminal.json("doctor", "--repair")["findings"]
    assert [each["told"] for each in findings if each["check"] == "repair"] == [
        "words, keys and supports of 1 memories",
        "counts of 1 users",
    ]
    assert terminal.run("doctor").exit_code == 0


def test_doctor_notes_what_contradicts_each_other(terminal: Terminal) -> None:
    old = terminal.write("我住在北京", "--source", "user_explicit")
    new = terminal.write("我搬到上海了", "--source", "user_explicit")
    undo = "UPDATE memories SET superseded_by = NULL, retired_at = NULL, valid_to = NULL"
    apsw.Connection(str(terminal.store)).execute(undo)
    findings = json.loads(terminal.run("doctor", "--json").stdout)["findings"]
    [note] = [each["told"] for each in findings if each["check"] == "beliefs"]
    assert note.startswith(f"{old['id']!r} and {new['id']!r} do not go together: ")


def test_doctor_names_what_cannot_be_embedded(terminal: Terminal) -> None:
    memory = terminal.write("x")
    waiting = "UPDATE memories SET missing = 1, retry_at = '2030-01-01T00:00:00.000000+00:00'"
    db = apsw.Connection(str(terminal.store))
    for statement in ("DELETE FROM vectors", waiting):
        db.execute(statement)
    findings = terminal.json("doctor")["findings"]
    vectors = [(each["state"], each["told"]) for each in findings if each["check"] == "vectors"]
    assert [(state, told.split(";")[0]) for state, told in vectors] == [
        ("note", "1 memories wait for theirs"),
        ("note", f"{memory['id']!r} could not be embedded: it is found by words"),
    ]


def test_doctor_reports_a_store_that_does_not_open(terminal: Terminal) -> None:
    terminal.store.write_bytes(b"no database" * 1000)
    result = terminal.run("doctor")
    assert result.exit_code == 1
    assert "PROBLEM  store" in result.stdout


def test_doctor_masks_passwords(terminal: Terminal) -> None:
    result = terminal.run("doctor", "--store", "postgresql://me:hunter2@host/db")
    assert "postgresql://me:***@host/db" in result.stdout
    assert "hunter2" not in result.stdout


def test_reembed_repairs_a_change_of_embedder(terminal: Terminal) -> None:
    terminal.write("CI needs Node 20")
    terminal.write("用户偏好用中文交流")
    changed = Terminal(terminal.store, embedder="hashing:128")
    assert changed.run("doctor").exit_code == 1
    assert json.loads(changed.run("reembed", "--json").stdout) == {"embedded": 2}
    assert changed.run("doctor").exit_code == 0
