"""Collections for measuring: real ones, over an archive that stores nothing, so that only the index is measured."""

from __future__ import annotations

from pathlib import Path

from inquest.app.clock import SystemClock
from inquest.app.wiring.collections import Collections
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import NotFound
from inquest.readers.text import RowReader

__all__ = ["in_folder"]


def in_folder(home: Path) -> Collections:
    """The collections under a data folder; only rows are read."""

    async def read(body: bytes, snapshot: Snapshot) -> Document:
        return RowReader().read(body, snapshot)

    return Collections(home, archive=_NoArchive(), read=read, unpack=lambda stream: iter(()), clock=SystemClock())


class _NoArchive:
    async def put(self, body: bytes, snapshot: Snapshot) -> None:
        pass

    async def body(self, snapshot_hash: str) -> bytes:
        raise NotFound(f"There is no snapshot {snapshot_hash}.")

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        raise NotFound(f"There is no snapshot {snapshot_hash}.")

    async def put_document(self, document: Document) -> Document:
        return document

    async def document(self, snapshot_hash: str) -> Document | None:
        return None
