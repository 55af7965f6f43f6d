"""The operations over HTTP, at the routes that their table says."""

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import Route

from hindsight_memory.core.model import Caller
from hindsight_memory.errors import InvalidInput
from hindsight_memory.interfaces import exporting
from hindsight_memory.interfaces.callers import caller_from
from hindsight_memory.interfaces.operation import Operation
from hindsight_memory.interfaces.operations import OPERATIONS
from hindsight_memory.interfaces.threads import chunks_in_threads, run_in_thread
from hindsight_memory.interfaces.wire import MAX_MESSAGE_BYTES, decode

if TYPE_CHECKING:  # the engine is imported by the first call
    from hindsight_memory.engine.memories import Memories

WITH_BODY = frozenset({"POST", "PATCH"})
"""Methods whose arguments come as JSON; those of the others come in the query string."""


def routes(
    open_engine: Callable[[], "Memories"],
    caller: Caller,
    operations: Sequence[Operation] = OPERATIONS,
) -> list[Route]:
    """One route a path, so that a wrong method is told which ones there are."""
    by_path: dict[str, dict[str, Operation]] = defaultdict(dict)
    for operation in operations:
        for route in operation.routes:
            by_path[route.path][route.method] = operation

    def serve(path: str, by_method: Mapping[str, Operation]) -> Route:
        async def endpoint(request: Request) -> Response:
            operation = by_method["GET" if request.method == "HEAD" else request.method]
            given = operation.parse(await _arguments(request, operation))
            told = caller_from(caller, request)
            result = await run_in_thread(operation, open_engine, told, given)
            return Response(
                result.model_dump_json(), operation.status, media_type="application/json"
            )

        return Route(path, endpoint, methods=list(by_method))

    return [serve(path, by_method) for path, by_method in by_path.items()]


def export_route(open_engine: Callable[[], "Memories"], caller: Caller) -> Route:
    """A stream, which no operation gives; what breaks it off is seen by its missing end."""

    async def endpoint(request: Request) -> Response:
        wanted = exporting.wanted(_from_query(request, frozenset()))
        tenant = caller_from(caller, request).tenant
        chunks = await chunks_in_threads(lambda: exporting.chunks(open_engine(), tenant, wanted))
        return StreamingResponse(chunks, media_type=exporting.MEDIA_TYPE)

    return Route(exporting.PATH, endpoint)


async def _arguments(request: Request, operation: Operation) -> dict[str, Any]:
    """Raises InvalidInput for what is no JSON object, and for an argument given twice."""
    if request.method in WITH_BODY:
        given = await _from_body(request)
    else:
        if await _read(request):  # an ignored `hard_delete` would forget what was to be purged
            raise InvalidInput(f"arguments of {request.method} go in the query, not in a body")
        given = _from_query(request, _lists(operation))
    if twice := given.keys() & request.path_params.keys():
        raise InvalidInput(f"{', '.join(sorted(twice))}: already in the path")
    return {**given, **request.path_params}


def _from_query(request: Request, lists: frozenset[str]) -> dict[str, Any]:
    """Text still; the operation's types read it. A key that repeats makes a list."""
    values: dict[str, list[str]] = defaultdict(list)
    for name, value in request.query_params.multi_items():
        values[name].append(value)
    return {
        name: found if name in lists or len(found) > 1 else found[0]
        for name, found in values.items()
    }


async def _from_body(request: Request) -> dict[str, Any]:
    body = await _read(request)
    if not body:
        return {}
    # A page of another site may send text, but needs leave to send this type: no leave, no harm.
    if request.headers.get("content-type", "").split(";")[0].strip().lower() != "application/json":
        raise HTTPException(415, "Content-Type must be application/json")
    given = decode(body)
    if not isinstance(given, dict):
        raise InvalidInput("the body must be a JSON object")
    return given


async def _read(request: Request) -> bytes:
    too_large = HTTPException(413, f"a body has at most {MAX_MESSAGE_BYTES} bytes")
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared) > MAX_MESSAGE_BYTES:
        raise too_large
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_MESSAGE_BYTES:
            raise too_large
    return bytes(body)


@cache
def _lists(operation: Operation) -> frozenset[str]:
    """Names of the arguments that take a list, so that a single value in a query makes one too."""
    properties = operation.input_schema().get("properties", {})
    return frozenset(
        name
        for name, schema in properties.items()
        if any(kind.get("type") == "array" for kind in (schema, *schema.get("anyOf", ())))
    )
