"""Bytes as fetched, and the text extracted from them."""

from __future__ import annotations

from bisect import bisect_right
from datetime import datetime
from enum import StrEnum

from pydantic import Field

from inquest.domain.reasons import OptionalReason, Reasons
from inquest.domain.search import ClaimReview
from inquest.domain.value import Precision as Precision
from inquest.domain.value import Published as Published
from inquest.domain.value import Value


class Snapshot(Value):
    """A page's bytes as fetched, identified by their hash; the bytes themselves are in the archive."""

    hash: str
    """`sha256:` and 64 hex digits, of the body after transfer decoding."""
    url: str
    """As requested."""
    final_url: str
    """After redirects."""
    status: int = 200
    content_type: str = ""
    """As the server sent it, with parameters."""
    headers: tuple[tuple[str, str], ...] = ()
    retrieved_at: datetime
    size: int
    """Bytes."""
    provenance: str = "fetched"
    """The origin of the bytes: fetched, collection NAME, reader NAME, archived copy."""
    parent: str = ""
    """The name of the file that contained these bytes, as `Document.parent`."""


class DateEvidence(Value):
    """One indication of a document's publication date, accepted or not."""

    where: str
    """Its place, in words: 'JSON-LD datePublished', 'the address', 'the first capture by Archive X'."""
    where_code: OptionalReason = None
    iso: str
    """The date at the precision given: 2024, 2024-03, 2024-03-05, 2024-03-05T10:00:00Z."""
    how: str
    """metadata, visible text, url, feed, engine, archive, file, user, detected."""
    used: bool = True
    """False: impossible as a date (after retrieval, or a system's value for 'unknown')."""


class BlockKind(StrEnum):
    """The kind of a block of a document."""

    TITLE = "title"
    BYLINE = "byline"
    DATELINE = "dateline"
    HEADING = "heading"
    PARAGRAPH = "paragraph"
    LIST = "list"
    TABLE = "table"
    CAPTION = "caption"
    QUOTE = "quote"
    UPDATE_NOTE = "update note"
    """A correction, update or editors' note: about the article, not part of its reporting."""
    COMMENT = "comment"
    """A reader's comment, or an annotation on the document (in Word or PDF)."""
    WITHDRAWN = "withdrawn"
    """Words the document itself marks as deleted: shown to a person, never evidence."""

    @property
    def is_evidence(self) -> bool:
        """True for the document's own statements: paragraphs, lists, tables and quotes."""
        return self in (BlockKind.PARAGRAPH, BlockKind.LIST, BlockKind.TABLE, BlockKind.QUOTE)


class Block(Value):
    """One block of a document, `text[start:end]`. Blocks follow one another and never overlap; no sentence crosses one.

    What a page shows beside its article (navigation, share bars, lists of other articles, readers' comments, a second
    article) is not in the text at all, and so in no block.
    """

    kind: BlockKind
    start: int
    end: int
    at: Published | None = None
    """The time of a live blog's entry, in documents stored by earlier versions."""


class TextLink(Value):
    """A link in the running text; links only in `Document.links` are elsewhere on the page."""

    url: str
    """Absolute http(s), as in `Document.links`."""
    start: int
    end: int
    """The link text: `text[start:end]`."""
    block: int
    """The index of its block in `Document.blocks`."""


PAGE_GONE = "pages.page_gone"
"""Code of the note on a document that was read from a copy because the page no longer exists."""


class NoteMark(Value):
    """A mark that leads to a note or a source, as '1' in raised figures, which is not part of the text."""

    at: int
    """The offset in the text after which it appears."""
    label: str
    note: str = ""
    """The note's text, if it is known apart from the text."""
    url: str = ""
    """The first address in the note, as written."""


class Table(Value):
    """A table in the text: a rectangular grid in which a cell that spans rows or columns is repeated in each of them.

    The text of a row is its cells joined by ' | '; an empty cell keeps its place. `text.blocks` gives a cell's headers.
    """

    rows: tuple[tuple[tuple[int, int], ...], ...]
    """The cells of each row, top to bottom, as offsets into the text; start == end for an empty cell."""
    head_rows: int = 0
    """The number of rows of column headers at the top (years, measures, units)."""
    head_columns: int = 0
    """The number of columns of row headers on the left (what is measured, where)."""
    caption: str = ""
    footnotes: tuple[str, ...] = ()
    """Given in documents stored by earlier versions."""
    first_cell: str = ""
    """The workbook reference of the grid's first cell ('A1', 'C4'); '' if cells have no names."""
    hidden_rows: tuple[int, ...] = ()
    """Indexes (from 0) of rows the document hides."""
    hidden_columns: tuple[int, ...] = ()


class Place(Value):
    """A part of a document that has no page number: a sheet, a slide, a chapter, a part of a message."""

    label: str
    """A label: 'sheet Emissions', 'slide 4', 'chapter 2: The harbour'."""
    start: int
    """Its start offset; it extends to the next place."""
    hidden: bool = False
    """Hidden in the document: a hidden sheet or slide."""


class Document(Value):
    """The readable text of a snapshot. Offsets anywhere in Inquest are character offsets into `text`."""

    snapshot: str
    url: str
    title: str = ""
    author: str | None = None
    published: Published | None = None
    publisher: str | None = None
    language: str | None = None
    """ISO 639-1, as declared or detected; None: unknown."""
    text: str
    pages: tuple[int, ...] = ()
    """For paged documents, the start offset of each page; page n is `pages[n - 1]`."""
    places: tuple[Place, ...] = ()
    """The sheets, slides, chapters or message parts, in order."""
    tables: tuple[Table, ...] = ()
    """The tables of the text, in order, each within a block of kind 'table'."""
    parent: str = ""
    """The name of the file that contained this document: the message of an attachment, the archive of a file."""
    links: tuple[str, ...] = ()
    """Absolute http(s) URLs anywhere on the page, in order, without repeats."""
    blocks: tuple[Block, ...] = ()
    """The blocks of the text, in order; empty in documents stored before blocks existed (text.blocks derives them from
    the layout)."""
    text_links: tuple[TextLink, ...] = ()
    """The links in the running text, in order, with repeats."""
    note_marks: tuple[NoteMark, ...] = Field(default=(), exclude_if=lambda marks: not marks)
    source_links: tuple[str, ...] = ()
    """Targets of the article's own line of sources, which consists of links only ('Source', 'Read the original report')
    and is not part of the text."""
    more_pages: tuple[str, ...] = ()
    """The addresses of the further pages of a multi-page article, in order."""
    canonical_url: str | None = None
    """The address the page declares as its own: a claim, not a fact."""
    kind: str = "html"
    """html, pdf, feed, text, markdown, row, docx, xlsx, ...: the reader's name."""
    notes: tuple[str, ...] = ()
    """Remarks on the extraction: 'no text on 3 of 12 pages', 'looks like an error page'."""
    note_codes: Reasons = ()
    reviews: tuple[ClaimReview, ...] = ()
    """Fact checks declared in the page's metadata: claims, not facts."""
    dates: tuple[DateEvidence, ...] = ()
    """All indications of the publication date, weightiest first; `notes` reports disagreement."""

    def page_of(self, offset: int) -> int | None:
        """Return the page (from 1) of a text offset; None if the document has no pages."""
        return bisect_right(self.pages, offset) or None
