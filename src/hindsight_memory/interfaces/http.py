"""The HTTP app: REST and MCP side by side."""

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.cors import CORSMiddleware

from hindsight_memory.core.addresses import Addresses
from hindsight_memory.core.keys import Keyring
from hindsight_memory.core.model import Caller
from hindsight_memory.core.ports import Limiter
from hindsight_memory.engine.background import Beside
from hindsight_memory.interfaces import operating, rest
from hindsight_memory.interfaces.boundary import Boundary
from hindsight_memory.interfaces.gate import Gate
from hindsight_memory.interfaces.mcp.http import mcp_routes
from hindsight_memory.interfaces.mcp.server import create_server
from hindsight_memory.interfaces.measuring import Metrics
from hindsight_memory.interfaces.observing import first, observed
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.interfaces.readiness import NOBODY, Health, health_of
from hindsight_memory.interfaces.recording import HEADER
from hindsight_memory.interfaces.responses import HANDLERS
from hindsight_memory.interfaces.threads import call_in_thread
from hindsight_memory.providers.buckets import Buckets

if TYPE_CHECKING:  # the engine is imported by the first call
    from hindsight_memory.engine.memories import Memories


@dataclass(frozen=True, slots=True, kw_only=True)
class Doors:
    """Who may come in. keyring: empty where none is asked for a key, as on a machine of one's own.

    limiter: how often each key may ask.
    """

    addresses: Addresses = field(default_factory=Addresses)
    keyring: Keyring = field(default_factory=lambda: Keyring(()))
    limiter: Limiter = field(default_factory=lambda: Buckets(50.0))


def create_app(
    open_engine: Callable[[], "Memories"],
    caller: Caller,
    *,
    doors: Doors | None = None,
    look: Callable[["Memories"], Health] = health_of,
    operations: Sequence[Operation] = OPERATIONS,
    background: Beside | None = None,
    metrics: Metrics | None = None,
) -> Starlette:
    """Serves until its lifespan ends; the engine is opened by the first call, and not closed here.

    open_engine: called in worker threads by every call, so it must be safe there, and cheap when
    repeated. caller: of a request that does not say more. look: what of the engine is not ready.
    background: runs while the app does, and lets calls go first. metrics: None where nobody counts.
    """
    doors = doors or Doors()
    if len(doors.keyring):
        # Each request has its key's tenant; should one ever have none, it sees nothing.
        caller = replace(caller, tenant=NOBODY.tenant)
    operations = [observed(operation, metrics) for operation in operations]
    if background is not None:
        operations = [first(operation, background) for operation in operations]
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
            *operating.routes(open_engine, look, operations, metrics),
        ],
        middleware=_middleware(doors, metrics),
        exception_handlers=HANDLERS,
        lifespan=lifespan,
    )
    app.router.redirect_slashes = False
    return app


def _middleware(doors: Doors, metrics: Metrics | None) -> list[Middleware]:
    """From the outside in. A page asks for leave without its key, so that is given before keys are
    looked at.
    """
    around = [Middleware(Boundary, addresses=doors.addresses, metrics=metrics)]
    if doors.addresses.origins:
        around.append(
            Middleware(
                CORSMiddleware,
                allow_origins=sorted(doors.addresses.origins),
                allow_methods=["GET", "POST", "PATCH", "DELETE"],
                allow_headers=["*"],
                expose_headers=[HEADER, "Retry-After", "WWW-Authenticate", "Mcp-Session-Id"],
            )
        )
    if len(doors.keyring):
        around.append(Middleware(Gate, keyring=doors.keyring, limiter=doors.limiter))
    return around
