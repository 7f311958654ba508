"""Cases that are kept for a while only: which are due, what nobody else needs of them, and taking them out (spec 003,
no persistence)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime

from sqlalchemy import Connection, and_, delete, inspect, or_, select, text

from inquest.store import tables
from inquest.store.database import Kept

_CHECKPOINTS = ("checkpoints", "checkpoint_blobs", "checkpoint_writes", "writes")
"""LangGraph's tables of SQLite and of PostgreSQL; its threads are our cases."""
_AT_ONCE = 400
"""Values in one statement: SQLite allowed 999 for long."""


class Forgetting(Kept):
    """Takes cases out of the database."""

    async def due(self, now: datetime) -> list[str]:
        """Ids of the cases whose time is over and that no process is running. Raises StorageError."""
        table = tables.cases
        idle = or_(table.c.lease_until.is_(None), table.c.lease_until <= now)
        query = select(table.c.id).where(and_(table.c.forget_at <= now, idle)).order_by(table.c.forget_at)
        return await self._database.read(lambda connection: list(connection.execute(query).scalars()))

    async def only_of(self, case_id: str) -> list[str]:
        """Hashes of the snapshots that this case uses and no other. Raises StorageError."""

        def look(connection: Connection) -> list[str]:
            used: set[str] = set()
            for table, column in _USES:
                rows = connection.execute(select(column).where(table.c.case_id == case_id, column.is_not(None)))
                used |= {str(row[0]) for row in rows}
            return sorted(used - _used_elsewhere(connection, case_id, sorted(used)))

        return await self._database.read(look)

    async def forget(self, case_id: str) -> None:
        """Take the case out, with its parts, events, recorded replies and checkpoints. Raises StorageError."""

        def work(connection: Connection) -> None:
            there = set(inspect(connection).get_table_names())
            for name in _CHECKPOINTS:
                if name in there:
                    connection.execute(text(f"DELETE FROM {name} WHERE thread_id = :case"), {"case": case_id})
            for table in (tables.replies, tables.events, tables.sources, tables.claims, tables.findings):
                connection.execute(delete(table).where(table.c.case_id == case_id))
            connection.execute(delete(tables.cases).where(tables.cases.c.id == case_id))

        await self._database.write(work)


_USES = (
    (tables.replies, tables.replies.c.body),
    (tables.sources, tables.sources.c.snapshot),
    (tables.findings, tables.findings.c.snapshot),
)


def _used_elsewhere(connection: Connection, case_id: str, hashes: Sequence[str]) -> set[str]:
    found: set[str] = set()
    for part in _parts(hashes):
        # Findings rest on snapshots of sources of their own case.
        for table, column in _USES[:2]:
            query = select(column).where(column.in_(part), table.c.case_id != case_id).distinct()
            found |= {str(row[0]) for row in connection.execute(query)}
    return found


def _parts(hashes: Sequence[str]) -> Iterable[Sequence[str]]:
    return (hashes[start : start + _AT_ONCE] for start in range(0, len(hashes), _AT_ONCE))
