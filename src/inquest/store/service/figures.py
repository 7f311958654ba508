"""Counts for operators: cases by status, work by whether somebody does it, callbacks by what became of them."""

from __future__ import annotations

from sqlalchemy import Connection, func, select

from inquest.domain.case import CaseStatus
from inquest.store import tables
from inquest.store.database import Database
from inquest.store.holds import database_time


async def service_figures(database: Database) -> dict[str, dict[str, float]]:
    """`cases` and `callbacks` by status; `queue`: cases submitted, cases at work, seconds since the oldest submission.
    Raises StorageError."""
    cases, sent, waiting = tables.cases, tables.callbacks, tables.submissions

    def look(connection: Connection) -> dict[str, dict[str, float]]:
        now = database_time(connection)
        oldest = connection.execute(select(func.min(waiting.c.at))).scalar()
        open_ones = cases.c.status.in_((CaseStatus.PLANNED.value, CaseStatus.RUNNING.value))
        held = select(func.count()).where(open_ones, cases.c.runner.is_not(None), cases.c.lease_until > now)
        return {
            "cases": _by(connection, cases.c.status),
            "callbacks": _by(connection, sent.c.state),
            "queue": {
                "submitted": float(connection.execute(select(func.count()).select_from(waiting)).scalar_one()),
                "at_work": float(connection.execute(held).scalar_one()),
                "oldest_seconds": (now - oldest).total_seconds() if oldest is not None else 0.0,
            },
        }

    return await database.read(look)


def _by(connection: Connection, column: object) -> dict[str, float]:
    query = select(column, func.count()).group_by(column)  # type: ignore[call-overload]
    return {str(name): float(many) for name, many in connection.execute(query)}
