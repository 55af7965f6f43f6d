"""Logging: structlog, one event a line, on stderr; stdout belongs to MCP."""

import logging
import sys

import structlog


def configure(level: str) -> None:
    """Lines from ``level`` up; coloured for a terminal, JSON for anything else.

    Tracebacks are plain: pretty ones show local variables, which hold what people remember.
    """
    is_terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
            if is_terminal
            else structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        # Looked up for each logger: programs and tests replace sys.stderr.
        logger_factory=lambda *_: structlog.PrintLogger(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
