"""What a shared archive stands on: a store of objects, and records in the database."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Protocol

from inquest.domain.document import Snapshot


class Objects(Protocol):
    """Bytes under keys like `objects/ab/cdef...`. Each raises StorageError where the store cannot be used."""

    async def put_absent(self, key: str, data: bytes) -> bool:
        """Keep the bytes unless the key has some already; False where it has. They are there whole or not at all."""
        ...

    async def put(self, key: str, data: bytes) -> None:
        """Keep the bytes in place of those that the key has."""
        ...

    async def get(self, key: str) -> bytes | None:
        """The bytes; None: there are none."""
        ...

    async def delete(self, keys: Iterable[str]) -> None:
        """Nothing happens for a key that has none."""
        ...

    async def keys(self, prefix: str) -> Sequence[str]:
        """Those that begin so, at a `/`, in order."""
        ...


class EvidenceRecords(Protocol):
    """Retrievals of snapshots, and which text was made of each first. Each raises StorageError."""

    async def add_retrieval(self, snapshot: Snapshot) -> None:
        """Keep a retrieval; nothing happens where the same is kept."""
        ...

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """All of these bytes, in the order they were kept."""
        ...

    async def settle_text(self, snapshot_hash: str, text_hash: str) -> str:
        """Keep which text was made of the snapshot; the first stands and is returned."""
        ...

    async def text_of(self, snapshot_hash: str) -> str | None:
        """The hash of the text made of the snapshot; None: none was made."""
        ...

    async def forget(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> Sequence[str]:
        """Take out what is kept of these, but for those retrieved after that moment; returns which were taken out."""
        ...
