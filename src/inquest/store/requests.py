"""Idempotency keys and rate limits of requests to a service."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquest.domain.errors import Busy, Conflict, TooManyRequests
from inquest.store import tables
from inquest.store.database import Kept
from inquest.store.schema import storable
from inquest.store.tables import idempotency

KEPT_FOR = timedelta(hours=24)


class Idempotency(Kept):
    """Idempotency keys of the last 24 hours."""

    async def begin(self, person: str, key: str, fingerprint: str, *, at: datetime) -> str | None:
        """Return the stored response body, or None if the caller is to carry out the request now.

        Raises Conflict if the key was used for another request, Busy while the first is in progress.
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
                except IntegrityError as error:  # another process was first
                    raise Busy("The same request is in progress.", advice="Wait for its response.") from error
                return None
            if kept.fingerprint != fingerprint:
                raise Conflict(
                    "This Idempotency-Key was used for another request.", advice="Use a new key for each request."
                )
            if kept.body is None:
                raise Busy("The same request is in progress.", advice="Wait for its response.")
            return str(kept.body)

        return await self._database.write(work)

    async def end(self, person: str, key: str, body: str | None) -> None:
        """Store the response body; None: the request failed and may be sent again."""
        table = idempotency
        mine = (table.c.person == person) & (table.c.key == storable(key))

        def work(connection: Connection) -> None:
            if body is None:
                connection.execute(delete(table).where(mine))
            else:
                connection.execute(update(table).where(mine).values(body=body, status=201))

        await self._database.write(work)


_NAME = "service"
"""The value of the `engine` column; no engine has this name."""


class RateLimits(Kept):
    """Requests per minute, by account."""

    async def count(self, account: str, most: int, *, at: datetime) -> None:
        """Count one request. Raises TooManyRequests if it exceeds `most` in this minute."""
        table, moment = tables.quotas, at.astimezone(UTC)
        period = f"{moment:%Y-%m-%dT%H:%M}"

        def work(connection: Connection) -> int:
            statement = self._database.upsert(table).values(engine=_NAME, account=account, period=period, used=1)
            used: int = connection.execute(
                statement.on_conflict_do_update(
                    index_elements=[table.c.engine, table.c.account, table.c.period], set_={"used": table.c.used + 1}
                ).returning(table.c.used)
            ).scalar_one()
            if used == 1:  # a new minute: earlier ones are no longer needed
                mine = (table.c.engine == _NAME) & (table.c.account == account)
                connection.execute(delete(table).where(mine, table.c.period < period))
            return used

        if await self._database.write(work) > most:
            raise TooManyRequests(
                f"More than {most} requests in one minute.",
                advice="Wait for the next minute.",
                retry_after=60 - moment.second,
            )
