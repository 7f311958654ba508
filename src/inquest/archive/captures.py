"""The pages of web archives (WARC, ARC, WACZ): every record ends in one outcome. Reading ends at a damaged place."""

from __future__ import annotations

import codecs
import gzip
import io
import re
import zipfile
import zlib
from collections import defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, BinaryIO, NamedTuple, cast

from inquest.domain.errors import PageUnreadable
from inquest.kit.parts import Capture, NoCapture
from inquest.kit.unpack import ARCHIVED, Deflated, NotUnpackable, unpacker

MAX_BLOCK = 200_000_000
"""Bytes of one record that are held; of a longer one, the first of them."""
_HARMLESS, _RATIO = 64_000_000, 200
# Bytes that any page, or any file of a package, may unpack to, and times its packed size.
_MOST_HEADERS, _CHUNK = 1 << 20, 1 << 16
_MOST_FILES = 20_000
_MOST_REVISITS = 500_000

_BEGINS = re.compile(rb"WARC/(?:1\.\d|0\.1[78])\s|[a-z][a-z0-9+.-]{1,20}:[^\r\n]* \S+ \d{14} [^\r\n]*\d\r?\n")
# A record's first line; the second form is that of ARC 1.0: address, IP address, time, type, length.
_WARC_ENDINGS = (".warc", ".warc.gz", ".arc", ".arc.gz")
_DAMAGED, _BREAKS_OFF = "is damaged", "breaks off"
_OF_THE_WIRE = ("content-encoding", "transfer-encoding", "content-length")
_ACCOMPANY = ("warcinfo", "request", "metadata")
_PAGES = ("response", "resource", "conversion")
_FAILS = (OSError, EOFError, zlib.error, zipfile.BadZipFile, NotImplementedError, RuntimeError)
"""What reading a file, or a file in a package, raises."""

Files = Callable[[], Iterator[tuple[str, BinaryIO]]]
"""The WARC files of one archive, each with its name in the package ('': the file itself); asked twice for revisits."""


@dataclass(frozen=True, slots=True)
class _Record:
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
class _Damage:
    """The place from which on nothing is read."""

    place: int
    """Byte of the file, unpacked."""
    why: str
    """'is damaged', 'breaks off'."""


class _NoWebArchive(Exception):
    """The file does not begin with a record."""


def captures(stream: BinaryIO) -> Iterator[Capture | NoCapture]:
    """What every record came to, in order: its page, decoded, or why there is none. Revisits come last, with the page
    of the record that they name. `stream` can be searched (`seek`).

    Raises PageUnreadable where the file is no web archive at all.
    """
    start = stream.tell()
    is_package = stream.read(4) == b"PK\x03\x04"
    stream.seek(start)

    def itself() -> Iterator[tuple[str, BinaryIO]]:
        stream.seek(start)
        yield "", stream

    name = str(getattr(stream, "name", "the file"))
    if not is_package:
        yield from _of_files(itself, name)
        return
    with _Package(stream) as package:
        yield from package.left_out()
        yield from _of_files(package.warcs, name)


def _of_files(files: Files, name: str) -> Iterator[Capture | NoCapture]:
    revisits = _Revisits()
    readable = False
    for inner, stream in files():
        try:
            for record in _records(stream):
                if isinstance(record, _Damage) or record.kind != "revisit" or not revisits.add(record):
                    yield _outcome(record, inner)
            readable = True
        except _NoWebArchive:
            if inner:
                yield NoCapture(record="damaged", outcome="unreadable", why=f"{inner} is damaged, or is no web archive")
    if not readable:
        raise PageUnreadable(name, "The file is damaged, or is no web archive.", advice="Copy it again.")
    if revisits.open:
        for _, stream in files():
            with suppress(_NoWebArchive):
                for record in _records(stream):
                    yield from revisits.resolved(record)
    why = "is a revisit without its page: the capture that it refers to is not in this archive"
    for url, _ in revisits.open.values():
        yield NoCapture(record="revisit", outcome="left out", url=url, why=why)


def _records(stream: BinaryIO) -> Iterator[_Record | _Damage]:
    """Every record of the file in order, up to its end or the first damage. Raises _NoWebArchive."""
    start, place, source, sound = stream.tell(), 0, stream, None
    line = b""
    try:
        is_packed = stream.read(2) == b"\x1f\x8b"
        stream.seek(start)
        if is_packed:
            sound = _sound(stream)
            source = cast(BinaryIO, gzip.GzipFile(fileobj=stream))
        _, line = _next_line(source)
        if not _BEGINS.match(line):
            raise _NoWebArchive
        while line:
            place = source.tell() - len(line)
            if not _BEGINS.match(line):
                yield _Damage(place, _DAMAGED)
                return
            apart = 2 if line.startswith(b"WARC/") else 1
            record, missing = _parsed(source, line)
            if sound is not None and source.tell() > sound:
                raise EOFError if missing else zlib.error
            if missing or record is None:
                yield _Damage(place, _BREAKS_OFF if missing else _DAMAGED)
                return
            try:
                blanks, line = _next_line(source)
            except _FAILS:
                yield record
                raise
            if line and blanks < apart and not _BEGINS.match(line):
                yield _Damage(place, f"{_DAMAGED} (it does not have the length that it states)")
                return
            yield record
            if not blanks and not line:
                yield _Damage(place, _BREAKS_OFF)
    except _FAILS as error:
        if not line:
            raise _NoWebArchive from error
        yield _Damage(place, _BREAKS_OFF if isinstance(error, EOFError) else _DAMAGED)


def _sound(stream: BinaryIO) -> int:
    """How many unpacked bytes are of gzip members that are whole and have the right check value: others may be
    garbled."""
    start, sound, size, left, member = stream.tell(), 0, 0, b"", Deflated()
    with suppress(NotUnpackable):
        while True:
            data, left = member.step(left)
            size += len(data)
            if member.done:
                sound, member, left = size, Deflated(), left.lstrip(b"\0")
            elif not data and not left and not (left := stream.read(_CHUNK)):
                break
    stream.seek(start)
    return sound


def _next_line(source: BinaryIO) -> tuple[int, bytes]:
    """How many empty lines follow, and the next one that is not empty; b'': there is none."""
    blanks = 0
    while (line := source.readline(_MOST_HEADERS)) and not line.strip():
        blanks += line.endswith(b"\n")
    return blanks, line


def _parsed(source: BinaryIO, line: bytes) -> tuple[_Record | None, int]:
    """The record that begins with the line, and how many of its bytes are missing; None: its headers are not
    readable."""
    from warcio.recordloader import ARC2WARCHeadersParser, ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

    head, is_warc = line, line.startswith(b"WARC/")
    while is_warc and len(head) < _MOST_HEADERS and (more := source.readline(_MOST_HEADERS)):
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
    block = source.read(min(length, MAX_BLOCK + 1))
    missing = length - len(block)
    while len(block) > MAX_BLOCK and missing and (more := source.read(min(missing, _CHUNK))):
        missing -= len(more)
    return _Record(str(headers.get_header("WARC-Type") or "unnamed").strip().lower(), headers, block), missing


_MALFORMED = (EOFError, OSError, ValueError, AttributeError, TypeError, LookupError, zlib.error)
"""What warcio's parsing of malformed headers runs into, beside its own error."""


def _outcome(record: _Record | _Damage, inner: str = "") -> Capture | NoCapture:
    if isinstance(record, _Damage):
        where = f"the record at byte {record.place:,}" + (f" of {inner}" if inner else "")
        why = f"{where} {record.why}, and nothing behind it was read: copy the archive again"
        return NoCapture(record="damaged", outcome="unreadable", why=why)
    if record.kind in _ACCOMPANY:
        return NoCapture(record=record.kind, outcome="accompanies")
    if record.kind not in _PAGES:
        return NoCapture(record=record.kind, outcome="left out", url=record.url, why=f"is a {record.kind} record")
    from warcio.statusandheaders import StatusAndHeadersParserException

    try:
        return _capture(record)
    except NotUnpackable as error:
        why = f"cannot be read: {error}"
    except (*_MALFORMED, StatusAndHeadersParserException) as error:
        why = f"has HTTP headers that cannot be read ({type(error).__name__})"
    return NoCapture(record=record.kind, outcome="unreadable", url=record.url, why=why)


def _capture(record: _Record) -> Capture:
    """Raises NotUnpackable, and what warcio raises for malformed headers."""
    about = record.headers
    if not record.url:
        raise NotUnpackable("its record names no address")
    if len(record.block) > MAX_BLOCK:
        raise NotUnpackable(f"it is larger than {MAX_BLOCK // 10**6} MB")
    if about.get_header("WARC-Segment-Number"):
        raise NotUnpackable("it is split into several records")
    http, payload = _parts(record)
    headers = tuple((str(name).lower(), str(value)) for name, value in http.headers) if http else ()
    shown = dict(headers)
    return Capture(
        url=record.url,
        body=_decoded(payload, shown.get("content-encoding", "")),
        content_type=shown.get("content-type", "") if http else about.get_header("Content-Type") or "",
        status=int(http.get_statuscode() or 0) if http else 200,
        headers=tuple((name, value) for name, value in headers if name not in _OF_THE_WIRE),
        retrieved_at=_moment(about.get_header("WARC-Date")),
        record=record.kind,
    )


def _parts(record: _Record) -> tuple[Any, bytes]:
    """The HTTP headers, None where there are none, and the body without its chunks."""
    if record.kind != "response" or not record.url.lower().startswith(("http:", "https:")) or not record.block:
        return None, record.block
    from warcio.bufferedreaders import ChunkedDataReader
    from warcio.recordloader import ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParser

    stream = io.BytesIO(record.block)
    http = StatusAndHeadersParser(ArcWarcRecordLoader.HTTP_TYPES, verify=False).parse(stream)
    if "chunked" not in (http.get_header("transfer-encoding") or "").lower():
        return http, stream.read()
    reader = ChunkedDataReader(stream)
    return http, b"".join(iter(lambda: reader.read(1 << 16), b""))


def _decoded(packed: bytes, coding: str) -> bytes:
    """Raises NotUnpackable, naming the coding."""
    most = min(MAX_BLOCK, max(_HARMLESS, len(packed) * _RATIO))
    body = bytearray()
    try:
        unpack = unpacker(coding, ARCHIVED)
        for piece in unpack.feed(packed):
            body += piece
            if len(body) > most:
                raise NotUnpackable(f"it unpacks to more than {most // 10**6} MB")
        if packed and not unpack.complete:
            raise NotUnpackable("its compression breaks off")
        return bytes(body)
    except NotUnpackable as error:
        if _is_plain(packed[:2048]):
            return packed  # the crawler undid the coding and kept the header
        named = "" if "packed as" in str(error) else f" (Content-Encoding: {coding[:40]})"
        raise NotUnpackable(f"{error}{named}") from error


def _is_plain(beginning: bytes) -> bool:
    """True for text, markup and PDF: bytes below 32 that text does not have come early in whatever is packed."""
    if beginning.startswith(b"%PDF-"):
        return True
    try:
        codecs.getincrementaldecoder("utf-8")().decode(beginning)
    except UnicodeDecodeError:
        if not beginning.lstrip().startswith(b"<"):
            return False
    return not any(byte < 32 and byte not in b"\t\n\f\r\x1b" for byte in beginning)


def _moment(written: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written or "")
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


class _Revisit(NamedTuple):
    url: str
    date: datetime | None


class _Revisits:
    """Records that name another one with the same bytes (WARC 1.1, 6.7): held until the files were gone through once,
    then looked for in a second pass, which takes no more memory than there are revisits."""

    def __init__(self) -> None:
        self.open: dict[int, _Revisit] = {}
        """Those whose page was not found yet."""
        self._by_key: defaultdict[tuple[str, str], set[int]] = defaultdict(set)

    def add(self, record: _Record) -> bool:
        """Hold a revisit; False: there are too many."""
        number = len(self.open)
        if number >= _MOST_REVISITS:
            return False
        header = record.headers.get_header
        target = str(header("WARC-Refers-To-Target-URI") or "").strip().strip("<>").replace(" ", "%20") or record.url
        keys = _keys(target, header("WARC-Refers-To"), header("WARC-Refers-To-Date"), header("WARC-Payload-Digest"))
        self.open[number] = _Revisit(record.url, _moment(header("WARC-Date")))
        for key in keys or [("url", target)]:
            self._by_key[key].add(number)
        return True

    def resolved(self, record: _Record | _Damage) -> Iterator[Capture | NoCapture]:
        """What the revisits that refer to a record came to: a page of their own at another address, else 'seen
        again'."""
        if isinstance(record, _Damage) or record.kind not in _PAGES or not self.open:
            return
        header = record.headers.get_header
        keys = _keys(record.url, header("WARC-Record-ID"), header("WARC-Date"), header("WARC-Payload-Digest"))
        found = {number for key in (*keys, ("url", record.url)) for number in self._by_key.get(key, ())}
        for number in sorted(found & self.open.keys()):
            url, date = self.open.pop(number)
            page = _outcome(record)
            if url == record.url:
                yield NoCapture(record="revisit", outcome="seen again", url=url)
            elif isinstance(page, Capture):
                yield replace(page, url=url, retrieved_at=date, record="revisit", repeats=True)
            else:
                yield replace(page, url=url, record="revisit")


def _keys(url: str, of: str | None, date: str | None, digest: str | None) -> list[tuple[str, str]]:
    """What a record is known by: its id, its address and time to the second, its bytes."""
    moment = _moment(date)
    at = f"{url} {moment.strftime('%Y%m%d%H%M%S')}" if moment else None
    named = (("id", of), ("at", at), ("digest", digest and digest.lower()))
    return [(kind, value) for kind, value in named if value]


class _Package(zipfile.ZipFile):
    """A WACZ package to be read: its web archives, whatever made it. Nothing is written to the disk, so that the names
    in it can lead nowhere. As a context manager it closes the package, and not the stream."""

    def __init__(self, stream: BinaryIO) -> None:
        """Raises PageUnreadable for a package that is damaged, encrypted, too large or holds no web archive."""
        try:
            super().__init__(stream)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise self._fault("is damaged or breaks off", "Copy it again.") from error
        self._warcs = [entry for entry in self.infolist() if entry.filename.lower().endswith(_WARC_ENDINGS)]
        if len(self.infolist()) > _MOST_FILES:
            raise self._fault(f"holds more than {_MOST_FILES:,} files", "Unpack it and add the WARC files in it.")
        if not self._warcs:
            raise self._fault("holds no web archive (archive/*.warc.gz)", "Check that it is a WACZ file.")
        if any(entry.flag_bits & 1 for entry in self._warcs):
            raise self._fault("is encrypted", "Save it without a password.")

    def _fault(self, what: str, advice: str) -> PageUnreadable:
        return PageUnreadable("the package", f"The WACZ package {what}.", advice=advice)

    def left_out(self) -> Iterator[NoCapture]:
        """The files in it that are not opened."""
        for entry in filter(_is_bomb, self._warcs):
            why = f"{entry.filename} unpacks to more than {_RATIO} times its size"
            yield NoCapture(record="file", outcome="unreadable", why=why)

    def warcs(self) -> Iterator[tuple[str, BinaryIO]]:
        """Each web archive with its name, opened while it is its turn. Raises PageUnreadable."""
        for entry in self._warcs:
            if not _is_bomb(entry):
                try:
                    with self.open(entry) as stream:
                        yield entry.filename, cast(BinaryIO, stream)
                except _FAILS as error:
                    raise self._fault(f"holds {entry.filename}, which is damaged", "Copy it again.") from error


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > max(_HARMLESS, entry.compress_size * _RATIO)
