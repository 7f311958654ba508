"""What a page says about itself: whom it credits, whether it is first-hand, corrected or withdrawn, and its date."""

from __future__ import annotations

from enum import StrEnum

from inquest.domain.value import Value

__all__ = ["CreditKind", "PageCredit", "PageQuote", "PageReading"]


class CreditKind(StrEnum):
    """What kind of source a page credits."""

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
    """Whom a page says it has its report from."""

    kind: CreditKind
    name: str = ""
    """As the page writes it; '' where it gives no name."""
    url: str = ""
    """Where the page links to; '' where it does not."""


class PageReading(Value):
    """What one page says about itself, whoever reads it."""

    credits: tuple[PageCredit, ...] | None = None
    """None: whoever read the page did not say."""
    first_hand: PageQuote | None = None
    """The words by which it was there itself, or was given the matter."""
    withdrawn: PageQuote | None = None
    """The words by which it is withdrawn or corrected."""
    date: PageQuote | None = None
    """The words by which it dates itself."""
