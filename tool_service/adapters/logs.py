"""Structured logs on stderr: one JSON object a line, or a console's colours.

Ours and those of libraries share one shape. Tracebacks come without the values of variables.
"""

import logging
import sys
from typing import Any

import structlog

# Their news of every request are ours to tell, and without URLs.
_QUIET_LOGGERS = ("authlib", "httpx2", "httpcore2", "hypercorn.access", "alembic", "dbos")


def configure_logs(log_format: str) -> None:
    """Send every log of this process to stderr in that format, "json" or "console"."""
    shared: list[Any] = [
        structlog.contextvars.merge_contextvars,
        structlog.processors.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    rendering: list[Any] = (
        [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty())]
        if log_format == "console"
        else [structlog.processors.format_exc_info, structlog.processors.JSONRenderer(ensure_ascii=False)]
    )
    structlog.configure(
        processors=[*shared, *rendering],
        wrapper_class=structlog.make_filtering_bound_logger(logging.INFO),
        logger_factory=structlog.WriteLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *rendering],
        )
    )
    logging.basicConfig(handlers=[handler], level=logging.INFO, force=True)
    for name in _QUIET_LOGGERS:
        logging.getLogger(name).setLevel(logging.WARNING)
