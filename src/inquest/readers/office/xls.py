"""Reader of old Excel workbooks (BIFF)."""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.office.sheets import Sheet, shown, write_sheets
from inquest.readers.office.writing import Draft, Facts

if TYPE_CHECKING:
    from xlrd.book import Book


class XlsReader(Reader):
    """Reads XLS."""

    name: ClassVar[str] = "xls"
    content_types: ClassVar[tuple[str, ...]] = ("application/vnd.ms-excel",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the sheets as for XLSX. Raises PageUnreadable (damaged, password)."""
        import xlrd

        url = snapshot.final_url or snapshot.url
        try:
            book = xlrd.open_workbook(file_contents=body, formatting_info=True, logfile=io.StringIO())
        except Exception as error:
            # A damaged record can make the library raise anything.
            locked = "encrypted" in str(error) or "password" in str(error)
            how, advice = ("opens with a password only", "Save it without a password.") if locked else (
                "is damaged or cut off", "Open it and save it as XLSX.")  # fmt: skip
            raise PageUnreadable(url, f"The workbook at {url} {how}.", advice=advice) from error
        draft = Draft(self.name)
        write_sheets(_sheets(book), draft)
        empty = "is a workbook without a filled cell"
        return draft.document(snapshot, Facts(author=book.user_name), empty, dated=False)


def _sheets(book: Book) -> Iterator[Sheet]:
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
