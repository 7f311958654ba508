"""That something happened, and in which case: what pages of many cases listen for."""

from __future__ import annotations

from sqlalchemy import func, select

from inquest.store import tables
from inquest.store.database import Database

_PAGE = 500


async def last_event(database: Database) -> int:
    """The greatest number that any event has; 0: there is none. Raises StorageError."""
    query = select(func.max(tables.events.c.id))
    return await database.read(lambda connection: connection.execute(query).scalar() or 0)


async def notices_after(database: Database, last: int) -> list[tuple[int, str, str]]:
    """Number, case and type of the events after that number, oldest first, at most 500. Raises StorageError."""
    table = tables.events
    query = select(table.c.id, table.c.case_id, table.c.type).where(table.c.id > last).order_by(table.c.id).limit(_PAGE)
    rows = await database.read(lambda connection: connection.execute(query).all())
    return [(row.id, row.case_id, row.type) for row in rows]
