"""MCP over HTTP: /mcp for streamable HTTP of every protocol version, /sse for old clients."""

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from mcp.server.lowlevel.server import Server
from mcp.server.sse import SseServerTransport
from mcp.server.streamable_http_manager import StreamableHTTPASGIApp, StreamableHTTPSessionManager
from starlette.routing import BaseRoute, Mount, Route
from starlette.types import Receive, Scope, Send

from hindsight_memory.interfaces.wire import MAX_MESSAGE_BYTES


@dataclass(frozen=True, slots=True)
class McpRoutes:
    """``running`` must be entered, once, around the time in which the routes are served."""

    routes: list[BaseRoute]
    running: Callable[[], AbstractAsyncContextManager[None]]


def mcp_routes(server: Server[Any]) -> McpRoutes:
    """Host and Origin are checked by the app around them, so the SDK's own check stays off."""
    sessions = StreamableHTTPSessionManager(server, max_request_body_size=MAX_MESSAGE_BYTES)
    sse = SseServerTransport("/messages/", max_request_body_size=MAX_MESSAGE_BYTES)
    routes: list[BaseRoute] = [
        Route("/mcp", StreamableHTTPASGIApp(sessions)),
        Route("/sse", _Sse(server, sse), methods=["GET"]),
        Mount("/messages/", sse.handle_post_message),
    ]
    return McpRoutes(routes, sessions.run)


class _Sse:
    """Plain ASGI: the stream is the connection, from handshake to hang-up."""

    def __init__(self, server: Server[Any], transport: SseServerTransport) -> None:
        self._server = server
        self._transport = transport

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        async with self._transport.connect_sse(scope, receive, send) as (incoming, outgoing):
            options = self._server.create_initialization_options()
            await self._server.run(incoming, outgoing, options)
