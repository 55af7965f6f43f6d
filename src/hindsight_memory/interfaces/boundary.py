"""Around every HTTP request: by which name it came, what is recorded of it, and what becomes of a
bug.
"""

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from hindsight_memory.core.addresses import Addresses
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces.bodies import Body
from hindsight_memory.interfaces.failures import Failure
from hindsight_memory.interfaces.gate import OPEN_PATHS
from hindsight_memory.interfaces.journal import CLIENT_LEFT, Exchange
from hindsight_memory.interfaces.measuring import Metrics
from hindsight_memory.interfaces.recording import HEADER, recorded
from hindsight_memory.interfaces.responses import failed, response_to

REFUSED = 400
"""From this status on, an answer may come before its request was read."""

MISNAMED = "hindsight_memory.misnamed"
"""In the scope of a request that may be that of another site's page."""


class Boundary:
    """Plain ASGI, so that streams pass through as they are.

    addresses: names by which this server may be addressed, and sites whose pages may address it.
    metrics: None where nobody counts.
    """

    def __init__(
        self, app: ASGIApp, *, addresses: Addresses, metrics: Metrics | None = None
    ) -> None:
        self._app = app
        self._addresses = addresses
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        body = Body(scope, receive)
        with recorded(scope, self._metrics) as exchange:
            sender = _sender(send, body, exchange)
            try:
                app = _refusal(scope, self._addresses) or self._app
                await app(scope, body.receive, sender)
            except ClientDisconnect:
                return
            except Exception as error:
                response = response_to(error)
                if exchange.status != CLIENT_LEFT:
                    raise  # half an answer is out; all that is left is to break it off
                await response(scope, body.receive, sender)


def _sender(send: Send, body: Body, exchange: Exchange) -> Send:
    """``send``, which notes what is answered, and says by which id the log knows it."""

    async def send_and_note(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            headers[HEADER] = exchange.request_id
            exchange.begin(message["status"], headers.get("content-type", ""))
            if message["status"] >= REFUSED:
                await body.drain()
        await send(message)

    return send_and_note


def _refusal(scope: Scope, addresses: Addresses) -> Response | None:
    """Orchestrators ask for health by addresses that no setting could name, and may."""
    headers = Headers(scope=scope)
    scope[MISNAMED] = not addresses.has_host(headers.get("host", ""))
    if scope[MISNAMED] and scope["path"] not in OPEN_PATHS:
        message = (
            f"Host {headers.get('host', '')!r} is not a name of this server; use http://127.0.0.1 "
            "with its port on its own machine, or add the name to HINDSIGHT_MEMORY_ALLOWED_HOSTS"
        )
        return failed(421, Failure(code=InvalidInput.code, message=message), scope=scope)
    if "origin" in headers and not addresses.has_origin(headers["origin"]):
        message = (
            f"Origin {headers['origin']!r} is another site, whose pages may not use this server; "
            "HINDSIGHT_MEMORY_ALLOWED_ORIGINS lists those that may"
        )
        return failed(403, Failure(code=InvalidInput.code, message=message), scope=scope)
    return None
