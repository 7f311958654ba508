"""Plain text, kept as its author laid it out."""

from __future__ import annotations

from typing import ClassVar

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import PageTooLarge, PageUnreadable
from inquest.kit.reader import Reader
from inquest.readers.charset import decode
from inquest.readers.plain import clean
from inquest.readers.unpack import unpacked
from inquest.sources.dating import from_text, from_url, publication_date
from inquest.text.languages import detect_language
from inquest.text.sentences import shorten

MAX_BYTES = 50_000_000
_BINARY_SHARE = 0.02
"""Share of control bytes above which a file is no text."""
_CONTROL = bytes(code for code in range(32) if code not in (9, 10, 12, 13, 27))


class TextReader(Reader):
    """Reads plain text."""

    name: ClassVar[str] = "text"
    content_types: ClassVar[tuple[str, ...]] = ("text/plain",)

    def read(self, body: bytes, snapshot: Snapshot) -> Document:
        """The text, its lines as they are; the first line is the title. Raises PageUnreadable, PageTooLarge."""
        url = snapshot.final_url or snapshot.url
        text, note = decoded_file(body, snapshot)
        dated = publication_date(
            [witness for witness in (from_text(text), from_url(url)) if witness], snapshot.retrieved_at
        )
        return Document(
            snapshot=snapshot.hash,
            url=url,
            title=first_line(text),
            published=dated.published,
            dates=dated.evidence,
            language=detect_language(text),
            text=text,
            kind=self.name,
            notes=tuple(said for said in (note, *dated.notes) if said),
        )


def decoded_file(body: bytes, snapshot: Snapshot) -> tuple[str, str | None]:
    """The characters of a file of text, cleaned but laid out as they are, and what the decoding met.

    Raises PageUnreadable where the bytes are no text or there are none, PageTooLarge above 50 MB.
    """
    url = snapshot.final_url or snapshot.url
    body = unpacked(body, url, MAX_BYTES)
    if len(body) > MAX_BYTES:
        raise PageTooLarge(
            url, f"The file at {url} has {len(body) / 1e6:.0f} MB; {MAX_BYTES // 1_000_000} MB are read."
        )
    decoded = decode(body, snapshot.content_type)
    wide = decoded.encoding.startswith(("utf-16", "utf-32"))
    sample = body[:100_000]
    if not wide and sample and len(sample) - len(sample.translate(None, _CONTROL)) > _BINARY_SHARE * len(sample):
        raise PageUnreadable(url, f"The file at {url} is not text.", advice="Check that it is what its name says.")
    text = clean(decoded.text, keep_spacing=True)
    if not any(char.isalnum() for char in text):
        raise PageUnreadable(url, f"The file at {url} holds no text.")
    return text, decoded.note


def first_line(text: str) -> str:
    """The first line with a word in it, as a title."""
    line = next((line for line in text.split("\n") if any(char.isalnum() for char in line)), "")
    return shorten(line.lstrip("#*=- "), 150)
