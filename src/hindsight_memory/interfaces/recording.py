"""What those who run a server see of one HTTP request: its id, its line in the log, its span, and
its place in the metrics.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from uuid import uuid4

from starlette.datastructures import Headers
from starlette.types import Scope
from structlog.contextvars import bound_contextvars

from hindsight_memory.interfaces import tracing
from hindsight_memory.interfaces.journal import EXCHANGE, REQUEST_ID, Exchange, request_line
from hindsight_memory.interfaces.measuring import Metrics

HEADER = "X-Request-Id"
"""Taken from a proxy that gives one, and given back."""

_ID = re.compile(r"[A-Za-z0-9._-]{1,64}")


@contextmanager
def recorded(scope: Scope, metrics: Metrics | None) -> Iterator[Exchange]:
    """Around all that is done for one request."""
    headers, method = Headers(scope=scope), scope["method"]
    exchange = scope[EXCHANGE] = Exchange(_request_id(headers))
    token = REQUEST_ID.set(exchange.request_id)
    with (
        bound_contextvars(request_id=exchange.request_id),
        request_line("request_handled", method=method) as line,
        tracing.request_span(method, headers) as span,
    ):
        try:
            yield exchange
        finally:
            exchange.is_open = False
            REQUEST_ID.reset(token)
            route = getattr(scope.get("route"), "path", "")
            line.update(route=route, status=exchange.status)
            line.update({**exchange.fields, **tracing.trace_of(span)})
            tracing.end_request(span, method, route, exchange.status)
            if metrics is not None:
                metrics.request(method, route, exchange.status, exchange.seconds(method))


def _request_id(headers: Headers) -> str:
    given = headers.get(HEADER, "")
    return given if _ID.fullmatch(given) else uuid4().hex
