"""Who asks a real server too often, through which door it may be."""

import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError

from hindsight_memory.agent.client import HttpClient
from hindsight_memory.core.keys import hash_of
from hindsight_memory.errors import RateLimited
from hindsight_memory.testing.http_server import serving

ACME = "hm_Zx8Qk3Lr5Tn7Vb9Wc1Yd2Fg4Hj6KmPpQq"
OTHER = "hm_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q"
KEYS = f"acme/laptop:{ACME} other:sha256:{hash_of(OTHER)}"


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def ask(base: str, method: str, path: str, headers: Mapping[str, str], **how: Any) -> Any:
    return httpx2.request(method, base + path, headers=dict(headers), timeout=20, **how)


@pytest.fixture
def slow(tmp_path: Path) -> Iterator[str]:
    """A server that gives a key one request every hundred seconds."""
    with serving(tmp_path, os.environ, api_keys=f"{KEYS}", requests_per_second="0.01") as base:
        yield base


def test_who_asks_too_often_is_told_when_to_come_again_and_nobody_else_is(slow: str) -> None:
    assert ask(slow, "GET", "/v1/memories", bearer(ACME)).status_code == 200
    answer = ask(slow, "GET", "/v1/memories", {**bearer(ACME), "X-Request-Id": "r1"})
    assert (answer.status_code, answer.headers["retry-after"]) == (429, "100")
    told = answer.json()
    assert told["code"] == "rate_limited"
    assert told["message"].startswith("too many requests: ask again in 100 s, or raise HINDSIGHT")
    assert told["details"] == {"retry_after_seconds": 100, "request_id": "r1"}
    assert ask(slow, "GET", "/healthz", bearer(ACME)).status_code == 200
    assert ask(slow, "GET", "/v1/memories", bearer(OTHER)).status_code == 200
    with pytest.raises(RateLimited, match="ask again in 100 s"):
        HttpClient(slow, api_key=ACME).call("memory_search", {"query": "x"})


async def test_over_mcp_it_is_an_error_of_the_protocol(slow: str) -> None:
    async with (
        httpx2.AsyncClient(headers=bearer(ACME)) as http,
        Client(streamable_http_client(f"{slow}/mcp", http_client=http), mode="2026-07-28") as tools,
    ):
        assert len((await tools.list_tools()).tools) > 5
        with pytest.raises(MCPError, match="rate_limited: too many requests") as refusal:
            await tools.call_tool("memory_search", {"query": "x"})
    assert refusal.value.error.data["details"]["retry_after_seconds"] == 100


def test_who_tries_keys_out_is_slowed_down_and_the_right_key_still_opens(slow: str) -> None:
    statuses = [ask(slow, "GET", "/v1/memories", bearer(f"try{n}")).status_code for n in range(3)]
    assert statuses == [401, 429, 429]
    assert ask(slow, "GET", "/v1/memories", bearer(ACME)).status_code == 200
