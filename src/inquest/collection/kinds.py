"""What kind of document a file is: by its name, and by its first bytes where the name does not say."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

GZIP = b"\x1f\x8b"
_MB = 2**20


@dataclass(frozen=True, slots=True)
class DocumentKind:
    """How a file is taken in."""

    name: str
    content_type: str
    holds: str = "one"
    """one document, rows (a table or lines of JSON), or captures (a web archive)."""
    most: int = 50 * _MB
    """Bytes, unpacked: of the document, or of one row of many."""


_HTML = DocumentKind("HTML", "text/html")
_PDF = DocumentKind("PDF", "application/pdf", most=200 * _MB)
_TEXT = DocumentKind("text", "text/plain")
_WARC = DocumentKind("WARC", "application/warc", holds="captures")

KINDS = {
    ".pdf": _PDF,
    ".html": _HTML,
    ".htm": _HTML,
    ".xhtml": DocumentKind("HTML", "application/xhtml+xml"),
    ".md": DocumentKind("Markdown", "text/markdown"),
    ".markdown": DocumentKind("Markdown", "text/markdown"),
    ".txt": _TEXT,
    ".text": _TEXT,
    ".warc": _WARC,
    ".csv": DocumentKind("CSV", "text/csv", holds="rows"),
    ".tsv": DocumentKind("CSV", "text/tab-separated-values", holds="rows"),
    ".jsonl": DocumentKind("JSONL", "application/jsonl", holds="rows"),
    ".ndjson": DocumentKind("JSONL", "application/jsonl", holds="rows"),
    ".json": DocumentKind("JSONL", "application/jsonl", holds="rows"),
}
"""By the last extension, after a `.gz` is off."""


def kind_of(path: Path, beginning: bytes) -> DocumentKind | None:
    """The kind of a file, given its first bytes (unpacked); None: none that can be taken in."""
    name = path.name.lower().removesuffix(".gz")
    extension = Path(name).suffix
    if extension in KINDS:
        return KINDS[extension]
    head = beginning.lstrip(b"\xef\xbb\xbf \t\r\n")[:512].lower()
    if head.startswith(b"%pdf-"):
        return _PDF
    if head.startswith(b"warc/1."):
        return _WARC
    if head.startswith((b"<!doctype html", b"<html")):
        return _HTML
    # A name without an extension (README, a saved note) is taken as text where it is text.
    return _TEXT if not extension and head and b"\0" not in beginning and _is_utf8(beginning) else None


def _is_utf8(beginning: bytes) -> bool:
    try:
        beginning[:-4].decode()
    except UnicodeDecodeError as error:
        return error.start >= len(beginning) - 8
    return True
