"""One row of a table of documents: a JSON object with url, title, date, text, and perhaps author and language."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.kit.rows import ROW_TYPE
from inquest.readers.documents import document_of, first_line
from inquest.readers.plain import clean, one_line
from inquest.sources.dating import from_url, from_value
from inquest.text.languages import language_of
from inquest.text.urls import is_web_url


class RowReader(Reader):
    """Reads one row of a CSV or JSONL file, kept as a JSON object of its columns."""

    name: ClassVar[str] = "row"
    content_types: ClassVar[tuple[str, ...]] = (ROW_TYPE,)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Return the cleaned text column. Raises PageUnreadable if there is no JSON object or no text in it."""
        url = snapshot.final_url or snapshot.url
        try:
            row = json.loads(body)
        except (ValueError, RecursionError):
            row = None
        if not isinstance(row, dict):
            raise PageUnreadable(url, f"The row at {url} is not a JSON object.")
        text = clean(_written(row, "text"), keep_spacing=True)
        if not any(char.isalnum() for char in text):
            raise PageUnreadable(url, f"The row at {url} has no text.", advice="The column is called 'text'.")
        given = _written(row, "url")
        address = given if is_web_url(given) else url
        date = from_value(row.get("date") or row.get("published"), "the row's date", now=snapshot.retrieved_at)
        declared = _written(row, "language")[:2].lower()
        return document_of(
            snapshot,
            text,
            (date, from_url(address)),
            url=address,
            title=one_line(_written(row, "title")) or first_line(text),
            author=one_line(_written(row, "author")) or None,
            publisher=one_line(_written(row, "publisher")) or None,
            language=language_of(text, declared or None),
            canonical_url=given if is_web_url(given) else None,
            kind=self.name,
        )


def _written(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
