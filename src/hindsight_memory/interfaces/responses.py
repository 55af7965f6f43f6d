"""Failures as HTTP: one shape for every door and every status."""

import json
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Scope

from hindsight_memory.errors import (
    Conflict,
    HindsightError,
    Incompatible,
    InvalidInput,
    NotFound,
    RateLimited,
    Unauthenticated,
    Unavailable,
)
from hindsight_memory.interfaces.failures import Failure, failure_of
from hindsight_memory.interfaces.journal import REQUEST_ID

STATUS: dict[type[Exception], int] = {
    NotFound: 404,
    InvalidInput: 422,
    Conflict: 409,
    Unauthenticated: 401,
    RateLimited: 429,
    Incompatible: 503,
    Unavailable: 503,
    Exception: 500,
}
"""By the nearest class that an error has here."""

MCP_PATHS = ("/mcp", "/messages")
"""Where clients expect failures as JSON-RPC spells them, and show no others."""

JSONRPC_REFUSED = -32010
"""A code of our own, from the range that JSON-RPC leaves to servers; ``data`` has our shape."""


def failed(
    status: int,
    failure: Failure,
    headers: dict[str, str] | None = None,
    *,
    scope: Scope | None = None,
) -> Response:
    """The answer to a request that failed, with the id by which the log knows it.

    scope: of a request that may be an MCP client's, and is refused before it reaches the protocol.
    """
    if request_id := REQUEST_ID.get():
        details = {**failure.details, "request_id": request_id}
        failure = failure.model_copy(update={"details": details})
    is_protocol = scope is not None and scope["path"].startswith(MCP_PATHS)
    body = _jsonrpc(failure) if is_protocol else failure.model_dump_json()
    return Response(body, status, headers, media_type="application/json")


def response_to(error: Exception) -> Response:
    """What a request gets that ended in ``error``; a bug is logged and hidden."""
    status = next(STATUS[kind] for kind in type(error).__mro__ if kind in STATUS)
    return failed(status, failure_of(error))


async def on_error(_request: Request, error: Exception) -> Response:
    return response_to(error)


async def on_http_error(_request: Request, error: Exception) -> Response:
    """For a request that reached no operation: an unknown path, another method, a large body."""
    if not isinstance(error, HTTPException):
        return response_to(error)
    code = NotFound.code if error.status_code == STATUS[NotFound] else InvalidInput.code
    failure = Failure(code=code, message=error.detail)
    return failed(error.status_code, failure, dict(error.headers or {}))


HANDLERS = {HindsightError: on_error, HTTPException: on_http_error}


def _jsonrpc(failure: Failure) -> str:
    error: dict[str, Any] = {
        "code": JSONRPC_REFUSED,
        "message": f"{failure.code}: {failure.message}",
        "data": failure.model_dump(),
    }
    return json.dumps({"jsonrpc": "2.0", "id": None, "error": error}, ensure_ascii=False)
