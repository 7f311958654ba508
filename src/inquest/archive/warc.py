"""WARC 1.1, the web archive's own format: snapshots out, captures in."""

from __future__ import annotations

import hashlib
import io
import uuid
import zlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import IO, Any, BinaryIO

from inquest.domain.document import Snapshot
from inquest.domain.errors import PageUnreadable
from inquest.kit.capture import Capture
from inquest.text.urls import is_web_url

MAX_CAPTURE = 200_000_000
"""Bytes of one capture that are read; a longer body comes one byte longer than this, so that readers refuse it."""

_CHUNK = 1 << 16

# The body is kept as it came after decoding; these described it on the wire. The prefix is the one that other archive
# software uses for headers that were true of the original transfer.
_OF_THE_WIRE = ("content-encoding", "transfer-encoding", "content-length")
_ORIGINAL = "X-Archive-Orig-"


@dataclass(frozen=True, slots=True)
class Placed:
    """Where a snapshot's record lies in a WARC file: offset and length of its (packed) bytes, and their digest."""

    snapshot: Snapshot
    offset: int
    length: int
    record_digest: str


def write_warc(
    stream: IO[bytes], snapshots: Iterable[tuple[bytes, Snapshot]], *, software: str, made_at: datetime, title: str = ""
) -> list[Placed]:
    """Write a .warc.gz: a warcinfo record, then one record per snapshot; gives where each lies.

    Pages become `response` records with their status and headers; what has no web address, or was never sent from it
    (a row of a table), becomes a `resource` record.
    Digests are SHA-256 of the body, the same as the snapshots' hashes. The same input gives the same bytes.
    """
    from warcio.warcwriter import WARCWriter

    sink = _Counting(stream)
    writer = WARCWriter(sink, gzip=True, warc_version="1.1")
    about = {"software": software, "format": "WARC File Format 1.1", "conformsTo": _CONFORMS}
    if title:
        about["isPartOf"] = title
    info = writer.create_warcinfo_record("data.warc.gz", about)
    info.rec_headers.replace_header("WARC-Date", _warc_date(made_at))
    info.rec_headers.replace_header("WARC-Record-ID", _record_id("warcinfo", title, _warc_date(made_at)))
    writer.write_record(info)
    placed = []
    for body, snapshot in snapshots:
        sink.start()
        writer.write_record(_record(writer, snapshot, body))
        placed.append(Placed(snapshot, sink.offset, sink.length, sink.digest))
    return placed


_CONFORMS = "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"


def _record(writer: Any, snapshot: Snapshot, body: bytes) -> Any:
    from warcio.statusandheaders import StatusAndHeaders

    url = snapshot.final_url or snapshot.url
    retrieved = _warc_date(snapshot.retrieved_at)
    about = {
        "WARC-Record-ID": _record_id(snapshot.hash, url, retrieved),
        "WARC-Date": retrieved,
        "WARC-Payload-Digest": snapshot.hash,
    }
    if not is_web_url(url) or not _was_sent(snapshot):
        about["Content-Type"] = snapshot.content_type or "application/octet-stream"
        return writer.create_warc_record(
            url, "resource", payload=io.BytesIO(body), length=len(body), warc_headers_dict=about,
            warc_content_type=about["Content-Type"],
        )  # fmt: skip
    try:
        phrase = HTTPStatus(snapshot.status).phrase
    except ValueError:
        phrase = "Unknown"
    headers = [
        (f"{_ORIGINAL}{name}" if name.lower() in _OF_THE_WIRE else name, " ".join(value.split()))
        for name, value in snapshot.headers
    ]
    if snapshot.content_type and not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", snapshot.content_type))
    headers.append(("Content-Length", str(len(body))))
    return writer.create_warc_record(
        url,
        "response",
        payload=io.BytesIO(body),
        length=len(body),
        warc_headers_dict=about,
        http_headers=StatusAndHeaders(f"{snapshot.status} {phrase}", headers, protocol="HTTP/1.1"),
    )


def _was_sent(snapshot: Snapshot) -> bool:
    """Whether a server sent these bytes; a row of a table can name a web address from which it never came."""
    return bool(snapshot.headers) or not snapshot.provenance.startswith("collection")


def _record_id(*parts: str) -> str:
    """An id that the same record has in every export of it."""
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(parts))}>"


def _warc_date(at: datetime) -> str:
    moment = at.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S" + (".%fZ" if moment.microsecond else "Z"))


class _Counting:
    """A stream that knows how far it is and the digest of what was written since `start`."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._end = 0
        self._hash = hashlib.sha256()
        self.offset = 0

    def start(self) -> None:
        self.offset, self._hash = self._end, hashlib.sha256()

    def write(self, data: bytes) -> int:
        self._stream.write(data)
        self._end += len(data)
        self._hash.update(data)
        return len(data)

    def flush(self) -> None:
        self._stream.flush()

    @property
    def length(self) -> int:
        return self._end - self.offset

    @property
    def digest(self) -> str:
        return "sha256:" + self._hash.hexdigest()


def captures(stream: BinaryIO) -> Iterator[Capture]:
    """The captures of a WARC or ARC file, packed or not, in order: responses and resources, decoded.

    Everything before a damage is yielded first. Raises PageUnreadable where the file is cut off, damaged or no web
    archive.
    """
    from warcio.archiveiterator import ArchiveIterator
    from warcio.exceptions import ArchiveLoadFailed

    class Quiet(ArchiveIterator):  # type: ignore[misc]
        """The library writes its warning to standard error, which is not its to use; what it means is found below."""

        INC_RECORD = ""

    name = str(getattr(stream, "name", "the file"))
    source = _Source(stream)
    taken = 0
    try:
        for record in Quiet(source, arc2warc=True):
            if record.rec_type not in ("response", "resource"):
                continue
            capture = _capture(record)
            if not capture.url or not _is_whole(record):
                raise _broken_off(name, taken)
            taken += 1
            yield capture
    except ArchiveLoadFailed as error:
        raise _damaged(name, taken) from error
    except (EOFError, OSError, ValueError, AttributeError, TypeError, KeyError, IndexError, zlib.error) as error:
        # The library meets malformed headers with whatever its parsing runs into.
        raise _damaged(name, taken) from error
    if source.failure or not source.ended_well:
        raise _broken_off(name, taken) from source.failure


class _Source:
    """The unpacked bytes of an archive file, to the last that can be had.

    Reading never fails: a failure ends it and is kept, because the library takes some failures for a regular end.
    """

    def __init__(self, stream: BinaryIO) -> None:
        self._stream = stream
        self._packed = stream.read(_CHUNK)
        self._unpack = zlib.decompressobj(31) if self._packed.startswith(b"\x1f\x8b") else None
        self._is_warc: bool | None = None
        self._place = 0
        self._tail = b""
        self.failure: Exception | None = None

    def read(self, size: int = -1) -> bytes:
        data = b""
        if self.failure is None:
            try:
                data = self._next(size if size > 0 else _CHUNK)
            except (EOFError, OSError, zlib.error) as error:
                self.failure = error
        if self._is_warc is None:
            self._is_warc = data.startswith(b"WARC/")
        self._place += len(data)
        self._tail = (self._tail + data[-4:])[-4:]
        return data

    def _next(self, size: int) -> bytes:
        if self._unpack is None:
            data, self._packed = self._packed[:size], self._packed[size:]
            return data or self._stream.read(size)
        while True:
            if not self._packed:
                self._packed = self._stream.read(_CHUNK)
            if self._unpack.eof:
                if not self._packed.strip(b"\0"):
                    return b""
                self._unpack = zlib.decompressobj(31)
            if not self._packed:
                raise EOFError("the last packed record is cut off")
            data = self._unpack.decompress(self._packed, size)
            self._packed = self._unpack.unused_data if self._unpack.eof else self._unpack.unconsumed_tail
            if data:
                return data

    def tell(self) -> int:
        return self._place

    @property
    def ended_well(self) -> bool:
        """Whether the last bytes were the two empty lines after a WARC record, or the line feed after one of an ARC."""
        return self._tail == b"\r\n\r\n" if self._is_warc else self._tail.endswith(b"\n")


def _is_whole(record: Any) -> bool:
    """Whether the record has as many bytes as it says; one that does not say was cut off within its headers.

    Reads what decoding left, such as the end of a chunked body.
    """
    if not record.rec_headers.get_header("Content-Length"):
        return False
    while record.raw_stream.read(1 << 16):
        pass
    return not getattr(record.raw_stream, "limit", 0)


def _broken_off(name: str, taken: int) -> PageUnreadable:
    return PageUnreadable(name, f"The web archive breaks off after {taken} whole captures.", advice="Copy it again.")


def _damaged(name: str, taken: int) -> PageUnreadable:
    what = f"The web archive is damaged after {taken} captures." if taken else "The file is not a readable web archive."
    return PageUnreadable(name, what, advice="Copy it again.")


def _capture(record: Any) -> Capture:
    about = record.rec_headers
    http = record.http_headers
    body = record.content_stream().read(MAX_CAPTURE + 1)
    headers = tuple((str(name).lower(), str(value)) for name, value in http.headers) if http else ()
    shown = dict(headers)
    content_type = shown.get("content-type", "") if http else about.get_header("Content-Type") or ""
    status = int(http.get_statuscode() or 0) if http else 200
    return Capture(
        url=str(about.get_header("WARC-Target-URI") or "").strip("<>"),
        body=body,
        content_type=content_type,
        status=status,
        headers=tuple((name, value) for name, value in headers if name not in _OF_THE_WIRE),
        retrieved_at=_moment(about.get_header("WARC-Date")),
    )


def _moment(written: str | None) -> datetime | None:
    try:
        moment = datetime.fromisoformat(written or "")
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
