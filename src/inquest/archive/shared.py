"""The archive of many machines: bytes in an object store, one key a hash; retrievals and texts in the database.

objects/ab/<hash>   the bytes of a snapshot, packed where that makes them smaller
texts/ab/<hash>     the text made of a snapshot, under the hash of the text
"""

from __future__ import annotations

import asyncio
import gzip
import hashlib
import zlib
from collections.abc import Awaitable, Callable, Iterable
from datetime import datetime, timedelta

from pydantic import ValidationError

from inquest.domain.document import Document, Snapshot
from inquest.domain.errors import NotFound, StorageError
from inquest.kit.evidence import EvidenceRecords, Objects
from inquest.text.regex import regex

_HASH = regex(r"sha256:([0-9a-f]{64})")
_STILL_USED = timedelta(hours=23)
"""As of the archive in a folder: a reply serves other cases for a day."""


class SharedArchive:
    """kit.ports.Archive over an object store. `records` is opened when it is first needed."""

    def __init__(self, objects: Objects, records: Callable[[], Awaitable[EvidenceRecords]]) -> None:
        self._objects = objects
        self._records = records

    async def put(self, body: bytes, snapshot: Snapshot) -> None:
        """Keep the bytes (once per hash) and this retrieval of them. Raises StorageError."""
        digest = hashlib.sha256(body).hexdigest()
        if digest != snapshot.hash.removeprefix("sha256:"):
            raise StorageError(f"The bytes from {snapshot.url} are not those that {snapshot.hash} names.")
        # The bytes first: a retrieval whose bytes are missing would be a loss, bytes without one are only unused.
        await self._objects.put_absent(_key("objects", digest), await asyncio.to_thread(_packed, body))
        await (await self._records()).add_retrieval(snapshot)

    async def body(self, snapshot_hash: str) -> bytes:
        """The bytes, checked against their hash. Raises NotFound, and StorageError where they are damaged."""
        digest = _digest(snapshot_hash)
        kept = await self._objects.get(_key("objects", digest))
        if kept is None:
            raise _not_found(snapshot_hash)
        return await asyncio.to_thread(_unpacked, kept, digest)

    async def snapshot(self, snapshot_hash: str) -> Snapshot:
        """The first retrieval of these bytes. Raises NotFound."""
        found = await self.retrievals(snapshot_hash)
        if not found:
            raise _not_found(snapshot_hash)
        return found[0]

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """Every retrieval of these bytes, in the order they were kept; empty where there is none."""
        return await (await self._records()).retrievals(snapshot_hash)

    async def put_document(self, document: Document) -> Document:
        """Keep the text made of a snapshot; the first is kept and returned. Raises StorageError."""
        records = await self._records()
        if (first := await records.text_of(document.snapshot)) is None:
            text = document.model_dump_json(exclude_defaults=True).encode()
            digest = hashlib.sha256(text).hexdigest()
            await self._objects.put_absent(_key("texts", digest), await asyncio.to_thread(_packed, text))
            first = await records.settle_text(document.snapshot, digest)
            if first == digest:
                return document
        return await self._text(first, document.snapshot)

    async def document(self, snapshot_hash: str) -> Document | None:
        """The text made of the snapshot, or None if none was made. Raises StorageError where it is damaged."""
        _digest(snapshot_hash)
        digest = await (await self._records()).text_of(snapshot_hash)
        return None if digest is None else await self._text(digest, snapshot_hash)

    async def remove(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> None:
        """Delete what is kept of these snapshots, but for those that were retrieved again within the last hours before
        `untouched_since`. Texts stay: two snapshots may have one. Raises StorageError."""
        gone = await (await self._records()).forget(snapshot_hashes, untouched_since=untouched_since - _STILL_USED)
        await self._objects.delete(_key("objects", _digest(name)) for name in gone)

    async def _text(self, digest: str, snapshot_hash: str) -> Document:
        kept = await self._objects.get(_key("texts", digest))
        try:
            if kept is not None:
                return Document.model_validate_json(_unpacked(kept, digest))
        except ValidationError as error:
            raise StorageError(
                f"The text kept for {snapshot_hash} cannot be read.", advice="It may be of a newer version, or damaged."
            ) from error
        raise StorageError(
            f"The text kept for {snapshot_hash} is not in the object store.", advice="Restore the store from a copy."
        )


def _key(kind: str, digest: str) -> str:
    return f"{kind}/{digest[:2]}/{digest}"


def _digest(snapshot_hash: str) -> str:
    match = _HASH.fullmatch(snapshot_hash)
    if not match:
        raise _not_found(snapshot_hash)
    return match[1]


def _packed(body: bytes) -> bytes:
    squeezed = gzip.compress(body, 6, mtime=0)
    return squeezed if len(squeezed) < 0.9 * len(body) else body


def _unpacked(kept: bytes, digest: str) -> bytes:
    """The bytes that have this hash: those that are kept, or what they hold packed."""
    if hashlib.sha256(kept).hexdigest() == digest:
        return kept
    try:
        body = gzip.decompress(kept)
    except (OSError, EOFError, zlib.error):
        body = b""
    if hashlib.sha256(body).hexdigest() != digest:
        raise StorageError(
            f"The archived bytes of sha256:{digest} are damaged: they no longer have this hash.",
            advice="Restore the object store from a copy, or fetch the page again.",
        )
    return body


def _not_found(snapshot_hash: str) -> NotFound:
    return NotFound(f"There is no snapshot {snapshot_hash[:80]} in the archive.")
