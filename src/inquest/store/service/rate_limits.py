"""How often somebody asks: counted a minute in the table of quotas, for all processes together."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Connection, delete

from inquest.domain.errors import TooManyRequests
from inquest.store import tables
from inquest.store.database import Kept

_NAME = "service"
"""What stands in the column for engines; no engine is called so."""


class RateLimits(Kept):
    """Requests per minute, by account."""

    async def count(self, account: str, most: int, *, at: datetime) -> None:
        """Count one. Raises TooManyRequests where that is more than `most` in this minute, StorageError."""
        table, moment = tables.quotas, at.astimezone(UTC)
        period = f"{moment:%Y-%m-%dT%H:%M}"

        def work(connection: Connection) -> int:
            statement = self._database.upsert(table).values(engine=_NAME, account=account, period=period, used=1)
            used: int = connection.execute(
                statement.on_conflict_do_update(
                    index_elements=[table.c.engine, table.c.account, table.c.period], set_={"used": table.c.used + 1}
                ).returning(table.c.used)
            ).scalar_one()
            if used == 1:  # a new minute: those before it are no longer asked for
                mine = (table.c.engine == _NAME) & (table.c.account == account)
                connection.execute(delete(table).where(mine, table.c.period < period))
            return used

        if await self._database.write(work) > most:
            raise TooManyRequests(
                f"More than {most} requests came in this minute.",
                advice="Wait for the next minute.",
                retry_after=60 - moment.second,
            )
