"""Paragraphs from placed lines: running headers removed, divided words and broken lines joined. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from statistics import median
from typing import NamedTuple

from inquest.domain.document import Table
from inquest.readers.pdf.chars import HYPHEN
from inquest.readers.pdf.lines import CELL, PdfLine, foot, usual_size
from inquest.readers.plain import clean
from inquest.text.blocks import moved
from inquest.text.lexicon import pattern, word_set
from inquest.text.regex import regex

_MARGIN = 0.09  # Share of the page's height at top and bottom for headers, footers and page numbers.
_PAGE_NUMBER = pattern(__name__, "page_number")
_DIGITS = regex(r"\d+")
_TABLE_HEAD = regex(r"\|\s*(?:19|20)\d\d\b.*\|\s*(?:19|20)\d\d\b")
"""The header of a table with a column per year, repeated on every page of a long table to name its columns."""
_BULLET = regex(r"(?:[•◦▪▫■□●○‣⁃·>»→✓–—*-]\s|\(?(?:\d{1,2}|[a-z])[.)]\s)")
_FIRST_WORD = regex(r"\S+(?: \[[^\]]{1,20}\])*")  # The first word with its mark.
_NUMBERED = regex(r"[A-Z]?\d{1,2}[.)]?\s+[A-Z]")
_SENTENCE_END = regex(r"[.!?:;…][\"'”’»)\]]*$")
_SPLIT_WORD = regex(rf"((?:\w+-){{2,}}\w+|\w+)(?:{HYPHEN}|-\n(?!\n[\dA-Z]))\s*(\w+)")
_ADDRESS_ENDS = regex(r"https?://\S*?(?P<sign>[./_=&?%#-])?$")
_ADDRESS_GOES_ON = regex(r"[^\s()A-Z]*[./_=&?%#-][^\s()]")
_DIVIDED = regex(r"\w+[-‐]\s*$")
_LINE_END = regex(r"(?<=\w)(?:- (?=[^\W\d_A-Z])|‐\s(?=[^\W\d_]|\n[^\W\d_A-Z]))")
"""A hyphen at the end of a line. Only one that was added there (U+2010) may be followed by a capital."""
_WORD = regex(r"[^\W\d_]+(?:-[^\W\d_]+)*")
_LABELLED = regex(r"(?m)^([^|\n]{1,60}:) \| (?=[^|\n]+$)")
_OPEN = regex(r"[^.!?:;…\"'”’»)\]|]$")
_SECOND_HALVES = word_set(__name__, "second_halves")
"""Words that are more often the second half of a compound than the end of a divided word."""
_CONJUNCTIONS = frozenset("and or und oder bzw et ou y e o en of och og".split())


@dataclass(frozen=True, slots=True)
class PdfPage:
    """The lines of a page and its height in points."""

    lines: tuple[PdfLine, ...]
    height: float


class PageText(NamedTuple):
    """A text and its tables, whose offsets count from its beginning."""

    text: str
    tables: tuple[Table, ...]


def without_running_lines(pages: Sequence[PdfPage]) -> list[PdfPage]:
    """Remove running headers and footers, page numbers, and navigation repeated on page after page.

    A line is running if the same words are at the same place in the margins (ignoring page numbers) of at least three
    pages, or of both, or elsewhere on at least a quarter of the pages.
    """
    seen = Counter(key for page in pages for key in {_key(line, page) for line in page.lines if not line.table})
    needed = max(3, len(pages) // 4)

    def runs(line: PdfLine, page: PdfPage) -> bool:
        if _in_margin(line, page):
            is_repeated = seen[_key(line, page)] >= min(3, max(2, len(pages)))
            return is_repeated or bool(_PAGE_NUMBER.fullmatch(line.text.strip()))
        return seen[_key(line, page)] >= needed and not _TABLE_HEAD.search(line.text)

    return [
        PdfPage(tuple(line for line in page.lines if line.table or not runs(line, page)), page.height) for page in pages
    ]


def _in_margin(line: PdfLine, page: PdfPage) -> bool:
    return line.top < _MARGIN * page.height or line.top > (1 - _MARGIN) * page.height


def _key(line: PdfLine, page: PdfPage) -> tuple[str, int, int]:
    text = " ".join(line.text.split())
    margin = _in_margin(line, page)
    # Headers shift with the page number and change sides; only their height is constant.
    return (_DIGITS.sub("#", text) if margin else text, round(line.top / 4), -1 if margin else round(line.left / 4))


def _usual_leading(pages: Sequence[PdfPage]) -> float:
    """Return the usual distance between baselines relative to the type size."""
    found = [
        (above.bottom - below.top) / above.size
        for page in pages
        for above, below in zip(page.lines, page.lines[1:], strict=False)
        if abs(above.left - below.left) < 2 and 0.8 * above.size < above.bottom - below.top < 2.2 * above.size
    ]
    return median(found) if len(found) >= 5 else 1.3


def _words_of(pages: Sequence[PdfPage]) -> Counter[str]:
    """Count the undivided words of the document, in lower case."""
    counts: Counter[str] = Counter()
    for line in (line for page in pages for line in page.lines):
        is_divided = HYPHEN in line.text or line.text.rstrip().endswith(("-", "‐"))
        text = _SPLIT_WORD.sub(" ", _DIVIDED.sub("", line.text)) if is_divided else line.text
        counts.update(word.lower() for word in _WORD.findall(text))
    return counts


def _page_text(page: PdfPage, leading: float, known: Counter[str]) -> PageText:
    """Return the paragraphs of a page separated by blank lines; list items and table rows stay lines."""
    columns: dict[tuple[int, int], list[PdfLine]] = {}
    for line in page.lines:
        columns.setdefault(_column(line), []).append(line)
    right_edges = {column: _right_edge(column, columns) for column in columns}
    text = ""
    tables: list[Table] = []
    for table, lines in groupby(page.lines, key=lambda line: line if line.table else None):
        if table and table.table:
            text += "\n\n" if text else ""
            tables.append(moved(table.table, len(text)))
            text += table.text + table.added
        elif prose := _prose(list(lines), leading, known, right_edges):
            text += f"\n\n{prose}" if text else prose
    return PageText(text, tuple(tables))


def _prose(
    lines: Sequence[PdfLine], leading: float, known: Counter[str], right_edges: dict[tuple[int, int], float]
) -> str:
    parts: list[str] = []
    before: PdfLine | None = None
    for line in lines:
        text = " ".join(line.text.split())
        if before is not None:
            gap = _between(before, line, leading, right_edges)
            is_full = before.right >= right_edges[_column(before)] - 0.5 * before.size
            parts.append("" if gap == " " and _divides_address(parts, text, is_full=is_full) else gap)
        if line.added:  # After the first word, as the ends of a line decide how it is joined.
            word, space, rest = text.partition(" ")
            text = word + line.added + space + rest
        parts.append(text)
        before = line
    joined = _LABELLED.sub(r"\1 ", _LINE_END.sub("-\n", "".join(parts)))
    return clean(_SPLIT_WORD.sub(lambda split: _rejoined(split[1], split[2], known), joined).replace(HYPHEN, ""))


def _divides_address(parts: Sequence[str], text: str, *, is_full: bool) -> bool:
    """Return True if a line ends within an address: at one of its signs, or wherever the line was full."""
    ends = _ADDRESS_ENDS.search("".join(parts[-5:]))
    if ends is None or text.startswith("http"):
        return False
    divided = len(parts) > 1 and parts[-2] == "" and is_full
    return divided or bool((is_full or ends["sign"]) and _ADDRESS_GOES_ON.match(text))


def _between(above: PdfLine, below: PdfLine, leading: float, right_edges: dict[tuple[int, int], float]) -> str:
    """Return the separator of two lines: a space (one paragraph), a line feed (list, table) or a blank line."""
    size = min(above.size, below.size)
    drop = above.bottom - below.top
    if abs(drop) < 0.35 * size and below.left >= above.right - 1:
        return CELL if below.left - above.right > 1.2 * size else " "
    if drop < 0 and above.size == below.size and CELL not in above.text + below.text and _goes_on(above, below):
        return " "  # at the top of the next column
    near = 0 < drop <= 1.22 * leading * max(above.size, below.size)
    beside = below.left < above.right and below.right > above.left
    weights = {_weighty(above), _weighty(below)}
    if not near or not beside or weights == {True, False}:
        return "\n\n"
    ratio = max(above.size, below.size) / size
    if ratio > 1.15:
        # Links or italics within a paragraph are often slightly smaller; headings differ more.
        goes_on = _goes_on(above, below) and abs(above.left - below.left) < 3
        return " " if ratio < 1.3 and goes_on else "\n\n"
    return _in_paragraph(above, below, right_edges[_column(above)])


def _goes_on(above: PdfLine, below: PdfLine) -> bool:
    return bool(_OPEN.search(above.text.rstrip())) and below.text.lstrip()[:1].islower()


def _in_paragraph(above: PdfLine, below: PdfLine, right: float) -> str:
    """Return the separator of two lines of one type, one right below the other."""
    numbered = _NUMBERED.match(above.text) and _NUMBERED.match(below.text)
    if CELL in above.text or CELL in below.text or numbered or _BULLET.match(below.text):
        return "\n"
    first_word = _FIRST_WORD.findall(below.text)[0]
    width = len(first_word) * (below.right - below.left) / max(1, len(below.text.strip()))
    fits = above.right + 1.3 * width + 0.4 * above.size < right  # the first word would have fitted on the line above
    if fits and not below.text.lstrip()[:1].islower():
        return "\n\n" if _SENTENCE_END.search(above.text.rstrip()) else "\n"
    return " "


def _column(line: PdfLine) -> tuple[int, int]:
    """Key of lines with the same left edge and type, which share their right edge."""
    return round(line.left / 6), round(line.size)


def _right_edge(column: tuple[int, int], columns: Mapping[tuple[int, int], Sequence[PdfLine]]) -> float:
    """Return how far the lines of a column could reach. Items of a list, none of which goes on in a second line, could
    reach as far as the text from which they are indented, by at most six type sizes."""
    left, size = column
    own = columns[column]
    is_list = len(own) > 1 and not any(line.text[:1].islower() for line in own)
    around = [key for key in columns if key[1] == size and 0 <= left - key[0] <= size] if is_list else [column]
    return max(line.right for key in around for line in columns[key])


def _weighty(line: PdfLine) -> bool | None:
    """Return True for a bold line, False for one that is bold at neither end, None if mixed or unknown."""
    ends = {weight >= 600 if weight >= 0 else None for weight in (line.weight, line.end_weight)}
    return ends.pop() if len(ends) == 1 else None


def _rejoined(first: str, second: str, known: Counter[str]) -> str:
    """Join a divided word as spelled elsewhere, else keep the hyphen between whole words ('short- and long-term')."""
    if second.lower() in _CONJUNCTIONS:
        return f"{first}- {second}"
    closed, hyphened = f"{first}{second}".lower(), f"{first}-{second}".lower()
    if known[closed] or known[hyphened]:
        return f"{first}{second}" if known[closed] >= known[hyphened] else f"{first}-{second}"
    is_compound = not second[:1].islower() or first[-1:].isdigit() or "-" in first or second.lower() in _SECOND_HALVES
    # 'trust' and 'based' both occur alone: a compound. 'estab' does not: a divided word.
    both_words = len(first) > 2 and len(second) > 2 and known[first.lower()] > 0 and known[second.lower()] > 0
    return f"{first}-{second}" if is_compound or both_words else f"{first}{second}"


def text_of_pages(pages: Sequence[PdfPage]) -> tuple[PageText, tuple[int, ...]]:
    """Return the text of a document and the offset of each page. Sentences continue across pages, before the notes at
    the foot, and a table continued without a header gets the header of the page before."""
    parts: list[str] = []
    tables: list[Table] = []
    starts: list[int] = []
    length = 0
    ends_in_table = False
    notes = ""
    leading, known, usual = _usual_leading(pages), _words_of(pages), usual_size([page.lines for page in pages])
    for page in pages:
        end = foot(page.lines, usual) or len(page.lines)
        text, found = _page_text(replace(page, lines=page.lines[:end]), leading, known)
        if length and text:
            runs_on = text[:1].islower() and bool(_OPEN.search(parts[-1])) and not ends_in_table
            if divided := runs_on and parts[-1].endswith("‐"):
                parts[-1], length = parts[-1][:-1], length - 1
            if runs_on and notes:
                first, gap, rest = text.partition("\n\n")
                text, found = f"{first}{notes}{gap}{rest}", tuple(moved(table, len(notes)) for table in found)
            parts.append("" if divided else " " if runs_on else f"{notes}\n\n")
            length += len(parts[-1])
            notes = ""
        starts.append(length)
        for number, table in enumerate(found):
            at_top = number == 0 and ends_in_table and table.rows[0][0][0] == 0
            placed = moved(table, length)
            tables.append(_headed(placed, tables[-1]) if at_top else placed)
        if text:
            parts.append(text)
            length += len(text)
            ends_in_table = bool(found) and found[-1].rows[-1][-1][1] == len(text)
        if below := _page_text(replace(page, lines=page.lines[end:]), leading, known).text:
            notes += f"\n\n{below}"
    parts.append(notes)
    return PageText("".join(parts), tuple(tables)), tuple(starts)


def _headed(table: Table, above: Table) -> Table:
    """Give the table the header of the one it continues, if it has none and as many columns."""
    heads = above.rows[: above.head_rows]
    if table.head_rows or len(table.rows[0]) != len(above.rows[0]) or table.head_columns != above.head_columns:
        return table
    return table.model_copy(update={"rows": heads + table.rows, "head_rows": len(heads)})
