"""Blocks of a document: the parts of its text that are evidence, their sentences, which never cross a block, and tables
with the headers of their cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from inquest.domain.document import Block, BlockKind, Document, Table
from inquest.text.regex import regex
from inquest.text.sentences import Span, content_words, sentences, stripped

_BLANK = regex(r"\n[^\S\n]*\n\s*")
_MARK = regex(r"(?:[-*•‣▪–]|\(?\d{1,3}[.)])\s+(?=\S)")
_LISTED = regex(r"\s*(?:[-*•‣▪–]|\(?\d{1,3}[.)])\s+\S")
_ENDS = tuple('.!?…:;,"”»)。！？：؟')
_HEADING = 120  # Maximum characters of a heading


def blocks_of(document: Document) -> tuple[Block, ...]:
    """The document's own blocks, or those its layout shows if it was stored without any."""
    return document.blocks or blocks_by_layout(document.text)


@lru_cache(maxsize=64)
def blocks_by_layout(text: str) -> tuple[Block, ...]:
    """Blocks of a plain text, separated by blank lines: lists, tables (' | ' between cells), quotes ('> '), headings
    (one short line without a digit or a final mark, with text below it) and paragraphs."""
    blanks = [Span(*match.span()) for match in _BLANK.finditer(text)]
    between = pairwise([Span(0, 0), *blanks, Span(len(text), len(text))])
    parts = [part for one, other in between if (part := stripped(text, Span(one.end, other.start))).start < part.end]
    kinds = [_kind(part.of(text), last=part is parts[-1]) for part in parts]
    if kinds.count(BlockKind.HEADING) * 2 > len(kinds):  # verse or a list of names
        kinds = [BlockKind.PARAGRAPH if kind is BlockKind.HEADING else kind for kind in kinds]
    return tuple(Block(kind=kind, start=part.start, end=part.end) for kind, part in zip(kinds, parts, strict=True))


def _kind(part: str, *, last: bool) -> BlockKind:
    lines = part.split("\n")
    if all(_LISTED.match(line) for line in lines) and len(lines) > 1:
        return BlockKind.LIST
    if sum(" | " in line for line in lines) * 2 > len(lines):
        return BlockKind.TABLE
    if all(line.startswith(">") for line in lines):
        return BlockKind.QUOTE
    if len(lines) == 1 and part.startswith("#") and part.lstrip("#").startswith(" "):
        return BlockKind.HEADING
    short = len(lines) == 1 and len(part) <= _HEADING and not last
    if short and not part.endswith(_ENDS) and not any(char.isdigit() for char in part):
        return BlockKind.HEADING
    return BlockKind.PARAGRAPH


def without_mark(text: str, span: Span) -> Span:
    """The span of a sentence without the list marker before it."""
    mark = _MARK.match(span.of(text))
    return Span(span.start + mark.end(), span.end) if mark else span


def evidence_spans(document: Document) -> tuple[Span, ...]:
    """The blocks that may be quoted as statements of the document, in order. See `BlockKind.is_evidence`."""
    return tuple(Span(block.start, block.end) for block in blocks_of(document) if block.kind.is_evidence)


def evidence_sentences(document: Document, limit: int | None = None) -> list[Span]:
    """The sentences that are evidence, in order, as offsets into the document's text; with `limit`, only those that
    begin in its first `limit` characters."""
    return [
        Span(block.start + span.start, block.start + span.end)
        for block in evidence_spans(document)
        if limit is None or block.start < limit
        for span in sentences(block.of(document.text))
        if limit is None or block.start + span.start < limit
    ]


CELL_GAP = " | "  # The separator of cells in a document's text


class TableText(NamedTuple):
    """A grid as text, one line a row, and its table with offsets into that text."""

    text: str
    table: Table


class Cell(NamedTuple):
    """A cell with its headers."""

    text: str
    row_heads: tuple[str, ...]
    column_heads: tuple[str, ...]
    reference: str  # 'C4' in a workbook; '' elsewhere
    hidden: str = ""  # 'row' or 'column' if that is hidden in the document; else ''

    @property
    def heads(self) -> str:
        """All headers of the cell: 'Scope 1, 2023'."""
        return ", ".join(dict.fromkeys((*self.row_heads, *self.column_heads)))

    @property
    def label(self) -> str:
        """The place of the cell for readers: 'cell C4 (Scope 1, 2023)', 'Scope 1, 2023'."""
        heads, named = self.heads, f"cell {self.reference}" if self.reference else ""
        hidden = f" in a hidden {self.hidden}" if self.hidden else ""
        return (f"{named} ({heads})" if named and heads else named or heads) + hidden


def grid_text(grid: Sequence[Sequence[str]], **facts: Any) -> TableText:
    """Lay out a grid, with spanning cells already repeated, as text. Shorter rows are filled with empty cells. `facts`:
    further fields of `Table`."""
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
    """The non-empty cells of a row that are not headers; [] for a row of headers."""
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
    """The cells of a row whose column headers have most of a statement's words and years; all cells if no header has
    any. In a row with a column for each year, this is the year that the statement names."""
    wanted = set(content_words(statement))
    shared = [len(wanted & {word for head in cell.column_heads for word in content_words(head)}) for cell in cells]
    most = max(shared, default=0)
    return [cell for cell, share in zip(cells, shared, strict=True) if share == most]


def spoken_row(statement: str, cells: Sequence[Cell]) -> str:
    """Spell out the `nearest_cells` of a row with their headers: 'Scope 1, 2023: 140 t'."""
    return "; ".join(f"{cell.heads}: {cell.text}" for cell in nearest_cells(statement, cells))


def _cell(text: str, table: Table, number: int, column: int) -> Cell:
    row = table.rows[number]
    sides = [text[start:end] for start, end in row[: table.head_columns]] if column >= table.head_columns else []
    heads = []
    if number >= table.head_rows:
        heads = [text[each[column][0] : each[column][1]] for each in table.rows[: table.head_rows]]
    start, end = row[column]
    top, left = referred(table.first_cell)
    return Cell(
        text[start:end],
        tuple(dict.fromkeys(head for head in sides if head)),
        tuple(dict.fromkeys(head for head in heads if head)),
        reference(top + number, left + column) if table.first_cell else "",
        "row" if number in table.hidden_rows else "column" if column in table.hidden_columns else "",
    )


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
