"""One row of a table of documents: a JSON object with url, title, date, text, and perhaps author and language."""

from __future__ import annotations

import json
from typing import Any, ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.kit.rows import ROW_TYPE
from inquest.readers.plain import clean, one_line
from inquest.readers.text import first_line
from inquest.sources.dating import from_url, from_value, publication_date
from inquest.text.languages import language_of
from inquest.text.urls import is_web_url


class RowReader(Reader):
    """Reads one row of a CSV or JSONL file, kept as a JSON object of its columns."""

    name: ClassVar[str] = "row"
    content_types: ClassVar[tuple[str, ...]] = (ROW_TYPE,)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The text column, cleaned. Raises PageUnreadable where there is no object or no text in it."""
        url = snapshot.final_url or snapshot.url
        try:
            row = json.loads(body)
        except (ValueError, RecursionError) as error:
            raise PageUnreadable(url, f"The row at {url} is not a JSON object.") from error
        if not isinstance(row, dict):
            raise PageUnreadable(url, f"The row at {url} is not a JSON object.")
        text = clean(_written(row, "text"), keep_spacing=True)
        if not any(char.isalnum() for char in text):
            raise PageUnreadable(url, f"The row at {url} has no text.", advice="The column is called 'text'.")
        given = _written(row, "url")
        address = given if is_web_url(given) else url
        witnesses = [
            witness
            for witness in (
                from_value(row.get("date") or row.get("published"), "the row's date", now=snapshot.retrieved_at),
                from_url(address),
            )
            if witness
        ]
        dated = publication_date(witnesses, snapshot.retrieved_at)
        declared = _written(row, "language")[:2].lower()
        return Document(
            snapshot=snapshot.hash,
            url=address,
            title=one_line(_written(row, "title")) or first_line(text),
            author=one_line(_written(row, "author")) or None,
            published=dated.published,
            dates=dated.evidence,
            publisher=one_line(_written(row, "publisher")) or None,
            language=language_of(text, declared or None),
            text=text,
            canonical_url=given if is_web_url(given) else None,
            kind=self.name,
            notes=dated.notes,
        )


def _written(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    if isinstance(value, str):
        return value.strip()
    return str(value) if isinstance(value, int | float) and not isinstance(value, bool) else ""
