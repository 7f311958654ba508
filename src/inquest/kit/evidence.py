"""What shared evidence and collections stand on: a store of objects, and records in the database."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from pathlib import Path
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

    async def put_file(self, key: str, path: Path) -> None:
        """Keep what the file holds, in place of what the key has. It need not fit into memory."""
        ...

    async def get_file(self, key: str, path: Path) -> bool:
        """Write the bytes to that path; False: there are none."""
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
        """Keep which text was made of the snapshot; the first is kept and returned."""
        ...

    async def text_of(self, snapshot_hash: str) -> str | None:
        """The hash of the text made of the snapshot; None: none was made."""
        ...

    async def forget(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> Sequence[str]:
        """Take out what is kept of these, but for those retrieved after that moment; returns which were taken out."""
        ...


@dataclass(frozen=True, slots=True)
class SharedFiles:
    """A shared collection as it was last published, and who writes to it."""

    files: Mapping[str, str] = field(default_factory=dict)
    """By path in the collection's folder the SHA-256 of each file; empty: nothing has been published yet."""
    epoch: int = 0
    """Grows with every writer."""
    is_written: bool = False
    """A writer of this epoch has shown lately that it is alive."""


class CollectionRecords(Protocol):
    """The shared collections and their one writer each. Each raises StorageError."""

    async def names(self) -> Sequence[str]:
        """Of what has been published, in alphabetical order."""
        ...

    async def files(self, name: str) -> SharedFiles | None:
        """What was published last; None: there is no such collection."""
        ...

    async def take(self, name: str, writer: str, *, lease: timedelta) -> int:
        """Become the writer, of a new name too; returns the epoch. Raises Busy where another is alive."""
        ...

    async def renew(self, name: str, epoch: int, *, lease: timedelta) -> None:
        """Show that the writer is alive. Raises Superseded where another has taken its place."""
        ...

    async def publish(self, name: str, epoch: int, files: Mapping[str, str]) -> None:
        """Have these files be the collection; none: it is no more. Raises Superseded."""
        ...

    async def release(self, name: str, epoch: int) -> None:
        """Write no longer. Nothing happens where another writes."""
        ...
