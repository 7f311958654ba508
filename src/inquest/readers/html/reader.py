"""Reader of web pages: the article's text with its blocks, and the page's metadata."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from itertools import product
from operator import itemgetter
from typing import ClassVar

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.domain.reasons import Reason
from inquest.kit.reader import Reader
from inquest.readers.documents import Laid, document_of, first_line, own_text, signed
from inquest.readers.grids import MAX_CELLS
from inquest.readers.html.article import article_of
from inquest.readers.html.dates import declared_dates, lines_at_the_end, lines_of_the_heading, searched_date
from inquest.readers.html.leaves import TOO_LARGE, Leaf
from inquest.readers.html.marks import settle_marks
from inquest.readers.html.meta import (
    PERIOD_END,
    PageMeta,
    base_of,
    further_pages,
    json_ld,
    links_in,
    marked_author,
    meta_tags,
    page_meta,
    source_links,
)
from inquest.readers.html.tree import MAX_ELEMENTS, MAX_TAGS, SILENT, Tree, drop_hidden, lay_out, parse, visible_text
from inquest.readers.plain import clean, struck_note
from inquest.readers.text import decoded_bytes
from inquest.sources.dating import DateWitness, from_text, from_title, from_url, from_value, labelled
from inquest.sources.noise import looks_blocked, looks_paywalled, looks_walled
from inquest.text.blocks import blocks_by_layout
from inquest.text.languages import language_of
from inquest.text.lexicon import pattern
from inquest.text.sentences import content_words

_SHOWN = 12  # Words in the markup of a page without text from which it is navigation rather than built by scripts.
_BELOW = Reason(code="pages.where_below_heading")
_DATELINE = pattern(__name__, "dateline")
"""The beginning of a news agency's text or a live page's entry: place, date, agency, and a dash."""


class HtmlReader(Reader):
    """Reads HTML and XHTML."""

    name: ClassVar[str] = "html"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the article of the page, without hidden text (see tree.drop_hidden). Raises PageUnreadable if there is
        no text, PageTooLarge above 50 MB."""
        url = snapshot.final_url or snapshot.url
        decoded = decoded_bytes(body, snapshot, "page")
        tree = parse(decoded.text)
        if tree is None:
            advice = "Open it in a browser to see what is there."
            raise PageUnreadable(url, f"The page at {url} is empty.", advice=advice)
        links, more = links_in(tree.root, url), further_pages(tree.root, url)
        laid, notes, meta, rest = _page_text(tree, decoded.text, url, snapshot.retrieved_at)
        text = "".join(laid.parts)
        if not any(char.isalnum() for char in text):
            raise _without_text(url, tree)
        spread = more and f"the article continues on {len(more)} more page{'s' if len(more) > 1 else ''}"
        blocked = looks_blocked(snapshot.status, dict(snapshot.headers), decoded.text, text)
        blocked = blocked or looks_walled(meta.title, text)
        not_page = Reason.of("pages.not_page", why=blocked) if blocked else None
        stub = looks_paywalled(decoded.text, text, rest)
        language = language_of(text, meta.language)
        below, above = lines_of_the_heading(tree.root, meta.title)
        return document_of(
            snapshot,
            text,
            _witnesses(meta, tree, (below, own_text(text, laid.blocks), above), language, snapshot),
            (decoded.note, *notes, spread or None, not_page, stub),
            title=meta.title or first_line(text),
            author=meta.author
            or signed(f"\n{below}")
            or signed(f"\n{text}")
            or signed("\n".join(["", *lines_at_the_end(tree.root)]))
            or meta.organization,
            publisher=meta.publisher,
            language=language,
            links=links,
            more_pages=more,
            source_links=source_links(tree.root, url) if tree.whole and tree.elements <= MAX_ELEMENTS else (),
            canonical_url=meta.canonical_url,
            kind=self.name,
            reviews=meta.reviews,
            **laid.fields(),
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


def _witnesses(
    meta: PageMeta, tree: Tree, texts: tuple[str, str, str], language: str | None, snapshot: Snapshot
) -> list[DateWitness]:
    """Return all witnesses of the date; the markup is searched only if there are no others. `texts`: the lines below
    the heading, the text, and the lines above the heading."""
    languages = dict.fromkeys(filter(None, (meta.language, language))) or (None,)
    tried = product(texts, languages)
    dates = ((part, from_text(part, month_first=meta.month_first, language=each)) for part, each in tried)
    part, printed = next(filter(itemgetter(1), dates), ("", None))
    printed = DateWitness(printed.published, _BELOW) if printed and part is texts[0] else printed
    above = (labelled(line, month_first=meta.month_first, language=language) for line in texts[2].split("\n"))
    printed = next(filter(None, above), printed)
    dated = from_title(meta.title, month_first=meta.month_first, language=language)
    found = [*declared_dates(tree.root, meta, snapshot.retrieved_at)]
    reported = from_value(meta.tags.get(PERIOD_END, [""])[0], Reason(code="pages.where_meta", data={"tag": PERIOD_END}))
    guesses = [printed, dated, reported, from_url(snapshot.final_url or snapshot.url)]
    if not any((*found, *guesses)):
        ends = lines_at_the_end(tree.root)
        guesses += [labelled(line, month_first=meta.month_first, language=language) for line in ends]
    if not any((*found, *guesses)) and tree.whole and tree.elements <= MAX_ELEMENTS:
        guesses.append(searched_date(tree.root, snapshot.retrieved_at, meta.month_first))
    return found + [each for each in guesses if each and each.published.at.date() not in meta.events]


def _page_text(tree: Tree, markup: str, url: str, now: datetime) -> tuple[Laid, list[str | Reason], PageMeta, str]:
    """Return the article as readers see it, notes, metadata, and the beginning of what is below; the tree is changed.

    For a page too large or too deep for a tree, all of its text is returned. `now` is the time of retrieval.
    """
    root = tree.root
    lay_out(root)
    settle_marks(root, url)
    tags, declared = meta_tags(root), list(json_ld(root))  # which readers do not see
    hidden = drop_hidden(root)
    meta = page_meta(root, tags, declared, url, now)
    notes: list[str | Reason] = [hidden] if hidden else []
    if not tree.whole:
        note = "too large or nested too deeply for finding the article: the whole text of the page is kept"
        if markup.count("<") > MAX_TAGS:
            note = f"too large: the text of the first {MAX_TAGS:,} tags is kept"
        laid = Laid()
        laid.parts = [clean(visible_text(markup))]
        laid.blocks = list(blocks_by_layout(laid.parts[0]))
        notes.append(note)
        rest = ""
    else:
        blocks, of_article, rest = article_of(tree, url, meta.title, meta.canonical_url, meta.reviews)
        laid = _written(blocks, base_of(root, url))
        notes += of_article
        if any(table.get(TOO_LARGE) is not None for table in root.iter("table")):
            notes.append(f"a table of more than {MAX_CELLS:,} cells, counting spans, is read without its spans")
        notes += struck_note(laid.blocks)
    # A byline names the person where the data give a login name.
    is_named = meta.author and not meta.author.islower()
    author = meta.author if is_named else marked_author(root, meta) or meta.author
    return laid, notes, replace(meta, author=author), rest


def _written(found: Sequence[Leaf], base: str) -> Laid:
    """Lay leaves out as a text, with datelines separated."""
    laid, opens = Laid(), True
    for leaf in found:
        dateline, cut = _DATELINE.match(leaf.text) if leaf.kind is BlockKind.PARAGRAPH else None, 0
        # After the opening, 'Harlow (Works):' is a label and part of the text.
        is_label = dateline is not None and not opens and dateline.group().rstrip().endswith(":")
        opens = opens and leaf.kind is not BlockKind.PARAGRAPH
        is_place = dateline is not None and (dateline["place"] or "A").isupper()  # capitals, in any script
        if dateline and is_place and not is_label and len(leaf.text) > 2 * dateline.end():
            cut = dateline.end()
            laid.put(leaf.text[:cut].rstrip(), BlockKind.DATELINE)
        laid.leaf(leaf, base, cut)
    return laid
