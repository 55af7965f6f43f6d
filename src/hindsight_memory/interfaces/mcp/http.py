"""MCP over HTTP: /mcp for streamable HTTP of every protocol version, /sse for old clients."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from mcp.server.auth.middleware.bearer_auth import AuthenticatedUser
from mcp.server.auth.provider import AccessToken
from mcp.server.lowlevel.server import Server
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hindsight_memory.core.keys import Key
from hindsight_memory.interfaces.callers import KEY
from hindsight_memory.interfaces.wire import MAX_MESSAGE_BYTES


@dataclass(frozen=True, slots=True)
class McpRoutes:
    """``running`` must be entered, once, around the time in which the routes are served."""

    routes: list[BaseRoute]
    running: Callable[[], AbstractAsyncContextManager[None]]


def mcp_routes(server: Server[Any]) -> McpRoutes:
    """Host, Origin and keys are checked by the app around them, so the SDK's own checks stay off;
    that a session belongs to the key that began it, the SDK sees to.
    """
    sessions = StreamableHTTPSessionManager(server, max_request_body_size=MAX_MESSAGE_BYTES)
    sse = SseServerTransport("/messages/", max_request_body_size=MAX_MESSAGE_BYTES)
    routes: list[BaseRoute] = [
        Route("/mcp", _Owned(StreamableHTTPASGIApp(sessions))),
        Route("/sse", _Owned(_Sse(server, sse)), methods=["GET"]),
        Mount("/messages/", _Owned(sse.handle_post_message)),
    ]
    return McpRoutes(routes, sessions.run)


class _Owned:
    """Tells the SDK, in the form that it knows, whose a request is."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key: Key | None = scope.get(KEY)
        if key is not None:
            shown = AccessToken(token="", client_id=key.hash, scopes=[])
            scope["user"] = AuthenticatedUser(shown)
        await self._app(scope, receive, send)


class _Sse:
    """Plain ASGI: the stream is the connection, from handshake to hang-up."""

    def __init__(self, server: Server[Any], transport: SseServerTransport) -> None:
        self._server = server
        self._transport = transport

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._transport.connect_sse(scope, receive, send) as (incoming, outgoing):
            options = self._server.create_initialization_options()
            await self._server.run(incoming, outgoing, options)
