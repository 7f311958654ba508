"""The text of a page's article and its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from inquest.domain.document import BlockKind
from inquest.domain.reasons import Reason
from inquest.readers.documents import Laid
from inquest.readers.grids import MAX_CELLS
from inquest.readers.html.article import article_of
from inquest.readers.html.leaves import Leaf
from inquest.readers.html.links import further_pages
from inquest.readers.html.marks import settle_marks
from inquest.readers.html.meta import (
    PageMeta,
    base_of,
    json_ld,
    links_in,
    marked_author,
    meta_tags,
    page_meta,
)
from inquest.readers.html.shown import lay_out
from inquest.readers.html.tables import TOO_LARGE
from inquest.readers.html.tree import MAX_TAGS, Tree, drop_hidden, visible_text
from inquest.readers.plain import clean, struck_note
from inquest.text.blocks import blocks_by_layout
from inquest.text.lexicon import pattern

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_DATELINE = pattern(__name__, "dateline")
"""The beginning of a news agency's text or a live page's entry: place, date, agency, and a dash."""


class PageText(NamedTuple):
    """The readable text of a page, and its metadata."""

    laid: Laid
    notes: list[str | Reason]
    meta: PageMeta
    rest: str
    """The beginning of what appears below the article."""
    links: tuple[str, ...]
    more: tuple[str, ...]
    """The addresses of the article's further pages."""


def page_text(tree: Tree, markup: str, url: str, now: datetime) -> PageText:
    """Return the article as readers see it, laid out (shown) and without note marks (marks); the tree is changed.

    For a page too large or too deep for a tree, all of its text is returned. `now` is the time of retrieval.
    """
    root = tree.root
    links, more = links_in(root, url), further_pages(root, url)
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
        return PageText(laid, [*notes, note], _signed(root, meta), "", links, more)
    article = article_of(tree, url, meta.title, meta.canonical_url)
    laid = _written(article.blocks, base_of(root, url))
    notes += article.notes
    if any(table.get(TOO_LARGE) is not None for table in root.iter("table")):
        notes.append(f"a table of more than {MAX_CELLS:,} cells, counting spans, is read without its spans")
    notes += struck_note(laid.blocks)
    return PageText(laid, notes, _signed(root, meta), article.rest, links, more)


def _signed(root: HtmlElement, meta: PageMeta) -> PageMeta:
    return replace(meta, author=meta.author or marked_author(root, meta.publisher))


def _written(found: Sequence[Leaf], base: str) -> Laid:
    """Lay leaves out as a text, with datelines separated."""
    laid, opens = Laid(), True
    for leaf in found:
        dateline, cut = _DATELINE.match(leaf.text) if leaf.kind is BlockKind.PARAGRAPH else None, 0
        # After the opening, 'Harlow (Works):' is a label and part of the text.
        is_label = dateline is not None and not opens and dateline.group().rstrip().endswith(":")
        opens = opens and leaf.kind is not BlockKind.PARAGRAPH
        if dateline and not is_label and len(leaf.text) > 2 * dateline.end():
            cut = dateline.end()
            laid.put(leaf.text[:cut].rstrip(), BlockKind.DATELINE)
        laid.leaf(leaf, base, cut)
    return laid
