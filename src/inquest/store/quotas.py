"""How often an engine was asked, per account and period: shared by all processes on one database."""

from __future__ import annotations

import hashlib
from datetime import UTC, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from inquest.domain.errors import EngineQuota
from inquest.kit.engine import Limits
from inquest.store import tables
from inquest.store.database import Database

__all__ = ["Quotas", "account_of"]


def account_of(key: str | None) -> str:
    """What stands for a key in the table: keys themselves are never stored."""
    return hashlib.sha256(key.encode()).hexdigest()[:16] if key else "keyless"


class Quotas:
    """Calls counted per day and per month, both in UTC."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def take(self, engine: str, account: str, limits: Limits, *, at: datetime) -> None:
        """Count one call, or raise EngineQuota (with `retry_after`) and count nothing. Raises StorageError."""
        table = tables.quotas
        at = at.astimezone(UTC)

        async def work(connection: AsyncConnection) -> None:
            for period, limit, left in _periods(at, limits):
                statement = self._database.upsert(table).values(engine=engine, account=account, period=period, used=1)
                counted = await connection.execute(
                    statement.on_conflict_do_update(
                        index_elements=[table.c.engine, table.c.account, table.c.period],
                        set_={"used": table.c.used + 1},
                        where=None if limit is None else table.c.used < limit,
                    ).returning(table.c.used)
                )
                if limit == 0 or counted.first() is None:
                    unit = "day" if len(period) == len("2024-05-01") else "month"
                    raise EngineQuota(
                        engine,
                        f"The {limit} calls a {unit} that {engine} allows are used up.",
                        advice=f"They renew at {(at + left):%Y-%m-%d %H:%M} UTC.",
                        retry_after=left.total_seconds(),
                    )

        await self._database.write(work)

    async def used(self, engine: str, account: str, *, at: datetime) -> tuple[int, int]:
        """Calls counted so far: (this day, this month)."""
        table = tables.quotas
        at = at.astimezone(UTC)
        query = select(table.c.period, table.c.used).where(table.c.engine == engine, table.c.account == account)
        async with self._database.read() as connection:
            counts = {row.period: row.used for row in (await connection.execute(query)).all()}
        return counts.get(f"{at:%Y-%m-%d}", 0), counts.get(f"{at:%Y-%m}", 0)


def _periods(at: datetime, limits: Limits) -> tuple[tuple[str, int | None, timedelta], ...]:
    """Of the day and the month: its name, its limit, and the time until it is over."""
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    next_month = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    return (
        (f"{at:%Y-%m-%d}", limits.per_day, day + timedelta(days=1) - at),
        (f"{at:%Y-%m}", limits.per_month, next_month - at),
    )
