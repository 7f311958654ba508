"""Retrievals of snapshots and the texts made of them, as rows (kit.evidence.EvidenceRecords)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, delete, select

from inquest.domain.document import Snapshot
from inquest.store import tables
from inquest.store.database import Kept
from inquest.store.rows import as_json


class ObjectEvidence(Kept):
    """Of an archive whose bytes lie in an object store."""

    async def add_retrieval(self, snapshot: Snapshot) -> None:
        """Keep a retrieval; nothing happens where the same is kept. Raises StorageError."""
        document = as_json(snapshot.model_dump(mode="json", exclude_defaults=True))
        row = {
            "snapshot": snapshot.hash,
            "digest": hashlib.sha256(document.encode()).hexdigest(),
            "at": snapshot.retrieved_at,
            "document": document,
        }
        query = self._database.upsert(tables.retrievals).values(row).on_conflict_do_nothing()
        await self._database.write(lambda connection: connection.execute(query).close())

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """All of these bytes, in the order they were kept. Raises StorageError."""
        table = tables.retrievals
        query = select(table.c.document).where(table.c.snapshot == snapshot_hash).order_by(table.c.id)
        rows = await self._database.read(lambda connection: connection.execute(query).scalars().all())
        return tuple(Snapshot.model_validate_json(row) for row in rows)

    async def settle_text(self, snapshot_hash: str, text_hash: str) -> str:
        """Keep which text was made of the snapshot; the first stands and is returned. Raises StorageError."""
        table = tables.texts
        query = self._database.upsert(table).values(snapshot=snapshot_hash, text=text_hash).on_conflict_do_nothing()

        def work(connection: Connection) -> str:
            connection.execute(query)
            first: str = connection.execute(select(table.c.text).where(table.c.snapshot == snapshot_hash)).scalar_one()
            return first

        return await self._database.write(work)

    async def text_of(self, snapshot_hash: str) -> str | None:
        """The hash of the text made of the snapshot; None: none was made. Raises StorageError."""
        query = select(tables.texts.c.text).where(tables.texts.c.snapshot == snapshot_hash)
        found: str | None = await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())
        return found

    async def forget(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> Sequence[str]:
        """Take out what is kept of these, but for those retrieved after that moment; returns which. Raises
        StorageError."""
        table, asked = tables.retrievals, list(snapshot_hashes)

        def work(connection: Connection) -> list[str]:
            gone = []
            for name in asked:
                used = select(table.c.id).where(table.c.snapshot == name, table.c.at > untouched_since).limit(1)
                if connection.execute(used).first() is not None:
                    continue
                connection.execute(delete(table).where(table.c.snapshot == name))
                connection.execute(delete(tables.texts).where(tables.texts.c.snapshot == name))
                gone.append(name)
            return gone

        return await self._database.write(work)
