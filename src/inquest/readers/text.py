"""Plain text, kept as its author laid it out."""

from __future__ import annotations

from typing import ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.charset import decode
from inquest.readers.documents import document_of
from inquest.readers.plain import clean
from inquest.readers.unpack import unpacked
from inquest.sources.dating import from_text, from_url

MAX_BYTES = 50_000_000
_BINARY_SHARE = 0.02  # Share of control bytes above which a file is not text.
_CONTROL = bytes(code for code in range(32) if code not in (9, 10, 12, 13, 27))


class TextReader(Reader):
    """Reads plain text."""

    name: ClassVar[str] = "text"
    content_types: ClassVar[tuple[str, ...]] = ("text/plain",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """Keep the lines as they are; the first line is the title. Raises PageUnreadable, PageTooLarge."""
        url = snapshot.final_url or snapshot.url
        text, note = decoded_file(body, snapshot)
        return document_of(snapshot, text, (from_text(text), from_url(url)), [note], kind=self.name)


def decoded_file(body: bytes, snapshot: Snapshot) -> tuple[str, str | None]:
    """Return the cleaned text of a file in its layout, and a note on its decoding. Raises PageUnreadable for a file
    that is not text or is empty, PageTooLarge above 50 MB."""
    url = snapshot.final_url or snapshot.url
    body = unpacked(body, url, MAX_BYTES, "file")
    decoded = decode(body, snapshot.content_type)
    wide = decoded.encoding.startswith(("utf-16", "utf-32"))
    sample = body[:100_000]
    if not wide and sample and len(sample) - len(sample.translate(None, _CONTROL)) > _BINARY_SHARE * len(sample):
        raise PageUnreadable(url, f"The file at {url} is not text.", advice="Check its name and its content.")
    text = clean(decoded.text, keep_spacing=True)
    if not any(char.isalnum() for char in text):
        raise PageUnreadable(url, f"The file at {url} holds no text.")
    return text, decoded.note
