"""Collections over an archive in memory and a minimal reader."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import BinaryIO

import pytest

from inquest.app.clock import FixedClock
from inquest.app.wiring.collections import Collections
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import NotFound, PageUnreadable
from inquest.kit.files import Capture
from inquest.text.dates import parse_date

NOW = datetime(2025, 6, 15, 12, tzinfo=UTC)


class MemoryArchive:
    """kit.ports.Archive in two dictionaries."""

    def __init__(self) -> None:
        self.bodies: dict[str, bytes] = {}
        self.snapshots: dict[str, Snapshot] = {}
        self.documents: dict[str, Document] = {}

    async def put(self, body: bytes, snapshot: Snapshot) -> None:
        self.bodies.setdefault(snapshot.hash, body)
        self.snapshots.setdefault(snapshot.hash, snapshot)

    async def body(self, snapshot_hash: str) -> bytes:
        if snapshot_hash not in self.bodies:
            raise NotFound(f"There is no snapshot {snapshot_hash}.")
        return self.bodies[snapshot_hash]

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        if snapshot_hash not in self.snapshots:
            raise NotFound(f"There is no snapshot {snapshot_hash}.")
        return self.snapshots[snapshot_hash]

    async def put_document(self, document: Document) -> Document:
        return self.documents.setdefault(document.snapshot, document)

    async def document(self, snapshot_hash: str) -> Document | None:
        return self.documents.get(snapshot_hash)


async def read(body: bytes, snapshot: Snapshot) -> Document:
    """Reads rows by their fields, everything else as text; b'broken' cannot be read, b'poison' makes the library
    fail."""
    if body.startswith(b"broken"):
        raise PageUnreadable(snapshot.url, "The document is encrypted.", advice="Save it without a password.")
    if body.startswith(b"poison"):
        raise RecursionError("maximum recursion depth exceeded")
    row = json.loads(body) if snapshot.content_type.endswith("+json") else {"text": body.decode("utf-8", "replace")}
    canonical = "https://paper.example/story" if b"rel=canonical" in body else None
    return Document(
        snapshot=snapshot.hash,
        url=row.get("url") or snapshot.url,
        title=row.get("title", ""),
        author=row.get("author"),
        language=row.get("language"),
        published=parse_date(row.get("date"), how="file"),
        text=row["text"],
        canonical_url=canonical,
        kind="row" if snapshot.content_type.endswith("+json") else "text",
    )


def unpack(stream: BinaryIO) -> Iterator[Capture]:
    """A toy web archive: one JSON object per line; 'DAMAGED' ends it."""
    for line in stream:
        if line.startswith(b"WARC"):
            continue
        if line.startswith(b"DAMAGED"):
            raise PageUnreadable("f.warc", "The web archive is damaged.", advice="Copy it again.")
        record = json.loads(line)
        yield Capture(
            url=record["url"],
            body=record["body"].encode(),
            content_type=record.get("type", "text/html; charset=utf-8"),
            status=record.get("status", 200),
            headers=tuple(record.get("headers", {}).items()),
            retrieved_at=datetime(2024, 1, 2, tzinfo=UTC),
        )


@pytest.fixture
def archive() -> MemoryArchive:
    return MemoryArchive()


@pytest.fixture
def collections(tmp_path: Path, archive: MemoryArchive) -> Collections:
    """Collections in a fresh data folder."""
    return Collections(tmp_path / "home", archive=archive, read=read, unpack=unpack, clock=FixedClock(NOW))
