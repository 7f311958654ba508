"""Tables of data on a page: their grids, captions and footnotes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from inquest.readers.grids import GridCell, expanded
from inquest.readers.html_shown import STRUCK
from inquest.readers.html_tree import BLOCKS, SILENT
from inquest.readers.plain import one_line
from inquest.text.tables import TableText, grid_text

if TYPE_CHECKING:
    from lxml.html import HtmlElement

_LONG_CELL = 300
"""Characters; a table with longer cells lays a page out."""


class DataTable(NamedTuple):
    """A table with what is written around its grid."""

    grid: TableText
    caption: str
    below: tuple[str, ...]
    """The lines of its foot that hold no cells but one across all columns."""
    struck: tuple[str, ...]


def data_table(table: HtmlElement) -> DataTable | None:
    """A table of data; None for one that only lays the page out, or whose grid is too large."""
    rows = [(row, [cell for cell in row if cell.tag in ("td", "th")]) for row in table.iter("tr")]
    if len(rows) < 2 or max(len(cells) for _, cells in rows) < 2 or len(list(table.iter("table"))) > 1:
        return None
    struck: list[str] = []
    referred = {name for cell in table.iter("td", "th") for name in (cell.get("headers") or "").split()}
    whole = max(sum(_span(cell, "colspan") for cell in cells) for _, cells in rows)
    grid: list[list[GridCell]] = []
    below: list[str] = []
    title, head_rows = "", 0
    for row, cells in rows:
        group = row.getparent()
        within = str(group.tag) if group is not None else ""
        said = [_cell(cell, referred, struck) for cell in cells]
        if any(len(cell.text) > _LONG_CELL for cell in said):
            return None
        if len(said) == 1 and said[0].column_span >= whole > 1 and said[0].text:
            if not grid and not title:
                title = said[0].text
                continue
            if within == "tfoot":
                below.append(said[0].text)
                continue
            said = [said[0]._replace(column_span=1)]  # a heading of the rows below it
        head_rows += within == "thead" and head_rows == len(grid)
        grid.append(said)
    full = expanded(grid, head_rows if head_rows < len(grid) else 0)
    if full is None or not full.rows or len(full.rows[0]) < 2:
        return None
    named = next((one_line(" ".join(map(str, each.itertext()))) for each in table.iter("caption")), "")
    caption = " ".join(each for each in (named, title) if each)
    text = grid_text(
        full.rows, head_rows=full.head_rows, head_columns=full.head_columns, caption=caption, footnotes=below
    )
    return DataTable(text, caption, tuple(below), tuple(struck))


def _cell(cell: HtmlElement, referred: set[str], struck: list[str]) -> GridCell:
    is_head = cell.tag == "th" or cell.get("scope") is not None or (cell.get("id") or "\0") in referred
    text = one_line("".join(_words(cell, struck)))
    return GridCell(text, _span(cell, "rowspan"), _span(cell, "colspan"), is_head)


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
