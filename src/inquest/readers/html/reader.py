"""Reader of web pages: the article's text and the page's metadata."""

from __future__ import annotations

from itertools import chain
from typing import ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.domain.reasons import Reason
from inquest.kit.reader import Reader
from inquest.readers import unpacked
from inquest.readers.charset import decode
from inquest.readers.documents import document_of, own_text
from inquest.readers.html.dates import declared_dates, line_of_the_heading, searched_date
from inquest.readers.html.links import source_links
from inquest.readers.html.meta import PageMeta
from inquest.readers.html.text import page_text
from inquest.readers.html.tree import MAX_ELEMENTS, SILENT, Tree, parse
from inquest.sources.blocked import looks_blocked, looks_paywalled
from inquest.sources.dating import DateWitness, from_text, from_url
from inquest.text.languages import language_of
from inquest.text.sentences import content_words

MAX_BYTES = 50_000_000
"""Bytes of markup, far more than any article; more would exhaust the memory of a small machine."""
_SHOWN = 12  # Words in the markup of a page without text from which it is navigation rather than built by scripts.


class HtmlReader(Reader):
    """Reads HTML and XHTML."""

    name: ClassVar[str] = "html"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the article of the page, without hidden text (see tree.drop_hidden). Raises PageUnreadable if there is
        no text, PageTooLarge above 50 MB."""
        url = snapshot.final_url or snapshot.url
        decoded = decode(unpacked(body, url, MAX_BYTES, "page"), snapshot.content_type)
        tree = parse(decoded.text)
        if tree is None:
            raise PageUnreadable(
                url, f"The page at {url} is empty.", advice="Open it in a browser to see what is there."
            )
        page = page_text(tree, decoded.text, url, snapshot.retrieved_at)
        text, meta = "".join(page.laid.parts), page.meta
        if not any(char.isalnum() for char in text):
            raise _without_text(url, tree)
        spread = page.more and f"the article continues on {len(page.more)} more page{'s' if len(page.more) > 1 else ''}"
        blocked = looks_blocked(snapshot.status, dict(snapshot.headers), decoded.text, text)
        stub = looks_paywalled(decoded.text, f"{text}\n\n{page.rest}"[: len(text) + 400])
        language = language_of(text, meta.language)
        return document_of(
            snapshot,
            text,
            _witnesses(meta, tree, own_text(text, page.laid.blocks), language, snapshot),
            (
                decoded.note,
                *page.notes,
                spread or None,
                Reason.of("pages.not_page", why=blocked) if blocked else None,
                stub,
            ),
            title=meta.title,
            author=meta.author,
            publisher=meta.publisher,
            language=language,
            links=page.links,
            more_pages=page.more,
            source_links=source_links(tree.root, text, url) if tree.whole and tree.elements <= MAX_ELEMENTS else (),
            canonical_url=meta.canonical_url,
            kind=self.name,
            reviews=meta.reviews,
            **page.laid.fields(),
        )


def _without_text(url: str, tree: Tree) -> PageUnreadable:
    """Return the error for a page that is only navigation, or whose text is written by scripts."""
    shown = " ".join(text for element in tree.root.iter() if element.tag not in SILENT for text in [element.text or ""])
    why = "holds no readable text; it is probably built by scripts in the browser"
    advice = "Save the page from a browser and add the file to a collection."
    if len(content_words(shown)) >= _SHOWN:
        why = "holds no text of its own: only navigation, notices and links to other pages"
        advice = "Provide the address of the article itself."
    return PageUnreadable(url, f"The page at {url} {why}.", advice=advice)


def _witnesses(meta: PageMeta, tree: Tree, text: str, language: str | None, snapshot: Snapshot) -> list[DateWitness]:
    """Return all witnesses of the date; the markup is searched only if there are no others."""
    languages = dict.fromkeys(filter(None, (meta.language, language))) or (None,)
    lines = (line_of_the_heading(tree.root, meta.month_first, each) for each in languages)
    texts = (from_text(text, month_first=meta.month_first, language=each) for each in languages)
    printed = next(filter(None, chain(lines, texts)), None)
    found = [
        *declared_dates(tree.root, meta, snapshot.retrieved_at),
        *filter(None, (printed, from_url(snapshot.final_url or snapshot.url))),
    ]
    if not found and tree.whole and tree.elements <= MAX_ELEMENTS:
        found += filter(None, [searched_date(tree.root, snapshot.retrieved_at)])
    return found
