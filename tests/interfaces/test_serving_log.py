"""What a real server logs: a line for each request, which tells whose it was and nothing of it."""

import json
import os
from collections.abc import Mapping
from typing import Any

import anyio
import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client

from hindsight_memory.core.identity import digest
from hindsight_memory.core.keys import hash_of
from hindsight_memory.testing.http_server import serving

ACME = "hm_Zx8Qk3Lr5Tn7Vb9Wc1Yd2Fg4Hj6KmPpQq"
OTHER = "hm_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q"
KEYS = f"acme/laptop:{ACME} other:sha256:{hash_of(OTHER)}"
SAID = "安的花生过敏 it is known to acme alone"


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def ask(base: str, method: str, path: str, headers: Mapping[str, str], **how: Any) -> Any:
    return httpx2.request(method, base + path, headers=dict(headers), timeout=20, **how)


@pytest.fixture(scope="module")
def logged(tmp_path_factory: pytest.TempPathFactory) -> str:
    """All that a server logged from its start to its end, while it was asked for this and that."""
    folder = tmp_path_factory.mktemp("logged")
    with serving(folder, os.environ, api_keys=KEYS) as base:
        written = ask(base, "POST", "/v1/memories", bearer(ACME), json={"content": SAID}).json()
        memory_id = written["memory"]["id"]
        path = f"/v1/memories/{memory_id}?agent_id=planner"
        asked = ask(base, "GET", path, {**bearer(ACME), "X-Request-Id": "find-me-1"})
        assert asked.headers["x-request-id"] == "find-me-1"
        ask(base, "GET", "/v1/memories", {**bearer("wrong-key"), "X-Request-Id": "find-me-2"})
        ask(base, "GET", "/nowhere", {**bearer(ACME), "X-Request-Id": "find-me-3"})
        made = ask(base, "GET", "/healthz", {"X-Request-Id": SAID[8:]}).headers["x-request-id"]
        assert len(made) == 32
        anyio.run(call_tool, base)
        broken = {**bearer(ACME), "Content-Type": "application/json", "Mcp-Session-Id": SAID[8:]}
        ask(base, "POST", "/mcp", broken, content=f'{{"{SAID}"')
        ask(base, "POST", f"/messages/?session_id={SAID}", broken, content=SAID)
    return (folder / "log").read_text("utf-8").replace(memory_id, "the memory's id")


async def call_tool(base: str) -> None:
    async with (
        httpx2.AsyncClient(headers={**bearer(ACME), "X-Request-Id": "tool-7"}) as http,
        Client(streamable_http_client(f"{base}/mcp", http_client=http), mode="2026-07-28") as tools,
    ):
        failed = await tools.call_tool("memory_verify", {"memory_id": "nobody"})
    assert failed.meta is not None
    assert failed.meta["hindsight-memory/request-id"] == "tool-7"


def lines_of(logged: str, **wanted: str) -> list[dict[str, Any]]:
    """Without times. Each line is JSON, also what libraries say."""
    lines = [json.loads(line) for line in logged.splitlines()]
    found = [each for each in lines if wanted.items() <= each.items()]
    for line in found:
        assert line.pop("duration_ms") >= 0
        assert line.pop("timestamp")
    return found


def test_the_log_has_a_line_for_each_request_that_tells_whose_it_was(logged: str) -> None:
    tenant = {"tenant": digest("acme")[:12], "key": "laptop"}
    common = {"event": "request_handled", "level": "info", "method": "GET"}
    [known] = lines_of(logged, request_id="find-me-1")
    [unknown] = lines_of(logged, request_id="find-me-2")
    [nowhere] = lines_of(logged, request_id="find-me-3")
    where = {"route": "/v1/memories/{memory_id}", "status": 200}
    assert known == {**common, **where, **tenant, "request_id": "find-me-1"}
    assert unknown == {**common, "route": "", "status": 401, "request_id": "find-me-2"}
    assert nowhere == {**common, "route": "", "status": 404, **tenant, "request_id": "find-me-3"}


def test_a_tool_call_is_in_the_line_of_its_request(logged: str) -> None:
    [line] = lines_of(logged, tool="memory_verify")
    told = (line["event"], line["route"], line["status"], line["outcome"], line["request_id"])
    assert told == ("request_handled", "/mcp", 200, "not_found", "tool-7")
    assert "tool_called" not in logged


@pytest.mark.parametrize(
    "secret", [ACME, OTHER, "wrong-key", "花生", "known to", "planner", "nowhere", "acme"]
)
def test_the_log_holds_no_content_no_secret_and_no_name(logged: str, secret: str) -> None:
    assert secret not in logged
    assert "the memory's id" not in logged
