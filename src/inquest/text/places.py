"""Where in a document a quote stands, for a person: page, sheet and cell, slide, part of a message."""

from __future__ import annotations

from inquest.domain.document import Document
from inquest.text.tables import cell_at


def place_of(document: Document, start: int, end: int) -> str:
    """The place of `text[start:end]`: 'page 3', 'sheet Emissions (hidden), cell C4 (Scope 1, 2023)'; '' where the
    document has neither pages nor parts and the words are in no cell."""
    parts = []
    if page := document.page_of(start):
        parts.append(f"page {page}")
    within = next((place for place in reversed(document.places) if place.start <= start), None)
    if within:
        parts.append(f"{within.label} (hidden)" if within.hidden else within.label)
    if (cell := cell_at(document, start, end)) and cell.label:
        parts.append(cell.label)
    if document.parent:
        parts.append(f"in {document.parent}")
    return ", ".join(parts)
