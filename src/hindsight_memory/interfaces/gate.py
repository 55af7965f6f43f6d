"""Who may come in: whoever shows a key that the server knows, as often as one key may."""

import math

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import ASGIApp, Receive, Scope, Send

from hindsight_memory.core.identity import digest
from hindsight_memory.core.keys import Key, Keyring
from hindsight_memory.core.ports import Limiter
from hindsight_memory.errors import RateLimited, Unauthenticated
from hindsight_memory.interfaces.callers import KEY
from hindsight_memory.interfaces.failures import Failure
from hindsight_memory.interfaces.journal import EXCHANGE
from hindsight_memory.interfaces.responses import STATUS, failed
from hindsight_memory.interfaces.threads import call_in_thread

OPEN_PATHS = frozenset({"/healthz", "/readyz"})
"""Asked by what has no key, such as an orchestrator; to who shows none they tell no reasons."""

SEND_ONE = (
    "send the header Authorization: Bearer KEY; our own clients take it from the setting "
    "HINDSIGHT_MEMORY_API_KEY"
)

TENANT_DIGITS = 12
"""Of a tenant's hash: enough to tell tenants apart in a log, and no name."""


class Gate:
    """Plain ASGI. Leaves in the scope whose the request is, which nothing in it can change.

    limiter: asked for each key, and for each address from which requests without a key come.
    """

    def __init__(self, app: ASGIApp, *, keyring: Keyring, limiter: Limiter) -> None:
        self._app = app
        self._keyring = keyring
        self._limiter = limiter

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        token = _token(Headers(scope=scope))
        key = scope[KEY] = self._keyring.find(token) if token else None
        scope[EXCHANGE].fields.update(_shown(key))
        if scope["path"] in OPEN_PATHS:
            await self._app(scope, receive, send)
            return
        name = f"address {_address(scope)}" if key is None else f"key {key.hash}"
        seconds = await call_in_thread(lambda: self._limiter.take(name))
        if seconds > 0:
            app: ASGIApp = _too_often(scope, seconds)
        else:
            app = self._app if key is not None else _unknown(scope, token)
        await app(scope, receive, send)


def _shown(key: Key | None) -> dict[str, str]:
    return {} if key is None else {"tenant": digest(key.tenant)[:TENANT_DIGITS], "key": key.name}


def _token(headers: Headers) -> str:
    """What a request shows as its key; "" for nothing."""
    scheme, _, token = headers.get("authorization", "").strip().partition(" ")
    return token.strip() if scheme.lower() == "bearer" else ""


def _address(scope: Scope) -> str:
    client = scope.get("client")
    return str(client[0]) if client else ""


def _unknown(scope: Scope, token: str) -> Response:
    told = "this server does not know that API key" if token else "this server wants an API key"
    challenge = 'Bearer error="invalid_token"' if token else "Bearer"
    failure = Failure(code=Unauthenticated.code, message=f"{told}: {SEND_ONE}")
    headers = {"WWW-Authenticate": challenge}
    return failed(STATUS[Unauthenticated], failure, headers, scope=scope)


def _too_often(scope: Scope, seconds: float) -> Response:
    wait = max(1, math.ceil(seconds))
    message = f"too many requests: ask again in {wait} s, or raise "
    message += "HINDSIGHT_MEMORY_REQUESTS_PER_SECOND of the server"
    details = {"retry_after_seconds": wait}
    failure = Failure(code=RateLimited.code, message=message, details=details)
    return failed(STATUS[RateLimited], failure, {"Retry-After": str(wait)}, scope=scope)
