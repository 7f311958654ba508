"""What search engines write into a snippet beside the page's words."""

from __future__ import annotations

import re
from datetime import datetime

from inquest.domain.published import Published
from inquest.text.dates import parse_date

_FIRST = re.compile(r"(?P<date>[^·—…]{4,30}?)\s*(?:·|—|\.\.\.|…)\s+(?P<rest>.+)", re.DOTALL)


def date_first(snippet: str, *, now: datetime) -> tuple[Published | None, str]:
    """The date with which Google and others begin the snippet of a page whose date they know, and the words after it:
    'Mar 5, 2024 ... The harbour', '3 days ago — The harbour'. Where it begins with none: None, and the snippet."""
    match = _FIRST.match(snippet)
    date = parse_date(match["date"], now=now, month_first=True) if match else None
    return (date, match["rest"]) if match and date else (None, snippet)
