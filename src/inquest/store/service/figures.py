"""Counts for operators: cases by status, work by whether somebody does it, callbacks by what became of them."""

from __future__ import annotations

from sqlalchemy import Connection, and_, exists, func, not_, select

from inquest.store import tables
from inquest.store.database import Database
from inquest.store.holds import database_time


async def service_figures(database: Database) -> dict[str, dict[str, float]]:
    """`cases` and `callbacks` by status; `jobs`: cases that wait for somebody to work on them, and those at work;
    `longest_wait_seconds`: since the oldest that waits was submitted. Raises StorageError."""
    cases, sent, submitted = tables.cases, tables.callbacks, tables.submissions

    def look(connection: Connection) -> dict[str, dict[str, float]]:
        now = database_time(connection)
        # From the few that were submitted to their cases, by key: nothing grows with the cases that have ended.
        held = and_(cases.c.id == submitted.c.case_id, cases.c.runner.is_not(None), cases.c.lease_until > now)
        waits = select(func.count(), func.min(submitted.c.at)).where(not_(exists().where(held)))
        many, oldest = connection.execute(waits).one()
        every = connection.execute(select(func.count()).select_from(submitted)).scalar_one()
        return {
            "cases": _by(connection, cases.c.status),
            "callbacks": _by(connection, sent.c.state),
            "jobs": {"waiting": float(many), "working": float(every - many)},
            "longest_wait_seconds": {"": max((now - oldest).total_seconds(), 0.0) if oldest is not None else 0.0},
        }

    return await database.read(look)


def _by(connection: Connection, column: object) -> dict[str, float]:
    query = select(column, func.count()).group_by(column)  # type: ignore[call-overload]
    return {str(name): float(many) for name, many in connection.execute(query)}
