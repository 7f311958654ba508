"""Which files a shared collection has, and its one writer, as rows (kit.evidence.CollectionRecords)."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from sqlalchemy import Connection, select, update

from inquest.domain.errors import Busy, Superseded
from inquest.kit.evidence import SharedFiles
from inquest.store.database import Kept
from inquest.store.holds import database_time
from inquest.store.rows import storable
from inquest.store.tables import shared_collections as table

_NONE = "{}"


class SharedCollections(Kept):
    """Times are the database's, as clocks of machines differ."""

    async def names(self) -> Sequence[str]:
        """Of what has been published, in alphabetical order. Raises StorageError."""
        query = select(table.c.name).where(table.c.files != _NONE)
        return sorted(await self._database.read(lambda connection: list(connection.execute(query).scalars())))

    async def files(self, name: str) -> SharedFiles | None:
        """What was published last; None: there is no such collection. Raises StorageError."""
        query = select(table).where(table.c.name == storable(name))

        def look(connection: Connection) -> SharedFiles | None:
            row = connection.execute(query).first()
            if row is None:
                return None
            alive = row.lease_until is not None and row.lease_until > database_time(connection)
            return SharedFiles(json.loads(row.files), row.epoch, alive)

        return await self._database.read(look)

    async def take(self, name: str, writer: str, *, lease: timedelta) -> int:
        """Become the writer, of a new name too; returns the epoch. Raises Busy where another is alive, StorageError."""

        def work(connection: Connection) -> int:
            fresh = self._database.upsert(table).values(name=storable(name), files=_NONE, epoch=0)
            connection.execute(fresh.on_conflict_do_nothing())
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
        """Show that the writer is alive. Raises Superseded, StorageError."""
        await self._as_writer(name, epoch, lambda connection: {"lease_until": database_time(connection) + lease})

    async def publish(self, name: str, epoch: int, files: Mapping[str, str]) -> None:
        """Have these files be the collection; none: it is no more. Raises Superseded, StorageError."""
        said = json.dumps(dict(sorted(files.items())))
        await self._as_writer(name, epoch, lambda connection: {"files": said})

    async def release(self, name: str, epoch: int) -> None:
        """Write no longer; the row stays, so that no later writer has the epoch of an earlier one. Raises
        StorageError."""
        query = update(table).where(table.c.name == storable(name), table.c.epoch == epoch)
        free = query.values(writer=None, lease_until=None)
        await self._database.write(lambda connection: connection.execute(free).close())

    async def _as_writer(self, name: str, epoch: int, values: Any) -> None:
        def work(connection: Connection) -> None:
            query = update(table).where(table.c.name == storable(name), table.c.epoch == epoch)
            if not connection.execute(query.values(**values(connection))).rowcount:
                raise Superseded(
                    f"Another process has begun to write to the collection {name}; nothing of this one was published.",
                    advice="Add the documents again; what is there already is passed over.",
                )

        await self._database.write(work)
