"""The leaves of a page: the smallest blocks of its layout, each with its element."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from inquest.domain.document import BlockKind, Table
from inquest.readers.documents import NOTE
from inquest.readers.html.shown import STRUCK
from inquest.readers.html.tables import data_table
from inquest.readers.html.tree import BLOCKS, SILENT
from inquest.readers.plain import clean, one_line
from inquest.text.regex import regex

if TYPE_CHECKING:
    from lxml.html import HtmlElement


_BREAK, _LINK, _LINK_END, _GONE = "\0", "\x02", "\x03", "\x04"
"""Placeholders for <br>, <a>, </a> and struck words while lines are built; tree.parse removes them from pages."""
_KINDS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), BlockKind.HEADING),
    **dict.fromkeys(("figcaption", "caption"), BlockKind.CAPTION),
    "blockquote": BlockKind.QUOTE,
}
_LONG_ITEM = 1_000  # Characters; longer list items are laid out as text.
_LONG_LINE, _LONG_LINE_OF_SIGNS, _SHORTEST, _SHORTEST_OF_SIGNS = 120, 40, 10, 5
"""Lengths above which a line is a sentence: without end mark, without end mark and spaces, with end mark, with '。'."""
_ENDS = tuple(".!?…。！？؟।")
_CLOSING = ")]\"'”’»› "
_SOLID = regex(r"[^\W_]")
_SPACE_BEFORE_MARK = regex(rf"\s+{_GONE}\s*(?=[,.;:!?)\]])")


@dataclass(slots=True, eq=False)
class Leaf:
    """One block of text. `links`: (address as written, start, end) in `text`."""

    kind: BlockKind
    text: str
    element: HtmlElement
    links: list[tuple[str, int, int]] = field(default_factory=list)
    linked: int = 0
    """Characters inside links."""
    time: str | None = None
    """The datetime attribute of a <time> element in it."""
    table: Table | None = None
    """The grid of a table; offsets count from the start of `text`."""
    struck: list[str] = field(default_factory=list)
    """Struck-out passages, which are not part of `text`."""

    @property
    def is_sentence(self) -> bool:
        """True if it reads as text rather than a label: it has an end mark or the length of a sentence."""
        long = _LONG_LINE if " " in self.text else _LONG_LINE_OF_SIGNS
        if len(self.text) > long:
            return True
        words = self.text.rstrip(_CLOSING)
        shortest = _SHORTEST_OF_SIGNS if words.endswith("。") else _SHORTEST
        return len(self.text) > shortest and words.endswith(_ENDS)

    @property
    def is_time(self) -> bool:
        """True for a line that is little more than a time, as of a live entry or an article."""
        return self.time is not None and self.kind is BlockKind.PARAGRAPH and not self.is_sentence

    @property
    def link_share(self) -> float:
        return self.linked / max(1, len(self.text))


def leaves(root: HtmlElement) -> list[Leaf]:
    """Return every leaf below `root` in page order, without changing the tree."""
    walker = _Walker(root)
    walker.walk(root, BlockKind.PARAGRAPH)
    walker.flush(root, BlockKind.PARAGRAPH)
    return walker.found


class _Walker:
    def __init__(self, root: HtmlElement) -> None:
        self.found: list[Leaf] = []
        self._parts: list[str] = []
        self._urls: list[str] = []
        self._in_link = 0
        self._time: str | None = None
        self._in_struck = 0
        self._struck: list[str] = []
        self._holders = _holders(root)

    def walk(self, element: HtmlElement, kind: BlockKind) -> None:
        """Process the content of an element that has been entered."""
        if element.text:
            self._add_text(element.text)
        for child in element:
            if child.tag not in SILENT:
                self._enter(child, kind)
            if child.tail:
                self._add_text(child.tail)

    def _enter(self, child: HtmlElement, kind: BlockKind) -> None:
        tag, struck = str(child.tag), child.get(STRUCK) is not None
        is_block = tag in BLOCKS or child in self._holders
        if is_block and (self._parts or self._struck):
            outer = child.getparent()
            self.flush(outer if outer is not None else child, kind)
        self._in_struck += struck
        if struck:
            self._struck.append("")
        if tag == "br":
            self._parts.append(_BREAK)
        elif is_block:
            self._block(child, tag, kind)
        else:
            self._inline(child, tag, kind)
        self._in_struck -= struck
        if struck:
            self._parts.append(_GONE)

    def _inline(self, child: HtmlElement, tag: str, kind: BlockKind) -> None:
        link = tag == "a" and not self._in_link
        if tag == "time":
            self._time = child.get("datetime") or self._time
        if link:
            self._urls.append(child.get("href") or "")
            self._parts.append(_LINK)
        self._in_link += link
        self.walk(child, kind)
        self._in_link -= link
        if link:
            self._parts.append(_LINK_END)

    def _block(self, child: HtmlElement, tag: str, kind: BlockKind) -> None:
        if tag == "table" and not self._in_struck and (data := data_table(child)):
            if data.caption:
                self.found.append(Leaf(BlockKind.CAPTION, data.caption, child))
            grid, struck = data.grid, list(data.struck)
            self.found.append(Leaf(BlockKind.TABLE, grid.text, child, table=grid.table, struck=struck))
            self.found += [Leaf(BlockKind.PARAGRAPH, line, child) for line in data.below]
            return
        within = _KINDS.get(tag, kind)
        if tag == "li":
            within = BlockKind.LIST if _is_item(child, self._holders) else kind
        card = tag == "a"
        self._in_link += card
        before = len(self.found)
        self.walk(child, within)
        self.flush(child, within)
        self._in_link -= card
        if within is BlockKind.LIST:
            self._join(before)
        if card:
            for leaf in self.found[before:]:
                leaf.linked = len(leaf.text)

    def _join(self, before: int) -> None:
        """Join the parts of one list item into a line; items of nested lists keep their own lines."""
        added = self.found[before:]
        own = [leaf for leaf in added if not leaf.text.startswith("- ") and leaf.kind is not BlockKind.WITHDRAWN]
        if not own:
            return
        first = own[0]
        for leaf in own[1:]:
            moved = len(first.text) + 1
            first.links += [(url, start + moved, end + moved) for url, start, end in leaf.links]
            first.text, first.linked = f"{first.text} {leaf.text}", first.linked + leaf.linked
            first.struck += leaf.struck
        first.text = "- " + first.text.replace("\n", " ")
        first.links = [(url, start + 2, end + 2) for url, start, end in first.links]
        first.kind = BlockKind.LIST
        self.found[before:] = [first, *(leaf for leaf in self.found[before:] if leaf not in own)]

    def _add_text(self, text: str) -> None:
        if self._in_struck:
            self._struck[-1] += text
        elif self._parts or not text.isspace():
            self._parts.append(text)

    def flush(self, element: HtmlElement, kind: BlockKind) -> None:
        """Turn the collected text into leaves; two <br> in a row separate leaves."""
        if not self._parts and not self._struck:
            return
        raw, urls = "".join(self._parts), iter(self._urls)
        struck = [words for each in self._struck if _SOLID.search(words := one_line(each))]
        time, before = self._time, len(self.found)
        self._parts, self._urls, self._time = [], [], None
        self._struck = [""] if self._in_struck else []
        if _SOLID.search(raw):
            raw = _SPACE_BEFORE_MARK.sub("", raw) if _GONE in raw else raw
            for lines in _paragraphs(raw):
                text, links, linked = _cleaned(lines, urls)
                if _SOLID.search(text):
                    self.found.append(Leaf(kind, text, element, links, linked, time))
        if struck and len(self.found) > before:
            self.found[-1].struck += struck
        else:
            self.found += [Leaf(BlockKind.WITHDRAWN, words, element) for words in struck]


def _holders(root: HtmlElement) -> set[HtmlElement]:
    found: set[HtmlElement] = set()
    for element in root.iter():
        if element.tag in BLOCKS:
            up = element.getparent()
            while up is not None and up not in found:
                found.add(up)
                up = up.getparent()
    return found


def _is_item(item: HtmlElement, holders: set[HtmlElement]) -> bool:
    """Return False for list items used for page layout: they hold headings, tables or whole articles."""
    if item not in holders:
        return True
    if any(True for _ in item.iter("h1", "h2", "h3", "h4", "table", "article", "section", "figure")):
        return False
    return sum(len(text) for text in item.itertext()) <= _LONG_ITEM


def _paragraphs(raw: str) -> Iterator[str]:
    """Yield the parts between two or more line breaks; a single break stays as a line feed."""
    lines: list[str] = []
    for piece in raw.split(_BREAK):
        line = " ".join(piece.split())
        if line.strip(_LINK + _LINK_END + " "):
            lines.append(line)
        elif lines:
            lines.append(line)
            yield "\n".join(lines).strip("\n")
            lines = []
    if lines:
        yield "\n".join(lines)


def _cleaned(raw: str, urls: Iterator[str]) -> tuple[str, list[tuple[str, int, int]], int]:
    if _LINK not in raw and _LINK_END not in raw:
        return clean(raw), [], 0
    text = clean(raw)  # removes the placeholders, like all control characters
    links: list[tuple[str, int, int]] = []
    linked = cursor = 0
    before, *parts = raw.split(_LINK)
    for part in parts:
        url = next(urls, "")
        if url.startswith(NOTE):
            at = len(clean(before))
            links.append((url, at, at))
        before += part
        words = clean(part.split(_LINK_END)[0])
        linked += len(words)
        start = text.find(words, cursor) if words else -1
        if start >= 0:
            cursor = start + len(words)
            links.append((url, start, cursor))
    return text, links, linked
