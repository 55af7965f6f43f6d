"""REST: arguments from path, query and body; one shape for whatever goes wrong."""

from typing import Any

import pytest
import structlog
from httpx2 import AsyncClient

from hindsight_memory import logs
from hindsight_memory.core.hygiene import check_identifier
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.interfaces.wire import MAX_MESSAGE_BYTES

JSON = {"Content-Type": "application/json"}


@pytest.mark.parametrize(
    ("line", "body", "text"),
    [
        ("POST /odd/echo", {"text": "茶 tea"}, "茶 tea"),
        ("POST /odd/echo", {"text": "a", "tags": ["b"], "times": 2}, "a b a b"),
        ("POST /odd/echo", None, ""),
        ("GET /odd/echo?text=a&times=2", None, "a a"),
        ("GET /odd/echo?text=a&tags=b", None, "a b"),
        ("GET /odd/echo?text=a&tags=b&tags=c%20d", None, "a b c d"),
        ("GET /odd/echo?text=%E8%8C%B6", None, "茶"),
        ("PATCH /odd/echo/%E8%8C%B6", {"times": 2}, "茶 茶"),
        ("DELETE /odd/echo/a?tags=b", None, "a b"),
    ],
)
async def test_arguments_come_from_path_query_and_body(
    http: AsyncClient, line: str, body: dict[str, Any] | None, text: str
) -> None:
    answer = await http.request(*line.split(), json=body)
    assert (answer.status_code, answer.json()["text"]) == (200, text)


async def test_an_operation_says_the_status_of_its_success(http: AsyncClient) -> None:
    assert (await http.post("/odd/slow", json={})).status_code == 201


@pytest.mark.parametrize(
    ("line", "body", "expected"),
    [
        ("POST /odd/echo", b"{", (422, "invalid_input")),
        ("POST /odd/echo", b"[]", (422, "invalid_input")),
        ("POST /odd/echo", b'{"times": NaN}', (422, "invalid_input")),
        ("POST /odd/echo", b"\xff", (422, "invalid_input")),
        ("POST /odd/echo", b'{"times": "many"}', (422, "invalid_input")),
        ("PATCH /odd/echo/a", b'{"text": "b"}', (422, "invalid_input")),
        ("GET /odd/echo?times=many", b"", (422, "invalid_input")),
        ("GET /odd/echo?text=a&text=b", b"", (422, "invalid_input")),
        ("PUT /odd/echo", b"{}", (405, "invalid_input")),
        ("GET /odd/slow", b"", (405, "invalid_input")),
        ("GET /odd/nothing", b"", (404, "not_found")),
        ("GET /odd/echo/", b"", (404, "not_found")),
        ("DELETE /odd/echo/a", b'{"tags": ["b"]}', (422, "invalid_input")),
        ("POST /odd/echo", b" " * (MAX_MESSAGE_BYTES + 1), (413, "invalid_input")),
        ("POST /odd/fail", b'{"kind": "not_found"}', (404, "not_found")),
        ("POST /odd/fail", b'{"kind": "invalid_input"}', (422, "invalid_input")),
        ("POST /odd/fail", b'{"kind": "conflict"}', (409, "conflict")),
        ("POST /odd/fail", b'{"kind": "unavailable"}', (503, "unavailable")),
        ("POST /odd/fail", b'{"kind": "damaged"}', (503, "damaged")),
        ("POST /odd/fail", b'{"kind": "error"}', (500, "error")),
    ],
    ids=lambda value: value[:40].decode(errors="replace") if isinstance(value, bytes) else None,
)
async def test_a_failure_has_one_shape(
    http: AsyncClient, line: str, body: bytes, expected: tuple[int, str]
) -> None:
    answer = await http.request(*line.split(), content=body, headers=JSON)
    assert (answer.status_code, answer.json()["code"]) == expected
    assert set(answer.json()) == {"code", "message", "details"}


async def test_a_wrong_method_is_told_the_right_ones(http: AsyncClient) -> None:
    answer = await http.put("/odd/echo")
    assert set(answer.headers["allow"].split(", ")) == {"GET", "HEAD", "POST"}


async def test_a_large_body_is_refused_however_it_is_sent(http: AsyncClient) -> None:
    async def chunks() -> Any:
        for _ in range(2):
            yield b" " * MAX_MESSAGE_BYTES

    answer = await http.post("/odd/echo", content=chunks(), headers=JSON)
    assert answer.status_code == 413


async def test_a_bug_is_logged_and_tells_nothing(
    http: AsyncClient, capsys: pytest.CaptureFixture[str]
) -> None:
    logs.configure("info")
    answer = await http.post("/odd/fail", json={"kind": "error"}, headers={"X-Request-Id": "r7"})
    structlog.reset_defaults()
    told = {"code": "error", "message": "internal error", "details": {"request_id": "r7"}}
    assert answer.json() == told
    logged = "".join(capsys.readouterr())
    assert "a secret" in logged
    assert "request_handled" in logged


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost:8080"}, 200),
        ({"Host": "LOCALHOST"}, 200),
        ({"Host": "[::1]:8080"}, 200),
        ({"Host": "evil.example"}, 421),
        ({"Host": "evil.example:8080"}, 421),
        ({"Host": "127.0.0.1.evil.example"}, 421),
        ({"Host": "127.0.0.1@evil.example"}, 421),
        ({"Host": "[::1"}, 421),
        ({"Host": ""}, 421),
        ({"Origin": "http://localhost:8080"}, 200),
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "http://localhost.evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
    ],
)
@pytest.mark.parametrize("path", ["/odd/echo", "/openapi.json"])
async def test_pages_of_other_sites_are_kept_out(
    http: AsyncClient, path: str, headers: dict[str, str], status: int
) -> None:
    assert (await http.get(path, headers=headers)).status_code == status


@pytest.mark.parametrize("content_type", ["text/plain", "application/x-www-form-urlencoded", ""])
async def test_what_a_page_may_send_without_leave_is_refused(
    http: AsyncClient, content_type: str
) -> None:
    headers = {"Content-Type": content_type}
    answer = await http.post("/odd/echo", content=b'{"text":"a"}', headers=headers)
    assert (answer.status_code, answer.json()["code"]) == (415, "invalid_input")


async def test_a_request_may_name_its_agent(http: AsyncClient) -> None:
    answer = await http.get("/odd/echo", headers={"Hindsight-Agent-Id": "planner"})
    assert answer.json()["agent_id"] == "planner"
    assert (await http.get("/odd/echo")).json()["agent_id"] == "default"


@pytest.mark.parametrize("agent_id", ["规划者", "a planner", "é", "x" * 256])
async def test_a_header_may_name_any_agent_that_an_argument_may(
    http: AsyncClient, agent_id: str
) -> None:
    headers = [(b"Hindsight-Agent-Id", agent_id.encode())]
    answer = await http.get("/odd/echo", headers=headers)
    assert answer.json()["agent_id"] == agent_id == check_identifier(agent_id, "agent_id")


@pytest.mark.parametrize("agent_id", [b"", b"x" * 257, b"\xe9", "a\u200bb".encode(), b"a\tb"])
async def test_a_bad_name_of_an_agent_is_refused(http: AsyncClient, agent_id: bytes) -> None:
    answer = await http.get("/odd/echo", headers=[(b"Hindsight-Agent-Id", agent_id)])
    assert answer.status_code == 422
    assert answer.json()["message"].startswith("Hindsight-Agent-Id ")


def test_every_operation_has_a_route_of_its_own() -> None:
    routes = [(route.method, route.path) for each in OPERATIONS for route in each.routes]
    assert len(routes) == len(set(routes))
    assert {each.name for each in OPERATIONS if not each.routes} == set()
