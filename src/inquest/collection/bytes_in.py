"""Opening files that may be packed, broken or made to do harm: streamed, bounded, and with a reason when it ends."""

from __future__ import annotations

import gzip
import io
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from inquest.kit.file_kinds import KINDS, DocumentKind

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
def streamed(raw: BinaryIO, size: int) -> Iterator[BinaryIO]:
    """The bytes of a buffered stream of that size, unpacked where they are gzip. Reading raises what is in DAMAGED, and
    Bomb."""
    packed = raw.read(len(GZIP)) == GZIP
    raw.seek(0)
    if not packed:
        yield raw
        return
    with gzip.GzipFile(fileobj=raw) as unpacked, io.BufferedReader(_Bounded(unpacked, size), 2**16) as bounded:
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

    def __init__(self, unpacked: gzip.GzipFile, size: int) -> None:
        self._unpacked = unpacked
        self._most = max(_HARMLESS, size * _RATIO)
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
_HTML, _PDF, _TEXT, _WARC, _ZIP = (KINDS[ending] for ending in (".html", ".pdf", ".txt", ".warc", ".zip"))


def is_web_archive(path: Path) -> bool:
    """Whether a file's name is that of a web archive, which is read as it lies on the disk, packed or not."""
    kind = KINDS.get(_extension(path))
    return kind is not None and kind.holds == "captures"


def _extension(path: Path) -> str:
    """The last one, after a `.gz` is off; of packed files only web archives are packed otherwise."""
    name = path.name.lower()
    return Path(
        name.removesuffix(".zst") if name.endswith((".warc.zst", ".arc.zst")) else name.removesuffix(".gz")
    ).suffix


_BEGINNINGS = {
    b"%pdf-": _PDF,
    b"warc/1.": _WARC,
    b"x\x9f>\x22": KINDS[".msg"],  # as a winmail.dat begins, which is named when it is taken apart
    b"pk\x03\x04": _ZIP,  # or an office document, which is found out when it is taken apart
    b"<!doctype html": _HTML,
    b"<html": _HTML,
}


def kind_of(path: Path, beginning: bytes) -> DocumentKind | None:
    """The kind of a file, given its first bytes (unpacked); None: none that can be taken in."""
    extension = _extension(path)
    if extension in KINDS:
        return KINDS[extension]
    head = beginning.lstrip(b"\xef\xbb\xbf \t\r\n")[:512].lower()
    if known := next((kind for begins, kind in _BEGINNINGS.items() if head.startswith(begins)), None):
        return known
    # A name without an extension (README, a saved note) is taken as text where it is text.
    return _TEXT if not extension and head and b"\0" not in beginning and _is_utf8(beginning) else None


def _is_utf8(beginning: bytes) -> bool:
    try:
        beginning[:-4].decode()
    except UnicodeDecodeError as error:
        return error.start >= len(beginning) - 8
    return True
