"""A table of operations that do what real ones must not, and servers of it to run."""

import ctypes
import os
import subprocess
import sys
import threading
import time
from typing import Any, Literal

import uvicorn
from pydantic import BaseModel
from pydantic.dataclasses import dataclass

from hindsight_memory import logs
from hindsight_memory.core.model import Caller
from hindsight_memory.errors import Conflict, Damaged, InvalidInput, NotFound, Unavailable
from hindsight_memory.interfaces.http import create_app
from hindsight_memory.interfaces.mcp.stdio import serve_stdio
from hindsight_memory.interfaces.operation import Operation, Route

ERRORS: dict[str, Exception] = {
    "not_found": NotFound("no such thing"),
    "invalid_input": InvalidInput("not like this"),
    "conflict": Conflict("changed meanwhile"),
    "unavailable": Unavailable("try later"),
    "damaged": Damaged("broken file"),
    "error": KeyError("a secret"),
}
MEETING = threading.Barrier(2, timeout=5)


class Told(BaseModel):
    text: str
    agent_id: str
    session_id: str


@dataclass(kw_only=True)
class EchoIn:
    text: str = ""
    times: int = 1
    tags: list[str] | None = None


@dataclass(kw_only=True)
class FailIn:
    kind: Literal["not_found", "invalid_input", "conflict", "unavailable", "damaged", "error"]


@dataclass(kw_only=True)
class Nothing:
    pass


def told(caller: Caller, text: str) -> Told:
    return Told(text=text, agent_id=caller.agent_id, session_id=caller.session_id)


def echo(_memories: Any, caller: Caller, given: EchoIn) -> Told:
    """Say it back."""
    return told(caller, " ".join([given.text, *(given.tags or [])] * given.times))


def fail(_memories: Any, _caller: Caller, given: FailIn) -> Told:
    """Raise."""
    raise ERRORS[given.kind]


def noise(_memories: Any, caller: Caller, _given: Nothing) -> Told:
    """Write to stdout in every way there is, and let a child read stdin."""
    print("print")  # noqa: T201
    os.write(1, b"descriptor\n")
    subprocess.run(["/bin/sh", "-c", "echo child"], check=True)
    libc = ctypes.CDLL(None)
    libc.puts(b"libc")
    libc.fflush(None)
    eaten = subprocess.run(["/bin/cat"], check=True, capture_output=True).stdout
    return told(caller, f"a child read {eaten!r} and Python {sys.stdin.read()!r}")


def slow(_memories: Any, caller: Caller, _given: Nothing) -> Told:
    """Take as long as a remote embedder."""
    time.sleep(0.2)
    return told(caller, "done")


def meet(_memories: Any, caller: Caller, _given: Nothing) -> Told:
    """End only when a second call has come; raise when none does."""
    MEETING.wait()
    return told(caller, "met")


OPERATIONS = (
    Operation(
        name="echo",
        command="echo",
        right="read",
        routes=(
            Route("POST", "/odd/echo"),
            Route("GET", "/odd/echo"),
            Route("PATCH", "/odd/echo/{text}"),
            Route("DELETE", "/odd/echo/{text}"),
        ),
        takes=EchoIn,
        gives=Told,
        run=echo,
        is_idempotent=True,
    ),
    Operation(
        name="fail",
        command="fail",
        right="forget",
        routes=(Route("POST", "/odd/fail"),),
        takes=FailIn,
        gives=Told,
        run=fail,
    ),
    Operation(
        name="noise",
        command="noise",
        right="write",
        routes=(Route("POST", "/odd/noise"),),
        takes=Nothing,
        gives=Told,
        run=noise,
        is_tool=True,
    ),
    Operation(
        name="slow",
        command="slow",
        right="write",
        routes=(Route("POST", "/odd/slow"),),
        takes=Nothing,
        gives=Told,
        run=slow,
        status=201,
    ),
    Operation(
        name="meet",
        command="meet",
        right="read",
        routes=(Route("POST", "/odd/meet"),),
        takes=Nothing,
        gives=Told,
        run=meet,
    ),
    Operation(
        name="hidden",
        command="hidden",
        right="read",
        routes=(Route("POST", "/odd/hidden"),),
        takes=Nothing,
        gives=Told,
        run=meet,
        is_tool=False,
    ),
)


def open_engine() -> Any:
    """These operations need none."""
    return None


if __name__ == "__main__":
    logs.configure("info")
    match sys.argv[1:]:
        case ["http", descriptor]:
            app = create_app(open_engine, Caller(), operations=OPERATIONS)
            uvicorn.run(app, fd=int(descriptor), log_config=None, ws="none")
        case _:
            serve_stdio(open_engine, Caller(), OPERATIONS)
