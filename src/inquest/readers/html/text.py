"""The text of a page's article and its blocks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING, NamedTuple

from inquest.domain.document import Block, BlockKind, NoteMark, Table, TextLink
from inquest.domain.reasons import Reason
from inquest.domain.value import Published
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
from inquest.sources.dating import from_value
from inquest.text.blocks import blocks_by_layout
from inquest.text.lexicon import pattern
from inquest.text.tables import moved

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_DATELINE = pattern(__name__, "dateline")
"""What a news agency's text or an entry of a live page begins with: place, date, agency, and a dash."""


class PageText(NamedTuple):
    """The readable text of a page, and what the page says of itself."""

    text: str
    blocks: tuple[Block, ...]
    notes: list[str | Reason]
    meta: PageMeta
    text_links: tuple[TextLink, ...] = ()
    note_marks: tuple[NoteMark, ...] = ()
    tables: tuple[Table, ...] = ()
    rest: str = ""
    """The beginning of what appears below the article."""
    links: tuple[str, ...] = ()
    more: tuple[str, ...] = ()
    """The addresses of the pages that follow it."""


def page_text(tree: Tree, markup: str, url: str, now: datetime) -> PageText:
    """Return the article as its reader sees it, laid out (shown) and without note marks (marks); the tree is changed.

    A page too large or too deep for a tree gives all of its text. `now` is the time of retrieval.
    """
    root = tree.root
    links, more = links_in(root, url), further_pages(root, url)
    lay_out(root)
    settle_marks(root, url)
    tags, declared = meta_tags(root), list(json_ld(root))  # which no reader sees
    hidden = drop_hidden(root)
    meta = page_meta(root, tags, declared, url, now)
    notes: list[str | Reason] = [hidden] if hidden else []
    if not tree.whole:
        note = "too large or nested too deeply for finding the article: the whole text of the page is kept"
        if markup.count("<") > MAX_TAGS:
            note = f"too large: the text of the first {MAX_TAGS:,} tags is kept"
        text = clean(visible_text(markup))
        return PageText(text, blocks_by_layout(text), [*notes, note], _signed(root, meta), links=links, more=more)
    article = article_of(tree, url, meta.title, meta.canonical_url)
    writer = _Writer(base_of(root, url), now)
    writer.write(article.blocks)
    notes += article.notes
    if any(table.get(TOO_LARGE) is not None for table in root.iter("table")):
        notes.append(f"a table of more than {MAX_CELLS:,} cells, spans counted, is read without its spans")
    notes += struck_note(writer.blocks)
    return PageText(
        "".join(writer.parts),
        tuple(writer.blocks),
        notes,
        _signed(root, meta),
        tuple(writer.links),
        tuple(writer.marks),
        tuple(writer.tables),
        article.rest,
        links,
        more,
    )


def _signed(root: HtmlElement, meta: PageMeta) -> PageMeta:
    return replace(meta, author=meta.author or marked_author(root, meta.publisher))


class _Writer(Laid):
    """Lays leaves out as a text and keeps where each appears."""

    def __init__(self, base: str, now: datetime) -> None:
        super().__init__()
        self._base, self._now = base, now
        self._opens = True

    def write(self, found: Sequence[Leaf]) -> None:
        at: Published | None = None
        entry: object = None
        before: Leaf | None = None
        for leaf in found:
            if leaf.is_time:
                witness = from_value(leaf.time or "", "the entry's time", now=self._now)
                at, entry = witness.published if witness else None, leaf.element
                self._opens = True
                continue  # the time of the following text in the same entry
            parent = leaf.element.getparent()
            if entry is not leaf.element and entry is not parent:
                at = None
            if before and leaf.kind is before.kind is BlockKind.LIST and before.element.getparent() is parent:
                self.link(leaf.links, self.put(leaf.text, leaf.kind, joined=True), self._base)
            else:
                self._block(leaf, at)
            for words in leaf.struck:
                self.put(words, BlockKind.WITHDRAWN)
            before = None if leaf.struck else leaf

    def _block(self, leaf: Leaf, at: Published | None) -> None:
        text, cut = leaf.text, 0
        dateline = _DATELINE.match(text) if leaf.kind is BlockKind.PARAGRAPH else None
        # After the opening, 'Harlow (Works):' is a label and part of the text.
        if dateline and not self._opens and dateline.group().rstrip().endswith(":"):
            dateline = None
        self._opens = self._opens and leaf.kind is not BlockKind.PARAGRAPH
        if dateline and len(text) > 2 * dateline.end():
            self.put(text[: dateline.end()].rstrip(), BlockKind.DATELINE)
            cut = dateline.end()
        start = self.put(text[cut:], leaf.kind, at=at)
        self.link((each for each in leaf.links if each[1] >= cut), start - cut, self._base)
        if leaf.table:
            self.tables.append(moved(leaf.table, start))
