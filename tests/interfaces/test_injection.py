"""Context and advice through every door: the same block, the same verdict, the same refusals."""

import json
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx2
import mcp_types as types
import pytest
from click.testing import CliRunner
from mcp.client.client import Client
from pydantic import BaseModel

from hindsight_memory.core.model import Caller
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.agent_schemas import AdviseOut, ContextOut
from hindsight_memory.interfaces.cli.main import cli
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.library import Hindsight
from hindsight_memory.interfaces.mcp.server import create_server
from hindsight_memory.testing.agent_life import UNICODE

Given = Mapping[str, Any]
Ask = Callable[[str, Given], Awaitable[dict[str, Any]]]
"""What a door gives; for a refusal its code and message."""

PATHS = {"memory_context": "/v1/context", "memory_advise": "/v1/advice"}
COMMANDS = {"memory_context": "context", "memory_advise": "advise"}
GIVES: Mapping[str, type[BaseModel]] = {"memory_context": ContextOut, "memory_advise": AdviseOut}
AGE = re.compile(r"just now|\d+ \w+ ago")

CONTEXT = {"task": "连接测试环境的数据库", "project": "shop", "session_id": "s2"}
ADVISE = {"tool": "read_csv", "arguments": {"path": "一月.csv", "encoding": "utf-8"}}
PLACE = {"project": "shop", "session_id": "s2"}


@pytest.fixture
def url(tmp_path: Path) -> str:
    """A store in which something was said, and a call failed and worked."""
    url = f"sqlite:///{tmp_path}/memory.db"
    with Hindsight.open(url, embedder="hashing:256", project="shop") as memory:
        memory.write("用户偏好用中文交流", source="user_explicit")
        memory.write("测试环境的数据库端口是 5433", source="user_explicit")
        for encoding, error in (("utf-8", UNICODE), ("gbk", "")):
            event: Any = {
                "tool": "read_csv",
                "arguments": {"path": "一月.csv", "encoding": encoding},
                "outcome": "failure" if error else "success",
                "error": error,
            }
            memory.write(f"read {encoding}", source="tool_result", event=event, session_id="s1")
    return url


@pytest.fixture
def memory(url: str) -> Iterator[Hindsight]:
    with Hindsight.open(url, embedder="hashing:256") as memory:
        yield memory


@pytest.fixture
def library(memory: Hindsight) -> Ask:
    async def ask(tool: str, given: Given) -> dict[str, Any]:
        run: Callable[..., BaseModel] = getattr(memory, COMMANDS[tool])
        try:
            return run(**given).model_dump()
        except InvalidInput as error:
            return {"code": error.code, "message": str(error)}

    return ask


@pytest.fixture
async def rest(memory: Hindsight) -> AsyncIterator[Ask]:
    app = create_app(lambda: memory.memories, Caller())
    transport = httpx2.ASGITransport(app)
    async with (
        app.router.lifespan_context(app),
        httpx2.AsyncClient(transport=transport, base_url="http://127.0.0.1:8080") as client,
    ):

        async def ask(tool: str, given: Given) -> dict[str, Any]:
            answer = await client.post(PATHS[tool], json=dict(given))
            assert answer.status_code == (422 if "code" in answer.json() else 200)
            return _plain(answer.json())

        yield ask


@pytest.fixture
async def mcp(memory: Hindsight) -> AsyncIterator[Ask]:
    async with Client(create_server(lambda: memory.memories, Caller())) as client:

        async def ask(tool: str, given: Given) -> dict[str, Any]:
            answer = await client.call_tool(tool, dict(given))
            if answer.is_error:
                [told] = answer.content
                assert isinstance(told, types.TextContent)
                return dict(zip(("code", "message"), told.text.split(": ", 1), strict=True))
            assert answer.structured_content is not None
            return GIVES[tool](**answer.structured_content).model_dump()

        yield ask


@pytest.fixture
def shell(url: str) -> Ask:
    run = CliRunner(
        env={"HINDSIGHT_MEMORY_STORE_URL": url, "HINDSIGHT_MEMORY_EMBEDDER": "hashing:256"}
    )

    async def ask(tool: str, given: Given) -> dict[str, Any]:
        words = [str(given[name]) for name in ("task", "tool") if name in given]
        words += [json.dumps(given["arguments"])] if "arguments" in given else []
        for name in given.keys() - {"task", "tool", "arguments"}:
            words += [f"--{name.replace('_', '-')}", str(given[name])]
        done = run.invoke(cli, [COMMANDS[tool], "--json", *words])
        assert done.exit_code == (2 if done.stderr else 0)
        return _plain(json.loads(done.stderr or done.stdout))

    return ask


@pytest.fixture(params=["library", "rest", "mcp", "shell"])
def ask(request: pytest.FixtureRequest) -> Ask:
    door: Ask = request.getfixturevalue(request.param)
    return door


def _plain(answer: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in answer.items() if name != "details"}


async def test_every_door_gives_the_same_context(ask: Ask) -> None:
    told = await ask("memory_context", CONTEXT)
    assert told.keys() == ContextOut.model_fields.keys()
    assert [line.split("] ")[1] for line in told["context"].splitlines()[2:-1]] == [
        "用户偏好用中文交流",
        "测试环境的数据库端口是 5433",
    ]
    assert (len(told["memory_ids"]), len(told["recall_id"]), told["notes"]) == (2, 36, [])


async def test_every_door_gives_the_same_advice(ask: Ask) -> None:
    told = await ask("memory_advise", ADVISE | PLACE)
    assert len(told.pop("memory_ids")) == 2
    line = AGE.sub("AGE", told.pop("advice").splitlines()[2])
    assert line == f"- avoid: such a call failed once, AGE: {UNICODE}. Worked: encoding=gbk."
    assert told == {
        "verdict": "avoid",
        "failures": 1,
        "successes": 0,
        "last_error": UNICODE,
        "worked_with": {"path": "一月.csv", "encoding": "gbk"},
        "notes": [],
    }


async def test_every_door_is_silent_where_there_is_nothing_to_say(ask: Ask) -> None:
    assert (await ask("memory_context", {"task": "x"}))["context"] == ""
    told = await ask("memory_advise", {"tool": "write_csv"})
    assert (told["advice"], told["verdict"], told["worked_with"]) == ("", "none", None)


@pytest.mark.parametrize(
    ("tool", "given", "message"),
    [
        ("memory_context", {**CONTEXT, "top_k": 0}, "top_k"),
        ("memory_context", {**CONTEXT, "top_k": 21}, "top_k"),
        ("memory_context", {**CONTEXT, "token_budget": -1}, "token_budget"),
        ("memory_context", {**CONTEXT, "session_id": "s" * 300}, "session_id"),
        ("memory_context", {**CONTEXT, "project": "a\nb"}, "project"),
        ("memory_advise", {"tool": ""}, "tool"),
        ("memory_advise", {"tool": "t" * 300}, "tool"),
        ("memory_advise", {**ADVISE, "token_budget": 8001}, "token_budget"),
    ],
)
async def test_every_door_refuses_the_same(
    ask: Ask, tool: str, given: dict[str, Any], message: str
) -> None:
    told = await ask(tool, given)
    assert (told["code"], message in told["message"]) == ("invalid_input", True)


@pytest.mark.parametrize("ask", ["rest", "mcp"], indirect=True)
async def test_a_wrong_kind_of_argument_is_refused(ask: Ask) -> None:
    for tool, given in (
        ("memory_advise", {"tool": "t", "arguments": [1]}),
        ("memory_context", {"task": 3}),
        ("memory_context", {}),
        ("memory_context", {"task": "x", "limit": 3}),
    ):
        assert (await ask(tool, given))["code"] == "invalid_input"


def test_the_shell_shows_the_block_as_a_model_reads_it(url: str) -> None:
    run = CliRunner(
        env={"HINDSIGHT_MEMORY_STORE_URL": url, "HINDSIGHT_MEMORY_EMBEDDER": "hashing:256"}
    ).invoke
    shown = run(cli, ["context", "连接测试环境的数据库", "--project", "shop"]).stdout
    assert shown.splitlines()[0] == "<hindsight-memory>"
    advice = run(cli, ["advise", "read_csv", json.dumps(ADVISE["arguments"]), "--project", "shop"])
    assert advice.stdout.splitlines()[:2] == [
        "avoid 1 failed, 0 worked",
        'worked with {"path": "一月.csv", "encoding": "gbk"}',
    ]
