"""Quotas of engines across processes, and idempotency keys and rate limits of requests to a service."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import ColumnElement, Connection, Row, and_, case, delete, insert, select, update
from sqlalchemy.exc import IntegrityError

from inquest.domain.errors import Busy, Conflict, EngineQuota, TooManyRequests
from inquest.domain.reasons import Catalogue
from inquest.kit.engine import Limits
from inquest.store import tables
from inquest.store.database import Database, Kept
from inquest.store.schema import storable
from inquest.store.tables import idempotency, quotas, turns

_reason = Catalogue("outages")
_PATIENCE = 30.0
"""Longest wait in seconds for a service that asked for a pause; calls that would wait longer are refused (as
`net.policy.RequestPolicy.longest_wait`)."""
_LONGEST_REST = timedelta(days=1)
"""Cap on the pause a service may ask for; one call a day does no harm."""
_LONGEST_LINE = timedelta(hours=1)
"""Turns are not reserved further ahead. A later one was written while a clock was wrong and is ignored, as are pauses
beyond `_LONGEST_REST`."""
_FRESH = timedelta(seconds=5)
"""How long pauses read from the database are cached by `heed`."""


class Quotas(Kept):
    """Calls per day and per month (UTC), and successive turns. Implements `kit.ports.QuotaCounter`. The clocks of
    machines that share a database should agree to within a second, because turns are points in time."""

    def __init__(self, database: Database, titles: Mapping[str, str] | None = None) -> None:
        """`titles`: display names of the engines."""
        super().__init__(database)
        self._titles = titles or {}
        self._rests: dict[tuple[str, str], datetime] = {}
        self._rests_read: datetime | None = None

    async def take(self, engine: str, account: str, limits: Limits, *, at: datetime) -> float:
        """Count one call, reserve its turn and return the seconds to wait for it. Raises EngineQuota (with
        `retry_after`), without counting the call, if the daily or monthly limit is used up or the engine asked for a
        pause of more than 30 seconds; StorageError."""
        at = at.astimezone(UTC)

        def work(connection: Connection) -> float:
            self._count(connection, engine, account, limits, at)
            return self._turn(connection, engine, account, limits, at)

        return await self._database.write(work)

    async def heed(self, engine: str, account: str, *, at: datetime) -> float:
        """Return the seconds left of a pause that the engine asked for. Counts and writes nothing; pauses reported by
        other processes are seen within seconds. Raises EngineQuota and StorageError as `take`."""
        at = at.astimezone(UTC)
        if self._rests_read is None or not timedelta(0) <= at - self._rests_read < _FRESH:
            query = select(turns.c.engine, turns.c.account, turns.c.rests_until).where(
                turns.c.rests_until > at, turns.c.rests_until <= at + _LONGEST_REST
            )
            rows = await self._rows(query)
            self._rests = {(row.engine, row.account): row.rests_until for row in rows}
            self._rests_read = at
        return self._bearable(engine, self._rests.get((engine, account), at), at)

    async def rest(self, engine: str, account: str, *, until: datetime, at: datetime) -> None:
        """Record that the engine asked for a pause until then."""
        until = min(until.astimezone(UTC), at.astimezone(UTC) + _LONGEST_REST)
        row = {"engine": engine, "account": account, "free_at": at, "rests_until": until}
        stands = and_(turns.c.rests_until > until, turns.c.rests_until <= at + _LONGEST_REST)
        later = case((stands, turns.c.rests_until), else_=until)
        await self._run(self._database.upsert(turns, row, {"rests_until": later}))
        self._rests[engine, account] = max(until, self._rests.get((engine, account), until))

    async def used(self, engine: str, account: str, *, at: datetime) -> tuple[int, int]:
        """Return the calls counted so far: (this day, this month)."""
        at = at.astimezone(UTC)
        query = select(quotas.c.period, quotas.c.used).where(quotas.c.engine == engine, quotas.c.account == account)
        counts = {row.period: row.used for row in await self._rows(query)}
        return counts.get(f"{at:%Y-%m-%d}", 0), counts.get(f"{at:%Y-%m}", 0)

    def _count(self, connection: Connection, engine: str, account: str, limits: Limits, at: datetime) -> None:
        periods = _periods(at, limits)
        named, units = limits.counted_with or engine, limits.units
        rows = [{"engine": named, "account": account, "period": period, "used": units} for period in periods]
        counting = self._database.upsert(quotas, rows, {"used": quotas.c.used + units})
        counted = connection.execute(counting.returning(quotas.c.period, quotas.c.used))
        dear = f" Each of its calls counts as {units}." if units > 1 else ""
        now = {row.period: row.used for row in counted.all()}
        for period, (unit, limit, left) in periods.items():
            if limit is not None and now[period] > limit:  # the exception rolls this call's count back
                raise EngineQuota(
                    engine,
                    _reason("at_limit", name=self._titles.get(engine, engine), number=limit, unit=unit),
                    advice=f"It renews at {(at + left):%Y-%m-%d %H:%M} UTC.{dear}",
                    retry_after=left.total_seconds(),
                )

    def _turn(self, connection: Connection, engine: str, account: str, limits: Limits, at: datetime) -> float:
        step = timedelta(seconds=1 / limits.per_second if limits.per_second > 0 else 0.0)
        saved = step * (limits.burst - 1)
        known = select(turns).where(turns.c.engine == engine, turns.c.account == account)
        if not self._database.is_sqlite:
            known = known.with_for_update()
        row: Row[tuple[object, ...]] | None = connection.execute(known).first()
        start = free_at = at
        if row is not None:
            rests_until = row.rests_until if row.rests_until <= at + _LONGEST_REST else at
            free_at = row.free_at if row.free_at <= at + _LONGEST_LINE else at
            self._bearable(engine, rests_until, at)
            if rests_until > at:  # no burst after a pause
                free_at = max(free_at, rests_until + saved)
            start = max(at, free_at - saved, rests_until)
        # On PostgreSQL the very first two calls may race here; the second then just follows at once.
        taken = {"free_at": max(start, free_at) + step}
        fresh = {"engine": engine, "account": account, "rests_until": at, **taken}
        connection.execute(self._database.upsert(turns, fresh, taken))
        return (start - at).total_seconds()

    def _bearable(self, engine: str, until: datetime, at: datetime) -> float:
        wait = (until - at).total_seconds()
        if wait > _PATIENCE:
            name, time = self._titles.get(engine, engine), f"{until:%Y-%m-%d %H:%M}"
            raise EngineQuota(engine, _reason("used_up_until", name=name, time=time), retry_after=wait)
        return max(0.0, wait)


def _periods(at: datetime, limits: Limits) -> dict[str, tuple[str, int | None, timedelta]]:
    """Map the names of the day and the month to unit, limit and the time until the period ends."""
    day = at.replace(hour=0, minute=0, second=0, microsecond=0)
    next_month = (day.replace(day=1) + timedelta(days=32)).replace(day=1)
    return {
        f"{at:%Y-%m-%d}": ("day", limits.per_day, day + timedelta(days=1) - at),
        f"{at:%Y-%m}": ("month", limits.per_month, next_month - at),
    }


KEPT_FOR = timedelta(hours=24)


class Idempotency(Kept):
    """Idempotency keys of the last 24 hours."""

    async def begin(self, person: str, key: str, fingerprint: str, *, at: datetime) -> str | None:
        """Return the stored response body, or None if the caller is to carry out the request now. Raises Conflict if
        the key was used for another request, Busy while the first is in progress."""
        table, mine = idempotency, _request(person, key)
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
        mine = _request(person, key)
        answered = update(idempotency).where(mine).values(body=body, status=201)
        await self._run(delete(idempotency).where(mine) if body is None else answered)


def _request(person: str, key: str) -> ColumnElement[bool]:
    return (idempotency.c.person == person) & (idempotency.c.key == storable(key))


_NAME = "service"
"""The value of the `engine` column; no engine has this name."""


class RateLimits(Kept):
    """Requests per minute, by account."""

    async def count(self, account: str, most: int, *, at: datetime) -> None:
        """Count one request. Raises TooManyRequests if it exceeds `most` in this minute."""
        table, moment = tables.quotas, at.astimezone(UTC)
        period = f"{moment:%Y-%m-%dT%H:%M}"

        def work(connection: Connection) -> int:
            row = {"engine": _NAME, "account": account, "period": period, "used": 1}
            counting = self._database.upsert(table, row, {"used": table.c.used + 1}).returning(table.c.used)
            used: int = connection.execute(counting).scalar_one()
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
