"""The pages of web archives (WARC, ARC, WACZ): every record ends in one outcome."""

from __future__ import annotations

import base64
import hashlib
import io
from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import Any, BinaryIO

from inquest.archive.records import MAX_BLOCK, Damage, NoWebArchive, Record, records
from inquest.archive.wacz import Package
from inquest.domain.errors import PageUnreadable
from inquest.kit.capture import Capture, NoCapture
from inquest.kit.unpack import ARCHIVED, NotUnpackable, unpacker

_HARMLESS, _RATIO = 64_000_000, 200
# Bytes that any page may unpack to, and times its packed size.
_MOST_REVISITS = 500_000
_OF_THE_WIRE = ("content-encoding", "transfer-encoding", "content-length")
_ACCOMPANY = ("warcinfo", "request", "metadata")
_PAGES = ("response", "resource", "conversion")

Files = Callable[[], Iterator[tuple[str, BinaryIO]]]
"""The WARC files of one archive, each with its name in the package ('': the file itself); asked twice for revisits."""


def captures(stream: BinaryIO) -> Iterator[Capture | NoCapture]:
    """What every record came to, in order: its page, decoded, or why there is none. Revisits come last, with the page
    of the record that they name. `stream` can be searched (`seek`).

    Raises PageUnreadable where the file is no web archive at all.
    """
    start = stream.tell()
    magic = stream.read(4)
    stream.seek(start)
    if magic == b"PK\x03\x04":
        yield from _of_package(stream)
        return

    def itself() -> Iterator[tuple[str, BinaryIO]]:
        stream.seek(start)
        yield "", stream

    yield from _of_files(itself, str(getattr(stream, "name", "the file")))


def _of_package(stream: BinaryIO) -> Iterator[Capture | NoCapture]:
    with Package(stream) as package:
        yield from package.left_out()
        pages = package.pages()
        for found in _of_files(package.warcs, package.name):
            pages.pop(found.url, None)
            yield found
    for url, has_text in pages.items():
        why = "is in the list of pages, but the package holds no capture of it"
        yield NoCapture(
            record="page", outcome="left out", url=url, why=why + (", only the text of one" if has_text else "")
        )


def _of_files(files: Files, name: str) -> Iterator[Capture | NoCapture]:
    revisits = _Revisits()
    readable = False
    for inner, stream in files():
        try:
            for record in records(stream):
                if not isinstance(record, Damage) and record.kind == "revisit" and revisits.add(record):
                    continue
                yield _outcome(record, inner)
            readable = True
        except NoWebArchive:
            if inner:
                yield NoCapture(record="damaged", outcome="unreadable", why=f"{inner} is damaged, or is no web archive")
    if not readable:
        raise PageUnreadable(name, "The file is damaged, or is no web archive.", advice="Copy it again.")
    if revisits:
        for _, stream in files():
            yield from revisits.resolve(records(stream))
        yield from revisits.unresolved()


def _outcome(record: Record | Damage, inner: str) -> Capture | NoCapture:
    if isinstance(record, Damage):
        where = f"the record at byte {record.place:,}" + (f" of {inner}" if inner else "")
        return NoCapture(record="damaged", outcome="unreadable", why=f"{where} {record.why}: copy the archive again")
    if record.kind in _ACCOMPANY:
        return NoCapture(record=record.kind, outcome="accompanies")
    if record.kind not in _PAGES:
        return NoCapture(record=record.kind, outcome="left out", url=_url(record), why=f"is a {record.kind} record")
    try:
        return _capture(record)
    except NotUnpackable as error:
        return NoCapture(record=record.kind, outcome="unreadable", url=_url(record), why=f"cannot be read: {error}")
    except Exception as error:  # noqa: BLE001 - warcio meets malformed headers with whatever its parsing runs into
        why = f"has HTTP headers that cannot be read ({type(error).__name__})"
        return NoCapture(record=record.kind, outcome="unreadable", url=_url(record), why=why)


def _url(record: Record) -> str:
    return str(record.headers.get_header("WARC-Target-URI") or "").strip().strip("<>").replace(" ", "%20")


def _capture(record: Record) -> Capture:
    """Raises NotUnpackable, and what warcio raises for malformed headers."""
    about, url = record.headers, _url(record)
    if not url:
        raise NotUnpackable("its record names no address")
    if len(record.block) > MAX_BLOCK:
        raise NotUnpackable(f"it is larger than {MAX_BLOCK // 10**6} MB")
    if int(about.get_header("WARC-Segment-Number") or 1) > 1 or about.get_header("WARC-Segment-Total-Length"):
        raise NotUnpackable("it is split into several records")
    http, payload = _parts(record, url)
    headers = tuple((str(name).lower(), str(value)) for name, value in http.headers) if http else ()
    shown = dict(headers)
    body = _decoded(payload, shown.get("content-encoding", "")) if http else payload
    return Capture(
        url=url,
        body=body,
        content_type=shown.get("content-type", "") if http else about.get_header("Content-Type") or "",
        status=int(http.get_statuscode() or 0) if http else 200,
        headers=tuple((name, value) for name, value in headers if name not in _OF_THE_WIRE),
        retrieved_at=_moment(about.get_header("WARC-Date")),
        record=record.kind,
    )


def _parts(record: Record, url: str) -> tuple[Any, bytes]:
    """The HTTP headers, None where there are none, and the body without its chunks."""
    if record.kind != "response" or not url.lower().startswith(("http:", "https:")) or not record.block:
        return None, record.block
    from warcio.bufferedreaders import ChunkedDataReader
    from warcio.recordloader import ArcWarcRecordLoader
    from warcio.statusandheaders import StatusAndHeadersParser

    stream = io.BytesIO(record.block)
    http = StatusAndHeadersParser(ArcWarcRecordLoader.HTTP_TYPES, verify=False).parse(stream)
    chunked = "chunked" in (http.get_header("transfer-encoding") or "").lower()
    if not chunked:
        return http, stream.read()
    reader = ChunkedDataReader(stream)
    return http, b"".join(iter(lambda: reader.read(1 << 16), b""))


def _decoded(packed: bytes, coding: str) -> bytes:
    """Raises NotUnpackable, naming the coding."""
    most = min(MAX_BLOCK, max(_HARMLESS, len(packed) * _RATIO))
    try:
        unpack = unpacker(coding, ARCHIVED)
        pieces, size = [], 0
        for piece in unpack.feed(packed):
            pieces.append(piece)
            size += len(piece)
            if size > most:
                raise NotUnpackable(f"it unpacks to more than {most // 10**6} MB")
        if packed and not unpack.complete:
            raise NotUnpackable("its compression breaks off")
        return b"".join(pieces)
    except NotUnpackable as error:
        if _is_plain(packed):
            return packed  # the crawler undid the coding and kept the header
        named = "" if "packed as" in str(error) else f" (Content-Encoding: {coding[:40]})"
        raise NotUnpackable(f"{error}{named}") from error


def _is_plain(body: bytes) -> bool:
    """True for text, markup and PDF: bytes below 32 that text does not have come early in whatever is packed."""
    beginning = body[:2048]
    if beginning.startswith(b"%PDF-"):
        return True
    return not any(byte < 32 and byte not in b"\t\n\f\r\x1b" for byte in beginning) and _is_utf8(beginning)


def _is_utf8(beginning: bytes) -> bool:
    try:
        beginning.decode()
    except UnicodeDecodeError as error:
        return error.start >= len(beginning) - 4 > 0 or beginning.lstrip()[:1] == b"<"
    return True


def _moment(written: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written or "")
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


@dataclass(frozen=True, slots=True)
class _Revisit:
    url: str
    date: datetime | None
    keys: tuple[tuple[str, str], ...]
    """What the record that it refers to is known by."""


class _Revisits:
    """Records that name another one with the same bytes (WARC 1.1, 6.7): held until the files were gone through once,
    then looked for in a second pass, which takes no more memory than there are revisits."""

    def __init__(self) -> None:
        self._open: dict[int, _Revisit] = {}
        self._by_key: defaultdict[tuple[str, str], set[int]] = defaultdict(set)

    def __bool__(self) -> bool:
        return bool(self._open)

    def add(self, record: Record) -> bool:
        """Hold a revisit; False: there are too many."""
        if len(self._open) >= _MOST_REVISITS:
            return False
        header = record.headers.get_header
        url, date = _url(record), _moment(header("WARC-Date"))
        target = str(header("WARC-Refers-To-Target-URI") or "").strip().strip("<>").replace(" ", "%20")
        keys = []
        if header("WARC-Refers-To"):
            keys.append(("id", header("WARC-Refers-To")))
        if header("WARC-Refers-To-Date"):
            keys.append(("at", f"{target or url} {_second(header('WARC-Refers-To-Date'))}"))
        if header("WARC-Payload-Digest"):
            keys.append(("digest", header("WARC-Payload-Digest").lower()))
        number = len(self._open)
        self._open[number] = _Revisit(url, date, tuple(keys or [("url", target or url)]))
        for key in self._open[number].keys:
            self._by_key[key].add(number)
        return True

    def resolve(self, again: Iterator[Record | Damage]) -> Iterator[Capture | NoCapture]:
        """What the revisits that refer to these records came to: a page of their own at another address, else 'seen
        again'."""
        for record in again:
            if isinstance(record, Damage) or record.kind not in _PAGES or not self._open:
                continue
            found = {number for key in self._keys_of(record) for number in self._by_key.get(key, ())}
            for number in sorted(found & self._open.keys()):
                yield self._resolved(self._open.pop(number), record)

    def unresolved(self) -> Iterator[NoCapture]:
        """Those whose page is not in the archive."""
        why = "is a revisit without its page: the capture that it refers to is not in this archive"
        for revisit in self._open.values():
            yield NoCapture(record="revisit", outcome="left out", url=revisit.url, why=why)

    def _resolved(self, revisit: _Revisit, record: Record) -> Capture | NoCapture:
        if revisit.url == _url(record):
            return NoCapture(record="revisit", outcome="seen again", url=revisit.url)
        found = _outcome(record, "")
        if isinstance(found, Capture):
            return replace(found, url=revisit.url, retrieved_at=revisit.date, record="revisit", repeats=True)
        return replace(found, url=revisit.url, record="revisit")

    def _keys_of(self, record: Record) -> list[tuple[str, str]]:
        header, url = record.headers.get_header, _url(record)
        keys = [("id", header("WARC-Record-ID")), ("at", f"{url} {_second(header('WARC-Date'))}"), ("url", url)]
        digest = header("WARC-Payload-Digest")
        if digest:
            return [*keys, ("digest", digest.lower())]
        payload = record.block.partition(b"\r\n\r\n")[2] if record.kind == "response" else record.block
        sha1 = base64.b32encode(hashlib.sha1(payload, usedforsecurity=False).digest()).decode().lower()
        return [*keys, ("digest", f"sha1:{sha1}"), ("digest", f"sha256:{hashlib.sha256(payload).hexdigest()}")]


def _second(written: str | None) -> str:
    """A time to the second, since the date in a reference may be shorter than the record's own."""
    moment = _moment(written)
    return moment.strftime("%Y%m%d%H%M%S") if moment else str(written)
