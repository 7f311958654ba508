"""Snapshots as WARC 1.1, and as WACZ 1.1.1: one file that replays a case's pages in any viewer of web archives.

archive/data.warc.gz     the snapshots          pages/pages.jsonl      what a person may want to look at
indexes/index.cdxj       where each record lies  datapackage.json      every file with its hash
datapackage-digest.json  the hash of datapackage.json
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import uuid
import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any, NamedTuple
from urllib.parse import urlsplit

from inquest.archive.atomic import storage_errors
from inquest.domain.document import Snapshot
from inquest.text.urls import is_web_url

_WARC, _INDEX, _PAGES = "archive/data.warc.gz", "indexes/index.cdxj", "pages/pages.jsonl"


def write_wacz(
    path: Path,
    snapshots: Iterable[tuple[bytes, Snapshot]],
    *,
    title: str,
    software: str,
    made_at: datetime,
    titles: Mapping[str, str] | None = None,
) -> None:
    """Write the package. `titles` are the documents' titles by snapshot hash. The same input gives the same bytes.

    Raises StorageError; then nothing is left under that name, and a file that was there before is as it was.
    """
    with storage_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".wacz-") as folder:
            warc, package = Path(folder) / "data.warc.gz", Path(folder) / "package.wacz"
            with warc.open("wb") as stream:
                placed = write_warc(stream, snapshots, software=software, made_at=made_at, title=title)
            _pack(package, warc, placed, _About(title, software, made_at.astimezone(UTC)), titles or {})
            package.replace(path)


class _About(NamedTuple):
    """What the package says of itself."""

    title: str
    software: str
    made_at: datetime
    """In UTC."""


def _pack(package: Path, warc: Path, placed: list[Placed], about: _About, titles: Mapping[str, str]) -> None:
    stamp = about.made_at
    resources = []
    # Stored, not deflated: viewers read single records out of the middle of the file.
    with zipfile.ZipFile(package, "w", compression=zipfile.ZIP_STORED) as wacz:
        with warc.open("rb") as source:
            resources.append(_add(wacz, _WARC, source, stamp))
        for name, text in ((_INDEX, _index(placed)), (_PAGES, _pages(placed, titles))):
            resources.append(_add(wacz, name, text.encode(), stamp))
        description = {
            "profile": "data-package",
            "wacz_version": "1.1.1",
            "title": about.title,
            "software": about.software,
            "created": stamp.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "resources": resources,
        }
        datapackage = json.dumps(description, indent=2, ensure_ascii=False).encode()
        _add(wacz, "datapackage.json", datapackage, stamp)
        digest = {"path": "datapackage.json", "hash": "sha256:" + hashlib.sha256(datapackage).hexdigest()}
        _add(wacz, "datapackage-digest.json", json.dumps(digest, indent=2).encode(), stamp)


def _add(wacz: zipfile.ZipFile, name: str, content: bytes | IO[bytes], stamp: datetime) -> dict[str, str | int]:
    """Put a file in, and give its entry for datapackage.json."""
    # ZIP knows no year before 1980.
    entry = zipfile.ZipInfo(name, max(stamp, datetime(1980, 1, 1, tzinfo=UTC)).timetuple()[:6])
    digest, size = hashlib.sha256(), 0
    with wacz.open(entry, "w", force_zip64=True) as target:
        chunks = [content] if isinstance(content, bytes) else iter(lambda: content.read(1 << 20), b"")
        for chunk in chunks:
            target.write(chunk)
            digest.update(chunk)
            size += len(chunk)
    return {"name": name.rsplit("/", 1)[-1], "path": name, "hash": "sha256:" + digest.hexdigest(), "bytes": size}


def _index(placed: list[Placed]) -> str:
    """CDXJ: sort key, time, and where the record lies; sorted, as binary search wants it."""
    lines = []
    for one in placed:
        snapshot = one.snapshot
        url = snapshot.final_url or snapshot.url
        fields = {
            "url": url,
            "mime": snapshot.content_type.split(";")[0].strip() or "application/octet-stream",
            "status": str(snapshot.status),
            "digest": snapshot.hash,
            "length": str(one.length),
            "offset": str(one.offset),
            "filename": _WARC.rsplit("/", 1)[-1],
            "recordDigest": one.record_digest,
        }
        stamp = snapshot.retrieved_at.astimezone(UTC).strftime("%Y%m%d%H%M%S")
        lines.append(f"{_sort_key(url)} {stamp} {json.dumps(fields, ensure_ascii=False)}")
    return "".join(f"{line}\n" for line in sorted(lines))


def _sort_key(url: str) -> str:
    """The address with its host turned round: `https://www.example.org/A?b` -> `org,example)/a?b`."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
    except ValueError:
        return url.replace(" ", "%20").lower()
    if not host:
        return url.replace(" ", "%20").lower()
    place = ",".join(reversed(host.split("."))) + (f":{port}" if port and port not in (80, 443) else "")
    rest = parts.path or "/"
    return f"{place}){rest}{'?' + parts.query if parts.query else ''}".replace(" ", "%20").lower()


def _pages(placed: list[Placed], titles: Mapping[str, str]) -> str:
    lines: list[dict[str, str]] = [{"format": "json-pages-1.0", "id": "pages", "title": "All pages"}]
    for one in placed:
        snapshot = one.snapshot
        url = snapshot.final_url or snapshot.url
        if is_web_url(url):
            when = snapshot.retrieved_at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
            page = {"id": snapshot.hash.removeprefix("sha256:")[:16], "url": url, "ts": when}
            lines.append(page | ({"title": titles[snapshot.hash]} if titles.get(snapshot.hash) else {}))
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


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

    buffer = io.BytesIO()
    writer = WARCWriter(buffer, gzip=True, warc_version="1.1")

    def put(record: Any) -> bytes:
        buffer.seek(0)
        buffer.truncate()
        writer.write_record(record)
        stream.write(buffer.getvalue())
        return buffer.getvalue()

    about = {"software": software, "format": "WARC File Format 1.1", "conformsTo": _CONFORMS}
    if title:
        about["isPartOf"] = title
    info = writer.create_warcinfo_record("data.warc.gz", about)
    info.rec_headers.replace_header("WARC-Date", _warc_date(made_at))
    info.rec_headers.replace_header("WARC-Record-ID", _record_id("warcinfo", title, _warc_date(made_at)))
    placed, end = [], len(put(info))
    for body, snapshot in snapshots:
        packed = put(_record(writer, snapshot, body))
        placed.append(Placed(snapshot, end, len(packed), "sha256:" + hashlib.sha256(packed).hexdigest()))
        end += len(packed)
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
