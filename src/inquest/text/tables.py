"""Tables of a document: the text of a grid, and cells with their heads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import NamedTuple, TypedDict, Unpack

from inquest.domain.document import Document, Table
from inquest.text.sentences import Span, content_words

CELL_GAP = " | "
"""The separator of cells in a document's text."""


class TableText(NamedTuple):
    """A grid as text, one line a row, and its table with offsets into that text."""

    text: str
    table: Table


class Cell(NamedTuple):
    """A cell with its heads."""

    text: str
    row_heads: tuple[str, ...]
    column_heads: tuple[str, ...]
    reference: str
    """'C4' in a workbook; '' elsewhere."""
    hidden: str = ""
    """'row' or 'column' if that is hidden in the document; else ''."""

    @property
    def heads(self) -> str:
        """All heads of the cell: 'Scope 1, 2023'."""
        return ", ".join(dict.fromkeys((*self.row_heads, *self.column_heads)))

    @property
    def label(self) -> str:
        """The place of the cell for readers: 'cell C4 (Scope 1, 2023)', 'Scope 1, 2023'."""
        heads, named = self.heads, f"cell {self.reference}" if self.reference else ""
        hidden = f" in a hidden {self.hidden}" if self.hidden else ""
        return (f"{named} ({heads})" if named and heads else named or heads) + hidden


class TableFacts(TypedDict, total=False):
    """The fields of `Table` other than its cells."""

    head_rows: int
    head_columns: int
    caption: str
    first_cell: str
    hidden_rows: Sequence[int]
    hidden_columns: Sequence[int]


def grid_text(grid: Sequence[Sequence[str]], **facts: Unpack[TableFacts]) -> TableText:
    """Lay out a grid, with spanning cells already repeated, as text. Shorter rows are filled with empty cells."""
    width = max(map(len, grid), default=0)
    lines: list[str] = []
    rows: list[tuple[tuple[int, int], ...]] = []
    at = 0
    for row in grid:
        cells = (*row, *("",) * (width - len(row)))
        starts = accumulate((len(cell) + len(CELL_GAP) for cell in cells[:-1]), initial=at)
        rows.append(tuple((start, start + len(cell)) for start, cell in zip(starts, cells, strict=False)))
        lines.append(CELL_GAP.join(cells))
        at += len(lines[-1]) + 1
    return TableText("\n".join(lines), Table.model_validate({"rows": rows, **facts}))


def moved(table: Table, by: int) -> Table:
    """The table with `by` added to all its offsets."""
    rows = tuple(tuple((start + by, end + by) for start, end in row) for row in table.rows)
    return table.model_copy(update={"rows": rows})


def cell_at(document: Document, start: int, end: int) -> Cell | None:
    """The cell of a table that contains `text[start:end]`; None if absent or it spans several."""
    for table in document.tables:
        if not table.rows or not table.rows[0][0][0] <= start <= table.rows[-1][-1][1]:
            continue
        for number, row in enumerate(table.rows):
            for column, (first, last) in enumerate(row):
                if first <= start and end <= last and first < last:
                    return _cell(document.text, table, number, column)
    return None


def cells_of_row(document: Document, table: Table, number: int) -> list[Cell]:
    """The non-empty cells of a row that are not heads; [] for a row of heads."""
    if number < table.head_rows:
        return []
    row = table.rows[number]
    return [
        _cell(document.text, table, number, column)
        for column in range(table.head_columns, len(row))
        if row[column][0] < row[column][1]
    ]


def rows_within(document: Document, span: Span) -> Iterator[tuple[Span, list[Cell]]]:
    """Yield the rows of figures in a part of the document's text, each with its cells."""
    for table in document.tables:
        if not table.rows or table.rows[-1][-1][1] < span.start or table.rows[0][0][0] > span.end:
            continue
        for number, row in enumerate(table.rows):
            whole = Span(row[0][0], row[-1][1])
            if span.start <= whole.start and whole.end <= span.end and (cells := cells_of_row(document, table, number)):
                yield whole, cells


def nearest_cells(statement: str, cells: Sequence[Cell]) -> list[Cell]:
    """The cells of a row whose column heads have most of the words and years of a statement; all cells if no head has
    any. In a row with a column for each year, this is the year that the statement names."""
    wanted = set(content_words(statement))
    shared = [len(wanted & {word for head in cell.column_heads for word in content_words(head)}) for cell in cells]
    most = max(shared, default=0)
    return [cell for cell, share in zip(cells, shared, strict=True) if share == most]


def spoken_row(statement: str, cells: Sequence[Cell]) -> str:
    """Spell out the `nearest_cells` of a row with their heads: 'Scope 1, 2023: 140 t'."""
    return "; ".join(f"{cell.heads}: {cell.text}" for cell in nearest_cells(statement, cells))


def _cell(text: str, table: Table, number: int, column: int) -> Cell:
    row = table.rows[number]
    sides = [text[start:end] for start, end in row[: table.head_columns]] if column >= table.head_columns else []
    heads = []
    if number >= table.head_rows:
        heads = [text[each[column][0] : each[column][1]] for each in table.rows[: table.head_rows]]
    start, end = row[column]
    return Cell(
        text[start:end],
        tuple(dict.fromkeys(head for head in sides if head)),
        tuple(dict.fromkeys(head for head in heads if head)),
        _reference(table.first_cell, number, column),
        "row" if number in table.hidden_rows else "column" if column in table.hidden_columns else "",
    )


def _reference(first: str, number: int, column: int) -> str:
    """The name of the cell at a row and column, counted from the first cell: ('B3', 1, 2) is 'D4'."""
    row, left = referred(first)
    return reference(row + number, left + column) if first else ""


def reference(row: int, column: int) -> str:
    """The name of a cell: (3, 2) is 'C4'."""
    name, column = "", column + 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(65 + rest) + name
    return f"{name}{row + 1}"


def referred(name: str) -> tuple[int, int]:
    """Return row and column (from 0) of a cell by its name: 'C4' is (3, 2)."""
    column = row = 0
    for char in name.replace("$", "")[:12].upper():
        if char.isdecimal():
            row = row * 10 + int(char)
        elif "A" <= char <= "Z":
            column = column * 26 + ord(char) - 64
    return max(0, row - 1), max(0, column - 1)
