"""Readers of Excel workbooks, new and old (BIFF): displayed cells, with the saved values of formulas."""

from __future__ import annotations

import io
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.office.ooxml import core_facts
from inquest.readers.office.package import Package, child, children, local, value, whole, words
from inquest.readers.office.sheets import BUILT_IN, MAX_CELLS, MAX_COLUMNS, Sheet, shown, write_sheets
from inquest.readers.office.writing import Draft, Facts
from inquest.readers.raised import lowered, raised
from inquest.text.tables import referred

if TYPE_CHECKING:
    from lxml.etree import _Element as Element
    from xlrd.book import Book

_ON = ("1", "true")


class XlsxReader(Reader):
    """Reads XLSX and XLSM."""

    name: ClassVar[str] = "xlsx"

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The sheets in order, hidden ones marked, each with its tables. Raises PageUnreadable, PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        book = _Book(package)
        draft = Draft(self.name)
        write_sheets(book.sheets(), draft)
        if book.unsaved:
            draft.notes.append(f"{book.unsaved} formulas have no saved value: open and save the workbook once")
        charts = any("/charts/" in name for name in package.names)
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
        self.unsaved = 0

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
            locked = "encrypted" in str(error) or "password" in str(error)
            how, advice = ("opens only with a password", "Save it without a password.") if locked else (
                "is damaged or incomplete", "Open it and save it as XLSX.")  # fmt: skip
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
