"""Queued writes and jobs through every door: the same answer, the same refusals."""

import json
import signal
import subprocess
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import httpx2
import pytest
from click.testing import CliRunner
from mcp.client.client import Client

from hindsight_memory.core.model import Caller
from hindsight_memory.errors import Conflict, InvalidInput, NotFound
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.mcp.server import create_server

QUEUED = "it is kept, and written as soon as a worker comes to it"
SHANGHAI = "用户住在上海"
MAIN = "from hindsight_memory.interfaces.cli.main import main; main()"


@pytest.fixture
async def http(memory: Hindsight) -> AsyncIterator[httpx2.AsyncClient]:
    app = create_app(lambda: memory.memories, Caller())
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client,
    ):
        yield client


@pytest.fixture
def shell(tmp_path: Path) -> CliRunner:
    variables = {
        "HINDSIGHT_MEMORY_STORE_URL": f"sqlite:///{tmp_path}/shell.db",
        "HINDSIGHT_MEMORY_EMBEDDER": "hashing:256",
        "HINDSIGHT_MEMORY_WORKER": "false",
    }
    return CliRunner(env=variables)


def test_the_library_answers_at_once_and_tells_later(memory: Hindsight) -> None:
    queued = memory.write(SHANGHAI, mode="queued")
    assert (queued.outcome, queued.reason, queued.memory) == ("queued", QUEUED, None)
    assert queued.write_id is not None
    memory.memories.settle()
    written = memory.written(queued.write_id)
    assert written.outcome == "stored"
    assert written.memory is not None
    assert (written.memory.content, written.write_id) == (SHANGHAI, queued.write_id)
    assert [hit.memory.content for hit in memory.search("住在哪里").hits] == [SHANGHAI]


def test_what_is_wrong_is_refused_at_once(memory: Hindsight) -> None:
    with pytest.raises(InvalidInput, match="content is blank"):
        memory.write(" ", mode="queued")
    with pytest.raises(InvalidInput, match="user_confirmed"):
        memory.write("tea", source="user_confirmed", mode="queued")
    assert memory.jobs().jobs == []


def test_what_cannot_be_done_has_failed_and_is_listed(memory: Hindsight) -> None:
    queued = memory.write("my pin is 4711", supersedes="nothing", mode="queued")
    memory.memories.settle()
    failed = memory.written(str(queued.write_id))
    assert failed.outcome == "failed"
    assert "'nothing'" in failed.reason
    [job] = memory.jobs(state=["dead"]).jobs
    assert (job.id, job.state, job.content) == (queued.write_id, "dead", "")
    again = memory.retry(job.id)
    assert (again.state, again.attempts) == ("queued", 0)
    with pytest.raises(NotFound):
        memory.retry("nothing")


def test_a_private_memory_is_told_to_its_agent_only(memory: Hindsight) -> None:
    given: dict[str, Any] = {"visibility": "private", "mode": "queued", "idempotency_key": "k"}
    queued = memory.write("the tests are flaky", agent_id="reviewer", **given)
    memory.memories.settle()
    assert memory.written(str(queued.write_id)).memory is None


def test_jobs_are_listed_page_by_page(memory: Hindsight) -> None:
    for number in range(3):
        memory.write(f"fact {number}", supersedes="nothing", mode="queued")
    memory.memories.settle()
    first = memory.jobs(limit=2)
    rest = memory.jobs(limit=2, before=first.next)
    assert [len(first.jobs), len(rest.jobs), rest.next] == [2, 1, None]


async def test_rest_answers_at_once_and_tells_later(
    http: httpx2.AsyncClient, memory: Hindsight
) -> None:
    given = {"content": SHANGHAI, "mode": "queued", "idempotency_key": "k"}
    queued = (await http.post("/v1/memories", json=given)).json()
    assert queued["outcome"] == "queued"
    memory.memories.settle()
    written = await http.get(f"/v1/writes/{queued['write_id']}")
    assert (written.status_code, written.json()["memory"]["content"]) == (200, SHANGHAI)
    again = (await http.post("/v1/memories", json=given)).json()
    assert (again["outcome"], again["write_id"]) == ("stored", queued["write_id"])
    other = await http.post("/v1/memories", json=given | {"content": "else"})
    assert (other.status_code, other.json()["code"]) == (409, Conflict.code)


async def test_rest_lists_jobs_and_retries_them(
    http: httpx2.AsyncClient, memory: Hindsight
) -> None:
    given = {"content": SHANGHAI, "mode": "queued", "supersedes": "nothing"}
    await http.post("/v1/memories", json=given)
    memory.memories.settle()
    [job] = (await http.get("/v1/jobs", params={"state": "dead"})).json()["jobs"]
    assert job["kind"] == "write"
    retried = await http.post(f"/v1/jobs/{job['id']}/retry", json={})
    assert (retried.status_code, retried.json()["state"]) == (200, "queued")
    memory.memories.settle()
    assert (await http.post("/v1/jobs/nothing/retry", json={})).status_code == 404
    assert (await http.get("/v1/writes/nothing")).status_code == 404
    assert (await http.get("/v1/jobs", params={"state": "asleep"})).status_code == 422


async def test_mcp_queues_a_write_and_has_no_tool_for_jobs(memory: Hindsight) -> None:
    server = create_server(lambda: memory.memories, Caller())
    async with Client(server) as client:
        answer = await client.call_tool("memory_write", {"content": SHANGHAI, "mode": "queued"})
        tools = {tool.name for tool in (await client.list_tools()).tools}
    assert answer.structured_content is not None
    assert answer.structured_content["outcome"] == "queued"
    assert not {"memory_jobs", "memory_retry", "memory_written"} & tools


def test_the_shell_queues_and_a_worker_writes(shell: CliRunner) -> None:
    shown = shell.invoke(cli, ["write", SHANGHAI, "--mode", "queued", "--json"])
    write_id = json.loads(shown.stdout)["write_id"]
    assert SHANGHAI in shell.invoke(cli, ["jobs"]).stdout
    assert "1 wait or run" in shell.invoke(cli, ["doctor"]).stdout
    worked = shell.invoke(cli, ["worker", "--once"])
    assert worked.exit_code == 0, worked.output
    assert shell.invoke(cli, ["written", write_id]).stdout.startswith("stored")
    assert shell.invoke(cli, ["jobs"]).stdout == "No jobs.\n"
    assert "nothing waits, and nothing was given up" in shell.invoke(cli, ["doctor"]).stdout


def test_a_worker_ends_when_it_is_told_to(shell: CliRunner) -> None:
    environment = {**shell.env, "HINDSIGHT_MEMORY_LOG_LEVEL": "info", "PATH": ""}
    process = subprocess.Popen(
        [sys.executable, "-c", MAIN, "worker"],
        env={key: value for key, value in environment.items() if value is not None},
        stderr=subprocess.PIPE,
        text=True,
    )
    with process:
        assert process.stderr is not None
        assert "worker_started" in process.stderr.readline()
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
