"""Which year a company's report is about."""

from __future__ import annotations

import re
from collections import Counter
from datetime import datetime

from inquest.domain.document import Document
from inquest.text.regex import regex

_YEAR = regex(r"(?<![\d.,-])(?:FY\s?)?(20[0-4]\d)(?![\d])", re.IGNORECASE)
_HEAD = 20_000
"""Characters from the beginning, in which a report says of itself what it is."""


def report_year(document: Document, now: datetime) -> int | None:
    """The year of its title; else the one its opening names most often that is not in the future; None: no year is."""
    for text in (document.title, document.text[:400]):
        named = [year for year in _years(text) if year <= now.year]
        if len(set(named)) == 1:
            return named[0]
    counted = Counter(year for year in _years(document.text[:_HEAD]) if year <= now.year)
    return max(counted, key=lambda year: (counted[year], year)) if counted else None


def _years(text: str) -> list[int]:
    return [int(match[1]) for match in _YEAR.finditer(text)]
