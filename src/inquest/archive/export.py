"""Export of snapshots as WARC 1.1, and as WACZ 1.1.1, which any viewer of web archives replays (import: `captures`).

A WACZ package holds archive/data.warc.gz (the snapshots), indexes/index.cdxj (positions of records), pages/pages.jsonl
(the pages of interest to people), datapackage.json (every file with its hash) and datapackage-digest.json (its hash).
"""

from __future__ import annotations

import hashlib
import io
import json
import tempfile
import uuid
import zipfile
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from pathlib import Path
from typing import IO, Any
from urllib.parse import urlsplit

from warcio.statusandheaders import StatusAndHeaders
from warcio.warcwriter import WARCWriter

from inquest.archive.files import storage_errors
from inquest.domain.document import Snapshot
from inquest.text.urls import is_web_url

# Headers of the transfer, no longer true of the decoded body; the prefix is the one other archive software uses.
_OF_THE_WIRE = ("content-encoding", "transfer-encoding", "content-length")
_ORIGINAL = "X-Archive-Orig-"
_CONFORMS = "https://iipc.github.io/warc-specifications/specifications/warc-format/warc-1.1/"
_WARC, _INDEX, _PAGES = "archive/data.warc.gz", "indexes/index.cdxj", "pages/pages.jsonl"


@dataclass(frozen=True, slots=True)
class Placed:
    """The position of a snapshot's record in a WARC file: offset, length and digest of its compressed bytes."""

    snapshot: Snapshot
    offset: int
    length: int
    record_digest: str


def write_warc(
    stream: IO[bytes], snapshots: Iterable[tuple[bytes, Snapshot]], *, software: str, made_at: datetime, title: str = ""
) -> list[Placed]:
    """Write a .warc.gz with a warcinfo record and one record per snapshot; return the positions of the latter.

    Pages become `response` records with status and headers; snapshots without a web address, or not served from it (a
    row of a table), become `resource` records. Digests are SHA-256 of the body, equal to the snapshots' hashes. The
    output is deterministic.
    """
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


def _record(writer: Any, snapshot: Snapshot, body: bytes) -> Any:

    url = snapshot.final_url or snapshot.url
    retrieved = _warc_date(snapshot.retrieved_at)
    about = {"WARC-Record-ID": _record_id(snapshot.hash, url, retrieved), "WARC-Date": retrieved}
    about["WARC-Payload-Digest"] = snapshot.hash
    # A row of a table may name a web address that did not serve it.
    was_sent = bool(snapshot.headers) or not snapshot.provenance.startswith("collection")
    if not is_web_url(url) or not was_sent:
        about["Content-Type"] = snapshot.content_type or "application/octet-stream"
        return writer.create_warc_record(
            url, "resource", payload=io.BytesIO(body), length=len(body), warc_headers_dict=about,
            warc_content_type=about["Content-Type"],
        )  # fmt: skip
    phrase = HTTPStatus(snapshot.status).phrase if snapshot.status in set(HTTPStatus) else "Unknown"
    headers = [
        (f"{_ORIGINAL}{name}" if name.lower() in _OF_THE_WIRE else name, " ".join(value.split()))
        for name, value in snapshot.headers
    ]
    if snapshot.content_type and not any(name.lower() == "content-type" for name, _ in headers):
        headers.append(("Content-Type", snapshot.content_type))
    headers.append(("Content-Length", str(len(body))))
    served = StatusAndHeaders(f"{snapshot.status} {phrase}", headers, protocol="HTTP/1.1")
    return writer.create_warc_record(
        url, "response", payload=io.BytesIO(body), length=len(body), warc_headers_dict=about, http_headers=served
    )


def _record_id(*parts: str) -> str:
    """Return an id that is the same in every export of the record."""
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(parts))}>"


def _warc_date(at: datetime) -> str:
    moment = at.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S" + (".%fZ" if moment.microsecond else "Z"))


def write_wacz(
    path: Path,
    snapshots: Iterable[tuple[bytes, Snapshot]],
    *,
    title: str,
    software: str,
    made_at: datetime,
    titles: Mapping[str, str] | None = None,
) -> None:
    """Write the package deterministically. `titles`: the documents' titles by snapshot hash.

    Raises StorageError; then a file that existed under that name is unchanged, and none is created.
    """
    with storage_errors(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".wacz-") as folder:
            warc, package = Path(folder) / "data.warc.gz", Path(folder) / "package.wacz"
            with warc.open("wb") as stream:
                placed = write_warc(stream, snapshots, software=software, made_at=made_at, title=title)
            stamp = made_at.astimezone(UTC)
            about = {"profile": "data-package", "wacz_version": "1.1.1", "title": title, "software": software}
            about["created"] = stamp.strftime("%Y-%m-%dT%H:%M:%SZ")
            # Stored, not deflated: viewers read single records from the middle of the file.
            with zipfile.ZipFile(package, "w", compression=zipfile.ZIP_STORED) as wacz:
                with warc.open("rb") as source:
                    resources = [_add(wacz, _WARC, source, stamp)]
                resources.append(_add(wacz, _INDEX, _index(placed).encode(), stamp))
                resources.append(_add(wacz, _PAGES, _pages(placed, titles or {}).encode(), stamp))
                data = json.dumps({**about, "resources": resources}, indent=2, ensure_ascii=False).encode()
                described = _add(wacz, "datapackage.json", data, stamp)
                digest = {"path": "datapackage.json", "hash": described["hash"]}
                _add(wacz, "datapackage-digest.json", json.dumps(digest, indent=2).encode(), stamp)
            package.replace(path)


def _add(wacz: zipfile.ZipFile, name: str, content: bytes | IO[bytes], stamp: datetime) -> dict[str, str | int]:
    """Add a file and return its entry for datapackage.json."""
    # ZIP has no years before 1980.
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
    """Return the CDXJ index: sort key, time and position of each record, sorted for binary search."""
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
    """Return the URL as a sort key with reversed host: `https://www.example.org/A?b` -> `org,example)/a?b`."""
    host = port = None
    with suppress(ValueError):
        parts = urlsplit(url)
        host, port = (parts.hostname or "").removeprefix("www."), parts.port
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
