"""The archive of several machines: bytes in an object store, keyed by hash; retrievals and texts in the database.

objects/ab/<hash>   the bytes of a snapshot, compressed if that makes them smaller
texts/ab/<hash>     the text extracted from a snapshot, under the hash of the text
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime

from pydantic import ValidationError

from inquest.archive.files import STILL_USED, check_hash, hash_of, not_found, original, squeezed, unreadable_text
from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import StorageError
from inquest.kit.evidence import EvidenceRecords, Objects
from inquest.text.regex import regex

_HASH = regex(r"sha256:([0-9a-f]{64})")


class SharedArchive:
    """kit.ports.Archive over an object store. `records` is opened on first use."""

    def __init__(self, objects: Objects, records: Callable[[], Awaitable[EvidenceRecords]]) -> None:
        self._objects = objects
        self._records = records

    async def put(self, body: bytes, snapshot: Snapshot) -> None:
        """Store the bytes (once per hash) and this retrieval of them. Raises StorageError."""
        check_hash(body, snapshot)
        # Bytes first: a retrieval without its bytes would be a loss, bytes without a retrieval are merely unused.
        await self._objects.put_absent(_key("objects", _digest(snapshot.hash)), await asyncio.to_thread(squeezed, body))
        await (await self._records()).add_retrieval(snapshot)

    async def body(self, snapshot_hash: str) -> bytes:
        """Return the bytes after checking their hash. Raises NotFound, and StorageError if they are damaged."""
        kept = await self._objects.get(_key("objects", _digest(snapshot_hash)))
        if kept is None:
            raise not_found(snapshot_hash)
        return await asyncio.to_thread(original, kept, snapshot_hash)

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        """Return the first retrieval of these bytes. Raises NotFound."""
        found = await self.retrievals(snapshot_hash)
        if not found:
            raise not_found(snapshot_hash)
        return found[0]

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """Return all retrievals of these bytes in the order of storage, possibly none."""
        return await (await self._records()).retrievals(snapshot_hash)

    async def put_document(self, document: Document) -> Document:
        """Store the text extracted from a snapshot unless there is one; return the stored one. Raises StorageError."""
        records = await self._records()
        if (first := await records.text_of(document.snapshot)) is None:
            text = document.model_dump_json(exclude_defaults=True).encode()
            digest = _digest(hash_of(text))
            await self._objects.put_absent(_key("texts", digest), await asyncio.to_thread(squeezed, text))
            first = await records.settle_text(document.snapshot, digest)
            if first == digest:
                return document
        return await self._text(first, document.snapshot)

    async def document(self, snapshot_hash: str) -> Document | None:
        """Return the text extracted from the snapshot, or None. Raises StorageError if it is damaged."""
        _digest(snapshot_hash)
        digest = await (await self._records()).text_of(snapshot_hash)
        return None if digest is None else await self._text(digest, snapshot_hash)

    async def remove(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> None:
        """Delete these snapshots, except those retrieved again less than 23 hours before `untouched_since`. Texts stay
        because two snapshots may share one. Raises StorageError."""
        gone = await (await self._records()).forget(snapshot_hashes, untouched_since=untouched_since - STILL_USED)
        await self._objects.delete(_key("objects", _digest(name)) for name in gone)

    async def _text(self, digest: str, snapshot_hash: str) -> Document:
        kept = await self._objects.get(_key("texts", digest))
        try:
            if kept is not None:
                return Document.model_validate_json(original(kept, f"sha256:{digest}"))
        except ValidationError as error:
            raise unreadable_text(snapshot_hash) from error
        raise StorageError(
            f"The stored text of {snapshot_hash} is not in the object store.", advice="Restore the store from a copy."
        )


def _key(kind: str, digest: str) -> str:
    return f"{kind}/{digest[:2]}/{digest}"


def _digest(snapshot_hash: str) -> str:
    match = _HASH.fullmatch(snapshot_hash)
    if not match:
        raise not_found(snapshot_hash)
    return match[1]
