"""Quotas of engines across processes: calls counted per account and period, and turns for rate limits."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, Row, and_, case, select

from inquest.domain.errors import EngineQuota
from inquest.domain.reasons import Catalogue
from inquest.kit.engine import Limits
from inquest.store.database import Database, Kept
from inquest.store.tables import quotas, turns

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
    """Calls per day and per month (UTC), and successive turns. Implements `kit.ports.QuotaCounter`.

    The clocks of machines that share a database should agree to within a second, because turns are points in time.
    """

    def __init__(self, database: Database, titles: Mapping[str, str] | None = None) -> None:
        """`titles`: display names of the engines."""
        super().__init__(database)
        self._titles = titles or {}
        self._rests: dict[tuple[str, str], datetime] = {}
        self._rests_read: datetime | None = None

    async def take(self, engine: str, account: str, limits: Limits, *, at: datetime) -> float:
        """Count one call, reserve its turn and return the seconds to wait for it.

        Raises EngineQuota (with `retry_after`), without counting the call, if the daily or monthly limit is used up or
        the engine asked for a pause of more than 30 seconds; StorageError."""
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
        until = self._rests.get((engine, account), at)
        return self._bearable(engine, until, at)

    async def rest(self, engine: str, account: str, *, until: datetime, at: datetime) -> None:
        """Record that the engine asked for a pause until then."""
        until = min(until.astimezone(UTC), at.astimezone(UTC) + _LONGEST_REST)
        statement = self._database.upsert(turns).values(engine=engine, account=account, free_at=at, rests_until=until)

        def work(connection: Connection) -> None:
            stands = and_(turns.c.rests_until > until, turns.c.rests_until <= at + _LONGEST_REST)
            later = case((stands, turns.c.rests_until), else_=until)
            connection.execute(
                statement.on_conflict_do_update(
                    index_elements=[turns.c.engine, turns.c.account], set_={"rests_until": later}
                )
            )

        await self._database.write(work)
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
        counted = connection.execute(
            self._database.upsert(quotas)
            .values(rows)
            .on_conflict_do_update(
                index_elements=[quotas.c.engine, quotas.c.account, quotas.c.period],
                set_={"used": quotas.c.used + units},
            )
            .returning(quotas.c.period, quotas.c.used)
        )
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
        statement = self._database.upsert(turns).values(
            engine=engine, account=account, free_at=max(start, free_at) + step, rests_until=at
        )
        connection.execute(
            statement.on_conflict_do_update(
                index_elements=[turns.c.engine, turns.c.account], set_={"free_at": statement.excluded.free_at}
            )
        )
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
