"""A page's statements about itself: its credits, first-hand reporting, corrections or withdrawal, and date."""

from __future__ import annotations

from enum import StrEnum

from inquest.domain.value import Value

__all__ = ["CreditKind", "PageCredit", "PageQuote", "PageReading"]


class CreditKind(StrEnum):
    """The kind of source a page credits."""

    PRESS = "press"
    """A newspaper, agency, broadcaster, magazine or website."""
    NAMED = "named"
    """Somebody with a name who may or may not be a publisher: a credit where a report of theirs is known."""
    AUTHORITY = "authority"
    """'The authorities', 'police': a public body without a name."""
    MEDIA = "media"
    """'Local media', 'reports': other media without a name."""
    POSTS = "posts"
    """Messages and posts of nobody in particular."""
    POSSIBLE = "possible"
    """Named or linked by a page whose language nobody could read: a credit where a report of theirs on the
    same event is known."""
    MENTION = "mention"
    """Named or linked without words of credit."""


class PageQuote(Value):
    """Words of a page: `text[start:end] == quote`."""

    quote: str
    start: int
    end: int


class PageCredit(PageQuote):
    """A source that a page credits for its report."""

    kind: CreditKind
    name: str = ""
    """The name as written on the page; '' if none."""
    url: str = ""
    """The linked address; '' if none."""


class PageReading(Value):
    """A page's statements about itself, whoever extracted them."""

    credits: tuple[PageCredit, ...] | None = None
    """None: the extraction did not cover it."""
    first_hand: PageQuote | None = None
    """Words stating that its author was present or was given the material."""
    withdrawn: PageQuote | None = None
    """Words stating that it is withdrawn or corrected."""
    date: PageQuote | None = None
    """Words stating its date."""
