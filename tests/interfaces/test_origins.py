"""By which names a server is addressed, and what pages of other sites get: a browser's view."""

from collections.abc import AsyncIterator
from types import ModuleType

import httpx2
import pytest
from httpx2 import AsyncClient

from hindsight_memory.core.addresses import addresses
from hindsight_memory.core.keys import Keyring, parse
from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.http import Doors, create_app
from hindsight_memory.interfaces.readiness import Health

KEY = "hm_Zx8Qk3Lr5Tn7Vb9Wc1Yd2Fg4Hj6KmPpQq"
APP = "https://app.example.com"
BEARER = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture
async def browser(odd: ModuleType) -> AsyncIterator[AsyncClient]:
    """Of a server behind a proxy, with keys, and a site that may use it."""
    doors = Doors(
        addresses=addresses("127.0.0.1", "memory.example.com", APP), keyring=Keyring(parse(KEY))
    )
    app = create_app(
        odd.open_engine, Caller(), doors=doors, look=lambda _: Health(), operations=odd.OPERATIONS
    )
    transport = httpx2.ASGITransport(app)
    base = "https://memory.example.com"
    async with (
        app.router.lifespan_context(app),
        AsyncClient(transport=transport, base_url=base) as client,
    ):
        yield client


def leave(origin: str, method: str = "POST") -> dict[str, str]:
    return {
        "Origin": origin,
        "Access-Control-Request-Method": method,
        "Access-Control-Request-Headers": "authorization,content-type,mcp-session-id",
    }


@pytest.mark.parametrize("method", ["GET", "POST", "PATCH", "DELETE"])
@pytest.mark.parametrize("path", ["/odd/echo", "/mcp"])
async def test_a_page_of_a_listed_site_gets_leave_before_it_shows_a_key(
    browser: AsyncClient, path: str, method: str
) -> None:
    answer = await browser.options(path, headers=leave(APP, method))
    assert answer.status_code == 200
    assert answer.headers["access-control-allow-origin"] == APP
    assert method in answer.headers["access-control-allow-methods"]
    allowed = answer.headers["access-control-allow-headers"]
    assert {"authorization", "content-type", "mcp-session-id"} <= set(allowed.split(","))
    assert "access-control-allow-credentials" not in answer.headers


async def test_it_may_read_answers_and_why_it_is_refused(browser: AsyncClient) -> None:
    asked = {"Origin": APP}
    served = await browser.get("/odd/echo", headers={**asked, **BEARER})
    refused = await browser.get("/odd/echo", headers=asked)
    assert (served.status_code, refused.status_code) == (200, 401)
    for answer in (served, refused):
        assert answer.headers["access-control-allow-origin"] == APP
        assert "X-Request-Id" in answer.headers["access-control-expose-headers"]


@pytest.mark.parametrize("origin", ["https://evil.example", "http://app.example.com", "null"])
async def test_a_page_of_another_site_gets_neither(browser: AsyncClient, origin: str) -> None:
    asked = await browser.options("/odd/echo", headers=leave(origin))
    sent = await browser.get("/odd/echo", headers={"Origin": origin, **BEARER})
    assert [asked.status_code, sent.status_code] == [403, 403]
    for answer in (asked, sent):
        assert not any(name.startswith("access-control") for name in answer.headers)
    assert f"Origin '{origin}' is another site" in sent.json()["message"]
    assert "HINDSIGHT_MEMORY_ALLOWED_ORIGINS" in sent.json()["message"]


async def test_a_server_without_listed_sites_gives_no_leave(http: AsyncClient) -> None:
    answer = await http.options("/odd/echo", headers=leave("http://localhost:3000"))
    assert answer.status_code == 405
    assert not any(name.startswith("access-control") for name in answer.headers)


@pytest.mark.parametrize(
    ("host", "status"),
    [
        ("memory.example.com", 200),
        ("memory.example.com:443", 200),
        ("localhost:8080", 200),
        ("10.0.0.7", 421),
        ("evil.example", 421),
        ("x.memory.example.com", 421),
    ],
)
async def test_a_name_that_is_set_is_answered(browser: AsyncClient, host: str, status: int) -> None:
    answer = await browser.get("/odd/echo", headers={**BEARER, "Host": host})
    assert answer.status_code == status
    if status == 421:
        told = answer.json()["message"]
        assert told.startswith(f"Host '{host}' is not a name of this server")
        assert "HINDSIGHT_MEMORY_ALLOWED_HOSTS" in told


async def test_an_mcp_client_is_told_so_in_its_own_words(browser: AsyncClient) -> None:
    answer = await browser.post("/mcp", json={}, headers={**BEARER, "Host": "evil.example"})
    assert answer.status_code == 421
    error = answer.json()["error"]
    assert error["message"].startswith("invalid_input: Host 'evil.example' is not a name")
    assert error["data"]["details"] == {"request_id": answer.headers["x-request-id"]}
