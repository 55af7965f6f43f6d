"""What a server says of itself, for those who run it: health, numbers, and its API."""

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from hindsight_memory.errors import Unavailable
from hindsight_memory.interfaces import openapi
from hindsight_memory.interfaces.boundary import MISNAMED
from hindsight_memory.interfaces.callers import KEY
from hindsight_memory.interfaces.failures import Failure
from hindsight_memory.interfaces.measuring import INSTALL, Metrics, standing
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.readiness import Health, health
from hindsight_memory.interfaces.responses import STATUS, failed
from hindsight_memory.interfaces.threads import call_in_thread

if TYPE_CHECKING:  # the engine is imported by the first call
    from hindsight_memory.engine.memories import Memories

WITHHELD = "ask with an API key, by a name of this server"
"""In place of a reason, which may name paths and addresses."""

NOT_IMPLEMENTED = 501


def routes(
    open_engine: Callable[[], "Memories"],
    look: Callable[["Memories"], Health],
    operations: Sequence[Operation],
    metrics: Metrics | None,
) -> list[Route]:
    async def healthz(_request: Request) -> Response:
        """Alive: the event loop answers."""
        return JSONResponse({"status": "alive"})

    async def readyz(request: Request) -> Response:
        """Ready: the engine opens and names no problem."""
        found = await call_in_thread(lambda: health(open_engine, look))
        return _readiness(found, tells_why=_is_known(request))

    async def numbers(request: Request) -> Response:
        if metrics is None:
            failure = Failure(code=Unavailable.code, message=INSTALL)
            return failed(NOT_IMPLEMENTED, failure)
        accept = request.headers.get("accept", "")
        page, media_type = await call_in_thread(lambda: metrics.page(accept, standing(open_engine)))
        return Response(page, headers={"Content-Type": media_type})

    @cache
    def document() -> dict[str, Any]:
        return openapi.document(operations)

    async def openapi_json(_request: Request) -> Response:
        return JSONResponse(await call_in_thread(document))

    return [
        Route("/healthz", healthz),
        Route("/readyz", readyz),
        Route("/metrics", numbers),
        Route("/openapi.json", openapi_json),
    ]


def _is_known(request: Request) -> bool:
    """Whether it shows a key, where one is needed, and cannot be of another site's page."""
    return request.scope.get(KEY, True) is not None and not request.scope[MISNAMED]


def _readiness(found: Health, *, tells_why: bool) -> Response:
    def told(reasons: Mapping[str, str]) -> dict[str, str]:
        return {name: why if tells_why else WITHHELD for name, why in reasons.items()}

    if found.not_ready:
        message = f"not ready: {', '.join(found.not_ready)}"
        details = {"not_ready": told(found.not_ready)}
        failure = Failure(code=Unavailable.code, message=message, details=details)
        return failed(STATUS[Unavailable], failure)
    without = {"without": told(found.without)} if found.without else {}
    return JSONResponse({"status": "ready", **without})
