"""API keys through every door of a real server that other machines reach."""

import json
import os
import subprocess
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import pytest
from mcp.client.client import Client
from mcp.client.session import ClientSession
from mcp.client.sse import sse_client
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.exceptions import MCPError
from starlette.routing import Mount, Route

from hindsight_memory.agent.client import HttpClient
from hindsight_memory.core.keys import hash_of
from hindsight_memory.core.model import Caller
from hindsight_memory.errors import Unauthenticated
from hindsight_memory.interfaces.gate import OPEN_PATHS
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.testing.http_server import COMMAND, serving

EVERYWHERE = "0.0.0.0"  # noqa: S104 - what these tests are about
ACME = "hm_Zx8Qk3Lr5Tn7Vb9Wc1Yd2Fg4Hj6KmPpQq"
OTHER = "hm_0a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q"
KEYS = f"acme/laptop:{ACME} other:sha256:{hash_of(OTHER)}"
SAID = "安的花生过敏 it is known to acme alone"


@pytest.fixture(scope="module", autouse=True)
def _closed() -> Iterator[None]:
    yield
    HTTP.close()


@pytest.fixture(scope="module")
def base(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    folder = tmp_path_factory.mktemp("store")
    with serving(
        folder, os.environ, host=EVERYWHERE, api_keys=KEYS, requests_per_second="1000"
    ) as base:
        yield base


HTTP = httpx2.Client(timeout=20, trust_env=False)
"""Of all tests: to make one takes longer than to use it."""


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


def ask(base: str, method: str, path: str, headers: Mapping[str, str], **how: Any) -> Any:
    return HTTP.request(method, base + path, headers=dict(headers), **how)


def write(base: str, key: str, content: str, **given: Any) -> str:
    answer = ask(
        base, "POST", "/v1/memories", bearer(key), json={"content": content, **given}
    ).json()
    assert answer["outcome"] in {"stored", "merged"}
    return str(answer["memory"]["id"])


@pytest.fixture(scope="module")
def memory_id(base: str) -> str:
    """A memory of acme."""
    return write(base, ACME, SAID)


def doors() -> list[tuple[str, str]]:
    """Each method and path that the app serves, but for health."""
    app = create_app(lambda: pytest.fail("nobody calls"), Caller())
    found = [route for route in app.routes if isinstance(route, Route | Mount)]
    return [
        (method, route.path)
        for route in found
        for method in sorted(getattr(route, "methods", None) or {"GET", "POST"})
        if route.path not in OPEN_PATHS
    ]


PATHS = doors()


@pytest.mark.parametrize(("method", "path"), [*PATHS, ("GET", "/"), ("GET", "/docs")])
@pytest.mark.parametrize("headers", [{}, bearer("wrong")], ids=["no key", "a wrong key"])
def test_no_door_opens_without_a_key(
    base: str, method: str, path: str, headers: dict[str, str]
) -> None:
    answer = ask(base, method, path.replace("{memory_id}", "x"), headers)
    assert answer.status_code == 401
    assert answer.headers["www-authenticate"].startswith("Bearer")
    if method != "HEAD":
        assert "HINDSIGHT_MEMORY_API_KEY" in answer.text
        assert "unauthenticated" in answer.text


@pytest.mark.parametrize(
    "headers",
    [
        {"Authorization": f"Basic {ACME}"},
        {"Authorization": ACME},
        {"Authorization": "Bearer"},
        bearer(ACME[:-1]),
        bearer(f"{ACME}x"),
        bearer(ACME.lower()),
        bearer(hash_of(OTHER)),
        bearer(f"sha256:{hash_of(OTHER)}"),
        bearer(f"acme/laptop:{ACME}"),
        {"X-Api-Key": ACME},
        {"Cookie": f"Authorization=Bearer {ACME}"},
    ],
    ids=lambda headers: str(headers)[:40],
)
def test_nothing_but_the_whole_key_opens_one(base: str, headers: dict[str, str]) -> None:
    assert ask(base, "GET", "/v1/memories", headers).status_code == 401
    assert ask(base, "GET", f"/v1/memories?api_key={ACME}", headers).status_code == 401


def test_the_doors_that_are_tried_are_all_of_them() -> None:
    assert {"/v1/memories", "/v1/export", "/mcp", "/sse", "/messages", "/openapi.json"} <= {
        path for _, path in PATHS
    }
    assert len(PATHS) > 20


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER "])
def test_a_key_opens_them(base: str, memory_id: str, scheme: str) -> None:
    headers = {"Authorization": f"{scheme} {ACME}"}
    assert ask(base, "GET", "/openapi.json", headers).status_code == 200
    found = ask(base, "GET", f"/v1/memories/{memory_id}", headers).json()
    assert found["content"] == SAID


def test_another_tenants_key_finds_nothing_by_any_route(base: str, memory_id: str) -> None:
    headers = {**bearer(OTHER), "Tenant": "acme", "X-Tenant": "acme", "X-Tenant-Id": "acme"}
    assert ask(base, "GET", f"/v1/memories/{memory_id}", headers).status_code == 404
    assert ask(base, "GET", f"/v1/memories/{memory_id}/history", headers).status_code == 404
    assert ask(base, "DELETE", f"/v1/memories/{memory_id}", headers).status_code == 404
    changed = ask(base, "PATCH", f"/v1/memories/{memory_id}", headers, json={"importance": 1.0})
    assert changed.status_code == 404
    found = ask(base, "POST", "/v1/memories/search", headers, json={"query": "花生过敏"}).json()
    assert found["hits"] == []
    assert SAID not in ask(base, "GET", "/v1/memories", headers).text
    lines = ask(base, "GET", "/v1/export", headers).text.splitlines()
    assert len(lines) == 1
    assert SAID in ask(base, "GET", "/v1/export", bearer(ACME)).text


@pytest.mark.parametrize("place", ["body", "query"])
def test_no_argument_names_a_tenant(base: str, place: str) -> None:
    given = {"query": "x", "tenant": "acme"}
    how: dict[str, Any] = {"json": given} if place == "body" else {"params": {"tenant": "acme"}}
    method, path = ("POST", "/v1/memories/search") if place == "body" else ("GET", "/v1/memories")
    answer = ask(base, method, path, bearer(OTHER), **how)
    assert answer.status_code == 422
    assert "tenant" in answer.json()["message"]


def test_a_queued_write_and_its_job_are_the_tenants(base: str) -> None:
    given = {"content": "CI needs Node 22", "mode": "queued"}
    answer = ask(base, "POST", "/v1/memories", bearer(ACME), json=given).json()
    path = f"/v1/writes/{answer['write_id']}"
    assert ask(base, "GET", path, bearer(OTHER)).status_code == 404
    assert ask(base, "GET", path, bearer(ACME)).status_code == 200


@pytest.mark.parametrize("mode", ["2026-07-28", "auto", "legacy"])
async def test_mcp_takes_the_key_and_keeps_tenants_apart(
    base: str, memory_id: str, mode: str
) -> None:
    async def contents(key: str) -> str:
        async with (
            httpx2.AsyncClient(headers=bearer(key), timeout=20) as http,
            Client(streamable_http_client(f"{base}/mcp", http_client=http), mode=mode) as client,
        ):
            result = await client.call_tool("memory_search", {"query": "花生过敏"})
            return json.dumps(result.structured_content, ensure_ascii=False)

    assert SAID in await contents(ACME)
    assert SAID not in await contents(OTHER)


async def test_an_mcp_client_without_a_key_is_told_what_to_do(base: str) -> None:
    async with Client(f"{base}/mcp", mode="2026-07-28") as client:
        with pytest.raises(MCPError, match="HINDSIGHT_MEMORY_API_KEY") as refusal:
            await client.list_tools()
    assert str(refusal.value).startswith("unauthenticated: this server wants an API key: send the")


async def test_sse_takes_the_key(base: str, memory_id: str) -> None:
    async with (
        sse_client(f"{base}/sse", headers=bearer(ACME)) as (read, write_),
        ClientSession(read, write_) as session,
    ):
        await session.initialize()
        result = await session.call_tool("memory_search", {"query": "花生过敏"})
    assert SAID in json.dumps(result.structured_content, ensure_ascii=False)


def initialize() -> dict[str, Any]:
    client = {"name": "test", "version": "1"}
    params = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client}
    return {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}


def test_a_session_is_that_of_the_key_that_began_it(base: str) -> None:
    accept = {"Accept": "application/json, text/event-stream"}
    opened = ask(base, "POST", "/mcp", {**bearer(ACME), **accept}, json=initialize())
    session = {"Mcp-Session-Id": opened.headers["mcp-session-id"], **accept}
    call = {"jsonrpc": "2.0", "id": 2, "method": "tools/list"}
    assert ask(base, "POST", "/mcp", {**bearer(OTHER), **session}, json=call).status_code == 404
    assert ask(base, "POST", "/mcp", {**bearer(ACME), **session}, json=call).status_code == 200


def test_an_event_stream_is_that_of_the_key_that_began_it(base: str) -> None:
    with httpx2.stream("GET", f"{base}/sse", headers=bearer(ACME), timeout=20) as stream:
        lines = stream.iter_lines()
        assert next(lines) == "event: endpoint"
        path = next(lines).removeprefix("data: ")
        assert ask(base, "POST", path, bearer(OTHER), json=initialize()).status_code == 404
        assert ask(base, "POST", path, bearer(ACME), json=initialize()).status_code == 202


def test_our_own_client_shows_the_key(base: str, memory_id: str) -> None:
    asked = {"query": "花生过敏"}
    found = HttpClient(base, api_key=ACME).call("memory_search", asked)
    assert found["hits"][0]["memory"]["id"] == memory_id
    with pytest.raises(Unauthenticated, match="this server wants an API key"):
        HttpClient(base).call("memory_search", asked)


def test_our_own_client_takes_address_and_key_from_the_settings(
    base: str, memory_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HINDSIGHT_MEMORY_SERVER_URL", base)
    monkeypatch.setenv("HINDSIGHT_MEMORY_API_KEY", ACME)
    found = HttpClient.open().call("memory_search", {"query": "花生过敏"})
    assert found["hits"][0]["memory"]["id"] == memory_id


def test_health_needs_none(base: str) -> None:
    assert ask(base, "GET", "/healthz", {}).json() == {"status": "alive"}
    assert ask(base, "GET", "/readyz", {}).json() == {"status": "ready"}


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"host": EVERYWHERE}, "other machines reach '0.0.0.0', so callers must show an API key"),
        ({"allowed_hosts": "memory.example.com"}, "other machines reach 'memory.example.com', so"),
        ({"host": "::", "api_keys": " , "}, "other machines reach '::', so callers must show an"),
        (
            {"host": EVERYWHERE, "api_keys": "short"},
            "HINDSIGHT_MEMORY_API_KEYS: key 1 has 5 characters, and needs 32 so that nobody can",
        ),
        ({"api_keys": "short"}, "HINDSIGHT_MEMORY_API_KEYS: key 1 has 5 characters"),
        ({"allowed_hosts": "https://x"}, "'https://x' is no name of a host"),
        ({"host": "no.such.host.invalid", "api_keys": KEYS}, "is no address of this machine"),
    ],
)
def test_a_server_that_would_be_open_does_not_start(
    tmp_path: Path, settings: dict[str, str], told: str
) -> None:
    variables = {f"HINDSIGHT_MEMORY_{name.upper()}": each for name, each in settings.items()}
    done = subprocess.run(
        [COMMAND, "serve", "--port", "0"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path), **variables},
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert told in done.stderr
    if "key" in told.lower():
        assert "`hindsight-memory key`" in done.stderr


def test_a_key_is_made_that_a_server_takes(tmp_path: Path) -> None:
    made = subprocess.run(
        [COMMAND, "key", "--tenant", "团队", "--name", "ci", "--json"],
        env={"PATH": os.environ["PATH"], "HOME": str(tmp_path)},
        capture_output=True,
        timeout=30,
        check=True,
    )
    told = json.loads(made.stdout)
    assert told["entry"] == f"团队/ci:sha256:{hash_of(told['key'])}"
    with serving(tmp_path, os.environ, api_keys=told["entry"]) as base:
        assert ask(base, "GET", "/v1/memories", {}).status_code == 401
        assert ask(base, "GET", "/v1/memories", bearer(told["key"])).status_code == 200


def test_two_keys_are_never_alike_and_are_shown_whole(tmp_path: Path) -> None:
    command = [COMMAND, "key", "--tenant", "a-team-with-a-name-of-some-length"]
    environment = {"PATH": os.environ["PATH"], "HOME": str(tmp_path), "COLUMNS": "40"}
    shown = [
        subprocess.run(command, env=environment, capture_output=True, text=True, check=True).stdout
        for _ in range(2)
    ]
    (key, entry), (other, _) = (
        [line for line in text.splitlines() if line.startswith("HINDSIGHT_MEMORY_API_KEY")]
        for text in shown
    )
    assert key != other
    assert entry == (
        "HINDSIGHT_MEMORY_API_KEYS=a-team-with-a-name-of-some-length/"
        f"{hash_of(key.partition('=')[2])[:8]}:sha256:{hash_of(key.partition('=')[2])}"
    )
