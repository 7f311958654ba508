"""Export of snapshots as WARC 1.1 (`captures` imports them)."""

from __future__ import annotations

import hashlib
import io
import uuid
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from http import HTTPStatus
from typing import IO, Any

from inquest.domain.document import Snapshot
from inquest.text.urls import is_web_url

# Headers of the transfer, no longer true of the decoded body; the prefix is the one other archive software uses.
_OF_THE_WIRE = ("content-encoding", "transfer-encoding", "content-length")
_ORIGINAL = "X-Archive-Orig-"


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
    # A row of a table may name a web address that did not serve it.
    was_sent = bool(snapshot.headers) or not snapshot.provenance.startswith("collection")
    if not is_web_url(url) or not was_sent:
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


def _record_id(*parts: str) -> str:
    """Return an id that is the same in every export of the record."""
    return f"<urn:uuid:{uuid.uuid5(uuid.NAMESPACE_URL, ' '.join(parts))}>"


def _warc_date(at: datetime) -> str:
    moment = at.astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%S" + (".%fZ" if moment.microsecond else "Z"))
