"""One canonical line for each request. Ids, counts and durations; never text, queries or tokens."""

import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Any

REQUEST_ID: ContextVar[str] = ContextVar("hindsight_memory_request_id", default="")
"""Of the HTTP request that is being answered; "" where there is none."""

EXCHANGE = "hindsight_memory.exchange"
"""Where an ASGI scope keeps its Exchange."""

CLIENT_LEFT = 499
"""Logged, never sent: the client closed its connection before it had an answer."""


@dataclass(slots=True)
class Exchange:
    """One HTTP request and its answer. fields: what else its line tells.

    first_seconds: until its answer began. is_open: until its answer has ended, and its line is
    written.
    """

    request_id: str
    started: float = field(default_factory=time.monotonic)
    status: int = CLIENT_LEFT
    is_stream: bool = False
    first_seconds: float = 0.0
    is_open: bool = True
    fields: dict[str, Any] = field(default_factory=dict)

    def begin(self, status: int, content_type: str) -> None:
        """Its answer begins."""
        self.status = status
        self.is_stream = content_type.startswith("text/event-stream")
        self.first_seconds = time.monotonic() - self.started

    def seconds(self, method: str) -> float:
        """How long it took; a stream that a client listens to ends when that hangs up."""
        if self.is_stream and method == "GET":
            return self.first_seconds
        return time.monotonic() - self.started


@contextmanager
def request_line(event: str, **fields: Any) -> Iterator[dict[str, Any]]:
    """Logs ``event`` when the block ends, however it ends; the block may add to the fields."""
    started = time.monotonic()
    try:
        yield fields
    finally:
        _log_line(event, started, fields)


@contextmanager
def tool_line(scope: Mapping[str, Any], **fields: Any) -> Iterator[dict[str, Any]]:
    """Adds to the line of the request that calls a tool. A call has a line of its own where there
    is no such request, or where that was answered before (SSE).
    """
    exchange: Exchange | None = scope.get(EXCHANGE)
    started = time.monotonic()
    try:
        yield fields
    finally:
        if exchange is None:
            _log_line("tool_called", started, fields)
        elif exchange.is_open:
            exchange.fields |= fields
        else:
            known = {**exchange.fields, "request_id": exchange.request_id}
            _log_line("tool_called", started, {**fields, **known})


def log_bug(error: Exception) -> None:
    _log().error("request_failed", exc_info=error)


def _log_line(event: str, started: float, fields: Mapping[str, Any]) -> None:
    duration_ms = round((time.monotonic() - started) * 1000, 1)
    _log().info(event, **fields, duration_ms=duration_ms)


def _log() -> Any:
    # structlog takes 35 ms to import where rich is installed, and listing tools logs nothing.
    import structlog

    from hindsight_memory import logs

    if not structlog.is_configured():  # a call was refused before the engine was opened
        logs.configure("warning")
    return structlog.get_logger()
