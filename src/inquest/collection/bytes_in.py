"""Opening files that may be packed, broken or made to do harm: streamed, bounded, and with a reason when it ends."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import BinaryIO

_HARMLESS = 64 * 2**20
# Bytes that any packed file may unpack to, however small it is.
_RATIO = 200
# Text packs to a tenth, a log of repeats to a fiftieth; more than this is packed to fill a disk or a memory.

DAMAGED = (EOFError, OSError, zlib.error)
"""What reading a packed or failing file raises."""


class Bomb(Exception):
    """A packed file that unpacks to far more than any text does."""


class LineTooLong(ValueError):
    """A line of more bytes than is read; it was skipped."""


@contextmanager
def opened(path: Path) -> Iterator[BinaryIO]:
    """The file's bytes, unpacked where it is gzip. Reading raises what is in DAMAGED, or Bomb."""
    with path.open("rb") as raw:
        packed = raw.read(len(GZIP)) == GZIP
        raw.seek(0)
        if not packed:
            yield raw
            return
        with gzip.GzipFile(fileobj=raw) as unpacked, io.BufferedReader(_Bounded(unpacked, path), 2**16) as bounded:
            yield bounded


def why_damaged(error: Exception) -> str:
    """In words, for what is in DAMAGED and Bomb."""
    if isinstance(error, EOFError):
        return "is packed and breaks off: copy it again"
    if isinstance(error, gzip.BadGzipFile | zlib.error):
        return "is packed and damaged: copy it again"
    return f"cannot be read ({error.strerror})" if isinstance(error, OSError) and error.strerror else str(error)


class _Bounded(io.RawIOBase):
    """Unpacked bytes, as long as there are not absurdly many of them."""

    def __init__(self, unpacked: gzip.GzipFile, path: Path) -> None:
        self._unpacked = unpacked
        self._most = max(_HARMLESS, path.stat().st_size * _RATIO)
        self._given = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._unpacked.read1(len(buffer))
        self._given += len(data)
        if self._given > self._most:
            raise Bomb(f"unpacks to more than {self._most // 2**20} MB, which is more than any text does")
        buffer[: len(data)] = data
        return len(data)


class Lines:
    """The lines of a text, each decoded by itself: UTF-8, else Windows-1252; UTF-16 where the file begins so.

    An iterator that goes on after it has raised LineTooLong.
    """

    def __init__(self, stream: BinaryIO, most: int) -> None:
        """`most`: bytes (for UTF-16, characters) of one line."""
        self._most = most
        self.number = 0
        """Of the line that was read last, from 1."""
        beginning = _peek(stream)
        self._stream: BinaryIO | io.TextIOWrapper = stream
        if b"\r" in beginning and b"\n" not in beginning:
            # Tables saved for old Macintosh systems, which spreadsheets still offer.
            self._stream = io.TextIOWrapper(stream, "utf-8-sig", errors="replace")
        elif beginning[:2] in (b"\xff\xfe", b"\xfe\xff"):
            self._stream = io.TextIOWrapper(stream, "utf-16", errors="replace", newline="\n")
        elif beginning[:3] == b"\xef\xbb\xbf":
            stream.read(3)

    def __iter__(self) -> Lines:
        return self

    def __next__(self) -> str:
        line = self._stream.readline(self._most + 1)
        if not line:
            raise StopIteration
        self.number += 1
        if len(line) > self._most:
            while line and line[-1:] not in ("\n", b"\n"):
                line = self._stream.readline(self._most)
            raise LineTooLong(f"is longer than {self._most // 2**20} MB")
        return line if isinstance(line, str) else _decoded(line)


def _peek(stream: BinaryIO) -> bytes:
    if not isinstance(stream, io.BufferedReader):
        raise TypeError("lines are read from a buffered stream")
    return stream.peek()


def _decoded(line: bytes) -> str:
    try:
        return line.decode()
    except UnicodeDecodeError:
        return line.decode("cp1252", "replace")


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
