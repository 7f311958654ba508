"""Log lines that machines read: one JSON object a line, with the case they are about."""

from __future__ import annotations

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import TextIO

about_case: ContextVar[str | None] = ContextVar("about_case", default=None)
"""The case that the present task works on; whatever is logged within carries its id."""


FIELDS = "fields"
"""In the `extra` of a log call: further fields of its line, by name."""


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
    """Writes each record as one object on one line."""
    handler = logging.StreamHandler(stream)
    handler.setFormatter(_Json())
    return handler


def log_to_stderr() -> None:
    """Have all of Inquest's loggers write JSON lines to standard error; of libraries only warnings."""
    logging.basicConfig(level=logging.WARNING, handlers=[json_handler(sys.stderr)], force=True)
    logging.getLogger("inquest").setLevel(logging.INFO)
