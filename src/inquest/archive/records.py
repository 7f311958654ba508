"""The records of WARC and ARC files, packed or not: whole ones, and the places that are damaged, in order."""

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

from inquest.kit.unpack import ARCHIVED, Deflated, NotUnpackable, Packed, Zstandard, unpacker

MAX_BLOCK = 200_000_000
"""Bytes of one record that are held; of a longer one, the first of them."""

_CHUNK = 1 << 16
_MOST_HEADERS = 1 << 20
_HELD = 1 << 25
# Bytes of a packed piece that are kept once it is checked; what is longer is unpacked a second time.
_BEFORE = 1 << 20
# Unpacked bytes before the place where unpacking fails that may be garbled: a block of deflate has rarely more.
_HARMLESS, _RATIO = 1 << 30, 1000
# Bytes that any packed archive may unpack to, and times its own size; logs of one page over and over pack so well.

_GZIP, _ZSTD, _DICTIONARY = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"
_BEGINS = re.compile(rb"WARC/(?:1\.\d|0\.1[78])\s|[a-z][a-z0-9+.-]{1,20}:[^\r\n]* \S+ \d{14} [^\r\n]*\d\r?\n")
# A record's first line; the second form is that of ARC 1.0: address, IP address, time, type, length.
_DAMAGED, _BREAKS_OFF = "is damaged", "breaks off"
_FAILS = (OSError, EOFError, zlib.error, zipfile.BadZipFile)
# What reading a file, or a file in a package, raises.


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record."""

    kind: str
    """Its WARC-Type in lower case; of ARC files response or warcinfo."""
    headers: Any
    """warcio's StatusAndHeaders."""
    block: bytes
    """At most MAX_BLOCK + 1 bytes."""

    @property
    def url(self) -> str:
        """The address that it is of; '': it has none."""
        return str(self.headers.get_header("WARC-Target-URI") or "").strip().strip("<>").replace(" ", "%20")


@dataclass(frozen=True, slots=True)
class Damage:
    """A place that no record could be read from."""

    place: int
    """Byte of the file, from 0; in a packed one that of the packed piece."""
    why: str
    """'is damaged', 'breaks off', ..."""
    url: str = ""
    """Of a record that was readable and may be garbled."""


class NoWebArchive(Exception):
    """No record begins anywhere in the file."""


def records(stream: BinaryIO) -> Iterator[Record | Damage]:
    """Every record of the file in order; after damage it goes on at the next one that begins.

    Never holds more than one record and 32 MB. What a damaged piece gave is left out where it may be garbled. `stream`
    can be searched (`seek`). Raises NoWebArchive.
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
    named = False  # the damage at hand
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
                line = source.line()
            source.unread(line)
            named = not line
        else:
            if source.piece.fault and not named:
                yield Damage(source.piece.place, source.piece.fault)
            if not source.resume():
                return
            named = False


def _record(source: _Source, line: bytes, place: int) -> list[Record | Damage]:
    """The record that begins with the line, or what is wrong with it; neither: the damage of its piece broke it off.
    The source is then behind it, or where another may begin."""
    is_warc = line.startswith(b"WARC/")
    found, missing = _parsed(source, line, is_warc)
    end = source.at
    blanks, follows = source.blanks_and_line()
    apart = blanks.startswith(b"\r\n\r\n" if is_warc else b"\n")
    faulty = bool(source.piece.fault) and not follows
    if faulty and (missing or not found):
        return []
    if found and not missing and (apart or not follows or _BEGINS.match(follows)):
        source.unread(follows)
        if source.may_be_garbled(end) and not _digest_holds(found):
            return [Damage(place, "may be garbled: it is packed with what is damaged, and has no digest", found.url)]
        return [found] if apart or follows or faulty else [found, Damage(place, _BREAKS_OFF)]
    # A wrong length has swallowed what follows, or a part of it.
    source.unread((found.block if found and len(found.block) <= MAX_BLOCK else b"") + blanks + follows)
    wrong_length = f"{_DAMAGED} (it does not have the length that it states)"
    return [Damage(place, _BREAKS_OFF if missing and found else wrong_length if found else _DAMAGED)]


def _parsed(source: _Source, line: bytes, is_warc: bool) -> tuple[Record | None, int]:
    """The record, and how many of its bytes are missing; None: its headers are not readable."""
    from warcio.recordloader import ARC2WARCHeadersParser, ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

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
    """Whether the record's bytes are proved by the digest of its block, or else of its payload (WARC 1.1, 5.8)."""
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
    """A gzip member or a Zstandard frame, gone through once; of a file that is not packed, all of it."""

    place: int
    """Byte of the file."""
    begins: int
    """Byte of what is unpacked."""
    size: int = 0
    """Unpacked bytes that can be had."""
    fault: str = ""
    """Why no more can be had; '': they are all."""
    sound: int = 0
    """Of a piece with a fault the bytes before it that cannot be garbled."""
    held: bytes | None = b""
    """The unpacked bytes; None: they are too many."""


class _Source:
    """The unpacked lines and bytes of a file up to a damaged place; `resume` goes on behind it."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream, self._start = stream, stream.tell()
        self._packed, self._taken = b"", 0  # bytes of the file not looked at yet; how many were taken, with them
        self._buffer, self._next = b"", 0
        self.at = 0
        """Unpacked bytes that were given."""
        self.piece = _Piece(0, 0)
        self._chunks: Iterator[bytes] = iter(())
        self._ends = False
        self._take()
        self._magic, self._new = self._packing()

    def place_of(self, unpacked: int) -> int:
        """The byte of the file for a byte of the unpacked file: in a packed one the beginning of its piece."""
        return self.piece.place if self._new else unpacked

    def may_be_garbled(self, end: int) -> bool:
        """Whether a record that ends at this unpacked byte may differ from what was packed."""
        return bool(self.piece.fault) and end > self.piece.begins + self.piece.sound

    def take(self, size: int) -> bytes:
        """Fewer bytes than asked for: there are no more."""
        found = []
        while size > 0 and (self._next < len(self._buffer) or self._fill()):
            found.append(self._buffer[self._next : self._next + size])
            self._next += len(found[-1])
            self.at += len(found[-1])
            size -= len(found[-1])
        return b"".join(found)

    def line(self) -> bytes:
        """The next line with its end, or the first megabyte of it; empty: there is none."""
        while (end := self._buffer.find(b"\n", self._next)) < 0 and len(self._buffer) - self._next < _MOST_HEADERS:
            if not self._fill():
                break
        return self.take(end + 1 - self._next if end >= 0 else min(len(self._buffer) - self._next, _MOST_HEADERS))

    def blanks_and_line(self) -> tuple[bytes, bytes]:
        """The empty lines that follow, the first four of them, and the line behind them."""
        blanks = b""
        while (line := self.line()) and not line.strip():
            blanks += line if len(blanks) < 8 else b""
        return blanks, line

    def unread(self, data: bytes) -> None:
        """Put bytes back in front."""
        self._buffer, self._next = data + self._buffer[self._next :], 0
        self.at -= len(data)

    def resume(self) -> bool:
        """Go to the next packed piece that begins a record; False: there is none."""
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
        if not self._packed.startswith(_DICTIONARY):
            return (_ZSTD, Zstandard) if self._packed.startswith(_ZSTD) else (b"", None)
        end = 8 + int.from_bytes(self._packed[4:8], "little")
        while len(self._packed) < end < MAX_BLOCK and self._take():
            pass
        words, self._packed = self._packed[8:end], self._packed[end:]
        if words.startswith(_ZSTD):
            words = b"".join(islice(unpacker("zstd", ARCHIVED).feed(words), 1000))
        return _ZSTD, lambda: Zstandard(words)

    def _take(self) -> bytes:
        more = self._stream.read(_CHUNK)
        self._taken += len(more)
        self._packed += more
        return more

    def _fill(self) -> bool:
        """Add to the buffer; False: the file ends, or the piece does before its end."""
        while not (chunk := next(self._chunks, b"")):
            if self.piece.fault or not self._next_piece():
                return False
            self._chunks = self._again()
        self._buffer, self._next = self._buffer[self._next :] + chunk, 0
        return True

    def _next_piece(self) -> bool:
        """Go through the next piece to its end, so that what it gives is known to be right; False: there is none."""
        piece = _Piece(self._taken - len(self._packed), self.piece.begins + self.piece.size)
        held: list[bytes] = []
        try:
            padding = b"\0" if self._new else b""
            while not self._packed.lstrip(padding):
                self._packed = b""
                if not self._take():
                    return False
            self._packed = self._packed.lstrip(padding)
            piece.place = self._taken - len(self._packed)
            for chunk in self._unpacked():
                piece.size += len(chunk)
                if piece.size <= _HELD:
                    held.append(chunk)
                if piece.begins + piece.size > max(_HARMLESS, self._taken * _RATIO):
                    piece.fault, piece.sound = f"unpacks to more than {_RATIO} times its size", piece.size
                    self._ends = True
                    break
        except (EOFError, OSError) as error:
            piece.fault, piece.sound = _BREAKS_OFF if isinstance(error, EOFError) else _DAMAGED, piece.size
        except (NotUnpackable, zlib.error, zipfile.BadZipFile) as error:
            # Where the check value alone is wrong, which comes last, the damage may be anywhere.
            anywhere = isinstance(error, zipfile.BadZipFile) or "check" in str(error.__cause__)
            piece.fault, piece.sound = _DAMAGED, 0 if anywhere else max(0, piece.size - _BEFORE)
            self._ends = not isinstance(error, NotUnpackable)
        piece.held = b"".join(held) if piece.size <= _HELD else None
        self.piece = piece
        return True

    def _unpacked(self) -> Iterator[bytes]:
        """What comes out of the piece that begins with the bytes at hand. Raises EOFError and NotUnpackable."""
        if self._new is None:
            while self._packed or self._take():
                data, self._packed = self._packed, b""
                yield data
            return
        piece = self._new()
        while not piece.done:
            if not self._packed and not self._take():
                raise EOFError
            data, self._packed = piece.step(self._packed)
            if data:
                yield data

    def _again(self) -> Iterator[bytes]:
        """The bytes of the piece at hand."""
        if self.piece.held is not None:
            yield self.piece.held
            return
        behind, left = (self._taken, self._packed), self.piece.size
        self._taken, self._packed = self.piece.place, b""
        self._stream.seek(self._start + self._taken)
        for chunk in self._unpacked():
            yield chunk[:left]
            left -= len(chunk)
            if left <= 0:
                break
        self._taken, self._packed = behind
        self._stream.seek(self._start + self._taken)
