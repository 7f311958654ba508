"""The records of WARC and ARC files, packed or not: whole ones, and the places that are damaged, in order."""

from __future__ import annotations

import io
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, BinaryIO, Protocol

from inquest.kit.unpack import ZSTD_STEP, zstd_decoder

MAX_BLOCK = 200_000_000
"""Bytes of one record that are held; of a longer one, the first of them."""

_CHUNK = 1 << 16
_MOST_HEADERS = 1 << 20
_KEPT_PACKED = 1 << 20
# A damaged member is noticed at once or some bytes behind its end; that far back the next one is looked for.
_HARMLESS, _RATIO = 1 << 30, 1000
# Bytes that any packed archive may unpack to, and times its own size; logs of one page over and over pack so well.

_GZIP, _ZSTD, _DICTIONARY = b"\x1f\x8b\x08", b"\x28\xb5\x2f\xfd", b"\x5d\x2a\x4d\x18"
_BEGINS = re.compile(rb"WARC/(?:1\.\d|0\.1[78])\s|[a-z][a-z0-9+.-]{1,20}:[^\r\n]* \S+ \d{14} [^\r\n]*\d\r?\n")
# A record's first line; the second form is that of ARC 1.0: address, IP address, time, type, length.

_LENGTH_IS_WRONG = "is damaged (it does not have the length that it states)"
_BREAKS_OFF = "breaks off"


@dataclass(frozen=True, slots=True)
class Record:
    """A whole record."""

    kind: str
    """Its WARC-Type in lower case; of ARC files response or warcinfo."""
    headers: Any
    """warcio's StatusAndHeaders."""
    block: bytes
    """At most MAX_BLOCK + 1 bytes."""


@dataclass(frozen=True, slots=True)
class Damage:
    """A place that no record could be read from."""

    place: int
    """Byte of the file, from 0; in a packed one that of the packed record."""
    why: str
    """'is damaged', 'breaks off', ..."""


class NoWebArchive(Exception):
    """No record begins anywhere in the file."""


def records(stream: BinaryIO) -> Iterator[Record | Damage]:
    """Every record of the file in order; after damage it goes on at the next one that begins.

    Never holds more than one record. Raises NoWebArchive.
    """
    source = _Source(stream)
    reader = _Reader(source)
    any_begins, line = False, reader.line_after_blanks()
    pending: list[Damage] = []
    while True:
        if not line:
            if source.failure is not None:
                pending = [each for each in pending if each.place != source.place]
                more = source.given > source.member_from and any_begins
                pending.append(Damage(source.place, _why(source.failure, in_one_piece=more)))
                if source.resume():
                    reader.clear()
                    line = reader.line_after_blanks()
                    continue
            break
        if not _BEGINS.match(line):
            if any_begins and not pending:
                pending.append(Damage(source.place_of(reader.at - len(line)), "is damaged"))
            while line and not _BEGINS.match(line):
                line = reader.line()
            if line and not any_begins and not pending:
                pending.append(Damage(0, "is damaged"))
            continue
        yield from pending
        pending, any_begins = [], True
        record, fault = _next(reader, source, line)
        yield from record
        pending, line = fault, reader.line_after_blanks()
    if not any_begins:
        raise NoWebArchive
    yield from pending


def _next(reader: _Reader, source: _Source, line: bytes) -> tuple[list[Record], list[Damage]]:
    """The record that begins with the line, or what is wrong with it; the reader is then behind it, or where another
    may begin."""
    place = source.place_of(reader.at - len(line))
    is_warc = line.startswith(b"WARC/")
    found, missing = _parsed(reader, line, is_warc)
    end = reader.at
    blanks, follows = reader.blanks_and_line()
    between = b"\r\n\r\n" if is_warc else b"\n"
    failed = source.failure is not None and not follows
    if found and not missing and (_BEGINS.match(follows) or blanks.startswith(between) or not follows):
        if failed and source.member_from < end:
            return [], []  # the packed record's check failed; the failure is reported by itself
        reader.unread(follows)
        cut = not follows and not failed and not blanks.startswith(between)
        return [found], [Damage(place, _BREAKS_OFF)] if cut else []
    if failed:
        return [], []
    # A wrong length has swallowed what follows, or a part of it.
    reader.unread((found.block if found and len(found.block) <= MAX_BLOCK else b"") + blanks + follows)
    return [], [Damage(place, _BREAKS_OFF if missing and found else _LENGTH_IS_WRONG if found else "is damaged")]


def _parsed(reader: _Reader, line: bytes, is_warc: bool) -> tuple[Record | None, int]:
    """The record, and how many of its bytes are missing; None: its headers are not readable."""
    from warcio.recordloader import ARC2WARCHeadersParser, ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

    head = line
    while is_warc and len(head) < _MOST_HEADERS and (more := reader.line()):
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
    block = reader.read(min(length, MAX_BLOCK + 1))
    missing = length - len(block) - (reader.skip(length - len(block)) if len(block) > MAX_BLOCK else 0)
    return Record(str(headers.get_header("WARC-Type") or "unnamed").strip().lower(), headers, block), missing


def _why(failure: Exception, *, in_one_piece: bool) -> str:
    if isinstance(failure, EOFError):
        return _BREAKS_OFF
    if isinstance(failure, _Bomb):
        return str(failure)
    # The check value comes last: what was taken out of a piece of many records before it failed was not checked yet.
    return "is damaged, and what was read from the same packed piece may be" if in_one_piece else "is damaged"


class _Bomb(Exception):
    """A packed file that unpacks to far more than a web archive does."""


class _Reader:
    """Lines and bytes of the source, some of which can be put back."""

    def __init__(self, source: _Source) -> None:
        self._source = source
        self._buffer, self._next = b"", 0
        self.at = 0
        """Unpacked bytes so far."""

    def clear(self) -> None:
        """Forget what was taken out of a source that has gone on elsewhere."""
        self._buffer, self._next = b"", 0
        self.at = self._source.given

    def read(self, size: int) -> bytes:
        """Fewer bytes than asked for: there are no more."""
        pieces = []
        while size > 0 and (piece := self._piece(size)):
            pieces.append(piece)
            size -= len(piece)
        return b"".join(pieces)

    def skip(self, size: int) -> int:
        """Pass over that many bytes, and give how many there were."""
        start = size
        while size > 0 and (piece := self._piece(size)):
            size -= len(piece)
        return start - size

    def _piece(self, size: int) -> bytes:
        if self._next >= len(self._buffer):
            self._buffer, self._next = self._source.read(), 0
        piece = self._buffer[self._next : self._next + size]
        self._next += len(piece)
        self.at += len(piece)
        return piece

    def line(self) -> bytes:
        """The next line with its end, or the first megabyte of it."""
        while (end := self._buffer.find(b"\n", self._next)) < 0 and len(self._buffer) - self._next < _MOST_HEADERS:
            more = self._source.read()
            if not more:
                break
            self._buffer, self._next = self._buffer[self._next :] + more, 0
        return self._piece(end + 1 - self._next if end >= 0 else _MOST_HEADERS) if self._buffer else b""

    def blanks_and_line(self) -> tuple[bytes, bytes]:
        """The empty lines that follow, the first four of them, and the line behind them."""
        blanks = b""
        while (line := self.line()) and not line.strip():
            blanks += line if len(blanks) < 8 else b""
        return blanks, line

    def line_after_blanks(self) -> bytes:
        """The next line that is not empty; empty: there is none."""
        return self.blanks_and_line()[1]

    def unread(self, data: bytes) -> None:
        """Put bytes back in front."""
        self._buffer, self._next = data + self._buffer[self._next :], 0
        self.at -= len(data)


class _Member(Protocol):
    """One packed piece of the file: a gzip member or a Zstandard frame."""

    rest: bytes
    """What of the last input is still to be fed, or follows the end."""

    def ended(self) -> bool: ...

    def feed(self, packed: bytes) -> bytes: ...


class _GzipMember:
    def __init__(self) -> None:
        self._inflate = zlib.decompressobj(31)
        self.rest = b""

    def ended(self) -> bool:
        return self._inflate.eof

    def feed(self, packed: bytes) -> bytes:
        data = self._inflate.decompress(packed, _CHUNK)
        self.rest = self._inflate.unused_data if self._inflate.eof else self._inflate.unconsumed_tail
        return data


class _ZstdFrame:
    def __init__(self, dictionary: bytes) -> None:
        self._decode = zstd_decoder(dictionary)
        self.rest = b""

    def ended(self) -> bool:
        return bool(self._decode.eof)

    def feed(self, packed: bytes) -> bytes:
        import zstandard

        try:
            data: bytes = self._decode.decompress(packed[:ZSTD_STEP])
        except zstandard.ZstdError as error:
            raise zlib.error(str(error)) from error
        self.rest = (self._decode.unused_data if self._decode.eof else b"") + packed[ZSTD_STEP:]
        return data


class _Source:
    """The unpacked bytes of a file, to the last that can be had. A failure ends them and is kept; `resume` goes on."""

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._packed, self._taken = b"", 0
        self.failure: Exception | None = None
        self.given = 0
        """Unpacked bytes so far."""
        self.place = self.member_from = 0
        """Where the packed member at hand begins: byte of the file, and byte of what is unpacked."""
        self._member: _Member | None = None
        self._ahead = b""
        self._recent = b""
        self._take()
        self._magic, self._new = self._packing()

    def place_of(self, unpacked: int) -> int:
        """The byte of the file for a byte of the unpacked file: in a packed one the beginning of its member."""
        return unpacked if self._new is None else self.place

    def _packing(self) -> tuple[bytes, Callable[[], _Member] | None]:
        if self._packed.startswith(_GZIP[:2]):
            return _GZIP, _GzipMember
        if self._packed.startswith(_DICTIONARY):
            size = int.from_bytes(self._packed[4:8], "little")
            while len(self._packed) < size + 8 and size < MAX_BLOCK and self._take():
                pass
            dictionary = self._packed[8 : size + 8]
            self._packed = self._recent = self._packed[size + 8 :]
            if dictionary.startswith(_ZSTD):
                frame = _ZstdFrame(b"")
                data, rest = frame.feed(dictionary), frame.rest
                while rest and not frame.ended() and len(data) < MAX_BLOCK:
                    data, rest = data + frame.feed(rest), frame.rest
                dictionary = data
            return _ZSTD, lambda: _ZstdFrame(dictionary)
        return (_ZSTD, lambda: _ZstdFrame(b"")) if self._packed.startswith(_ZSTD) else (b"", None)

    def _take(self) -> bool:
        data = self._stream.read(_CHUNK)
        self._taken += len(data)
        self._packed += data
        self._recent = (self._recent + data)[-_KEPT_PACKED:]
        return bool(data)

    def read(self) -> bytes:
        """The next bytes, never of two members; empty: the end, or a failure."""
        data = b""
        if self.failure is None:
            try:
                data = self._unpacked() if self._new else self._plain()
                if self._new and self.given > max(_HARMLESS, self._taken * _RATIO):
                    raise _Bomb(f"unpacks to more than {_RATIO} times its size")
            except (EOFError, OSError, zlib.error, zipfile.BadZipFile, _Bomb) as error:
                self.failure, data = error, b""
        self.given += len(data)
        return data

    def _plain(self) -> bytes:
        if not self._packed:
            self._take()
        data, self._packed, self._recent = self._packed, b"", b""
        return data

    def _unpacked(self) -> bytes:
        while True:
            if not self._packed:
                self._take()
            if self._member is None or self._member.ended():
                self._packed = self._packed.lstrip(b"\0")
                if not self._packed and not self._take():
                    return b""
                if self._packed.strip(b"\0"):
                    self._begin()
                continue
            if not self._packed:
                if not self._ahead:
                    raise EOFError("the last packed record is cut off")
                data, self._ahead = self._ahead, b""
                return data
            data = self._member.feed(self._packed)
            self._packed = self._member.rest
            # One step behind: what comes right before damage may be garbage, and a short record is checked whole.
            if self._member.ended():
                data, self._ahead = self._ahead + data, b""
            elif data:
                data, self._ahead = self._ahead, data
            if data:
                return data

    def _begin(self) -> None:
        assert self._new is not None
        self._member, self._recent = self._new(), self._packed
        self.place, self.member_from = self._taken - len(self._packed), self.given

    def resume(self) -> bool:
        """Go to the next packed member that begins a record; False: there is none."""
        if self._new is None or isinstance(self.failure, _Bomb):
            return False
        beginning = self._taken - len(self._recent) == self.place
        data, start = self._recent, 1 if beginning else 0
        try:
            while True:
                at = data.find(self._magic, start)
                if at >= 0 and len(data) - at < _CHUNK and (more := self._more()):
                    data += more
                elif at >= 0:
                    if self._begins_record(data[at : at + _CHUNK]):
                        break
                    start = at + 1
                elif more := self._more():
                    data, start = data[-3:] + more, 0
                else:
                    return False
        except (EOFError, OSError, zlib.error, zipfile.BadZipFile):
            return False
        self._packed, self._ahead, self.failure = data[at:], b"", None
        self._begin()
        return True

    def _more(self) -> bytes:
        more = self._stream.read(_CHUNK)
        self._taken += len(more)
        return more

    def _begins_record(self, packed: bytes) -> bool:
        assert self._new is not None
        member, data = self._new(), b""
        try:
            while packed and not member.ended() and b"\n" not in data:
                data, packed = data + member.feed(packed), member.rest
        except zlib.error:
            return False
        return bool(_BEGINS.match(data))
