"""The document of a passage."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from inquest.text.sentences import Span


class Page(NamedTuple):
    """Data on the document of a passage."""

    title: str = ""
    lead: str = ""
    """Its opening, which usually names the subject."""
    day: date | None = None
    """Its date, if known, which resolves 'on Thursday'."""
    terms: frozenset[str] = frozenset()
    """Stems of the claim found elsewhere in the document, as far as known."""
    rows: tuple[tuple[Span, str], ...] = ()
    """The table rows in the passage, each with its text under the column headers."""

    @property
    def around(self) -> str:
        """Title and opening, which may name the subject of the passage."""
        return f"{self.title}\n\n{self.lead}"
