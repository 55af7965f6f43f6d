"""MCP over HTTP, as clients of every protocol version see it: a real server on a free port."""

import json
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import httpx2
import pytest
import uvicorn
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.sse import sse_client

from hindsight_memory.interfaces.wire import MAX_MESSAGE_BYTES

ODD_SERVER = Path(__file__).with_name("odd_server.py")
HEADERS = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


@pytest.fixture
def base(server: uvicorn.Server, listener: socket.socket) -> str:
    return f"http://127.0.0.1:{listener.getsockname()[1]}"


@pytest.fixture
async def raw(base: str) -> AsyncIterator[httpx2.AsyncClient]:
    async with httpx2.AsyncClient(base_url=base, headers=HEADERS, timeout=10) as client:
        yield client


def message(method: str, **params: Any) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": 1, "method": method, "params": params}


def initialize(version: str) -> dict[str, Any]:
    client = {"name": "test", "version": "1"}
    return message("initialize", protocolVersion=version, capabilities={}, clientInfo=client)


def answer_in(response: httpx2.Response) -> dict[str, Any]:
    """The JSON-RPC message in a body of JSON, or in the one event of a stream."""
    if response.headers["content-type"].startswith("text/event-stream"):
        [line] = [line for line in response.text.splitlines() if line.startswith("data: {")]
        return dict(json.loads(line.removeprefix("data: ")))
    return dict(response.json())


@pytest.mark.parametrize("mode", ["2026-07-28", "auto", "legacy"])
async def test_the_official_client_is_served(base: str, mode: str) -> None:
    async with Client(f"{base}/mcp", mode=mode) as client:
        listed = (await client.list_tools()).tools
        result = await client.call_tool("echo", {"text": "茶 tea"})
    assert {tool.name for tool in listed} == {"echo", "fail", "noise", "slow", "meet"}
    assert result.structured_content is not None
    assert result.structured_content["text"] == "茶 tea"


@pytest.mark.parametrize("version", ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"])
async def test_the_handshake_of_each_older_protocol_is_served(
    raw: httpx2.AsyncClient, version: str
) -> None:
    opened = await raw.post("/mcp", json=initialize(version))
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], "MCP-Protocol-Version": version}
    call = message("tools/call", name="echo", arguments={"text": "x"})
    called = await raw.post("/mcp", json=call, headers=session)
    assert answer_in(opened)["result"]["protocolVersion"] == version
    told = answer_in(called)["result"]["structuredContent"]
    assert told == {"text": "x", "agent_id": "default", "session_id": session["Mcp-Session-Id"]}


async def test_a_stateless_call_needs_no_session_and_may_name_its_agent(
    raw: httpx2.AsyncClient,
) -> None:
    headers = {
        "MCP-Protocol-Version": "2026-07-28",
        "Mcp-Method": "tools/call",
        "Mcp-Name": "echo",
        "Hindsight-Agent-Id": "planner",
    }
    call = message("tools/call", name="echo", arguments={"text": "x"}, _meta=META)
    called = await raw.post("/mcp", json=call, headers=headers)
    assert "mcp-session-id" not in called.headers
    told = answer_in(called)["result"]["structuredContent"]
    assert told == {"text": "x", "agent_id": "planner", "session_id": ""}


async def test_an_old_client_is_served_over_sse(base: str) -> None:
    async with sse_client(f"{base}/sse") as (read, write), ClientSession(read, write) as session:
        await session.initialize()
        result = await session.call_tool("echo", {"text": "x"})
    assert result.structured_content is not None
    assert result.structured_content["text"] == "x"
    assert len(result.structured_content["session_id"]) == 32


def test_the_server_stops_when_told_to_although_a_stream_is_open(listener: socket.socket) -> None:
    descriptor = listener.fileno()
    command = [sys.executable, str(ODD_SERVER), "http", str(descriptor)]
    sse = f"http://127.0.0.1:{listener.getsockname()[1]}/sse"
    with (
        subprocess.Popen(command, pass_fds=[descriptor], stderr=subprocess.DEVNULL) as process,
        httpx2.stream("GET", sse, timeout=10) as stream,
    ):
        assert next(stream.iter_lines()) == "event: endpoint"
        process.terminate()
        assert process.wait(timeout=10) in {0, -signal.SIGTERM}


@pytest.mark.parametrize(
    ("headers", "status"),
    [({"Host": "evil.example"}, 421), ({"Origin": "http://evil.example"}, 403)],
)
@pytest.mark.parametrize("path", ["/mcp", "/sse", "/messages/?session_id=00"])
async def test_pages_of_other_sites_are_kept_out(
    raw: httpx2.AsyncClient, path: str, headers: dict[str, str], status: int
) -> None:
    method = "GET" if path == "/sse" else "POST"
    answer = await raw.request(method, path, json=initialize("2025-06-18"), headers=headers)
    assert answer.status_code == status


async def test_a_large_body_is_refused(raw: httpx2.AsyncClient) -> None:
    body = json.dumps(initialize("x" * MAX_MESSAGE_BYTES)).encode()
    assert (await raw.post("/mcp", content=body)).status_code == 413
    assert (await raw.post("/messages/?session_id=00", content=body)).status_code == 413


@pytest.mark.parametrize("body", [b"{", b"\xff", b"[]", b'"\\ud800"', b"[" * 100_000])
@pytest.mark.parametrize("headers", [{}, {"MCP-Protocol-Version": "2026-07-28"}])
async def test_a_bad_body_is_refused_and_the_next_is_served(
    raw: httpx2.AsyncClient, body: bytes, headers: dict[str, str]
) -> None:
    assert (await raw.post("/mcp", content=body, headers=headers)).status_code == 400
    assert (await raw.post("/mcp", json=initialize("2025-06-18"))).status_code == 200


async def test_slow_calls_do_not_hold_up_the_loop(raw: httpx2.AsyncClient) -> None:
    async with anyio.create_task_group() as tasks:
        for _ in range(10):
            tasks.start_soon(raw.post, "/odd/slow")
        with anyio.fail_after(0.5):
            assert (await raw.get("/healthz")).status_code == 200
