"""The odd operations, and clients of them, in this process; and a server on a free port."""

import importlib.util
import socket
from collections.abc import AsyncIterator, Iterator
from pathlib import Path
from threading import Thread
from types import ModuleType

import httpx2
import pytest
import uvicorn
from mcp.client.client import Client
from starlette.applications import Starlette

from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.mcp.server import create_server
from hindsight_memory.interfaces.readiness import Health

ODD_SERVER = Path(__file__).with_name("odd_server.py")
BASE = "http://127.0.0.1:8080"


def load_odd_server() -> ModuleType:
    spec = importlib.util.spec_from_file_location("odd_server", ODD_SERVER)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="session")
def odd() -> ModuleType:
    return load_odd_server()


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture
def odd_app(odd: ModuleType) -> Starlette:
    return create_app(odd.open_engine, Caller(), look=lambda _: Health(), operations=odd.OPERATIONS)


@pytest.fixture
async def http(odd_app: Starlette) -> AsyncIterator[httpx2.AsyncClient]:
    transport = httpx2.ASGITransport(odd_app)
    async with (
        odd_app.router.lifespan_context(odd_app),
        httpx2.AsyncClient(transport=transport, base_url=BASE) as client,
    ):
        yield client


@pytest.fixture(params=["2026-07-28", "legacy"])
async def tools(odd: ModuleType, request: pytest.FixtureRequest) -> AsyncIterator[Client]:
    server = create_server(odd.open_engine, Caller(), odd.OPERATIONS)
    async with Client(server, mode=request.param) as client:
        yield client


@pytest.fixture
def listener() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener


@pytest.fixture
def server(odd_app: Starlette, listener: socket.socket) -> Iterator[uvicorn.Server]:
    config = uvicorn.Config(odd_app, log_config=None, ws="none", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = Thread(target=server.run, kwargs={"sockets": [listener]})
    thread.start()
    yield server
    server.should_exit = True
    thread.join(timeout=10)
    assert not thread.is_alive()
