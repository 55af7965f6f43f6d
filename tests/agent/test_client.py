"""The agent's side over HTTP: each route is one of the server's."""

import socket
from collections.abc import Iterator
from threading import Thread

import pytest
import uvicorn

from hindsight_memory import Hindsight, InvalidInput
from hindsight_memory.agent.client import ROUTES, HttpClient
from hindsight_memory.agent.session import AgentSession
from hindsight_memory.core.model import Caller
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.operations import BY_NAME


@pytest.fixture
def client(memory: Hindsight) -> Iterator[HttpClient]:
    app = create_app(lambda: memory.memories, Caller())
    config = uvicorn.Config(app, log_config=None, ws="none", timeout_graceful_shutdown=1)
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(config)
        thread = Thread(target=server.run, kwargs={"sockets": [listener]})
        thread.start()
        yield HttpClient(f"http://127.0.0.1:{listener.getsockname()[1]}", timeout_seconds=10)
        server.should_exit = True
        thread.join(timeout=10)


@pytest.mark.parametrize("tool", ROUTES)
def test_each_route_is_one_of_the_operation(tool: str) -> None:
    method, _, path = ROUTES[tool].rpartition(" ")
    routes = [(each.method, each.path) for each in BY_NAME[tool].routes]
    assert (method or "POST", path) in routes


def test_working_memory_is_kept_over_http(client: HttpClient, memory: Hindsight) -> None:
    session = AgentSession(client, session_id="周一 #1", project="shop", deadline_seconds=10)
    session.start("导入一月订单")
    session.after_tool("read_csv", {"path": "jan.csv"}, error=ValueError("bad byte"))
    assert session.problems == []
    found = memory.working_memory("周一 #1").document
    assert (found.task_goal, len(found.failed_attempts)) == ("导入一月订单", 1)


def test_a_refusal_has_the_words_of_the_server(client: HttpClient) -> None:
    with pytest.raises(InvalidInput, match=r"patch\.0: add_fact needs 'fact'"):
        client.call("working_memory", {"session_id": "s1", "patch": [{"op": "add_fact"}]})
