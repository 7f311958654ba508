"""Where in a document a quote appears, for a person: page, sheet and cell, slide, part of a message."""

from __future__ import annotations

from inquest.domain.document import Document
from inquest.text.sentences import Span
from inquest.text.tables import Cell, cell_at, nearest_cells, rows_within


def place_of(document: Document, start: int, end: int, about: str = "") -> str:
    """The place of `text[start:end]`: 'page 3', 'sheet Emissions (hidden), cell C4 (Scope 1, 2023)'; '' where the
    document has neither pages nor parts and the words are in no cell. `about`: the claim that they bear on, which says
    what cell of a row is meant."""
    parts = []
    if page := document.page_of(start):
        parts.append(f"page {page}")
    within = next((place for place in reversed(document.places) if place.start <= start), None)
    if within:
        parts.append(f"{within.label} (hidden)" if within.hidden else within.label)
    cell = cell_at(document, start, end) or _cell_of_row(document, Span(start, end), about)
    if cell and cell.label:
        parts.append(cell.label)
    if document.parent:
        parts.append(f"in {document.parent}")
    return ", ".join(parts)


def _cell_of_row(document: Document, span: Span, about: str) -> Cell | None:
    """The one cell of the quoted row that is meant; None where that is not clear."""
    rows = list(rows_within(document, span))
    nearest = nearest_cells(about, rows[0][1]) if len(rows) == 1 and about else []
    return nearest[0] if len(nearest) == 1 else None
