"""Tables of data on a page: their grids, captions and footnotes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import takewhile
from typing import TYPE_CHECKING, NamedTuple

from inquest.readers.grids import MAX_CELLS, MAX_SPAN, GridCell, expanded
from inquest.readers.html.shown import STRUCK
from inquest.readers.html.tree import BLOCKS, SILENT
from inquest.readers.plain import one_line
from inquest.text.tables import TableText, grid_text

if TYPE_CHECKING:
    from lxml.html import HtmlElement

TOO_LARGE = "data-inquest-too-large"
"""The attribute of tables with more cells than a grid may have."""
_LONG_CELL = 300  # Characters; a table with longer cells lays a page out.


class DataTable(NamedTuple):
    """A table with what is written around its grid."""

    grid: TableText
    caption: str
    below: tuple[str, ...]
    """The rows at its end that are one cell each."""
    struck: tuple[str, ...]


def data_table(table: HtmlElement) -> DataTable | None:
    """Return a table of data, or None for a layout table or one with too large a grid.

    Spans that would make too many cells are removed from the tree, as the library would expand each of them.
    """
    rows = [(row, [cell for cell in row if cell.tag in ("td", "th")]) for row in table.iter("tr")]
    every = [cell for _, cells in rows for cell in cells]
    if (
        sum(min(_span(cell, "rowspan"), len(rows)) * min(_span(cell, "colspan"), MAX_SPAN) for cell in every)
        > MAX_CELLS
    ):
        table.set(TOO_LARGE, "")
        for cell in every:
            cell.attrib.pop("rowspan", None)
            cell.attrib.pop("colspan", None)
    if len(rows) < 2 or max(len(cells) for _, cells in rows) < 2 or len(list(table.iter("table"))) > 1:
        return None
    # A cell spans rows of its own group only (HTML Standard, 4.9.12).
    last = {row.getparent(): at for at, (row, _) in enumerate(rows)}
    left = [last[row.getparent()] - at + 1 for at, (row, _) in enumerate(rows)]
    struck: list[str] = []
    referred = {name for cell in table.iter("td", "th") for name in (cell.get("headers") or "").split()}
    grid: list[list[GridCell]] = []
    for most, (_, cells) in zip(left, rows, strict=True):
        grid.append([])
        for cell in cells:
            is_head = cell.tag == "th" or cell.get("scope") is not None or (cell.get("id") or "\0") in referred
            down = min(_span(cell, "rowspan") or most, most)
            grid[-1].append(GridCell(one_line("".join(_words(cell, struck))), down, _span(cell, "colspan"), is_head))
    if any(len(cell.text) > _LONG_CELL for row in grid for cell in row):
        return None
    in_head = [next(row.iterancestors("thead"), None) is not None for row, _ in rows]
    whole = max(sum(cell.column_span for cell in row) for row in grid)
    single = [len(row) == 1 and row[0].column_span >= whole > 1 for row in grid]
    first = next((at for at, row in enumerate(grid) if any(cell.text for cell in row)), 0)
    title = grid[first][0].text if single[first] else ""
    foot = next((at for at in range(len(grid), 0, -1) if not single[at - 1]), 0)
    below = [row[0].text for row in grid[foot:] if row[0].text]
    first += single[first]
    head_rows = sum(1 for _ in takewhile(bool, in_head[first:foot]))
    full = expanded(grid[first:foot], head_rows if first + head_rows < foot else 0)
    if full is None or not full.rows or len(full.rows[0]) < 2:
        return None
    named = next((one_line(" ".join(map(str, each.itertext()))) for each in table.iter("caption")), "")
    caption = " ".join(each for each in (named, title) if each)
    text = grid_text(full.rows, head_rows=full.head_rows, head_columns=full.head_columns, caption=caption)
    return DataTable(text, caption, tuple(below), tuple(struck))


def written_cells(table: HtmlElement) -> str:
    """The words of a table's cells, each cell once, without struck-out words."""
    return " ".join(word for cell in table.iter("td", "th") for word in _words(cell, []))


def _words(element: HtmlElement, struck: list[str]) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        tag = child.tag
        apart = " " if tag in BLOCKS or tag == "br" else ""
        if child.get(STRUCK) is not None:
            struck.append(one_line("".join(map(str, child.itertext()))))
        elif tag not in SILENT:
            yield apart
            yield from _words(child, struck)
            yield apart
        yield child.tail or ""


def _span(cell: HtmlElement, name: str) -> int:
    written = (cell.get(name) or "").strip()
    return int(written) if written.isdecimal() and len(written) < 9 else 1
