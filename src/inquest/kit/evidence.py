"""The storage behind shared evidence and collections: an object store, and records in the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
from typing import Protocol

from inquest.domain.document import Snapshot


class Objects(Protocol):
    """Bytes under keys such as `objects/ab/cdef...`. Every method raises StorageError if the store cannot be used."""

    async def put_absent(self, key: str, data: bytes) -> bool:
        """Store the bytes unless the key exists; return False if it does. Atomic."""

    async def put(self, key: str, data: bytes | Path) -> None:
        """Store the bytes, or the content of a file, which need not fit into memory; replaces any under the key."""

    async def get(self, key: str) -> bytes | None:
        """Return the bytes; None if the key does not exist."""

    async def get_file(self, key: str, path: Path) -> bool:
        """Write the bytes to the path; False if the key does not exist."""

    async def delete(self, keys: Iterable[str]) -> None:
        """Delete the keys; a missing key is ignored."""

    async def keys(self, prefix: str) -> Sequence[str]:
        """Return the keys with this prefix, which ends at a `/`, in order."""


class EvidenceRecords(Protocol):
    """Retrievals of snapshots, and the first text made of each. Every method raises StorageError."""

    async def add_retrieval(self, snapshot: Snapshot) -> None:
        """Record a retrieval; an identical one is ignored."""

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """Return all retrievals of these bytes, in order of recording."""

    async def settle_text(self, snapshot_hash: str, text_hash: str) -> str:
        """Record the text made of the snapshot; the first one is kept and returned."""

    async def text_of(self, snapshot_hash: str) -> str | None:
        """Return the hash of the text made of the snapshot; None: not yet made."""

    async def forget(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> Sequence[str]:
        """Delete these records except those retrieved after that moment; return the deleted ones."""


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """A shared collection as last published, and its writer."""

    files: Mapping[str, str] = field(default_factory=dict)
    """SHA-256 per path in the collection's folder; empty: nothing published yet."""
    epoch: int = 0
    """Incremented with every writer."""
    is_written: bool = False
    """True if its writer has renewed the lease recently."""


class CollectionRecords(Protocol):
    """The shared collections, with one writer each. Every method raises StorageError."""

    async def names(self) -> Sequence[str]:
        """Return the names of the published collections, in alphabetical order."""

    async def files(self, name: str) -> SharedFiles | None:
        """Return the collection as last published; None: no such collection."""

    async def take(self, name: str, writer: str, *, lease: timedelta) -> int:
        """Become the writer, also of a new name; return the epoch. Raises Busy if another writer is alive."""

    async def renew(self, name: str, epoch: int, *, lease: timedelta) -> None:
        """Renew the writer's lease. Raises Superseded if another has taken its place."""

    async def publish(self, name: str, epoch: int, files: Mapping[str, str]) -> None:
        """Publish these files as the collection; none: delete it. Raises Superseded."""

    async def release(self, name: str, epoch: int) -> None:
        """Stop writing; ignored if another is the writer."""
