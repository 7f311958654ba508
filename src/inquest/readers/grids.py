"""Grids of table cells: expand spans and find the rows and columns that are headers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from inquest.text.regex import regex

MAX_SPAN = 1_000
"""Rows or columns spanned by one cell (HTML Standard, 4.9.11: colspan is clamped to 1,000)."""
MAX_CELLS = 200_000
_FIGURES = 0.8  # Share of figures among the cells below or beside a row or column that makes it an undeclared header.
_FIGURE = regex(
    r"[^\w]*(?:[A-Z]{3}\s?|[A-Z]{0,2}[$€£¥]\s?)?[-−–(<>~≈]*\d[\d.,'’\s]*(?:\W{0,3}\s?[^\W\d]{1,12}[²³]?)?\W*|[-–—.…]{1,3}|n/?a"
)
_YEAR = regex(r"\W*(?:(?:FY|CY|Q[1-4]|H[12])\s?['’]?)?(?:(?:1[6-9]|20|21)\d\d)(?:\s?[-–/]\s?\d{2,4})?\W*")
_DIGITS = regex(r"[\d\s.,'’–-]")


class GridCell(NamedTuple):
    """A cell as written. `row_span` 0 reaches to the last row."""

    text: str
    row_span: int = 1
    column_span: int = 1
    is_head: bool = False


class Grid(NamedTuple):
    """A rectangular grid; the text of a spanning cell is repeated."""

    rows: list[list[str]]
    head_rows: int
    head_columns: int


def expanded(rows: Sequence[Sequence[GridCell]], head_rows: int = 0) -> Grid | None:
    """Expand rows of cells to a grid with its headers, or return None above MAX_CELLS cells.

    `head_rows` are the declared header rows at the top (thead). Cells declared as headers (th, scope) decide the rest.
    Without any, a first row or column is a header if it has no figures except years, and figures below or beside it. A
    cell that fills a row of the body heads the rows below it and becomes a column on their left.
    """
    placed: list[list[GridCell | None]] = [[] for _ in rows]
    cells = 0
    for number, row in enumerate(rows):
        at = 0
        for cell in row:
            while at < len(placed[number]) and placed[number][at] is not None:
                at += 1
            down = len(rows) - number if cell.row_span == 0 else min(cell.row_span, MAX_SPAN, len(rows) - number)
            across = max(1, min(cell.column_span, MAX_SPAN))
            cells += down * across
            if cells > MAX_CELLS:
                return None
            for line in placed[number : number + down]:
                line += [None] * (at + across - len(line))
                line[at : at + across] = [cell] * across
            at += across
    width = max(map(len, placed), default=0)
    if width * len(placed) > MAX_CELLS:
        return None
    full = [[*row, *[None] * (width - len(row))] for row in placed]
    filled = [any(cell and cell.text for cell in row) for row in full]
    head_rows, full = sum(filled[:head_rows]), [row for row, is_filled in zip(full, filled, strict=True) if is_filled]
    # A column that repeats the one before it in every row results from spans that are too wide.
    own = [at for at in range(width) if not at or any(row[at] is not row[at - 1] for row in full)]
    full, groups = _grouped([[row[at] for at in own] for row in full], head_rows)
    heads = [[cell is not None and cell.is_head for cell in row] for row in full]
    texts = [[cell.text if cell else "" for cell in row] for row in full]
    head_rows, head_columns = heads_of(texts, heads, head_rows)
    if any(groups):
        texts = [[group, *row] for group, row in zip(groups, texts, strict=True)]
    return Grid(texts, head_rows, head_columns + any(groups))


def _grouped(full: list[list[GridCell | None]], head_rows: int) -> tuple[list[list[GridCell | None]], list[str]]:
    """Return the rows without those that are one cell in the table's body, and the text of the last such cell above
    each."""
    rows: list[list[GridCell | None]] = []
    groups: list[str] = []
    named: list[str] = []
    is_open = False
    for number, row in enumerate(full):
        first = row[0]
        if first is not None and len(row) > 1 and number >= max(1, head_rows) and all(each is first for each in row):
            named = [*named, first.text] if is_open else [first.text]
            is_open = True
        else:
            rows.append(row)
            groups.append(", ".join(named))
            is_open = False
    return rows, groups


def heads_of(
    texts: list[list[str]], declared: Sequence[Sequence[bool]] | None = None, rows: int = 0
) -> tuple[int, int]:
    """Return the numbers of header rows and columns of a rectangular grid. `declared`: for each cell whether it is a
    header; `rows`: the declared header rows."""
    if not texts:
        return 0, 0
    heads = declared or [[False] * len(row) for row in texts]
    if not rows:
        while rows < len(texts) - 1 and any(texts[rows]) and len(heads[rows]) > 1 and heads[rows][-1]:
            if not all(head or not text for text, head in zip(texts[rows], heads[rows], strict=True)):
                break
            rows += 1
    body = list(zip(texts[rows:], heads[rows:], strict=True))
    columns = 0
    width = len(texts[0])
    while columns < width - 1 and body and all(head[columns] or not row[columns] for row, head in body):
        columns += 1
    rows = rows or _head_rows(texts, columns)
    return rows, columns or _head_columns(texts[rows:], width)


def _head_rows(texts: list[list[str]], columns: int) -> int:
    """Return the number of top rows that name columns of figures: they have no figures except years, and figures below.

    Rows of a single cell above them are titles of the table, and count as headers.
    """
    if columns and len(texts[0]) == columns + 1:
        return 0
    cells = [row[max(1, columns) :] for row in texts]
    titles = next((number for number, row in enumerate(cells) if any(row)), 0)
    rows = titles
    while rows < len(cells) - 1 and any(cells[rows]) and not any(is_figure(c) and not is_year(c) for c in cells[rows]):
        rows += 1
    if len(texts[0]) == 2 and len({_DIGITS.sub("", row[0]) for row in cells[rows:] if row[0]}) > 1:
        return 0  # labels with values of different kinds, as in a profile
    figures = _columns_of_figures(cells[rows:])
    return rows if rows > titles and not all(is_year(cell) for column in figures for cell in column) else 0


def _columns_of_figures(rows: list[list[str]]) -> list[list[str]]:
    """Return the filled cells of the columns of figures, or [] if fewer than half of the columns are."""
    filled = [column for each in zip(*rows, strict=True) if (column := [cell for cell in each if cell])]
    figures = [column for column in filled if sum(map(is_figure, column)) >= _FIGURES * len(column)]
    return figures if 2 * len(figures) >= len(filled) else []


def _head_columns(body: list[list[str]], width: int) -> int:
    """Return how many columns on the left name rows: they have no figures except years, and figures beside them."""
    names = 0
    while names < width - 1 and body and not any(is_figure(row[names]) and not is_year(row[names]) for row in body):
        names += 1
    if names == width - 1 == 1 or (names and _columns_of_figures([row[names:] for row in body])):
        return names
    return 1 if width == 2 or (names and names == width - 1) else min(names, 1)


def is_year(text: str) -> bool:
    """True for a year, or a part or pair of years: '2023', 'FY2023', 'Q1 2024', '2022/23'."""
    return bool(_YEAR.fullmatch(text))


def is_figure(text: str) -> bool:
    """Return True for a number with an optional sign, currency and unit, or a dash in its place."""
    return bool(_FIGURE.fullmatch(text))
