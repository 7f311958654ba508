"""State shared by several machines: retrievals and texts of an archive, files and writers of collections."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, delete, select, update

from inquest.domain.document import Snapshot
from inquest.domain.errors import Busy, Superseded
from inquest.kit.ports import SharedFiles
from inquest.store import tables
from inquest.store.database import Kept
from inquest.store.holds import database_time
from inquest.store.schema import storable
from inquest.store.tables import shared_collections as table


class ObjectEvidence(Kept):
    """Retrievals and texts of an archive whose bytes are in an object store."""

    async def add_retrieval(self, snapshot: Snapshot) -> None:
        """Store a retrieval unless an identical one exists."""
        document = json.dumps(snapshot.model_dump(mode="json", exclude_defaults=True))
        row = {
            "snapshot": snapshot.hash,
            "digest": hashlib.sha256(document.encode()).hexdigest(),
            "at": snapshot.retrieved_at,
            "document": document,
        }
        await self._run(self._database.upsert(tables.retrievals, row))

    async def retrievals(self, snapshot_hash: str) -> tuple[Snapshot, ...]:
        """Return all retrievals of these bytes in the order of storage."""
        table = tables.retrievals
        query = select(table.c.document).where(table.c.snapshot == snapshot_hash).order_by(table.c.id)
        return tuple(Snapshot.model_validate_json(row.document) for row in await self._rows(query))

    async def settle_text(self, snapshot_hash: str, text_hash: str) -> str:
        """Record which text was extracted from the snapshot; return the first one recorded."""
        table = tables.texts
        query = self._database.upsert(table, {"snapshot": snapshot_hash, "text": text_hash})

        def work(connection: Connection) -> str:
            connection.execute(query)
            first: str = connection.execute(select(table.c.text).where(table.c.snapshot == snapshot_hash)).scalar_one()
            return first

        return await self._database.write(work)

    async def text_of(self, snapshot_hash: str) -> str | None:
        """Return the hash of the text extracted from the snapshot, or None."""
        query = select(tables.texts.c.text).where(tables.texts.c.snapshot == snapshot_hash)
        found: str | None = await self._database.read(lambda connection: connection.execute(query).scalar_one_or_none())
        return found

    async def forget(self, snapshot_hashes: Iterable[str], *, untouched_since: datetime) -> Sequence[str]:
        """Delete the rows of these snapshots except those retrieved after that time; return the hashes deleted."""
        table, asked = tables.retrievals, list(snapshot_hashes)

        def work(connection: Connection) -> list[str]:
            used = select(table.c.snapshot).where(table.c.snapshot.in_(asked), table.c.at > untouched_since)
            kept = set(connection.execute(used).scalars())
            gone = [name for name in asked if name not in kept]
            connection.execute(delete(table).where(table.c.snapshot.in_(gone)))
            connection.execute(delete(tables.texts).where(tables.texts.c.snapshot.in_(gone)))
            return gone

        return await self._database.write(work)


_NONE = "{}"


class SharedCollections(Kept):
    """Files and writers of collections. All times are the database's, because clocks of machines differ."""

    async def names(self) -> Sequence[str]:
        """Return the names of published collections, sorted."""
        query = select(table.c.name).where(table.c.files != _NONE)
        return sorted(await self._database.read(lambda connection: list(connection.execute(query).scalars())))

    async def files(self, name: str) -> SharedFiles | None:
        """Return the files published last, or None if there is no such collection."""
        query = select(table).where(table.c.name == storable(name))

        def look(connection: Connection) -> SharedFiles | None:
            row = connection.execute(query).first()
            if row is None:
                return None
            alive = row.lease_until is not None and row.lease_until > database_time(connection)
            return SharedFiles(json.loads(row.files), row.epoch, alive)

        return await self._database.read(look)

    async def take(self, name: str, writer: str, *, lease: timedelta) -> int:
        """Become the writer, even of a new name; return the epoch. Raises Busy if another is alive."""

        def work(connection: Connection) -> int:
            connection.execute(self._database.upsert(table, {"name": storable(name), "files": _NONE, "epoch": 0}))
            row = connection.execute(select(table).where(table.c.name == storable(name)).with_for_update()).one()
            now = database_time(connection)
            if row.lease_until is not None and row.lease_until > now:
                raise Busy(
                    f"Another process ({row.writer}) is adding to the collection {name}.",
                    advice="Wait until it is done, then try again.",
                )
            epoch: int = row.epoch + 1
            values = {"epoch": epoch, "writer": storable(writer), "lease_until": now + lease}
            connection.execute(update(table).where(table.c.name == storable(name)).values(values))
            return epoch

        return await self._database.write(work)

    async def renew(self, name: str, epoch: int, *, lease: timedelta) -> None:
        """Extend the writer's lease. Raises Superseded."""
        await self._as_writer(name, epoch, lambda connection: {"lease_until": database_time(connection) + lease})

    async def publish(self, name: str, epoch: int, files: Mapping[str, str]) -> None:
        """Publish these files as the collection; no files delete it. Raises Superseded."""
        said = json.dumps(dict(sorted(files.items())))
        await self._as_writer(name, epoch, lambda connection: {"files": said})

    async def release(self, name: str, epoch: int) -> None:
        """Stop writing; the row remains so that no epoch is ever assigned twice."""
        query = update(table).where(table.c.name == storable(name), table.c.epoch == epoch)
        free = query.values(writer=None, lease_until=None)
        await self._run(free)

    async def _as_writer(self, name: str, epoch: int, values: Any) -> None:
        def work(connection: Connection) -> None:
            query = update(table).where(table.c.name == storable(name), table.c.epoch == epoch)
            if not connection.execute(query.values(**values(connection))).rowcount:
                raise Superseded(
                    f"Another process has taken over writing to the collection {name}; nothing was published.",
                    advice="Add the documents again; those already there are skipped.",
                )

        await self._database.write(work)
