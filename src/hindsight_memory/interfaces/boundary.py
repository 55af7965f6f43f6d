"""Around every HTTP request: who may ask, the canonical line, and what becomes of a bug."""

from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.bodies import Body
from hindsight_memory.interfaces.failures import Failure
from hindsight_memory.interfaces.journal import request_line
from hindsight_memory.interfaces.responses import failed, response_to

LOOPBACK = frozenset({"127.0.0.1", "localhost", "::1"})

REFUSED = 400
"""From this status on, an answer may come before its request was read."""

CLIENT_LEFT = 499
"""Logged, never sent: the client closed its connection before it had an answer."""


class Boundary:
    """Plain ASGI, so that streams pass through as they are.

    hosts: names by which this server may be addressed, and pages of which may address it. A page
    of another site that resolves its own name to 127.0.0.1 sends its name in Host and Origin.
    """

    def __init__(self, app: ASGIApp, *, hosts: frozenset[str]) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        method, path = scope["method"], scope["path"]
        app = _refusal(Headers(scope=scope), self._hosts) or self._app
        body = Body(scope, receive)
        with request_line("request_handled", method=method, path=path, status=CLIENT_LEFT) as line:

            async def send_and_note(message: Message) -> None:
                if message["type"] == "http.response.start":
                    line["status"] = message["status"]
                    if message["status"] >= REFUSED:
                        await body.drain()
                await send(message)

            try:
                await app(scope, body.receive, send_and_note)
            except ClientDisconnect:
                return
            except Exception as error:
                response = response_to(error)
                if line["status"] != CLIENT_LEFT:
                    raise  # half an answer is out; all that is left is to break it off
                await response(scope, body.receive, send_and_note)


def _refusal(headers: Headers, hosts: frozenset[str]) -> Response | None:
    if _host_name(f"//{headers.get('host', '')}") not in hosts:
        message = "Host is not a name of this server; use http://127.0.0.1 with its port"
        return failed(421, Failure(code=InvalidInput.code, message=message))
    if "origin" in headers and _host_name(headers["origin"]) not in hosts:
        message = "Origin is another site; its pages may not use this server"
        return failed(403, Failure(code=InvalidInput.code, message=message))
    return None


def _host_name(url: str) -> str | None:
    try:
        return urlsplit(url).hostname
    except ValueError:
        return None
