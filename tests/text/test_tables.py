"""Tables of a document: text of a grid, heads of a cell, and the place of a quote."""

from __future__ import annotations

from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from inquest.domain.document import Block, BlockKind, Document, Place
from inquest.text.blocks import cell_at, grid_text, moved, rows_within, spoken_row
from inquest.text.grounding import place_of
from inquest.text.sentences import Span, sentences

GRID = [
    ["t CO2e", "2022", "2023"],
    ["Scope 1", "130", "140"],
    ["Scope 2", "", "75"],
]


def document(**more: Any) -> Document:
    more |= {"head_rows": 1, "head_columns": 1}
    made = grid_text(GRID, **more)
    before = "Emissions of the year.\n\n"
    return Document(
        snapshot="sha256:0",
        url="file:///r.xlsx",
        text=before + made.text,
        tables=(moved(made.table, len(before)),),
        blocks=(Block(kind=BlockKind.TABLE, start=len(before), end=len(before) + len(made.text)),),
        places=(Place(label="sheet Emissions", start=0, hidden=True),),
    )


def test_a_figure_is_read_under_its_own_year() -> None:
    shown = document()
    ((span, cells), *_) = rows_within(shown, Span(0, len(shown.text)))
    assert span.of(shown.text) == "Scope 1 | 130 | 140"
    assert spoken_row("Scope 1 emissions were 140 t in 2023.", cells) == "Scope 1, 2023: 140"
    assert spoken_row("Scope 1 emissions were 140 t.", cells) == "Scope 1, 2022: 130; Scope 1, 2023: 140"


def test_an_empty_cell_keeps_its_place() -> None:
    shown = document()
    at = shown.text.index("75")
    cell = cell_at(shown, at, at + 2)
    assert cell is not None and (cell.row_heads, cell.column_heads) == (("Scope 2",), ("2023",))


def test_the_place_of_a_row_is_the_cell_that_the_claim_means() -> None:
    shown = document(first_cell="B3", hidden_rows=[1])
    start = shown.text.index("Scope 1")
    end = start + len("Scope 1 | 130 | 140")
    assert place_of(shown, start, end, "Scope 1 was 140 t in 2023.") == (
        "sheet Emissions (hidden), cell D4 (Scope 1, 2023) in a hidden row"
    )
    assert place_of(shown, start, end) == "sheet Emissions (hidden)"


def test_rows_are_sentences_of_their_own() -> None:
    shown = document()
    said = [span.of(shown.text) for span in sentences(shown.text)]
    assert said == ["Emissions of the year.", "t CO2e | 2022 | 2023", "Scope 1 | 130 | 140", "Scope 2 |  | 75"]


CELLS = st.text(st.characters(codec="utf-8", exclude_characters="\n|", exclude_categories=["C", "Z"]), max_size=8)


@given(st.lists(st.lists(CELLS, max_size=6), min_size=1, max_size=8), st.integers(0, 50))
def test_offsets_are_those_of_the_cells(grid: list[list[str]], by: int) -> None:
    made = grid_text(grid)
    text = " " * by + made.text
    rows = moved(made.table, by).rows
    assert [
        [text[start:end] for start, end in row][: len(given)] for row, given in zip(rows, grid, strict=True)
    ] == grid
    assert len({len(row) for row in rows}) == 1
