"""Excel workbooks: each sheet's cells as they are displayed, with formulas' saved values."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.kit.reader import Reader
from inquest.readers.office.docx import core_facts
from inquest.readers.office.package import Package, child, children, local, value, whole, words
from inquest.readers.office.sheets import BUILT_IN, MAX_CELLS, Sheet, cell, letters, shown, write_sheets
from inquest.readers.office.writing import Line, Writer

if TYPE_CHECKING:
    from lxml.etree import _Element as Element


class XlsxReader(Reader):
    """Reads XLSX and XLSM."""

    name: ClassVar[str] = "xlsx"
    content_types: ClassVar[tuple[str, ...]] = ("application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The sheets in order, hidden ones marked, each with its tables. Raises PageUnreadable, PageTooLarge."""
        package = Package(body, snapshot.final_url or snapshot.url)
        book = _Book(package)
        writer = Writer(self.name)
        write_sheets(book.sheets(), writer)
        if book.unsaved:
            writer.notes.append(f"{book.unsaved} formulas have no saved value: open and save the workbook once")
        if any(name.endswith("vbaProject.bin") for name in package.names):
            writer.notes.append("has macros, which are neither read nor run")
        empty = "is a workbook of charts without cells" if book.charts else "is a workbook without a filled cell"
        return writer.document(snapshot, core_facts(package), empty)


class _Book:
    def __init__(self, package: Package) -> None:
        self._package = package
        self._main = package.main("xl/workbook.xml")
        root = package.xml(self._main)
        if root is None:
            kind = "is an Excel binary workbook (.xlsb)" if "xl/workbook.bin" in package.names else "is damaged"
            raise package.damaged(kind, "Save it as XLSX.")
        self._root, self._related = root, package.related(self._main)
        self._since_1904 = value(child(root, "workbookPr"), "date1904") in ("1", "true")
        parts = dict(self._related.values())
        self._codes, self._struck = _formats(package.xml(parts.get("styles", "")))
        self._strings = self._shared(parts.get("sharedStrings", ""))
        self.unsaved = 0
        self.charts = any("/charts/" in name for name in package.names)

    def _shared(self, part: str) -> list[Line]:
        """The strings that cells share, in the order of the cells that first have them; those beyond the limit belong
        to cells beyond it."""
        found: list[Line] = []
        if part in self._package.names:
            with self._package.stream(part) as stream:
                for each in self._package.ended(stream, ("si",)):
                    found.append(_rich(each))
                    if len(found) >= 2 * MAX_CELLS:
                        break
        return found

    def sheets(self) -> Iterator[Sheet]:
        """Each worksheet, read row by row up to its limit."""
        for each in children(child(self._root, "sheets")):
            kind, part = self._related.get(value(each, "id") or "", ("", ""))
            if kind != "worksheet" or part not in self._package.names:
                continue
            sheet = Sheet(value(each, "name") or "?", hidden=(value(each, "state") or "visible") != "visible")
            with self._package.stream(part) as stream:
                for found in self._package.ended(stream, ("dimension", "col", "row", "mergeCell")):
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
            sheet.merged.append((*_at(first), *_at(last or first)))
        elif name == "dimension":
            sheet.rows_in_all = _at((value(found, "ref") or "").rpartition(":")[2])[0] + 1
        elif value(found, "hidden") in ("1", "true"):
            low, high = whole(value(found, "min"), 1), whole(value(found, "max"), 1)
            sheet.hidden_columns += [letters(low - 1) if low == high else f"{letters(low - 1)} to {letters(high - 1)}"]

    def _row(self, row: Element, sheet: Sheet) -> None:
        number = whole(value(row, "r"), next(reversed(sheet.rows), -1) + 2) - 1
        if value(row, "hidden") in ("1", "true"):
            sheet.hidden_rows.add(number)
        column = -1
        for each in row:
            column = _at(value(each, "r") or "")[1] if value(each, "r") else column + 1
            style = whole(value(each, "s"), 0)
            line = self._line(each, self._codes[style] if style < len(self._codes) else "")
            if style in self._struck:
                line.pieces = [(text, "struck") for text, _ in line.pieces]
            cell(line, sheet, number, column)

    def _line(self, found: Element, code: str) -> Line:
        """What a cell displays."""
        kind, held = value(found, "t") or "n", child(found, "v")
        line = Line()
        if kind == "inlineStr":
            return _rich(child(found, "is"))
        text = (held.text or "").strip() if held is not None and held.text else ""
        if not text:
            self.unsaved += child(found, "f") is not None and held is None
        elif kind == "s":
            shared = self._strings[int(text)] if text.isdigit() and int(text) < len(self._strings) else Line()
            line.pieces = list(shared.pieces)
        elif kind == "b":
            line.add("TRUE" if text == "1" else "FALSE")
        elif kind == "n":
            try:
                line.add(shown(float(text), code, since_1904=self._since_1904))
            except (ValueError, OverflowError):
                line.add(text)
        else:
            line.add(text)
        return line

    def _remarks(self, part: str, sheet: Sheet) -> None:
        related = self._package.related(part).values()
        threads = [each for kind, target in related if kind == "threadedComment"
                   for each in children(self._package.xml(target))]  # fmt: skip
        for each in threads:
            sheet.comment(*_at(value(each, "ref") or ""), words(child(each, "text")), "")
        for root in (self._package.xml(target) for kind, target in related if kind == "comments" and not threads):
            authors = [words(each) for each in children(child(root, "authors"))]
            for each in children(child(root, "commentList")):
                by = whole(value(each, "authorId"), 0)
                author = authors[by] if by < len(authors) else ""
                sheet.comment(*_at(value(each, "ref") or ""), words(child(each, "text")), author)


def _rich(element: Element | None) -> Line:
    """A string with its runs; what is written above it to be pronounced (rPh) is left out."""
    line = Line()
    for each in element if element is not None else ():
        if local(each) == "t":
            line.add(each.text or "")
        elif local(each) == "r":
            properties = child(each, "rPr")
            align = value(child(properties, "vertAlign")) or ""
            mark = {"superscript": "up", "subscript": "down"}.get(align, "")
            line.add("".join(t.text or "" for t in each.iter("{*}t")), "struck" if _is_struck(properties) else mark)
    return line


def _is_struck(font: Element | None) -> bool:
    strike = child(font, "strike")
    return strike is not None and value(strike) not in ("0", "false")


def _formats(root: Element | None) -> tuple[list[str], set[int]]:
    """The format code of each cell style, and the styles whose font is struck through."""
    own = {value(each, "numFmtId"): value(each, "formatCode") or "" for each in children(child(root, "numFmts"))}
    fonts = [_is_struck(each) for each in children(child(root, "fonts"))]
    codes, struck = [], set()
    for number, style in enumerate(children(child(root, "cellXfs"))):
        name = value(style, "numFmtId") or "0"
        codes.append(own.get(name) or BUILT_IN.get(int(name) if name.isdigit() else 0, ""))
        font = whole(value(style, "fontId"), 0)
        if font < len(fonts) and fonts[font]:
            struck.add(number)
    return codes, struck


def _at(reference: str) -> tuple[int, int]:
    """Row and column (from 0) of a cell's name: 'C4' is (3, 2)."""
    column = row = 0
    for char in reference.replace("$", "")[:12].upper():
        if char.isdigit():
            row = row * 10 + int(char)
        elif "A" <= char <= "Z":
            column = column * 26 + ord(char) - 64
    return max(0, row - 1), max(0, column - 1)
