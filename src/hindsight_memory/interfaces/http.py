"""The HTTP app: REST and MCP side by side, on the loopback interface."""

from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import cache, wraps
from typing import TYPE_CHECKING, Any

from pydantic import BaseModel
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hindsight_memory.core.model import Caller, Scope
from hindsight_memory.core.retrieval import Filter
from hindsight_memory.engine.background import Beside
from hindsight_memory.errors import HindsightError, Unavailable
from hindsight_memory.interfaces import openapi, rest
from hindsight_memory.interfaces.boundary import LOOPBACK, Boundary
from hindsight_memory.interfaces.failures import Failure
from hindsight_memory.interfaces.mcp.http import mcp_routes
from hindsight_memory.interfaces.mcp.server import create_server
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.interfaces.responses import HANDLERS, STATUS, failed
from hindsight_memory.interfaces.threads import call_in_thread

if TYPE_CHECKING:  # the engine is imported by the first call
    from hindsight_memory.engine.memories import Memories


NOBODY = Scope(tenant="", user_id=None, agent_id=None)
"""No credential has this tenant, so a read in it finds nothing, fast."""


def store_problems(memories: "Memories") -> Mapping[str, str]:
    """Empty when the store answers. Raises what the store raises. Without an embedder we are ready:
    search goes by words and says so.
    """
    memories.page(NOBODY, Filter(), before=None, limit=1)
    return {}


def create_app(
    open_engine: Callable[[], "Memories"],
    caller: Caller,
    *,
    problems: Callable[["Memories"], Mapping[str, str]] = store_problems,
    hosts: frozenset[str] = LOOPBACK,
    operations: Sequence[Operation] = OPERATIONS,
    background: Beside | None = None,
) -> Starlette:
    """Serves until its lifespan ends; the engine is opened by the first call, and not closed here.

    open_engine: called in worker threads by every call, so it must be safe there, and cheap when
    repeated. problems: what of the engine is not ready, by name, with the reason.
    hosts: names by which the server may be addressed.
    background: runs while the app does, and lets calls go first.
    """
    if background is not None:
        operations = [_first(operation, background) for operation in operations]
    mcp = mcp_routes(create_server(open_engine, caller, operations))

    @asynccontextmanager
    async def lifespan(_app: Starlette) -> AsyncIterator[None]:
        async with mcp.running():
            if background is None:
                yield
                return
            background.start()
            try:
                yield
            finally:
                await call_in_thread(background.close)

    app = Starlette(
        routes=[
            *rest.routes(open_engine, caller, operations),
            rest.export_route(open_engine, caller),
            *mcp.routes,
            *_own_routes(open_engine, problems, operations),
        ],
        middleware=[Middleware(Boundary, hosts=hosts)],
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _first(operation: Operation, background: Beside) -> Operation:
    """``operation``, and ``background`` waits while it runs."""
    run = operation.run

    @wraps(run)
    def go_first(memories: "Memories", caller: Caller, given: Any) -> BaseModel:
        with background.passing():
            return run(memories, caller, given)

    return replace(operation, run=go_first)


def _own_routes(
    open_engine: Callable[[], "Memories"],
    problems: Callable[["Memories"], Mapping[str, str]],
    operations: Sequence[Operation],
) -> list[Route]:
    async def healthz(_request: Request) -> Response:
        """Alive: the event loop answers."""
        return JSONResponse({"status": "alive"})

    async def readyz(_request: Request) -> Response:
        """Ready: the engine opens and names no problem."""
        not_ready = await call_in_thread(lambda: _not_ready(open_engine, problems))
        if not not_ready:
            return JSONResponse({"status": "ready"})
        message = f"not ready: {', '.join(not_ready)}"
        failure = Failure(code=Unavailable.code, message=message, details={"not_ready": not_ready})
        return failed(STATUS[Unavailable], failure)

    @cache
    def document() -> dict[str, Any]:
        return openapi.document(operations)

    async def openapi_json(_request: Request) -> Response:
        return JSONResponse(await call_in_thread(document))

    return [
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/openapi.json", openapi_json),
    ]


def _not_ready(
    open_engine: Callable[[], "Memories"], problems: Callable[["Memories"], Mapping[str, str]]
) -> dict[str, str]:
    try:
        return dict(problems(open_engine()))
    except HindsightError as error:
        return {"store": str(error)}
