"""Sheets of a workbook: displayed cells, written as tables with cell references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from itertools import chain

from inquest.domain.document import BlockKind
from inquest.readers.grids import heads_of
from inquest.readers.office.writing import Draft
from inquest.readers.plain import one_line
from inquest.text.regex import regex
from inquest.text.tables import grid_text, reference

MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 50_000, 1_000, 300_000
"""Rows and columns of a sheet, and cells of a workbook; larger ones are data rather than text to quote."""
_UNNAMED = regex(r"\w{1,12} ?\d{1,3}$")  # Default names: 'Sheet1', 'Tabelle1', 'Feuil1'.
_GAP = 3  # Number of empty rows or columns that separate two tables; fewer separate groups of one table.


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
    """Write each sheet as a place with its tables, up to three times MAX_CELLS cells in total, including empty ones."""
    cells = 0
    for sheet in sheets:
        draft.place(f"sheet {sheet.name}", hidden=sheet.hidden)
        if not _UNNAMED.match(sheet.name):
            draft.heading = draft.heading or sheet.name
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
    """Yield top, bottom, left and right of each table. Empty rows separate tables if heads follow; wide gaps of columns
    always do."""
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


BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 14: "yyyy-mm-dd", 15: "yyyy-mm-dd",
    16: "yyyy-mm-dd", 17: "mmm yyyy", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00",
    40: "#,##0.00",
}  # fmt: skip
"""Number formats that a workbook need not define (ECMA-376, part 1, 18.8.30), without those of times."""
_LITERAL = regex(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|_.|\*.|\[[^\]]*\]')
_DIGITS = regex(r"[#0?][#0?,. ]*")
_NOT_FOLLOWED = regex(r"[/E]|general|^@?$", 2)


def shown(number: float, code: str, *, since_1904: bool = False) -> str:
    """Format a number as its cell displays it: decimals, thousands, percent, unit or currency; dates in ISO form. Other
    formats (fractions, exponents, times) give the plain number."""
    first, *others = code.split(";")
    section = others[0] if number < 0 and others else first
    bare = _LITERAL.sub("", section)
    if any(letter in bare.lower() for letter in ("y", "d", "mmm")):
        return _date(number, bare.lower(), since_1904)
    found = _DIGITS.search(bare)
    if found is None or _NOT_FOLLOWED.search(bare) or ":" in bare:
        return str(int(number)) if number == int(number) and abs(number) < 1e15 else f"{number:.10g}"
    digits = found.group().rstrip(" ")
    whole, _, decimals = digits.rstrip(",").partition(".")
    scale = 1_000 ** (len(digits) - len(digits.rstrip(","))) / (100 if "%" in bare else 1)
    text = f"{abs(number) / scale:{',' if ',' in whole else ''}.{len(decimals)}f}"
    if optional := len(decimals) - len(decimals.rstrip("#?")):
        text = text[:-optional] + text[-optional:].rstrip("0")
    literal = _LITERAL.sub(lambda match: match[1] or match[2] or match[3] or "", section)
    before, _, after = literal.partition(digits)
    sign = "-" if number < 0 and not others and text.strip("0.,") else ""
    return f"{sign}{before}{text.removesuffix('.')}{after}".strip()


def _date(number: float, code: str, since_1904: bool) -> str:
    try:
        start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)  # noqa: DTZ001
        at = start + timedelta(seconds=round(number * 86_400))
    except (OverflowError, ValueError):
        return f"{number:.10g}"
    day = "%Y-%m-%d" if "d" in code else "%Y-%m" if "m" in code else "%Y"
    return at.strftime(f"{day} %H:%M" if "h" in code else day)
