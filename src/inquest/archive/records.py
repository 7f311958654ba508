"""Records and damaged places of WARC and ARC files, compressed or not, in order."""

from __future__ import annotations

import base64
import hashlib
import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any, BinaryIO

from warcio.recordloader import ARC2WARCHeadersParser, ArcWarcRecordLoader
from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

from inquest.kit.unpack import ARCHIVED, Deflated, NotUnpackable, Packed, Zstandard, unpacker

MAX_BLOCK = 200_000_000
"""Maximum bytes of a record that are kept."""

_CHUNK = 1 << 16
_MOST_HEADERS = 1 << 20
_HELD = 1 << 25
# Decompressed bytes of a piece that are kept when it is checked; longer ones are decompressed a second time.
_BEFORE = 1 << 20
# Decompressed bytes before an error that may be garbled; a deflate block rarely has more.
_HOLE = bytes(32)
# Zeros in compressed data, which are lost data if the piece proves damaged.
_HARMLESS, _RATIO = 1 << 30, 1000
# Bytes any compressed archive may decompress to, and the maximum ratio, reached by repeated captures of one page.

_GZIP, _ZSTD, _DICTIONARY = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"
_BEGINS = re.compile(rb"WARC/(?:1\.\d|0\.1[78])\s|[a-z][a-z0-9+.-]{1,20}:[^\r\n]* \S+ \d{14} [^\r\n]*\d\r?\n")
# A record's first line; the second form is that of ARC 1.0: URL, IP address, time, type, length.
_BEHIND = re.compile(rb"WARC/(?:1\.\d|0\.1[78])\r?\n\Z")
# The same behind garbage that ends without a line ending.
_DAMAGED, _BREAKS_OFF = "is damaged", "breaks off"
_FAILS = (OSError, EOFError, zlib.error, zipfile.BadZipFile)
# Errors raised by reading a file, or a file in a package.


@dataclass(frozen=True, slots=True)
class Record:
    """A complete record."""

    kind: str
    """The WARC-Type in lower case; response or warcinfo in ARC files."""
    headers: Any
    """warcio's StatusAndHeaders."""
    block: bytes
    """At most MAX_BLOCK + 1 bytes."""

    @property
    def url(self) -> str:
        """The target URL; '' if absent."""
        return str(self.headers.get_header("WARC-Target-URI") or "").strip().strip("<>").replace(" ", "%20")


@dataclass(frozen=True, slots=True)
class Damage:
    """A place at which no record could be read."""

    place: int
    """Offset in the file in bytes; in a compressed one that of the compressed piece."""
    why: str
    """'is damaged', 'breaks off', ..."""
    url: str = ""
    """The URL of a record that was readable but may be garbled."""


class NoWebArchive(Exception):
    """The file contains no record."""


def records(stream: BinaryIO) -> Iterator[Record | Damage]:
    """Yield all records of the file in order, continuing after damage at the next beginning of a record.

    Holds at most one record and 32 MB in memory. Omits data of damaged pieces that may be garbled. `stream` must be
    seekable. Raises NoWebArchive.
    """
    early: list[Damage] | None = []  # until the first record shows that it is a web archive
    try:
        for found in _records(_Source(stream)):
            if early is not None and isinstance(found, Damage) and not found.url:
                early.append(found)
                continue
            yield from early or ()
            early = None
            yield found
    except (NotUnpackable, *_FAILS) as error:
        raise NoWebArchive from error
    if early is not None:
        raise NoWebArchive


def _records(source: _Source) -> Iterator[Record | Damage]:
    named = False  # whether the damage of this record is reported
    while True:
        _, line = source.blanks_and_line()
        place = source.place_of(source.at - len(line))
        if _BEGINS.match(line):
            found = _record(source, line, place)
            yield from found
            named = bool(found) and isinstance(found[-1], Damage)
        elif line:
            if not named:
                yield Damage(place, _DAMAGED)
            while line and not _BEGINS.match(line):
                begun = _BEHIND.search(line)
                line = line[begun.start() :] if begun else source.line()
            source.unread(line)
            named = not line
        else:
            if source.piece.fault and not named:
                yield Damage(source.piece.place, source.piece.fault)
            if not source.resume():
                return
            named = False


def _record(source: _Source, line: bytes, place: int) -> list[Record | Damage]:
    """Return the record that begins with the line, or its damage, or neither if damage of its piece truncated it. Moves
    the source past it, or to where another may begin."""
    is_warc = line.startswith(b"WARC/")
    found, missing = _parsed(source, line, is_warc)
    end = source.at
    blanks, follows = source.blanks_and_line()
    ending = line[len(line.rstrip()) :]  # Some writers end all lines with LF alone.
    apart = blanks.startswith((b"\r\n\r\n", ending * 2) if is_warc else b"\n")
    faulty = bool(source.piece.fault) and not follows
    if faulty and (missing or not found):
        return []
    if found and not missing and (apart or not follows or _BEGINS.match(follows)):
        source.unread(follows)
        if source.may_be_garbled(end) and not _digest_holds(found):
            return [Damage(place, "may be garbled: it is packed with what is damaged, and has no digest", found.url)]
        return [found] if apart or follows or faulty else [found, Damage(place, _BREAKS_OFF)]
    # With a wrong length, the block has included some or all of what follows.
    source.unread((found.block if found and len(found.block) <= MAX_BLOCK else b"") + blanks + follows)
    wrong_length = f"{_DAMAGED} (it does not have the length that it states)"
    return [Damage(place, _BREAKS_OFF if missing and found else wrong_length if found else _DAMAGED)]


def _parsed(source: _Source, line: bytes, is_warc: bool) -> tuple[Record | None, int]:
    """Return the record (None if its headers are unreadable) and the number of missing bytes."""
    head = line
    while is_warc and len(head) < _MOST_HEADERS and (more := source.line()):
        head += more
        if not more.strip():
            break
    try:
        parser = StatusAndHeadersParser(ArcWarcRecordLoader.WARC_TYPES) if is_warc else ARC2WARCHeadersParser()
        headers = parser.parse(io.BytesIO(head))
        length = int(headers.get_header("Content-Length"))
    except (StatusAndHeadersParserException, EOFError, ValueError, TypeError, AttributeError):
        return None, 0
    if length < 0:
        return None, 0
    block = source.take(min(length, MAX_BLOCK + 1))
    missing = length - len(block)
    while len(block) > MAX_BLOCK and missing and (more := source.take(min(missing, _CHUNK))):
        missing -= len(more)
    return Record(str(headers.get_header("WARC-Type") or "unnamed").strip().lower(), headers, block), missing


def _digest_holds(record: Record) -> bool:
    """Return True if the digest of the block, or else of the payload, matches (WARC 1.1, 5.8)."""
    header = record.headers.get_header
    stated, data = header("WARC-Block-Digest"), record.block
    if not stated:
        stated = header("WARC-Payload-Digest") or ""
        data = data.partition(b"\r\n\r\n")[2] if record.kind == "response" else data
    algorithm, _, value = stated.lower().partition(":")
    try:
        digest = hashlib.new(algorithm.replace("-", ""), data, usedforsecurity=False).digest()
    except (ValueError, TypeError):
        return False
    return value.strip() in (digest.hex(), base64.b32encode(digest).decode().lower().rstrip("="))


@dataclass(slots=True)
class _Piece:
    """A gzip member or Zstandard frame after a first pass, or the whole of an uncompressed file."""

    place: int
    """Offset in the file."""
    begins: int
    """Offset in the decompressed data."""
    size: int = 0
    """Number of available decompressed bytes."""
    fault: str = ""
    """The reason why the rest is not available; '' if complete."""
    sound: int = 0
    """In a piece with a fault, the number of leading bytes that cannot be garbled."""
    held: bytes | None = b""
    """The decompressed bytes; None if there are too many."""


class _Source:
    """The decompressed lines and bytes of a file up to a damaged place; `resume` continues after it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._start = stream, stream.tell()
        self._packed, self._taken = b"", 0  # bytes read but not processed yet; the number of bytes read, including them
        self._buffer, self._next = b"", 0
        self.at = 0
        """Number of decompressed bytes returned."""
        self.piece = _Piece(0, 0)
        self._chunks: Iterator[bytes] = iter(())
        self._ends = False
        self._take()
        self._magic, self._new = self._packing()

    def place_of(self, unpacked: int) -> int:
        """Map a decompressed offset to one in the file: in a compressed file, the beginning of the piece."""
        return self.piece.place if self._new else unpacked

    def may_be_garbled(self, end: int) -> bool:
        """Return True if a record that ends at this decompressed offset may be garbled."""
        return bool(self.piece.fault) and end > self.piece.begins + self.piece.sound

    def take(self, size: int) -> bytes:
        """Read bytes; fewer than `size` only at the end."""
        found = []
        while size > 0 and (self._next < len(self._buffer) or self._fill()):
            found.append(self._buffer[self._next : self._next + size])
            self._next += len(found[-1])
            self.at += len(found[-1])
            size -= len(found[-1])
        return b"".join(found)

    def line(self) -> bytes:
        """Return the next line with its line ending, at most a megabyte of it; empty at the end."""
        while (end := self._buffer.find(b"\n", self._next)) < 0 and len(self._buffer) - self._next < _MOST_HEADERS:
            if not self._fill():
                break
        return self.take(end + 1 - self._next if end >= 0 else min(len(self._buffer) - self._next, _MOST_HEADERS))

    def blanks_and_line(self) -> tuple[bytes, bytes]:
        """Return up to four of the following empty lines, and the line after all of them."""
        blanks = b""
        while (line := self.line()) and not line.strip():
            blanks += line if len(blanks) < 8 else b""
        return blanks, line

    def unread(self, data: bytes) -> None:
        """Put bytes back at the front."""
        self._buffer, self._next = data + self._buffer[self._next :], 0
        self.at -= len(data)

    def resume(self) -> bool:
        """Move to the next compressed piece that begins with a record; return False at the end."""
        if not self.piece.fault or self._ends or self._new is None:
            return False
        self._taken, self._packed, at, ended = self.piece.place + 1, b"", 0, False
        self._stream.seek(self._start + self._taken)
        while True:
            at = self._packed.find(self._magic, at)
            if at >= 0 and (ended or len(self._packed) - at >= _CHUNK):
                if self._begins_record(self._packed[at : at + _CHUNK]):
                    break
                at += 1
            elif ended:
                return False
            else:
                self._packed, at = self._packed[at if at >= 0 else -3 :], 0
                ended = not self._take()
        self._packed = self._packed[at:]
        self.piece = _Piece(0, self.piece.begins + self.piece.size)
        return True

    def _begins_record(self, packed: bytes) -> bool:
        assert self._new is not None
        piece, data = self._new(), b""
        try:
            while packed and not piece.done and b"\n" not in data:
                more, packed = piece.step(packed)
                data += more
        except NotUnpackable:
            return False
        return bool(_BEGINS.match(data))

    def _packing(self) -> tuple[bytes, Callable[[], Packed] | None]:
        if self._packed.startswith(_GZIP[:2]):
            return _GZIP, Deflated
        if self._packed.startswith(_ZSTD):
            return _ZSTD, Zstandard
        if not self._packed.startswith(_DICTIONARY):
            return (b"", None) if _BEGINS.match(self._packed.lstrip()) else self._packing_behind_damage()
        end = 8 + int.from_bytes(self._packed[4:8], "little")
        while len(self._packed) < end < MAX_BLOCK and self._take():
            pass
        words, self._packed = self._packed[8:end], self._packed[end:]
        if words.startswith(_ZSTD):
            words = b"".join(islice(unpacker("zstd", ARCHIVED).feed(words), 1000))
        return _ZSTD, lambda: Zstandard(words)

    def _packing_behind_damage(self) -> tuple[bytes, Callable[[], Packed] | None]:
        """Return the packing of the first whole piece of a file with a damaged beginning, which becomes a piece with a
        fault; none if no piece follows."""
        for self._magic, self._new in ((_GZIP, Deflated), (_ZSTD, Zstandard)):
            self.piece = _Piece(0, 0, fault=_DAMAGED)
            if self.resume():
                self.piece = _Piece(0, 0, fault=_DAMAGED)
                return self._magic, self._new
        self._stream.seek(self._start)
        self.piece, self._packed, self._taken = _Piece(0, 0), b"", 0
        self._take()
        return b"", None

    def _take(self) -> bytes:
        more = self._stream.read(_CHUNK)
        self._taken += len(more)
        self._packed += more
        return more

    def _fill(self) -> bool:
        """Add to the buffer; return False at the end of the file or of a truncated piece."""
        while not (chunk := next(self._chunks, b"")):
            if self.piece.fault or not self._next_piece():
                return False
            self._chunks = self._again()
        self._buffer, self._next = self._buffer[self._next :] + chunk, 0
        return True

    def _next_piece(self) -> bool:
        """Check the next piece to its end before any of it is used; return False at the end."""
        piece = _Piece(self._taken - len(self._packed), self.piece.begins + self.piece.size)
        held: list[bytes] = []
        hole = 0
        try:
            padding = b"\0" if self._new else b""
            while not self._packed.lstrip(padding):
                self._packed = self._packed[-1:]  # Zeros are harmless at the end; before another piece they are a hole.
                if not self._take():
                    return False
            piece.place = self._taken - len(self._packed)
            for chunk in self._unpacked():
                piece.size += len(chunk)
                hole = hole or (piece.size if self._packed.startswith(_HOLE) else 0)
                if piece.size <= _HELD:
                    held.append(chunk)
                if piece.begins + piece.size > max(_HARMLESS, self._taken * _RATIO):
                    piece.fault, piece.sound = f"unpacks to more than {_RATIO} times its size", piece.size
                    self._ends = True
                    break
        except (EOFError, OSError) as error:
            piece.fault, piece.sound = _BREAKS_OFF if isinstance(error, EOFError) else _DAMAGED, piece.size
        except (NotUnpackable, zlib.error, zipfile.BadZipFile) as error:
            # If only the checksum at the end is wrong, the damage may be anywhere.
            anywhere = isinstance(error, zipfile.BadZipFile) or "check" in str(error.__cause__)
            piece.fault, piece.sound = _DAMAGED, hole or (0 if anywhere else max(0, piece.size - _BEFORE))
            self._ends = not isinstance(error, NotUnpackable)
        piece.held = b"".join(held) if piece.size <= _HELD else None
        self.piece = piece
        return True

    def _unpacked(self) -> Iterator[bytes]:
        """Yield the decompressed data of the piece at the current bytes. Raises EOFError and NotUnpackable."""
        if self._new is None:
            while self._packed or self._take():
                data, self._packed = self._packed, b""
                yield data
            return
        piece = self._new()
        while not piece.done:
            if not self._packed and not self._take():
                raise EOFError
            ahead = self._packed.find(_HOLE)
            ahead = ahead if ahead > 0 else len(self._packed)
            data, rest = piece.step(self._packed[:ahead])
            self._packed = rest + self._packed[ahead:]
            yield data

    def _again(self) -> Iterator[bytes]:
        """Yield the decompressed data of the current piece."""
        if self.piece.held is not None:
            yield self.piece.held
            return
        behind, left = (self._taken, self._packed), self.piece.size
        self._taken, self._packed = self.piece.place, b""
        self._stream.seek(self._start + self._taken)
        for chunk in filter(None, self._unpacked()):
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                break
        self._taken, self._packed = behind
        self._stream.seek(self._start + self._taken)
