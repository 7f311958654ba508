"""What is known of the document that a passage is from, beside its words."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from inquest.text.sentences import Span


class Page(NamedTuple):
    """What is known of the document that a passage is from."""

    title: str = ""
    lead: str = ""
    """How it opens, where it mostly names whom it is about."""
    day: date | None = None
    """The day it is of, where that is known: 'on Thursday' is then dated from it."""
    terms: frozenset[str] = frozenset()
    """Stems of the claim that stand anywhere else in it, as far as that is known."""
    rows: tuple[tuple[Span, str], ...] = ()
    """The rows of tables in the passage, each with what it says under its heads."""

    @property
    def around(self) -> str:
        """Title and opening: where those may be named whom the passage speaks of."""
        return f"{self.title}\n\n{self.lead}"
