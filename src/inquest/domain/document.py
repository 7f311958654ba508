"""Bytes as fetched, and the text a reader makes of them."""

from __future__ import annotations

from datetime import datetime

from inquest.domain.leads import ClaimReview
from inquest.domain.published import Precision, Published
from inquest.domain.value import Value

__all__ = ["DateEvidence", "Document", "Precision", "Published", "Snapshot"]


class Snapshot(Value):
    """The bytes of a page as fetched, known by their hash. The bytes themselves lie in the archive."""

    hash: str
    """`sha256:` and 64 hex digits, of the body as it came after transfer decoding."""
    url: str
    """As asked for."""
    final_url: str
    """After redirects."""
    status: int = 200
    content_type: str = ""
    """As the server said, parameters included."""
    headers: tuple[tuple[str, str], ...] = ()
    retrieved_at: datetime
    size: int
    """Bytes."""
    provenance: str = "fetched"
    """fetched, collection NAME, reader NAME, archived copy: how the bytes came to us."""


class DateEvidence(Value):
    """One thing that says when a document was published, whether it was believed or not."""

    where: str
    """Where it stands, for a person: 'JSON-LD datePublished', 'the address', 'the first capture by Archive X'."""
    iso: str
    """The date it gives, as long as it is exact: 2024, 2024-03, 2024-03-05, 2024-03-05T10:00:00Z."""
    how: str
    """metadata, visible text, url, feed, engine, sitemap, archive, file, user, detected."""
    used: bool = True
    """False: it cannot be the date (after retrieval, what systems write for 'unknown')."""


class Document(Value):
    """The readable text of a snapshot. Offsets anywhere in Inquest are character offsets into `text`."""

    snapshot: str
    url: str
    title: str = ""
    author: str | None = None
    published: Published | None = None
    publisher: str | None = None
    language: str | None = None
    """ISO 639-1, as declared or detected; None: cannot be told."""
    text: str
    pages: tuple[int, ...] = ()
    """For paged documents, the offset at which each page begins; page n is `pages[n - 1]`."""
    links: tuple[str, ...] = ()
    """Absolute http(s) URLs in the body, in order, without repeats."""
    canonical_url: str | None = None
    """What the page itself says its address is. A claim of the page's, not a fact."""
    kind: str = "html"
    """html, pdf, feed, text, markdown, row: the reader's name."""
    notes: tuple[str, ...] = ()
    """What a person should know of the reading: 'no text on 3 of 12 pages', 'looks like an error page'."""
    reviews: tuple[ClaimReview, ...] = ()
    """Checks of claims that the page declares itself to be. A claim of the page's, not a fact."""
    dates: tuple[DateEvidence, ...] = ()
    """All that speaks of the date of publication, weightiest first. Where they disagree, `notes` says so."""

    def page_of(self, offset: int) -> int | None:
        """The page (from 1) on which a text offset stands; None where the document has no pages."""
        page = None
        for number, start in enumerate(self.pages, 1):
            if start > offset:
                break
            page = number
        return page
