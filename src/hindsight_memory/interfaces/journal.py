"""One canonical line for each request. Ids, counts and durations; never text, queries or tokens."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def request_line(event: str, **fields: Any) -> Iterator[dict[str, Any]]:
    """Logs ``event`` when the block ends, however it ends; the block may add to the fields."""
    started = time.monotonic()
    try:
        yield fields
    finally:
        duration_ms = round((time.monotonic() - started) * 1000, 1)
        _log().info(event, **fields, duration_ms=duration_ms)


def log_bug(error: Exception) -> None:
    _log().error("request_failed", exc_info=error)


def _log() -> Any:
    # structlog takes 35 ms to import where rich is installed, and listing tools logs nothing.
    import structlog

    from hindsight_memory import logs

    if not structlog.is_configured():  # a call was refused before the engine was opened
        logs.configure("warning")
    return structlog.get_logger()
