"""Quotes and their places: find a quote in a text, check it character for character, and describe its place."""

from __future__ import annotations

import re

from inquest.domain.document import Document
from inquest.domain.errors import Ungrounded
from inquest.domain.finding import Finding
from inquest.text.blocks import cell_at, nearest_cells, rows_within
from inquest.text.sentences import Span

# Each character of a group matches all spellings that readers, models and editors use.
_DOUBLE = '"“”„‟«»″'
_GROUPS = ("'‘’‚‛′`´", _DOUBLE, "-‐‑‒–—―−")
_SPELLINGS = {char: f"[{re.escape(group)}]" for group in _GROUPS for char in group} | {"…": r"(?:…|\.\.\.)"}


def ground(text: str, quote: str, near: int | None = None) -> Span | None:
    """Return the span of a quote in a text, or None if it does not occur there. An exact match is preferred. Otherwise
    white space, quotation marks, dashes and the case of the first letter may differ. Always quote `span.of(text)`,
    never the words that were looked up. `near`: of several matches, take the one closest to this offset; by default,
    the first."""
    quote = quote.strip()
    if not quote:
        return None
    for form in (re.compile(re.escape(quote)), _pattern(quote)):
        if spans := [Span(*match.span()) for match in form.finditer(text)]:
            return spans[0] if near is None else min(spans, key=lambda span: abs(span.start - near))
    return None


def check_grounded(finding: Finding, text: str) -> Finding:
    """Return the finding if its snapshot's text has its quote at exactly its offsets (X1), else raise Ungrounded."""
    if finding.end > len(text) or text[finding.start : finding.end] != finding.quote:
        raise Ungrounded(
            f"Finding {finding.id} quotes words that are not at {finding.start} to {finding.end} of its snapshot."
        )
    return finding


def _pattern(quote: str) -> re.Pattern[str]:
    # Marks around the whole quote are not part of it.
    trimmed = quote.strip(_DOUBLE + "…").strip() or quote
    parts = [
        "".join(_SPELLINGS.get(char, re.escape(char)) for char in part) for part in trimmed.replace("...", "…").split()
    ]
    if trimmed[0].isalpha():
        parts[0] = f"[{re.escape(trimmed[0].lower())}{re.escape(trimmed[0].upper())}]" + parts[0][1:]
    return re.compile(r"\s+".join(parts))


def place_of(document: Document, start: int, end: int, claim: str = "") -> str:
    """Describe the place of `text[start:end]`: 'page 3', 'sheet Emissions (hidden), cell C4 (Scope 1, 2023)'. Return ''
    if the document has neither pages nor parts and the words are in no cell. `claim` selects the cell of a quoted
    row."""
    parts = []
    if page := document.page_of(start):
        parts.append(f"page {page}")
    if within := next((place for place in reversed(document.places) if place.start <= start), None):
        parts.append(f"{within.label} (hidden)" if within.hidden else within.label)
    cell = cell_at(document, start, end)
    if cell is None and claim:
        rows = list(rows_within(document, Span(start, end)))
        nearest = nearest_cells(claim, rows[0][1]) if len(rows) == 1 else []
        cell = nearest[0] if len(nearest) == 1 else None
    if cell and cell.label:
        parts.append(cell.label)
    if document.parent:
        parts.append(f"in {document.parent}")
    return ", ".join(parts)
