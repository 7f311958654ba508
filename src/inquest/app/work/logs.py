"""Log lines that machines read: one JSON object a line, with the case they are about."""

from __future__ import annotations

import json
import logging
import sys
from contextvars import ContextVar
from datetime import UTC, datetime

about_case: ContextVar[str | None] = ContextVar("about_case", default=None)
"""The case that the present task works on; whatever is logged within carries its id."""


class _Json(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, str | int] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process or 0,
        }
        if (case_id := about_case.get()) is not None:
            line["case"] = case_id
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


def log_to_stderr(*, level: int = logging.INFO) -> None:
    """Have all of Inquest's loggers write JSON lines to standard error; of libraries only warnings."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(_Json())
    logging.basicConfig(level=logging.WARNING, handlers=[handler], force=True)
    logging.getLogger("inquest").setLevel(level)
