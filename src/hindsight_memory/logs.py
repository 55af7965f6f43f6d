"""Logging: structlog, one event a line, on stderr; stdout belongs to MCP."""

import logging
import sys
from typing import Any, Literal, TypeAlias

import structlog

TALKATIVE = ("mcp.", "sse_starlette")
"""Loggers whose messages repeat what clients sent: of theirs only the place is told."""

Format: TypeAlias = Literal["auto", "json", "text"]


def configure(level: str, form: Format = "auto") -> None:
    """Lines from ``level`` up. form: text is coloured for a terminal; auto is JSON for anything
    else.

    Tracebacks are plain: pretty ones show local variables, which hold what people remember.
    """
    is_terminal = sys.stderr.isatty()
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.dev.ConsoleRenderer(
                colors=is_terminal, exception_formatter=structlog.dev.plain_traceback
            )
            if form == "text" or (form == "auto" and is_terminal)
            else structlog.processors.JSONRenderer(ensure_ascii=False),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelName(level.upper())),
        # Looked up for each logger: programs and tests replace sys.stderr.
        logger_factory=lambda *_: structlog.PrintLogger(file=sys.stderr),
        cache_logger_on_first_use=False,
    )
    _hear_libraries()


class _Libraries(logging.Handler):
    """What libraries have to say, in lines like ours."""

    def emit(self, record: logging.LogRecord) -> None:
        if not structlog.is_configured():
            return
        told: dict[str, Any] = {"logger": record.name}
        if record.name.startswith(TALKATIVE):
            told["where"] = f"{record.funcName}:{record.lineno}"
            told["error"] = (
                record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
            )
        else:
            told |= {"message": record.getMessage(), "exc_info": record.exc_info}
        structlog.get_logger().log(record.levelno, "library_warned", **told)


def _hear_libraries() -> None:
    root = logging.getLogger()
    if not any(isinstance(each, _Libraries) for each in root.handlers):
        root.addHandler(_Libraries(logging.WARNING))
