"""Bytes as fetched, and the text a reader makes of them."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum

from inquest.domain.leads import ClaimReview
from inquest.domain.published import Precision, Published
from inquest.domain.value import Value

__all__ = [
    "Block",
    "BlockKind",
    "DateEvidence",
    "Document",
    "Place",
    "Precision",
    "Published",
    "Snapshot",
    "Table",
    "TextLink",
]


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
    parent: str = ""
    """The name of the file that these bytes were part of, as `Document.parent`."""


class DateEvidence(Value):
    """One thing that says when a document was published, whether it was believed or not."""

    where: str
    """Where it appears, for a person: 'JSON-LD datePublished', 'the address', 'the first capture by Archive X'."""
    iso: str
    """The date it gives, as long as it is exact: 2024, 2024-03, 2024-03-05, 2024-03-05T10:00:00Z."""
    how: str
    """metadata, visible text, url, feed, engine, archive, file, user, detected."""
    used: bool = True
    """False: it cannot be the date (after retrieval, what systems write for 'unknown')."""


class BlockKind(StrEnum):
    """What a block of a document is."""

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
    """A correction, an update, a note of the editors: about the article, not part of what it reports."""
    COMMENT = "comment"
    """A reader's, or a note that somebody left on the document: a comment in Word, an annotation in a PDF."""
    WITHDRAWN = "withdrawn"
    """Words that the document itself strikes out or deletes. Shown to a person, never evidence."""

    @property
    def is_evidence(self) -> bool:
        """True for what the document itself states: paragraphs, lists, tables and quotes."""
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
    """The block's own time, where it has one: an entry of a live blog."""


class TextLink(Value):
    """A link in the running text. Links that are only in `Document.links` stand elsewhere on the page."""

    url: str
    """Absolute http(s), as in `Document.links`."""
    start: int
    end: int
    """The words that are linked: `text[start:end]`."""
    block: int
    """The index in `Document.blocks` of the block in which it appears."""


class Table(Value):
    """A table in the text: a rectangular grid in which a cell that spans rows or columns is repeated in each of them.

    The text of a row is its cells joined by ' | '; an empty cell keeps its place. `text.tables` gives a cell's heads.
    """

    rows: tuple[tuple[tuple[int, int], ...], ...]
    """The cells of each row from top to bottom as offsets into the text; start == end for an empty cell."""
    head_rows: int = 0
    """How many rows at the top are column heads (years, measures, units)."""
    head_columns: int = 0
    """How many columns at the left are row heads (what is measured, where)."""
    caption: str = ""
    footnotes: tuple[str, ...] = ()
    first_cell: str = ""
    """The reference of the grid's first cell in its workbook ('A1', 'C4'); '' where cells have no names."""
    hidden_rows: tuple[int, ...] = ()
    """The numbers (from 0) of rows that the document hides."""
    hidden_columns: tuple[int, ...] = ()


class Place(Value):
    """A part of a document that has no page number: a sheet, a slide, a chapter, a part of a message."""

    label: str
    """For a person: 'sheet Emissions', 'slide 4', 'chapter 2: The harbour'."""
    start: int
    """The offset at which it begins; it runs to the next one."""
    hidden: bool = False
    """The document does not show it unless asked: a hidden sheet or slide."""


class Document(Value):
    """The readable text of a snapshot. Offsets anywhere in Inquest are character offsets into `text`."""

    snapshot: str
    url: str
    title: str = ""
    author: str | None = None
    published: Published | None = None
    publisher: str | None = None
    language: str | None = None
    """ISO 639-1, as declared or detected; None: not known."""
    text: str
    pages: tuple[int, ...] = ()
    """For paged documents, the offset at which each page begins; page n is `pages[n - 1]`."""
    places: tuple[Place, ...] = ()
    """The sheets, slides, chapters or message parts, in order."""
    tables: tuple[Table, ...] = ()
    """The tables of the text, in order, each within a block of the kind 'table'."""
    parent: str = ""
    """The name of the file that this document was part of: the message of an attachment, the archive of a file."""
    links: tuple[str, ...] = ()
    """Absolute http(s) URLs anywhere on the page, in order, without repeats."""
    blocks: tuple[Block, ...] = ()
    """The blocks of the text, in order. Empty in documents that were kept before there were blocks: text.blocks makes
    them from the layout."""
    text_links: tuple[TextLink, ...] = ()
    """The links that stand in the running text, in order, repeats kept."""
    source_links: tuple[str, ...] = ()
    """Where the article's own line of sources leads to, which is nothing but links ('Source', 'Read the original
    report') and no part of the text."""
    more_pages: tuple[str, ...] = ()
    """The addresses of the further pages of an article that is spread over several, in order."""
    canonical_url: str | None = None
    """What the page itself says its address is. A claim of the page's, not a fact."""
    kind: str = "html"
    """html, pdf, feed, text, markdown, row, docx, xlsx, ...: the reader's name."""
    notes: tuple[str, ...] = ()
    """What a person should know of the reading: 'no text on 3 of 12 pages', 'looks like an error page'."""
    reviews: tuple[ClaimReview, ...] = ()
    """Checks of claims that the page declares itself to be. A claim of the page's, not a fact."""
    dates: tuple[DateEvidence, ...] = ()
    """All that speaks of the date of publication, weightiest first. Where they disagree, `notes` says so."""

    def page_of(self, offset: int) -> int | None:
        """The page (from 1) on which a text offset appears; None where the document has no pages."""
        page = None
        for number, start in enumerate(self.pages, 1):
            if start > offset:
                break
            page = number
        return page
