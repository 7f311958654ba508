"""Web pages: the article's text and what the page says about itself."""

from __future__ import annotations

from itertools import chain
from typing import ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageTooLarge, PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.charset import decode
from inquest.readers.html_dates import declared_dates, line_of_the_heading, searched_date
from inquest.readers.html_links import source_links
from inquest.readers.html_meta import PageMeta
from inquest.readers.html_text import page_text
from inquest.readers.html_tree import MAX_ELEMENTS, SILENT, Tree, parse
from inquest.readers.unpack import unpacked
from inquest.sources.blocked import looks_blocked, looks_paywalled
from inquest.sources.dating import DateWitness, from_text, from_url, publication_date
from inquest.text.languages import language_of
from inquest.text.sentences import content_words

MAX_BYTES = 50_000_000
"""Bytes of markup; more than any article, and parsing more would take the memory of a small machine."""
_SHOWN = 12
"""Words in the markup of a page without a text, from which it is navigation, and not what scripts have yet to write."""


class HtmlReader(Reader):
    """Reads HTML and XHTML."""

    name: ClassVar[str] = "html"
    content_types: ClassVar[tuple[str, ...]] = ("text/html", "application/xhtml+xml")

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The article of the page. Raises PageUnreadable where there is no text, PageTooLarge above 50 MB.

        Nothing of what the page hides from its readers is in the text (see html_tree.drop_hidden).
        """
        url = snapshot.final_url or snapshot.url
        body = unpacked(body, url, MAX_BYTES)
        if len(body) > MAX_BYTES:
            raise PageTooLarge(
                url, f"The page at {url} has {len(body) / 1e6:.0f} MB of markup; {MAX_BYTES // 1_000_000} MB are read."
            )
        decoded = decode(body, snapshot.content_type)
        tree = parse(decoded.text)
        if tree is None:
            raise PageUnreadable(
                url, f"The page at {url} is empty.", advice="Open it in a browser to see what is there."
            )
        page = page_text(tree, decoded.text, url, snapshot.retrieved_at)
        text, meta = page.text, page.meta
        if not any(char.isalnum() for char in text):
            raise _without_text(url, tree)
        spread = page.more and f"the article goes on, on {len(page.more)} more page{'s' if len(page.more) > 1 else ''}"
        blocked = looks_blocked(snapshot.status, dict(snapshot.headers), decoded.text, text)
        stub = looks_paywalled(decoded.text, f"{text}\n\n{page.rest}"[: len(text) + 400])
        language = language_of(text, meta.language)
        dated = publication_date(_witnesses(meta, tree, text, language, snapshot), snapshot.retrieved_at)
        notes = (decoded.note, *page.notes, spread, blocked and f"not the page: {blocked}", stub, *dated.notes)
        return Document(
            snapshot=snapshot.hash,
            url=url,
            title=meta.title,
            author=meta.author,
            published=dated.published,
            dates=dated.evidence,
            publisher=meta.publisher,
            language=language,
            text=text,
            links=page.links,
            blocks=page.blocks,
            tables=page.tables,
            text_links=page.text_links,
            more_pages=page.more,
            source_links=source_links(tree.root, text, url) if tree.whole and tree.elements <= MAX_ELEMENTS else (),
            canonical_url=meta.canonical_url,
            kind=self.name,
            notes=tuple(note for note in notes if note),
            reviews=meta.reviews,
        )


def _without_text(url: str, tree: Tree) -> PageUnreadable:
    """The error for a page without a text of its own: all that it shows leads elsewhere, or scripts are to write it."""
    shown = " ".join(text for element in tree.root.iter() if element.tag not in SILENT for text in [element.text or ""])
    if len(content_words(shown)) >= _SHOWN:
        return PageUnreadable(
            url,
            f"The page at {url} holds no text of its own: only navigation, notices and links to other pages.",
            advice="Give the address of the article itself.",
        )
    return PageUnreadable(
        url,
        f"The page at {url} holds no readable text; it is probably built by scripts in the browser.",
        advice="Save the page from a browser and add the file to a collection.",
    )


def _witnesses(meta: PageMeta, tree: Tree, text: str, language: str | None, snapshot: Snapshot) -> list[DateWitness]:
    """Everything that speaks of the date; a library's search of the whole page only where nothing else does."""
    languages = dict.fromkeys(filter(None, (meta.language, language))) or (None,)
    lines = (line_of_the_heading(tree.root, meta.month_first, each) for each in languages)
    texts = (from_text(text, month_first=meta.month_first, language=each) for each in languages)
    printed = next(filter(None, chain(lines, texts)), None)
    address = from_url(snapshot.final_url or snapshot.url)
    found = [
        *declared_dates(tree.root, meta, snapshot.retrieved_at),
        *(witness for witness in (printed, address) if witness),
    ]
    if found or tree.elements > MAX_ELEMENTS or not tree.whole:
        return found
    witness = searched_date(tree.root, snapshot.retrieved_at)
    return [witness] if witness else []
