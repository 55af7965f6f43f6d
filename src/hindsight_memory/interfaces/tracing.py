"""Spans of OpenTelemetry: one around a request over HTTP, one around the operation in it.

Nothing that was said goes into them, nor who said it: a ready-made instrumentation of HTTP servers
would record the query string, which holds names of people. Between these two the MCP SDK has spans
of its own. Where no exporter is configured, all of it costs microseconds.
"""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version

import structlog
from opentelemetry import propagate, trace
from opentelemetry.trace import ProxyTracerProvider, Span, SpanKind, StatusCode

from hindsight_memory.errors import HindsightError
from hindsight_memory.settings import traces_are_wanted

SERVICE = "hindsight-memory"

OUTCOME = "hindsight_memory.outcome"

SERVER_ERROR = 500

_tracer = trace.get_tracer("hindsight_memory", version("hindsight-memory"))

log = structlog.get_logger(__name__)


@contextmanager
def exporting() -> Iterator[None]:
    """Sends spans while it lasts, as the OTEL_ variables of the environment say; the last of them
    at its end. A provider that is there already, such as an agent's, is left to do it.
    """
    if not traces_are_wanted() or not isinstance(trace.get_tracer_provider(), ProxyTracerProvider):
        yield
        return
    try:
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import SERVICE_NAME, OTELResourceDetector, Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:  # the variables are often set for all programs of a machine
        log.warning("traces_not_sent", install="pip install 'hindsight-memory[otel]'")
        yield
        return
    ours = Resource.create().merge(Resource({SERVICE_NAME: SERVICE}))
    provider = TracerProvider(resource=ours.merge(OTELResourceDetector().detect()))
    provider.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    trace.set_tracer_provider(provider)
    try:
        yield
    finally:
        provider.shutdown()


@contextmanager
def request_span(method: str, headers: Mapping[str, str]) -> Iterator[Span]:
    """Goes on the trace that the caller began, if it says so."""
    with _tracer.start_as_current_span(
        method,
        context=propagate.extract(headers),
        kind=SpanKind.SERVER,
        attributes={"http.request.method": method},
        record_exception=False,
        set_status_on_exception=False,
    ) as span:
        yield span


def end_request(span: Span, method: str, route: str, status: int) -> None:
    """By the conventions for HTTP: a name of few values, and an error only where it is ours."""
    span.update_name(f"{method} {route}".rstrip())
    span.set_attribute("http.response.status_code", status)
    if route:
        span.set_attribute("http.route", route)
    if status >= SERVER_ERROR:
        span.set_status(StatusCode.ERROR)


@contextmanager
def operation_span(name: str) -> Iterator[Span]:
    with _tracer.start_as_current_span(
        name, record_exception=False, set_status_on_exception=False
    ) as span:
        yield span


def end_operation(span: Span, outcome: str) -> None:
    span.set_attribute(OUTCOME, outcome)
    if outcome == HindsightError.code:
        span.set_status(StatusCode.ERROR)


def trace_of(span: Span) -> dict[str, str]:
    """For the log: how to find its trace; nothing where nobody collects them."""
    if not span.is_recording():
        return {}
    return {"trace_id": trace.format_trace_id(span.get_span_context().trace_id)}
