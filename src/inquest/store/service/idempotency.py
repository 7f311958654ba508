"""Requests that are made once however often they are sent: by person and key, with what was answered."""

from __future__ import annotations

from datetime import datetime, timedelta

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquest.domain.errors import Busy, Conflict
from inquest.store.database import Kept
from inquest.store.rows import storable
from inquest.store.tables import idempotency

KEPT_FOR = timedelta(hours=24)


class Idempotency(Kept):
    """Keys of the last 24 hours."""

    async def begin(self, person: str, key: str, fingerprint: str, *, at: datetime) -> str | None:
        """None: the request is to be carried out now, by whoever asked; else what it was answered.

        Raises Conflict where the key stood for another request, Busy while the first is under way, StorageError.
        """
        table = idempotency
        mine = (table.c.person == person) & (table.c.key == storable(key))
        row = {"person": person, "key": storable(key), "fingerprint": fingerprint, "at": at}

        def work(connection: Connection) -> str | None:
            connection.execute(delete(table).where(table.c.at < at - KEPT_FOR))
            kept = connection.execute(select(table).where(mine)).first()
            if kept is None:
                try:
                    connection.execute(insert(table), row)
                except IntegrityError as error:  # another process came first
                    raise Busy("The same request is under way.", advice="Wait for its answer.") from error
                return None
            if kept.fingerprint != fingerprint:
                raise Conflict("This Idempotency-Key stood for another request.", advice="Take a new key for each.")
            if kept.body is None:
                raise Busy("The same request is under way.", advice="Wait for its answer.")
            return str(kept.body)

        return await self._database.write(work)

    async def end(self, person: str, key: str, body: str | None) -> None:
        """Keep what was answered; None: it failed, and may be sent again. Raises StorageError."""
        table = idempotency
        mine = (table.c.person == person) & (table.c.key == storable(key))

        def work(connection: Connection) -> None:
            if body is None:
                connection.execute(delete(table).where(mine))
            else:
                connection.execute(update(table).where(mine).values(body=body, status=201))

        await self._database.write(work)
