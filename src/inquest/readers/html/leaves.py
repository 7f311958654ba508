"""The leaves of a page: the smallest blocks of its layout, each with its element; tables of data with their grids."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import takewhile

from lxml.html import HtmlElement

from inquest.domain.document import BlockKind, Table
from inquest.kit.files import KINDS
from inquest.readers.documents import NOTE
from inquest.readers.grids import MAX_CELLS, MAX_SPAN, GridCell, expanded
from inquest.readers.html.tree import BLOCKS, SILENT, STRUCK, shown_words
from inquest.readers.numerals import numeral
from inquest.readers.plain import clean, one_line
from inquest.text.blocks import grid_text
from inquest.text.regex import regex

TOO_LARGE = "data-inquest-too-large"
"""The attribute of tables with more cells than a grid may have."""
_LONG_CELL = 300  # Characters of a cell above which a table lays a page out.
_BREAK, _LINK, _LINK_END, _GONE = "\0", "\x02", "\x03", "\x04"
"""Placeholders for <br>, <a>, </a> and struck words while lines are built; tree.parse removes them from pages."""
LABEL = "data-inquest-label"
"""The attribute of a list item with its number as shown."""
_FORMS = {"1": "decimal", "a": "lowerLetter", "A": "upperLetter", "i": "lowerRoman", "I": "upperRoman"}
_INTEGER = regex(r"-?\d{1,9}")
_SPAN = regex(r"\s*\+?\d{1,8}")
_KINDS = {
    **dict.fromkeys(("h1", "h2", "h3", "h4", "h5", "h6"), BlockKind.HEADING),
    **dict.fromkeys(("figcaption", "caption"), BlockKind.CAPTION),
    "blockquote": BlockKind.QUOTE,
    "li": BlockKind.LIST,
}
_LONG_LINE, _LONG_LINE_OF_SIGNS, _SHORTEST, _SHORTEST_OF_SIGNS = 120, 40, 10, 5
"""Lengths above which a line is a sentence: without end mark, without end mark and spaces, with end mark, with '。'."""
_ENDS = tuple(".!?…。！？؟।")
_CLOSING = ")]\"'”’»› "
_LAST_MARKS = regex(r"(?:\s*\[\w{1,3}\])+$")
_EMPTY_LINE = regex(r"\n\s*\n")
_SOLID = regex(r"[^\W_]")
_SIGN, _FIGURE = regex(r"\s*[%‰€$£¥]\s*"), regex(r"[-+−–]?\d[\d.,\s]*")
"""The sign of a unit in an element of its own, and the figure before it."""
_FILES = tuple(ending for ending, kind in KINDS.items() if kind.name != "HTML")
_SPACE_BEFORE_MARK = regex(rf"\s+{_GONE}\s*(?=[,.;:!?)\]])")


def _data_table(table: HtmlElement) -> list[Leaf]:
    """Return the leaves of a table of data: its caption, its grid, and the rows at its end that are one cell each.

    A layout table and one with too large a grid have none. Spans that would make too many cells are removed from the
    tree, as the library would expand each of them.
    """
    own = (row for row in table.iter("tr") if next(row.iterancestors("table")) is table)
    rows = [(row, [cell for cell in row if cell.tag in ("td", "th")]) for row in own]
    every = [cell for _, cells in rows for cell in cells]
    spans = (min(_span(cell, "rowspan"), len(rows)) * min(_span(cell, "colspan"), MAX_SPAN) for cell in every)
    if sum(spans) > MAX_CELLS:
        table.set(TOO_LARGE, "")
        for cell in every:
            cell.attrib.pop("rowspan", None)
            cell.attrib.pop("colspan", None)
    if len(rows) < 2 or max(len(cells) for _, cells in rows) < 2:
        return []
    # A cell spans rows of its own group only (HTML Standard, 4.9.12).
    last = {row.getparent(): at for at, (row, _) in enumerate(rows)}
    left = [last[row.getparent()] - at + 1 for at, (row, _) in enumerate(rows)]
    struck: list[str] = []
    grid: list[list[GridCell]] = []
    for most, (_, cells) in zip(left, rows, strict=True):
        grid.append([])
        for cell in cells:
            down = min(_span(cell, "rowspan") or most, most)
            head = grid[0][len(grid[-1])].text if len(grid) > 1 and len(grid[0]) == len(cells) else ""
            text = _unlabelled(cell, one_line("".join(_words(cell, struck))), head)
            grid[-1].append(GridCell(text, down, _span(cell, "colspan"), cell.tag == "th"))
    if any(len(cell.text) > _LONG_CELL for row in grid for cell in row):
        return []
    in_head = [next(row.iterancestors("thead"), None) is not None for row, _ in rows]
    whole = max(sum(cell.column_span for cell in row) for row in grid)
    single = [len(row) == 1 and row[0].column_span >= whole > 1 for row in grid]
    first = next((at for at, row in enumerate(grid) if any(cell.text for cell in row)), 0)
    title = grid[first][0].text if single[first] else ""
    foot = next((at for at in range(len(grid), 0, -1) if not single[at - 1]), 0)
    below = [row[0].text for row in grid[foot:] if row[0].text]
    first += single[first]
    head_rows = sum(1 for _ in takewhile(bool, in_head[first:foot]))
    full = expanded(grid[first:foot], head_rows if first + head_rows < foot else 0)
    if full is None or not full.rows or len(full.rows[0]) < 2:
        return []
    named = next((one_line(" ".join(map(str, each.itertext()))) for each in table.iter("caption")), "")
    caption = " ".join(each for each in (named, title) if each)
    made = grid_text(full.rows, head_rows=full.head_rows, head_columns=full.head_columns, caption=caption)
    captions = [Leaf(BlockKind.CAPTION, caption, table)] if caption else []
    under = [Leaf(BlockKind.PARAGRAPH, line, table) for line in below]
    return [*captions, Leaf(BlockKind.TABLE, made.text, table, table=made.table, struck=struck), *under]


def _unlabelled(cell: HtmlElement, text: str, head: str) -> str:
    """Remove the header of a column from the start of a cell that repeats it in an element, for narrow screens."""
    label = "" if len(cell) == 0 or (cell.text or "").strip() else shown_words(cell[0])
    is_repeated = head and label.rstrip(": ") == head and len(text) > len(label)
    return text[len(label) :].lstrip(": ") if is_repeated and text.startswith(label) else text


def written_cells(table: HtmlElement) -> list[str]:
    """The words of each of a table's cells, without struck-out words."""
    return [" ".join(_words(cell, [])) for cell in table.iter("td", "th")]


def _words(element: HtmlElement, struck: list[str]) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        tag = child.tag
        apart = " " if tag in BLOCKS or tag == "br" else ""
        if child.get(STRUCK) is not None:
            struck.append(one_line("".join(map(str, child.itertext()))))
        elif tag not in SILENT:
            yield apart
            yield from _words(child, struck)
            yield " ; " if tag == "tr" and child.getnext() is not None else apart  # of a table in a cell
        yield child.tail or ""


def _span(cell: HtmlElement, name: str) -> int:
    """Return the leading digits of a span, as browsers do ('2.5': 2)."""
    digits = _SPAN.match(cell.get(name) or "")
    return int(digits[0]) if digits else 1


@dataclass(slots=True, eq=False)
class Leaf:
    """One block of text. `links`: (address as written, start, end) in `text`."""

    kind: BlockKind
    text: str
    element: HtmlElement
    links: list[tuple[str, int, int]] = field(default_factory=list)
    linked: int = 0
    """Characters inside links to other pages."""
    time: str | None = None
    """The datetime attribute of a <time> element in it."""
    table: Table | None = None
    """The grid of a table; offsets count from the start of `text`."""
    struck: list[str] = field(default_factory=list)
    """Struck-out passages, which are not part of `text`."""
    number: str = ""
    """The number that is shown instead of the dash before a list item."""

    @property
    def is_sentence(self) -> bool:
        """True if it reads as text rather than a label: it has an end mark or the length of a sentence."""
        words, length = self.text.rstrip(_CLOSING), len(self.text)
        if self.text.endswith("]"):
            words = _LAST_MARKS.sub("", self.text).rstrip(_CLOSING)
        shortest = _SHORTEST_OF_SIGNS if words.endswith("。") else _SHORTEST
        is_long = length > (_LONG_LINE if " " in self.text else _LONG_LINE_OF_SIGNS)
        return is_long or (length > shortest and words.endswith(_ENDS))

    @property
    def is_time(self) -> bool:
        """True for a line that is little more than a time, as of a live entry or an article, and no value of a pair."""
        is_line = self.kind is BlockKind.PARAGRAPH and self.element.tag != "dd"
        return self.time is not None and is_line and not self.is_sentence

    @property
    def link_share(self) -> float:
        return self.linked / max(1, len(self.text.strip("[]")))


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
        self._in_pre = self._in_code = 0
        self._time: str | None = None
        self._in_struck = 0
        self._struck: list[str] = []
        self._holders = _holders(root)
        self._label, self._numbers = ("", 0), dict[HtmlElement, int]()
        """The number of the list item and the leaf that it begins with; the last number of each list."""

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
        self._in_pre += tag == "pre"
        self._in_code += tag == "code"
        if struck:
            self._struck.append("")
        if tag == "br":
            self._parts.append(_BREAK)
        elif is_block:
            self._block(child, tag, kind)
        else:
            self._inline(child, tag, kind)
        self._in_struck -= struck
        self._in_pre -= tag == "pre"
        self._in_code -= tag == "code"
        if struck:
            self._parts.append(_GONE)

    def _inline(self, child: HtmlElement, tag: str, kind: BlockKind) -> None:
        link = tag == "a" and not self._in_link
        if tag == "time":
            self._time = child.get("datetime") or self._time
        if link:
            url = address_of(child)
            if url.startswith("#") and not _SOLID.search(shown_words(child)):
                return  # a sign that links to its own heading, or back to the mark of a note
            self._urls.append(url)
            self._parts.append(_LINK)
        self._in_link += link
        self.walk(child, kind)
        self._in_link -= link
        if link:
            self._parts.append(_LINK_END)

    def _block(self, child: HtmlElement, tag: str, kind: BlockKind) -> None:
        if tag == "table" and not self._in_struck and (data := _data_table(child)):
            self.found += data
            return
        is_entry = tag == "li" and child.find("article") is not None  # of a live report
        within = BlockKind.PARAGRAPH if is_entry else _KINDS.get(tag, kind)
        card = tag == "a"
        self._in_link += card
        before, outer = len(self.found), self._label
        if tag == "li":
            self._label = (self._number(child), before)
        self.walk(child, within)
        self.flush(child, within)
        self._in_link -= card
        if within is BlockKind.LIST:
            self._join(before)
        if tag == "li":
            self._label = outer
        if card:
            for leaf in self.found[before:]:
                leaf.linked = len(leaf.text)

    def _number(self, item: HtmlElement) -> str:
        """Count a list item and return its number as shown, or '' if it has no number or one of unknown form."""
        listed = item.getparent()
        if listed is None or listed.tag != "ol":
            return item.get(LABEL, "")
        start, given = listed.get("start", ""), item.get("value", "")
        before = self._numbers.get(listed, int(start) - 1 if _INTEGER.fullmatch(start) else 0)
        at = int(given) if _INTEGER.fullmatch(given) else before + 1
        self._numbers[listed] = at
        is_styled = any("list-style" in each.get("style", "") for each in (listed, item))
        shown = "" if is_styled else numeral(at, _FORMS.get(listed.get("type", "1"), ""))
        return shown and f"{shown}."

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
        if self._label[1] == before:
            first.number, self._label = self._label[0], ("", before)
        self.found[before:] = [first, *(leaf for leaf in self.found[before:] if leaf not in own)]

    def _add_text(self, text: str) -> None:
        if self._in_struck:
            self._struck[-1] += text
        elif self._parts or not text.isspace():
            text = _EMPTY_LINE.sub(2 * _BREAK, text) if self._in_pre else text
            self._parts.append(text.replace("\n", _BREAK) if self._in_pre and self._in_code else text)

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
                text, links, linked = _cleaned(lines, urls, kind)
                if _SOLID.search(text):
                    self.found.append(Leaf(kind, text, element, links, linked, time))
        elif self.found and self.found[-1].element is element.getprevious() and _SIGN.fullmatch(raw):
            self.found[-1].text += raw.strip() if _FIGURE.fullmatch(self.found[-1].text) else ""
        if struck and len(self.found) > before:
            self.found[-1].struck += struck
        else:
            self.found += [Leaf(BlockKind.WITHDRAWN, words, element) for words in struck]


def address_of(link: HtmlElement) -> str:
    """Return the address of a link: '' for a named place, '#' for one that a script opens."""
    is_place = link.get("name") or link.get("id")
    return link.get("href") or ("" if is_place else "#")


def leads_away(url: str) -> bool:
    """Return False for a named place, the mark of a note and a link to a file."""
    return bool(url) and not url.startswith(NOTE) and not url.partition("?")[0].lower().endswith(_FILES)


def _holders(root: HtmlElement) -> set[HtmlElement]:
    found: set[HtmlElement] = set()
    for element in root.iter():
        if element.tag in BLOCKS:
            up = element.getparent()
            while up is not None and up not in found:
                found.add(up)
                up = up.getparent()
    return found


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


def _cleaned(raw: str, urls: Iterator[str], kind: BlockKind) -> tuple[str, list[tuple[str, int, int]], int]:
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
        is_own = url[:1] == "#" and kind is BlockKind.HEADING
        linked += len(words) if leads_away(url) and not is_own else 0
        start = text.find(words, cursor) if words else -1
        if start >= 0:
            cursor = start + len(words)
            links.append((url, start, cursor))
    return text, links, linked
