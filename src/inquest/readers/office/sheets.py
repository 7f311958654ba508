"""Sheets of a workbook: sparse cells as displayed, laid out as tables that know their cells' references."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from inquest.domain.document import BlockKind
from inquest.readers.office.writing import Line, Writer, guessed_heads
from inquest.text.regex import regex

MAX_ROWS, MAX_COLUMNS, MAX_CELLS = 50_000, 1_000, 300_000
"""Of a sheet, and (cells) of a workbook; more is data to compute with and no text to quote."""
_UNNAMED = regex(r"\w{1,12} ?\d{1,3}$")
"""'Sheet1', 'Tabelle1', 'Feuil1'."""
_GAP = 3
"""Empty rows or columns between two tables of one sheet; fewer only part the groups of one."""


@dataclass(slots=True)
class Sheet:
    """The cells of a sheet by row and column (from 0), as displayed."""

    name: str
    hidden: bool = False
    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    merged: list[tuple[int, int, int, int]] = field(default_factory=list)
    """First row, first column, last row, last column."""
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: list[str] = field(default_factory=list)
    struck: list[str] = field(default_factory=list)
    comments: list[tuple[str, str, str]] = field(default_factory=list)
    """The text, the author and the cell."""
    rows_in_all: int = 0
    """As the file declares; 0: unknown."""
    cells: int = 0
    cut: bool = False

    def put(self, row: int, column: int, text: str) -> None:
        """Keep a cell, within the limits."""
        if not text:
            return
        if row >= MAX_ROWS or column >= MAX_COLUMNS or self.cells >= MAX_CELLS:
            self.cut = True
            return
        self.rows.setdefault(row, {})[column] = text
        self.cells += 1

    def comment(self, row: int, column: int, text: str, author: str) -> None:
        """Keep a comment on a cell."""
        if text:
            self.comments.append((text, author, reference(row, column)))

    @property
    def is_full(self) -> bool:
        """True once a limit is met, so that the rest need not be read."""
        return self.cells >= MAX_CELLS or len(self.rows) >= MAX_ROWS


def write_sheets(sheets: Iterable[Sheet], writer: Writer) -> None:
    """Write each sheet as a place with its tables, up to MAX_CELLS cells in all."""
    cells = 0
    writer.dated_by_text = False
    for sheet in sheets:
        writer.place(f"sheet {sheet.name}", hidden=sheet.hidden)
        if not _UNNAMED.match(sheet.name):
            writer.heading = writer.heading or sheet.name
        for top, bottom, left, right in _ranges(sheet):
            cells += (bottom - top + 1) * (right - left + 1)
            if cells > 3 * MAX_CELLS:
                sheet.cut = True
                break
            grid = [[sheet.rows.get(row, {}).get(column, "") for column in range(left, right + 1)]
                    for row in range(top, bottom + 1)]  # fmt: skip
            hidden = [row - top for row in sorted(sheet.hidden_rows) if top <= row <= bottom]
            writer.table(grid, first_cell=reference(top, left), hidden=hidden)
        writer.block(BlockKind.PARAGRAPH, "", sheet.struck)
        for each in sheet.comments:
            writer.comment(*each)
        if sheet.cut:
            total = f" of {sheet.rows_in_all:,}" if sheet.rows_in_all else ""
            read = max(sheet.rows, default=-1) + 1
            writer.notes.append(f"sheet {sheet.name}: the first {read:,}{total} rows, up to {MAX_COLUMNS:,} columns")
        if sheet.hidden_columns:
            writer.notes.append(f"sheet {sheet.name} hides the columns {', '.join(sheet.hidden_columns[:20])}")
        if cells > 3 * MAX_CELLS:
            writer.notes.append(f"the sheets after {sheet.name} are not read")
            return


def _ranges(sheet: Sheet) -> Iterator[tuple[int, int, int, int]]:
    """The tables of a sheet: top, bottom, left and right of each. Empty rows part them where what follows has heads of
    its own, empty columns where there are several."""
    end = max(sheet.rows, default=0)
    for top, left, bottom, right in sheet.merged:
        text = sheet.rows.get(top, {}).get(left, "")
        # Merged cells are repeated as far as the sheet reaches in their rows: whole columns are merged at times.
        for row in range(top, min(bottom, end) + 1) if text else ():
            for column in range(left, min(right, left + 100) + 1):
                sheet.put(row, column, text)
    spans: list[tuple[int, int]] = []
    for first, last in _runs(sorted(sheet.rows), 1):
        heads = guessed_heads([list(_row(sheet, row)) for row in range(first, min(last, first + 30) + 1)])
        if spans and first - spans[-1][1] <= _GAP and not (heads[0] and last > first):
            spans[-1] = (spans[-1][0], last)
        else:
            spans.append((first, last))
    for top, bottom in spans:
        columns = sorted({column for row in range(top, bottom + 1) for column in sheet.rows.get(row, ())})
        for left, right in _runs(columns, _GAP):
            filled = [
                row for row in range(top, bottom + 1) if any(left <= each <= right for each in sheet.rows.get(row, ()))
            ]
            yield filled[0], filled[-1], left, right


def _row(sheet: Sheet, row: int) -> Iterator[str]:
    cells = sheet.rows.get(row, {})
    return (cells.get(column, "") for column in range(max(cells, default=0) + 1))


def _runs(numbers: list[int], gap: int) -> Iterator[tuple[int, int]]:
    """The first and last of each run of numbers that are no more than `gap` apart."""
    first = None
    last = 0
    for number in numbers:
        if first is None:
            first = number
        elif number - last > gap:
            yield first, last
            first = number
        last = number
    if first is not None:
        yield first, last


def reference(row: int, column: int) -> str:
    """The name of a cell: (3, 2) is 'C4'."""
    return f"{letters(column)}{row + 1}"


def letters(column: int) -> str:
    """The name of a column: 27 is 'AB'."""
    name, column = "", column + 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return name


BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    14: "yyyy-mm-dd", 15: "yyyy-mm-dd", 16: "yyyy-mm-dd", 17: "mmm yyyy", 18: "h:mm", 19: "h:mm:ss", 20: "h:mm",
    21: "h:mm:ss", 22: "yyyy-mm-dd h:mm", 37: "#,##0", 38: "#,##0", 39: "#,##0.00", 40: "#,##0.00", 45: "mm:ss",
    46: "[h]:mm:ss", 47: "mm:ss", 49: "@",
}  # fmt: skip
"""The number formats that a workbook does not write out (ECMA-376, part 1, 18.8.30)."""
_LITERAL = regex(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)[^\]]*\]|_.|\*.|\[(?![hms]+\])[^\]]*\]')
_DATE = regex(r"[ymdhs]")
_DIGITS = regex(r"[#0?][#0?,. ]*(?:E[+-][#0?]+)?|General", 2)


def shown(number: float, code: str, *, since_1904: bool = False) -> str:
    """A number as a cell with that format code displays it; dates are ISO. Colours, conditions and fractions are not
    followed."""
    sections = code.split(";") if code not in ("", "General", "@") else [""]
    section = sections[1] if number < 0 and len(sections) > 1 else sections[0]
    bare = _LITERAL.sub("", section)
    if _DATE.search(bare.lower().replace("general", "")) and "0" not in bare.split(".")[0]:
        return _moment(number, bare.lower(), since_1904)
    pattern = _DIGITS.search(bare)
    if not pattern or "/" in bare or pattern.group().lower() == "general":
        return _general(number)
    digits = pattern.group().rstrip(" ")
    negative = number < 0 and len(sections) < 2
    text = _figure(abs(number) * (100 if "%" in bare else 1), digits)
    literal = _LITERAL.sub(lambda match: match[1] or match[2] or match[3] or "", section)
    before, _, after = literal.partition(digits)
    return ("-" if negative and text.strip("0.,") else "") + f"{before}{text}{after}".strip()


def _figure(number: float, digits: str) -> str:
    if "E" in digits.upper():
        return f"{number:.{len(digits.upper().partition('E')[0].partition('.')[2])}E}"
    number /= 1_000 ** (len(digits) - len(digits.rstrip(",")))
    whole, _, decimals = digits.rstrip(",").partition(".")
    text = f"{number:{',' if ',' in whole else ''}.{len(decimals)}f}"
    optional = len(decimals) - len(decimals.rstrip("#?"))
    for _ in range(optional):
        text = text.removesuffix("0")
    return text.removesuffix(".")


def _general(number: float) -> str:
    if number == int(number) and abs(number) < 1e15:
        return str(int(number))
    return f"{number:.10g}"


def _moment(number: float, code: str, since_1904: bool) -> str:
    if "[" in code:
        minutes, seconds = divmod(round(number * 86_400), 60)
        return f"{minutes // 60}:{minutes % 60:02}" + (f":{seconds:02}" if "s" in code else "")
    try:
        start = datetime(1904, 1, 1) if since_1904 else datetime(1899, 12, 30)  # noqa: DTZ001
        at = start + timedelta(seconds=round(number * 86_400))
    except (OverflowError, ValueError):
        return _general(number)
    parts = []
    if "y" in code or "d" in code:
        parts.append(f"{at:%Y-%m-%d}" if "d" in code else f"{at:%Y-%m}" if "m" in code else f"{at:%Y}")
    elif "h" not in code and "s" not in code:
        return f"{at:%Y-%m}" if number >= 1 else _general(number)  # months alone
    if "h" in code or "s" in code:
        parts.append(f"{at:%H:%M:%S}" if "s" in code else f"{at:%H:%M}")
    return " ".join(parts)


def cell(line: Line, sheet: Sheet, row: int, column: int) -> None:
    """Keep a cell whose text may be partly struck out."""
    text, struck = line.take()
    sheet.struck += struck
    sheet.put(row, column, " ".join(text.split()))
