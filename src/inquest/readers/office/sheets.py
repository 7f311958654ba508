"""Workbooks: sheets written as tables with cell references, and readers of Excel files, new and old (BIFF)."""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal, localcontext
from itertools import chain, islice
from typing import TYPE_CHECKING, ClassVar

from lxml.etree import _Element as Element

from inquest.domain.document import BlockKind, Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.grids import heads_of
from inquest.readers.office.package import Package, child, children, local, value, whole, words
from inquest.readers.office.writing import Draft, Facts, core_facts
from inquest.readers.plain import one_line
from inquest.readers.raised import lowered, raised
from inquest.text.blocks import grid_text, reference, referred
from inquest.text.regex import regex
from inquest.text.sentences import content_words

MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 50_000, 1_000, 300_000
"""Rows and columns of a sheet, and cells of a workbook; larger ones are data rather than text to quote."""
_UNNAMED = regex(r"\w{1,12} ?\d{1,3}$")  # Default names: 'Sheet1', 'Tabelle1', 'Feuil1'.
_GAP = 3  # Number of empty rows or columns that separate two tables; fewer separate groups of one table.
BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd", 15: "yyyy-mm-dd",
    16: "yyyy-mm-dd", 17: "mmm yyyy", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00",
    40: "#,##0.00",
}  # fmt: skip
"""Number formats that a workbook need not define (ECMA-376, part 1, 18.8.30), without those of times."""
_LITERAL = regex(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|_.|\*.|\[[^\]]*\]')
_DIGITS = regex(r"[#0?][#0?,. ]*")
_NOT_FOLLOWED = regex(r"[/E]|general|^@?$", re.I)
_MASK = ";;;"  # The format that shows neither numbers nor text.
_ON = ("1", "true")


@dataclass(slots=True)
class Sheet:
    """The displayed cells of a sheet by row and column, from 0."""

    name: str
    hidden: bool = False
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    """First row, first column, last row, last column."""
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    struck: list[str] = field(default_factory=list)
    comments: list[str] = field(default_factory=list)
    rows_in_all: int = 0
    """Number of rows declared in the file, or 0."""
    cells: int = 0
    cut: bool = False

    def put(self, row: int, column: int, text: str) -> None:
        """Add a cell, within the limits."""
        text = one_line(text)
        if not text:
            return
        if row >= MAX_ROWS or column >= MAX_COLUMNS or self.cells >= MAX_CELLS:
            self.cut = True
            return
        self.rows.setdefault(row, {})[column] = text
        self.cells += 1

    def comment(self, row: int, column: int, text: str, author: str) -> None:
        """Add a comment on a cell."""
        if text:
            by = f" by {author}" if author else ""
            self.comments.append(f"Comment{by} on {reference(row, column)}: {text}")

    @property
    def is_full(self) -> bool:
        """True once a limit is reached."""
        return self.cells >= MAX_CELLS or len(self.rows) >= MAX_ROWS


def write_sheets(sheets: Iterable[Sheet], draft: Draft) -> None:
    """Write each sheet as a place with its tables, under its name if there are several, up to three times MAX_CELLS
    cells in total, including empty ones."""
    cells = 0
    first = list(islice(sheets := iter(sheets), 2))
    for sheet in chain(first, sheets):
        draft.place(f"sheet {sheet.name}", hidden=sheet.hidden)
        is_named = not _UNNAMED.match(sheet.name)
        if not draft.parts:
            draft.heading = _caption(sheet) or (sheet.name if is_named else "")
        if is_named and sheet.rows and len(first) > 1:
            draft.put(one_line(sheet.name), BlockKind.HEADING)
        for top, bottom, left, right in _ranges(sheet):
            cells += (bottom - top + 1) * (right - left + 1)
            if cells > 3 * MAX_CELLS:
                sheet.cut = True
                break
            _table(sheet, range(top, bottom + 1), range(left, right + 1), draft)
        for kind, texts in ((BlockKind.WITHDRAWN, sheet.struck), (BlockKind.COMMENT, sheet.comments)):
            for text in texts:
                draft.put(one_line(text), kind)
        if sheet.cut:
            total = f" of {sheet.rows_in_all:,}" if sheet.rows_in_all else ""
            read = max(sheet.rows, default=-1) + 1
            draft.notes.append(f"sheet {sheet.name}: the first {read:,}{total} rows, up to {MAX_COLUMNS:,} columns")
        if cells > 3 * MAX_CELLS:
            draft.notes.append(f"the sheets after {sheet.name} are not read")
            return


def _caption(sheet: Sheet) -> str:
    """Return the words that a sheet begins with, alone in their row, above a table; '' if there are none."""
    top = sheet.rows.get(min(sheet.rows, default=0), {})
    caption = next(iter(top.values())) if len(top) == 1 and any(len(row) > 1 for row in sheet.rows.values()) else ""
    return caption if len(content_words(caption)) > 1 else ""


def _table(sheet: Sheet, rows: range, columns: range, draft: Draft) -> None:
    grid = [[sheet.rows.get(row, {}).get(column, "") for column in columns] for row in rows]
    if not any(char.isalnum() for row in grid for cell in row for char in cell):
        return
    head_rows, head_columns = heads_of(grid)
    made = grid_text(
        grid,
        head_rows=head_rows,
        head_columns=head_columns,
        first_cell=reference(rows[0], columns[0]),
        hidden_rows=sorted(row - rows[0] for row in sheet.hidden_rows.intersection(rows)),
        hidden_columns=sorted(column - columns[0] for column in sheet.hidden_columns.intersection(columns)),
    )
    draft.table(made)


def _ranges(sheet: Sheet) -> Iterator[tuple[int, int, int, int]]:
    """Yield top, bottom, left and right of tables: between them are wide gaps of columns, or empty rows and headers."""
    end = max(sheet.rows, default=0)
    for top, left, bottom, right in sheet.merged:
        text = sheet.rows.get(top, {}).get(left, "")
        # Whole columns may be merged: merged cells are repeated only within the rows of the sheet.
        for row in range(top, min(bottom, end) + 1) if text else ():
            for column in range(left, min(right, left + 100) + 1):
                sheet.put(row, column, text)
    spans: list[tuple[int, int]] = []
    for first, last in _runs(sheet.rows, 1):
        sample = [sheet.rows[row] for row in range(first, min(last, first + 30) + 1)]
        width = max(map(max, sample)) + 1
        heads, _ = heads_of([[cells.get(column, "") for column in range(width)] for cells in sample])
        if spans and first - spans[-1][1] <= _GAP and not (heads and last > first):
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    for top, bottom in spans:
        rows = {row: sheet.rows[row] for row in range(top, bottom + 1) if row in sheet.rows}
        for left, right in _runs(set(chain.from_iterable(rows.values())), _GAP):
            filled = [row for row, cells in rows.items() if any(left <= each <= right for each in cells)]
            yield filled[0], filled[-1], left, right


def _runs(numbers: Iterable[int], gap: int) -> list[tuple[int, int]]:
    """Return the first and last of each run of numbers at most `gap` apart."""
    found: list[tuple[int, int]] = []
    for number in sorted(numbers):
        if found and number - found[-1][1] <= gap:
            found[-1] = (found[-1][0], number)
        else:
            found.append((number, number))
    return found


def shown(number: float, code: str, *, since_1904: bool = False) -> str:
    """Format a number as its cell displays it: decimals, thousands, percent, unit or currency; dates in ISO form. Other
    formats (fractions, exponents, times) give the plain number."""
    first, *others = code.split(";")
    section = others[0] if number < 0 and others else others[1] if number == 0 and len(others) > 1 else first
    bare = _LITERAL.sub("", section)
    if any(letter in bare.lower() for letter in ("y", "d", "mmm")):
        return _date(number, bare.lower(), since_1904)
    found = _DIGITS.findall(bare)
    if others and not bare.strip(" ()-+"):
        return _literal(section).strip()
    if len(found) != 1 or _NOT_FOLLOWED.search(bare) or ":" in bare:
        return str(int(number)) if number == int(number) and abs(number) < 1e15 else f"{number:.10g}"
    digits = found[0].rstrip(" ")
    whole, _, decimals = digits.rstrip(",").partition(".")
    scale = Decimal(1_000) ** (len(digits) - len(digits.rstrip(","))) / (100 if "%" in bare else 1)
    least = whole.count("0")
    width = max(1, least + max(0, least - 1) // 3 * ("," in whole) + len(decimals) + bool(decimals))
    with localcontext(rounding=ROUND_HALF_UP):
        text = f"{Decimal(f'{abs(number):.15g}') / scale:0{width}{',' if ',' in whole else ''}.{len(decimals)}f}"
    if not least:
        text = text.lstrip("0")
    if optional := len(decimals) - len(decimals.rstrip("#?")):
        text = text[:-optional] + text[-optional:].rstrip("0")
    before, _, after = _literal(section).partition(digits)
    sign = "-" if number < 0 and not others and text.strip("0.,") else ""
    return f"{sign}{before}{text.removesuffix('.')}{after}".strip()


def _literal(section: str) -> str:
    return _LITERAL.sub(lambda match: match[1] or match[2] or match[3] or "", section)


def _date(number: float, code: str, since_1904: bool) -> str:
    try:
        start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)  # noqa: DTZ001
        at = start + timedelta(seconds=round(number * 86_400))
    except (OverflowError, ValueError):
        return f"{number:.10g}"
    day = "%Y-%m-%d" if "d" in code else "%Y-%m" if "m" in code else "%Y"
    return at.strftime(f"{day} %H:%M" if "h" in code else day)


if TYPE_CHECKING:
    from xlrd.book import Book


class XlsxReader(Reader):
    """Reads XLSX and XLSM."""

    name: ClassVar[str] = "xlsx"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The sheets in order, hidden ones marked, each with its tables. Raises PageUnreadable, PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        book = _Book(package)
        draft = Draft(self.name)
        write_sheets(book.sheets(), draft)
        draft.left_out["hidden cells"] = book.masked
        if book.unsaved:
            draft.notes.append(f"{book.unsaved} formulas have no saved value: open and save the workbook once")
        draft.left_out["charts"] = charts = sum("/charts/chart" in name for name in package.names)
        empty = "is a workbook of charts only" if charts else "is a workbook without a filled cell"
        return draft.document(snapshot, core_facts(package, draft), empty, dated=False)


def sheet_rows(body: bytes, url: str) -> Iterator[tuple[str, Iterator[list[str]]]]:
    """Yield the name and all displayed rows of each visible sheet, for use as a lookup table. Raises PageUnreadable,
    PageTooLarge."""
    book = _Book(Package(body, url))
    for sheet, part in book.parts():
        if not sheet.hidden:
            yield sheet.name, book.rows(part)


class _Book:
    def __init__(self, package: Package) -> None:
        self._package = package
        if "xl/workbook.bin" in package.names:
            raise package.damaged("is an Excel binary workbook (.xlsb)", "Save it as XLSX.")
        root, main = package.main("xl/workbook.xml")
        self._root, self._related = root, package.related(main)
        self._since_1904 = value(child(root, "workbookPr"), "date1904") in _ON
        parts = dict(self._related.values())
        self._codes, self._struck = _formats(package.xml(parts.get("styles", "")))
        strings = parts.get("sharedStrings", "")
        # In the order of the cells that use them first, so that twice the limit of cells is enough.
        found = islice(package.ended(strings, ("si",)), 2 * MAX_CELLS) if strings in package.names else ()
        self._strings = [_rich(each) for each in found]
        self.unsaved = self.masked = 0

    def parts(self) -> Iterator[tuple[Sheet, str]]:
        """Yield each worksheet, still empty, and its part of the package."""
        for each in children(child(self._root, "sheets")):
            kind, part = self._related.get(value(each, "id") or "", ("", ""))
            if kind == "worksheet" and part in self._package.names:
                yield Sheet(value(each, "name") or "?", hidden=(value(each, "state") or "visible") != "visible"), part

    def rows(self, part: str) -> Iterator[list[str]]:
        """Yield the cells of each row of a worksheet, without a limit."""
        for row in self._package.ended(part, ("row",)):
            sheet = Sheet("")
            self._row(row, sheet, 0)
            cells = next(iter(sheet.rows.values()), {})
            yield [cells.get(column, "") for column in range(max(cells, default=-1) + 1)]

    def sheets(self) -> Iterator[Sheet]:
        """Yield each worksheet, read row by row up to its limit."""
        for sheet, part in self.parts():
            for found in self._package.ended(part, ("dimension", "col", "row", "mergeCell")):
                self._take(found, sheet)
                if sheet.is_full and local(found) == "row":
                    sheet.cut = True
                    break
            self._remarks(part, sheet)
            yield sheet

    def _take(self, found: Element, sheet: Sheet) -> None:
        name = local(found)
        if name == "row":
            self._row(found, sheet)
        elif name == "mergeCell":
            first, _, last = (value(found, "ref") or "").partition(":")
            sheet.merged.append((*referred(first), *referred(last or first)))
        elif name == "dimension":
            sheet.rows_in_all = referred((value(found, "ref") or "").rpartition(":")[2])[0] + 1
        elif value(found, "hidden") in _ON:
            low, high = whole(value(found, "min"), 1), whole(value(found, "max"), 1)
            sheet.hidden_columns.update(range(low - 1, min(high, MAX_COLUMNS)))

    def _row(self, row: Element, sheet: Sheet, number: int | None = None) -> None:
        if number is None:
            number = whole(value(row, "r"), next(reversed(sheet.rows), -1) + 2) - 1
        if value(row, "hidden") in _ON:
            sheet.hidden_rows.add(number)
        column = -1
        for each in row:
            column = referred(value(each, "r") or "")[1] if value(each, "r") else column + 1
            style = whole(value(each, "s"), 0)
            text, struck = self._shown(each, self._codes[style] if style < len(self._codes) else "")
            if style in self._struck:
                text, struck = "", [text] if text else []
            sheet.struck += struck
            sheet.put(number, column, text)

    def _shown(self, cell: Element, code: str) -> tuple[str, list[str]]:
        """Return the displayed text of a cell and its struck-out parts."""
        kind, held = value(cell, "t") or "n", child(cell, "v")
        if code == _MASK:
            self.masked += held is not None
            return "", []
        if kind == "inlineStr":
            return _rich(child(cell, "is"))
        text = (held.text or "").strip() if held is not None else ""
        if not text:
            self.unsaved += child(cell, "f") is not None and held is None
        elif kind == "s":
            number = whole(text, len(self._strings))
            return self._strings[number] if number < len(self._strings) else ("", [])
        elif kind == "b":
            text = "TRUE" if text == "1" else "FALSE"
        elif kind == "n":
            with suppress(ValueError, OverflowError):  # then it is shown as written
                text = shown(float(text), code, since_1904=self._since_1904)
        return text, []

    def _remarks(self, part: str, sheet: Sheet) -> None:
        related = self._package.related(part).values()
        roots = {kind: self._package.xml(target) for kind, target in related if "omment" in kind}
        threads = children(roots.get("threadedComment"))
        for each in threads or children(child(roots.get("comments"), "commentList")):
            authors = [words(one) for one in children(child(roots.get("comments"), "authors"))]
            by = whole(value(each, "authorId"), len(authors))
            author = authors[by] if by < len(authors) and not threads else ""
            sheet.comment(*referred(value(each, "ref") or ""), words(child(each, "text")), author)


def _rich(string: Element | None) -> tuple[str, list[str]]:
    """Return the text of a rich string and its struck-out parts, without phonetic guides (rPh)."""
    written, struck = "", []
    for each in children(string):
        text = each.text or "" if local(each) == "t" else "".join(t.text or "" for t in each.iter("{*}t"))
        properties = child(each, "rPr")
        align = value(child(properties, "vertAlign"))
        if local(each) not in ("t", "r"):
            continue
        if _is_struck(properties):
            struck.append(text)
        elif align in ("superscript", "subscript") and text.strip():
            written += (raised if align == "superscript" else lowered)(text.strip(), written)
        else:
            written += text
    return written, struck


def _is_struck(font: Element | None) -> bool:
    strike = child(font, "strike")
    return strike is not None and value(strike) not in ("0", "false")


def _formats(root: Element | None) -> tuple[list[str], set[int]]:
    """Return the format code of each cell style, and the numbers of the struck-through styles."""
    own = {value(each, "numFmtId"): value(each, "formatCode") or "" for each in children(child(root, "numFmts"))}
    fonts = [_is_struck(each) for each in children(child(root, "fonts"))]
    styles = children(child(root, "cellXfs"))
    names = [value(style, "numFmtId") or "0" for style in styles]
    codes = [own.get(name) or BUILT_IN.get(whole(name, 0), "") for name in names]
    of_font = [whole(value(style, "fontId"), 0) for style in styles]
    return codes, {number for number, font in enumerate(of_font) if fonts[font : font + 1] == [True]}


class XlsReader(Reader):
    """Reads XLS."""

    name: ClassVar[str] = "xls"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the sheets as for XLSX. Raises PageUnreadable (damaged, password)."""
        import xlrd

        url = snapshot.final_url or snapshot.url
        try:
            book = xlrd.open_workbook(file_contents=body, formatting_info=True, logfile=io.StringIO())
        except Exception as error:
            # A damaged record can make the library raise anything.
            how, advice = "is damaged or incomplete", "Open it and save it as XLSX."
            if "encrypted" in str(error) or "password" in str(error):
                how, advice = "opens only with a password", "Save it without a password."
            raise PageUnreadable(url, f"The workbook at {url} {how}.", advice=advice) from error
        draft = Draft(self.name)
        write_sheets(_old_sheets(book), draft)
        empty = "is a workbook without a filled cell"
        return draft.document(snapshot, Facts(author=book.user_name), empty, dated=False)


def _old_sheets(book: Book) -> Iterator[Sheet]:
    import xlrd

    for given in book.sheets():
        sheet = Sheet(given.name, hidden=given.visibility != 0, rows_in_all=given.nrows)
        sheet.merged = [(top, left, bottom - 1, right - 1) for top, bottom, left, right in given.merged_cells]
        sheet.hidden_rows = {row for row, about in given.rowinfo_map.items() if about.hidden}
        sheet.hidden_columns = {column for column, about in given.colinfo_map.items() if about.hidden}
        for row in range(given.nrows):
            for column, found in enumerate(given.row(row)):
                style, text = book.xf_list[found.xf_index], found.value if found.ctype == xlrd.XL_CELL_TEXT else ""
                if found.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
                    code = book.format_map[style.format_key].format_str
                    text = shown(found.value, code, since_1904=book.datemode == 1)
                if text and book.font_list[style.font_index].struck_out:
                    sheet.struck.append(text)
                else:
                    sheet.put(row, column, text)
        for (row, column), note in given.cell_note_map.items():
            sheet.comment(row, column, note.text, note.author)
        yield sheet
