"""The construction of a document from text and dates, shared by all readers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from inquest.domain.document import Document, Snapshot
from inquest.sources.dating import DateWitness, publication_date
from inquest.text.languages import detect_language
from inquest.text.lexicon import pattern
from inquest.text.sentences import shorten

NOBODY = pattern(__name__, "nobody")
"""What pages and programs write as the author if they know none: a role, or the name of the program or its library."""


def document_of(
    snapshot: Snapshot,
    text: str,
    witnesses: Iterable[DateWitness | None],
    notes: Iterable[str | None] = (),
    **fields: Any,
) -> Document:
    """Make a document of a text, dated by its witnesses; notes on the date come last.

    `fields` are further fields of Document. Defaults: the snapshot's address, the first line as the title, and the
    detected language. An author that is a role or a program (NOBODY) is left out.
    """
    dated = publication_date([witness for witness in witnesses if witness], snapshot.retrieved_at)
    fields.setdefault("url", snapshot.final_url or snapshot.url)
    if NOBODY.fullmatch(fields.get("author") or ""):
        fields["author"] = None
    if "title" not in fields:
        fields["title"] = first_line(text)
    if "language" not in fields:
        fields["language"] = detect_language(text)
    return Document(
        snapshot=snapshot.hash,
        text=text,
        published=dated.published,
        dates=dated.evidence,
        notes=tuple(note for note in (*notes, *dated.notes) if note),
        **fields,
    )


def first_line(text: str) -> str:
    """Return the first line with a letter or digit, shortened to serve as a title."""
    line = next((line for line in text.split("\n") if any(char.isalnum() for char in line)), "")
    return shorten(line.lstrip("#*=- "), 150)
