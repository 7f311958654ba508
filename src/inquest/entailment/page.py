"""What is known of the document that a passage is from, beside its words."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from inquest.entailment.facilities import Facility

__all__ = ["NO_PAGE", "Page"]


class Page(NamedTuple):
    """What is known of the document that a passage is from."""

    title: str = ""
    lead: str = ""
    """How it opens."""
    domain: str = ""
    published: date | None = None
    """The last day it can be of."""
    day: date | None = None
    """The day it is of, where that is known: 'on Thursday' is then told from it."""
    elsewhere: frozenset[str] = frozenset()
    """Stems of the claim that the document has, wherever."""
    facilities: tuple[Facility, ...] = ()
    """Works of which some document of the case says both whose they are and where."""


NO_PAGE = Page()
"""Nothing is known of the document."""
