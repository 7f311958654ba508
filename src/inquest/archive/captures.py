"""Pages from web archives (WARC, ARC, WACZ), with one outcome per record."""

from __future__ import annotations

import codecs
import io
import json
import re
import zipfile
import zlib
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from itertools import repeat
from typing import Any, BinaryIO, cast

from warcio.bufferedreaders import ChunkedDataReader
from warcio.recordloader import ArcWarcRecordLoader
from warcio.statusandheaders import StatusAndHeadersParser, StatusAndHeadersParserException

from inquest.archive.records import MAX_BLOCK, Damage, NoWebArchive, Record, records
from inquest.domain.errors import PageUnreadable
from inquest.kit.files import Capture, NoCapture
from inquest.kit.unpack import ARCHIVED, NotUnpackable, unpacker
from inquest.text.regex import regex

_HARMLESS, _RATIO = 64_000_000, 200
# Bytes any page or file of a package may decompress to, and the maximum ratio to its compressed size.
_MOST_REVISITS = 500_000
_OF_THE_WIRE = ("content-encoding", "transfer-encoding", "content-length")
_ACCOMPANY = ("warcinfo", "request", "metadata")
_PAGES = ("response", "resource", "conversion")
_OF_A_PAGE = regex(r"(?:urn:)?\w+:(https?://.+)")
"""The address that browser crawlers give the text, a picture or a description of a page."""
_OF_A_TOOL = regex(r"(?!(?:https?|ftps?|file):)[a-z][a-z\d+-]*:.*", re.I)
"""Addresses that are not of the web: a tool's log, command line or list of pages, a DNS reply, a picture of a page."""
_SECOND = NoCapture(record="resource", outcome="accompanies")

_MALFORMED = (
    StatusAndHeadersParserException, EOFError, OSError, ValueError, AttributeError, TypeError, LookupError, zlib.error,
)  # fmt: skip
"""Errors of warcio's parser for malformed headers."""
_LAST_CHUNK = regex(rb"((?:\A|\n)0+[ \t]*(?:;[^\n]*)?\r?\n)(?:[^\s:]+:[^\n]*\n)*(?=\s*\Z)")
"""The last chunk of a body, with the HTTP header fields after it (RFC 9112, 7.1.2), which warcio's reader does not
expect."""
Files = Callable[[], Iterator[tuple[str, BinaryIO]]]
"""Yields the WARC files of an archive with their names in the package ('': the file); called again for revisits."""
_MOST_FILES, _MOST_PAGE_BYTES = 20_000, 64 * 2**20
_WARC_ENDINGS = (".warc", ".warc.gz", ".warc.zst", ".arc", ".arc.gz")


_DAMAGED = (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError)
"""Errors raised by opening and reading a file in a package."""


def captures(stream: BinaryIO) -> Iterator[Capture | NoCapture]:
    """Yield for each record, in order, its decoded page or the reason why it has no page; revisits come last, with the
    page of the record they refer to. `stream` must be seekable. Raises PageUnreadable if the file is not a web archive.
    """
    start, name = stream.tell(), str(getattr(stream, "name", "the file"))

    def itself() -> Iterator[tuple[str, BinaryIO]]:
        stream.seek(start)
        yield "", stream

    if stream.read(4) != b"PK\x03\x04":
        yield from _of_files(itself, name)
        return
    stream.seek(start)
    with _Package(stream) as package:
        yield from package.left_out()
        pages = package.pages()
        for found in _of_files(package.warcs, name):
            pages.pop(found.url, None)
            yield found
    for url, has_text in pages.items():
        why = f"is in the list of pages, but the package holds no capture of it{', only the text of one' * has_text}"
        yield NoCapture(record="page", outcome="left out", url=url, why=why)


def _of_files(files: Files, name: str) -> Iterator[Capture | NoCapture]:
    revisits, readable = _Revisits(), False
    for inner, stream in files():
        try:
            for record in records(stream):
                if not revisits.add(record):
                    yield (found := _outcome(record, inner))
                    revisits.captured |= {found.url} if isinstance(found, Capture) else set()
            readable = True
        except NoWebArchive:
            if inner:
                yield NoCapture(record="damaged", outcome="unreadable", why=f"{inner} is damaged or not a web archive")
    if not readable:
        raise PageUnreadable(name, "The file is damaged or not a web archive.", advice="Copy it again.")
    for page in revisits.captured & revisits.texts.keys():
        yield from repeat(_SECOND, revisits.texts.pop(page))
    if revisits.open or revisits.texts:
        for _, stream in files():
            with suppress(NoWebArchive):
                for record in records(stream):
                    yield from revisits.resolved(record)
    why = "is a revisit without its page: the capture that it refers to is not in this archive"
    for url, _ in revisits.open.values():
        yield NoCapture(record="revisit", outcome="left out", url=url, why=why)


def _page_of(record: Record | Damage) -> str:
    """Return the URL of the page that the record has the extracted text of, or ''."""
    if isinstance(record, Damage) or record.kind != "resource" or not (found := _OF_A_PAGE.fullmatch(record.url)):
        return ""
    return found[1] if (record.headers.get_header("Content-Type") or "").startswith("text/plain") else ""


def _outcome(record: Record | Damage, inner: str = "") -> Capture | NoCapture:
    if isinstance(record, Damage):
        where = f"the record at byte {record.place:,}" + (f" of {inner}" if inner else "")
        why = f"{where} {record.why}: copy the archive again"
        return NoCapture(record="damaged", outcome="unreadable", why=why, url=record.url)
    of_a_tool = record.kind == "resource" and _OF_A_TOOL.match(record.url) and not _page_of(record)
    if of_a_tool or record.kind in _ACCOMPANY:
        return NoCapture(record=record.kind, outcome="accompanies")
    if record.kind not in _PAGES:
        return NoCapture(record=record.kind, outcome="left out", url=record.url, why=f"is a {record.kind} record")

    try:
        return _capture(record)
    except NotUnpackable as error:
        why = f"cannot be read: {error}"
    except _MALFORMED as error:
        why = f"has HTTP headers that cannot be read ({type(error).__name__})"
    return NoCapture(record=record.kind, outcome="unreadable", url=record.url, why=why)


def _capture(record: Record) -> Capture:
    """Return the page of a record. Raises NotUnpackable, and warcio's errors for malformed headers."""
    about = record.headers
    if not record.url:
        raise NotUnpackable("its record has no address")
    if len(record.block) > MAX_BLOCK:
        raise NotUnpackable(f"it is larger than {MAX_BLOCK // 10**6} MB")
    if about.get_header("WARC-Segment-Number"):
        raise NotUnpackable("it is split into several records")
    http, payload, is_cut = _parts(record)
    headers = tuple((str(name).lower(), str(value)) for name, value in http.headers) if http else ()
    shown = dict(headers)
    return Capture(
        url=_page_of(record) or record.url,
        body=_decoded(payload, shown.get("content-encoding", "")),
        is_cut=is_cut or bool(about.get_header("WARC-Truncated")),
        content_type=shown.get("content-type", "") if http else about.get_header("Content-Type") or "",
        status=int(http.get_statuscode() or 0) if http else 200,
        headers=tuple((name, value) for name, value in headers if name not in _OF_THE_WIRE),
        retrieved_at=_moment(about.get_header("WARC-Date")),
        record=record.kind,
    )


def _parts(record: Record) -> tuple[Any, bytes, bool]:
    """Return the HTTP headers, or None, the dechunked body, and True if it ends before the end that they state."""
    if record.kind != "response" or not record.url.lower().startswith(("http:", "https:")) or not record.block:
        return None, record.block, False

    stream = io.BytesIO(record.block)
    parser = StatusAndHeadersParser(ArcWarcRecordLoader.HTTP_TYPES, verify=False)
    http = parser.parse(stream)
    while http.get_statuscode().startswith("1") and record.block.startswith(b"HTTP/", stream.tell()):
        http = parser.parse(stream)  # behind an interim response, such as 100 Continue
    sent, length = stream.read(), http.get_header("content-length") or ""
    is_plain = not http.get_header("content-encoding")  # The crawler may have decoded a coded body.
    if "chunked" not in (http.get_header("transfer-encoding") or "").lower():
        return http, sent, is_plain and length.isdecimal() and len(sent) < int(length)
    sent, ends = _LAST_CHUNK.subn(rb"\1", sent)
    reader = ChunkedDataReader(io.BytesIO(sent))
    body = b"".join(iter(lambda: reader.read(1 << 16), b""))
    return http, body, is_plain and len(body) < len(sent) and not ends


def _decoded(packed: bytes, coding: str) -> bytes:
    """Decode a body. Raises NotUnpackable with the name of the coding."""
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
            return packed  # the crawler decoded the body but kept the header
        named = "" if "packed as" in str(error) else f" (Content-Encoding: {coding[:40]})"
        raise NotUnpackable(f"{error}{named}") from error


def _is_plain(beginning: bytes) -> bool:
    """Return True for text, markup and PDF; compressed data soon contains control characters that text does not."""
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


class _Revisits:
    """Records that refer to another one with the same bytes (WARC 1.1, 6.7), and the extracted texts of pages, which
    count only without a capture of the page: collected in one pass, resolved in a second."""

    def __init__(self) -> None:
        self.open: dict[int, tuple[str, datetime | None]] = {}
        """Address and time of the revisits that are not yet resolved."""
        self.captured, self.texts = set[str](), Counter[str]()
        """Addresses of pages that were captured; number of the texts of each page."""
        self._by_key: defaultdict[tuple[str, str], set[int]] = defaultdict(set)

    def add(self, record: Record | Damage) -> bool:
        """Collect a revisit or a text; return False for another record, and if there are too many."""
        self.texts.update([page] if (page := _page_of(record)) else ())
        number = len(self.open)
        if page or isinstance(record, Damage) or record.kind != "revisit" or number >= _MOST_REVISITS:
            return bool(page)
        header = record.headers.get_header
        target = str(header("WARC-Refers-To-Target-URI") or "").strip().strip("<>").replace(" ", "%20") or record.url
        keys = _keys(target, header("WARC-Refers-To"), header("WARC-Refers-To-Date"), header("WARC-Payload-Digest"))
        self.open[number] = (record.url, _moment(header("WARC-Date")))
        for key in keys or [("url", target)]:
            self._by_key[key].add(number)
        return True

    def resolved(self, record: Record | Damage) -> Iterator[Capture | NoCapture]:
        """Yield the outcomes of the revisits that refer to a record: a page if the URL differs, else 'seen again'; and
        of the texts of a page that was not captured: the first is the page."""
        if count := self.texts.pop(_page_of(record), 0):
            yield _outcome(record)
            yield from repeat(_SECOND, count - 1)
        if isinstance(record, Damage) or record.kind not in _PAGES or not self.open:
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
    """Return the keys of a record: its id, its URL and time to the second, its digest."""
    moment = _moment(date)
    at = f"{url} {moment.strftime('%Y%m%d%H%M%S')}" if moment else None
    named = (("id", of), ("at", at), ("digest", digest and digest.lower()))
    return [(kind, value) for kind, value in named if value]


class _Package(zipfile.ZipFile):
    """Reads the web archives of a WACZ package by any software, and of the packages in it (multi-WACZ). Nothing is
    extracted to disk, so names in it cannot cause path traversal. As a context manager it closes the package, but not
    the stream."""

    def __init__(self, stream: BinaryIO, *, is_inner: bool = False) -> None:
        """Raises PageUnreadable if the package is damaged, encrypted, too large or contains no web archive."""
        try:
            super().__init__(stream)
        except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
            raise self._fault("is damaged or truncated", "Copy it again.") from error
        # Archives made on a Mac have a file of attributes, named like it, beside each file.
        own = [entry for entry in self.infolist() if not entry.filename.startswith("__MACOSX/")]
        self._warcs = [entry for entry in own if entry.filename.lower().endswith(_WARC_ENDINGS)]
        packages = [entry for entry in own if entry.filename.lower().endswith(".wacz") and not is_inner]
        if len(self.infolist()) > _MOST_FILES:
            raise self._fault(f"holds more than {_MOST_FILES:,} files", "Unpack it and add the WARC files in it.")
        if not self._warcs and not packages:
            raise self._fault("holds no web archive (archive/*.warc.gz)", "Check that it is a WACZ file.")
        if any(entry.flag_bits & 1 for entry in (*self._warcs, *packages)):
            raise self._fault("is encrypted", "Save it without a password.")
        self._bombs = [*filter(_is_bomb, (*self._warcs, *packages))]
        self._inner: dict[str, _Package] = {}
        self._unread: list[str] = []
        for entry in (each for each in packages if each not in self._bombs):
            try:
                self._inner[entry.filename] = _Package(cast(BinaryIO, self.open(entry)), is_inner=True)
            except (PageUnreadable, *_DAMAGED):
                self._unread.append(f"{entry.filename} is damaged or holds no web archive")

    def _fault(self, what: str, advice: str) -> PageUnreadable:
        return PageUnreadable("the package", f"The WACZ package {what}.", advice=advice)

    def left_out(self) -> Iterator[NoCapture]:
        """Yield the web archives and packages that are not opened."""
        bombs = (f"{entry.filename} unpacks to more than {_RATIO} times its size" for entry in self._bombs)
        for why in (*bombs, *self._unread):
            yield NoCapture(record="file", outcome="unreadable", why=why)
        for inner in self._inner.values():
            yield from inner.left_out()

    def warcs(self) -> Iterator[tuple[str, BinaryIO]]:
        """Yield each web archive with its name, opened until the next one. Raises PageUnreadable."""
        for entry in self._warcs:
            if entry not in self._bombs:
                try:
                    with self.open(entry) as stream:
                        yield entry.filename, cast(BinaryIO, stream)
                except _DAMAGED as error:
                    raise self._fault(f"holds {entry.filename}, which is damaged", "Copy it again.") from error
        for name, inner in self._inner.items():
            yield from ((f"{name}/{warc}", stream) for warc, stream in inner.warcs())

    def pages(self) -> dict[str, bool]:
        """Return the URLs in the package's lists of pages, and whether a list contains the page's text."""
        found = {url: has_text for inner in self._inner.values() for url, has_text in inner.pages().items()}
        for entry in self.infolist():
            if not (entry.filename.startswith("pages/") and entry.filename.endswith(".jsonl")):
                continue
            with suppress(ValueError, *_DAMAGED), self.open(entry) as stream:  # optional information
                for line in stream.read(_MOST_PAGE_BYTES).splitlines():
                    page = json.loads(line) if line.startswith(b"{") else {}
                    if isinstance(page.get("url"), str):
                        found[page["url"]] = bool(page.get("text"))
        return found


def _is_bomb(entry: zipfile.ZipInfo) -> bool:
    return entry.file_size > max(_HARMLESS, entry.compress_size * _RATIO)
