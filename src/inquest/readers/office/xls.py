"""Excel workbooks of the old kind (BIFF)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.office.sheets import Sheet, cell, letters, shown, write_sheets
from inquest.readers.office.writing import Facts, Line, Writer

if TYPE_CHECKING:
    from xlrd.book import Book

_MESSAGES = "encrypted", "password"


class XlsReader(Reader):
    """Reads XLS."""

    name: ClassVar[str] = "xls"
    content_types: ClassVar[tuple[str, ...]] = ("application/vnd.ms-excel",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """As of XLSX. Raises PageUnreadable (damaged, with a password)."""
        import xlrd

        url = snapshot.final_url or snapshot.url
        try:
            book = xlrd.open_workbook(file_contents=body, formatting_info=True, logfile=io.StringIO())
        except Exception as error:
            # The library raises whatever a damaged record makes it meet.
            if any(each in str(error) for each in _MESSAGES):
                raise PageUnreadable(
                    url, f"The workbook at {url} opens with a password only.", advice="Save it without a password."
                ) from error
            raise PageUnreadable(
                url, f"The workbook at {url} is damaged or cut off.", advice="Open it and save it as XLSX."
            ) from error
        writer = Writer(self.name)
        write_sheets(_sheets(book), writer)
        return writer.document(snapshot, Facts(author=book.user_name), "is a workbook without a filled cell")


def _sheets(book: Book) -> Iterator[Sheet]:
    for given in book.sheets():
        sheet = Sheet(given.name, hidden=given.visibility != 0, rows_in_all=given.nrows)
        sheet.merged = [(top, left, bottom - 1, right - 1) for top, bottom, left, right in given.merged_cells]
        sheet.hidden_rows = {row for row, about in given.rowinfo_map.items() if about.hidden}
        sheet.hidden_columns = [letters(column) for column, about in sorted(given.colinfo_map.items()) if about.hidden]
        for row in range(given.nrows):
            for column, found in enumerate(given.row(row)):
                _put(book, sheet, (row, column), found)
        for (row, column), note in given.cell_note_map.items():
            sheet.comment(row, column, note.text, note.author)
        yield sheet


def _put(book: Book, sheet: Sheet, at: tuple[int, int], found: Any) -> None:
    import xlrd

    style = book.xf_list[found.xf_index]
    if found.ctype in (xlrd.XL_CELL_NUMBER, xlrd.XL_CELL_DATE):
        text = shown(found.value, book.format_map[style.format_key].format_str, since_1904=book.datemode == 1)
    elif found.ctype == xlrd.XL_CELL_BOOLEAN:
        text = "TRUE" if found.value else "FALSE"
    elif found.ctype == xlrd.XL_CELL_ERROR:
        text = xlrd.error_text_from_code.get(found.value, "")
    else:
        text = str(found.value)
    line = Line()
    line.add(text, "struck" if book.font_list[style.font_index].struck_out else "")
    cell(line, sheet, *at)
