"""Callbacks: receivers, the event up to which each has been notified, and the state of each delivery."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import Connection, or_, select, update
from sqlalchemy.engine import Row

from inquest.domain.event import Delivery, DeliveryState, Standing, Target
from inquest.store.database import Kept
from inquest.store.schema import columns, storable
from inquest.store.tables import callback_targets as targets
from inquest.store.tables import callbacks

_FARTHEST = timedelta(hours=2)
"""Longest postponement; a later time was written while a clock was wrong and counts as due."""


class Outbox(Kept):
    """One target per case, and its callbacks in order."""

    async def add_target(self, case_id: str, url: str, *, at: datetime) -> None:
        """Notify this URL of the case, beginning with its first event."""
        row = {"case_id": case_id, "url": storable(url), "last_event": 0, "next_at": at}
        await self._run(self._database.upsert(targets).values(row).on_conflict_do_nothing())

    async def target(self, case_id: str) -> Target | None:
        """Return the target of the case, or None."""
        row = await self._first(select(targets).where(targets.c.case_id == case_id))
        return _target(row) if row is not None else None

    async def take(self, *, at: datetime, lease: timedelta, case_id: str = "") -> Target | None:
        """Lease the target of a due case (or this one) to this process; None if no case is due."""
        leased = targets.c.lease_until
        free = or_(leased.is_(None), leased <= at, leased > at + lease + _FARTHEST)
        turn = or_(targets.c.next_at <= at, targets.c.next_at > at + _FARTHEST)
        if case_id:
            turn = (targets.c.case_id == case_id) & targets.c.next_at.is_not(None)
        due = select(targets).where(turn, free).order_by(targets.c.next_at).limit(1)
        if await self._database.read(lambda connection: connection.execute(due).first()) is None:
            return None

        def work(connection: Connection) -> Target | None:
            row = connection.execute(due.with_for_update(skip_locked=True)).first()
            if row is None:
                return None
            mine = update(targets).where(targets.c.case_id == row.case_id)
            connection.execute(mine.values(lease_until=at + lease))
            return _target(row)

        return await self._database.write(work)

    async def wake(self, case_id: str, *, at: datetime) -> None:
        """Make a settled target due again because the case continues."""
        query = update(targets).where(targets.c.case_id == case_id, targets.c.next_at.is_(None)).values(next_at=at)
        await self._run(query)

    async def settle(self, case_id: str, *, last_event: int, next_at: datetime | None) -> None:
        """Release the target with the last event sent and the time of the next attempt; None: nothing left to send."""
        query = update(targets).where(targets.c.case_id == case_id)
        values = {"last_event": last_event, "next_at": next_at, "lease_until": None}
        await self._run(query.values(values))

    async def keep(self, delivery: Delivery) -> None:
        """Store the current state of a callback."""
        row = columns(delivery, exclude=("id",))
        changed = {name: row[name] for name in ("state", "attempts", "at", "status", "error", "theirs")}
        query = self._database.upsert(callbacks).values(row)
        query = query.on_conflict_do_update(index_elements=[callbacks.c.case_id, callbacks.c.key], set_=changed)
        await self._run(query)

    async def deliveries(self, case_id: str) -> list[Delivery]:
        """Return all callbacks of the case in sending order."""
        rows = await self._rows(select(callbacks).where(callbacks.c.case_id == case_id).order_by(callbacks.c.id))
        return [Delivery(**row._mapping) for row in rows]

    async def standings(self, *, limit: int) -> list[Standing]:
        """Return the latest cases with a receiver and their callbacks counted by state."""
        latest = select(targets.c.case_id, targets.c.url).order_by(targets.c.case_id.desc()).limit(limit)

        def look(connection: Connection) -> list[Standing]:
            rows = connection.execute(latest).all()
            mine = callbacks.c.case_id.in_([row.case_id for row in rows])
            counts: dict[str, Counter[str]] = {}
            errors: dict[str, str] = {}
            query = select(callbacks.c.case_id, callbacks.c.state, callbacks.c.error).where(mine)
            for case_id, state, error in connection.execute(query.order_by(callbacks.c.id)):
                counts.setdefault(case_id, Counter())[state] += 1
                if error and state != DeliveryState.DELIVERED.value:
                    errors[case_id] = error
            return [
                Standing(
                    case_id=row.case_id,
                    url=row.url,
                    **{each.value: counts.get(row.case_id, Counter())[each.value] for each in DeliveryState},
                    error=errors.get(row.case_id, ""),
                )
                for row in rows
            ]

        return await self._database.read(look)

    async def replay(self, case_id: str, keys: Sequence[str] | None, *, at: datetime) -> int:
        """Resend failed callbacks, or those with these keys; return their number."""

        def work(connection: Connection) -> int:
            wanted = callbacks.c.case_id == case_id
            which = callbacks.c.state == DeliveryState.FAILED.value if keys is None else callbacks.c.key.in_(keys)
            again = {"state": DeliveryState.WAITING.value, "attempts": 0}
            many = connection.execute(update(callbacks).where(wanted, which).values(again)).rowcount
            if many:
                mine = update(targets).where(targets.c.case_id == case_id)
                connection.execute(mine.values(last_event=0, next_at=at))
            return many

        return await self._database.write(work)


def _target(row: Row[tuple[object, ...]]) -> Target:
    return Target(case_id=row.case_id, url=row.url, last_event=row.last_event, next_at=row.next_at)
