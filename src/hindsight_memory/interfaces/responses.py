"""Failures as HTTP: one shape for every door and every status."""

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from hindsight_memory.errors import (
    Conflict,
    HindsightError,
    Incompatible,
    InvalidInput,
    NotFound,
    Unavailable,
)
from hindsight_memory.interfaces.failures import Failure, failure_of

STATUS: dict[type[Exception], int] = {
    NotFound: 404,
    InvalidInput: 422,
    Conflict: 409,
    Incompatible: 503,
    Unavailable: 503,
    Exception: 500,
}
"""By the nearest class that an error has here."""


def failed(status: int, failure: Failure, headers: dict[str, str] | None = None) -> Response:
    return Response(failure.model_dump_json(), status, headers, media_type="application/json")


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
