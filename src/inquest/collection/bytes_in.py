"""Reading files that may be compressed, damaged or malicious, as streams and within limits."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from inquest.kit.files import KINDS, DocumentKind

_HARMLESS = 64 * 2**20
"""Bytes that any compressed file may expand to."""
_RATIO = 200
"""The largest ratio of expansion: text shrinks to a tenth, a repetitive log to a fiftieth."""

DAMAGED = (EOFError, OSError, zlib.error)
"""Errors of reading a damaged file."""


class Bomb(Exception):
    """A compressed file that expands to far more than any text."""


class LineTooLong(ValueError):
    """A line beyond the limit; it was skipped."""


@contextmanager
def streamed(raw: BinaryIO, size: int) -> Iterator[BinaryIO]:
    """The bytes of a buffered stream of this size, gzip expanded. Reading raises Bomb and the errors in DAMAGED."""
    compressed = raw.read(len(GZIP)) == GZIP
    raw.seek(0)
    if not compressed:
        yield raw
        return
    with gzip.GzipFile(fileobj=raw) as expanded, io.BufferedReader(_Bounded(expanded, size), 2**16) as bounded:
        yield bounded


def why_damaged(error: Exception) -> str:
    """The error in words: Bomb, or one in DAMAGED."""
    if isinstance(error, EOFError):
        return "is compressed and incomplete: copy it again"
    if isinstance(error, gzip.BadGzipFile | zlib.error):
        return "is compressed and damaged: copy it again"
    return f"cannot be read ({error.strerror})" if isinstance(error, OSError) and error.strerror else str(error)


class _Bounded(io.RawIOBase):
    """Expanded bytes up to a limit."""

    def __init__(self, expanded: gzip.GzipFile, size: int) -> None:
        self._expanded = expanded
        self._most = max(_HARMLESS, size * _RATIO)
        self._count = 0

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._expanded.read1(len(buffer))
        self._count += len(data)
        if self._count > self._most:
            raise Bomb(f"unpacks to more than {self._most // 2**20} MB, too much for a document")
        buffer[: len(data)] = data
        return len(data)


class Lines:
    """The lines of a text, each decoded separately: UTF-8, else Windows-1252; UTF-16 after its byte order mark. The
    iterator can be continued after LineTooLong."""

    def __init__(self, stream: BinaryIO, most: int) -> None:
        """`most`: the maximum length of a line in bytes (UTF-16: characters)."""
        self._most = most
        self.number = 0
        """Number of the last line read, from 1."""
        if not isinstance(stream, io.BufferedReader):
            raise TypeError("lines are read from a buffered stream")
        beginning = stream.peek()
        self._stream: BinaryIO | io.TextIOWrapper = stream
        if b"\r" in beginning and b"\n" not in beginning:
            # The line ends of old Macintosh systems, which spreadsheets still offer.
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
        if isinstance(line, str):
            return line
        try:
            return line.decode()
        except UnicodeDecodeError:
            return line.decode("cp1252", "replace")


GZIP = b"\x1f\x8b"
_HTML, _PDF, _TEXT, _WARC, _ZIP = (KINDS[ending] for ending in (".html", ".pdf", ".txt", ".warc", ".zip"))


def is_web_archive(path: Path) -> bool:
    """True for the name of a web archive, which is read as it is, compressed or not."""
    kind = KINDS.get(_extension(path))
    return kind is not None and kind.holds == "captures"


def _extension(path: Path) -> str:
    """The extension before `.gz`, or before the `.zst` of a web archive."""
    name = path.name.lower()
    compressed = ".zst" if name.endswith((".warc.zst", ".arc.zst")) else ".gz"
    return Path(name.removesuffix(compressed)).suffix


_BEGINNINGS = {
    b"%pdf-": _PDF,
    b"warc/1.": _WARC,
    b"x\x9f>\x22": KINDS[".msg"],  # a winmail.dat
    b"pk\x03\x04": _ZIP,  # or an office document, which the reader of containers recognizes
    b"<!doctype html": _HTML,
    b"<html": _HTML,
}


def kind_of(path: Path, beginning: bytes) -> DocumentKind | None:
    """The kind of a file by its name and its first expanded bytes; None: unreadable."""
    extension = _extension(path)
    if extension in KINDS:
        return KINDS[extension]
    head = beginning.lstrip(b"\xef\xbb\xbf \t\r\n")[:512].lower()
    if known := next((kind for begins, kind in _BEGINNINGS.items() if head.startswith(begins)), None):
        return known
    # A file without an extension (README, a saved note) may be text.
    return _TEXT if not extension and head and b"\0" not in beginning and _is_utf8(beginning) else None


def _is_utf8(beginning: bytes) -> bool:
    try:
        beginning[:-4].decode()
    except UnicodeDecodeError as error:
        return error.start >= len(beginning) - 8
    return True
