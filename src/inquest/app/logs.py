"""Log lines for machines: one JSON object per line, with the id of the case."""

from __future__ import annotations

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TextIO

about_case: ContextVar[str | None] = ContextVar("about_case", default=None)
"""The id of the current task's case, added to its log lines."""
FIELDS = "fields"
"""The key in the `extra` of a log call for more fields of its line."""


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int | float] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process or 0,
        }
        if (case_id := about_case.get()) is not None:
            line["case"] = case_id
        line |= getattr(record, FIELDS, {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def json_handler(stream: TextIO) -> logging.Handler:
    """A handler that writes each record as one JSON object per line."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Json())
    return handler


def log_to_stderr() -> None:
    """Log JSON lines to standard error: all of Inquest, and warnings of libraries."""
    logging.basicConfig(level=logging.WARNING, handlers=[json_handler(sys.stderr)], force=True)
    logging.getLogger("inquest").setLevel(logging.INFO)
