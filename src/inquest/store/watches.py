"""Stored watches: the topics and cases to run again, the time of the next run, and the process that does it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, delete, or_, select, update

from inquest.domain.investigation import Watch
from inquest.store.database import Kept
from inquest.store.schema import columns, made
from inquest.store.tables import watches


class Watches(Kept):
    """At most one watch per topic or case, which is its subject."""

    async def put(self, watch: Watch) -> bool:
        """Add a watch, or change only interval and next run of an existing one. Return True if it is new."""

        def work(connection: Connection) -> bool:
            every = int(watch.every.total_seconds())
            again = update(watches).where(_of(watch.subject))
            changed = connection.execute(again.values(every_seconds=every, next_at=watch.next_at))
            if changed.rowcount:
                return False
            row = columns(watch, exclude=("every",)) | {"every_seconds": every}
            added = self._database.upsert(watches).values(row).on_conflict_do_nothing()
            return bool(connection.execute(added).rowcount)

        return await self._database.write(work)

    async def remove(self, subject: int | str) -> bool:
        """Remove a watch; return True if there was one."""
        query = delete(watches).where(_of(subject))
        return await self._database.write(lambda connection: bool(connection.execute(query).rowcount))

    async def get(self, subject: int | str) -> Watch | None:
        """Return the watch of a topic or case, or None."""
        row = await self._first(select(watches).where(_of(subject)))
        return None if row is None else _watch(row)

    async def list(self) -> Sequence[Watch]:
        """Return all watches, sorted by next run."""
        query = select(watches).order_by(watches.c.next_at, watches.c.id)
        return [_watch(row) for row in await self._rows(query)]

    async def take_due(self, runner: str, now: datetime, *, lease: timedelta) -> Watch | None:
        """Lease the watch that has been due longest and is free to this runner; None if nothing is due.

        Concurrent schedulers each get a different watch.
        """

        def work(connection: Connection) -> Watch | None:
            waiting = (
                select(watches)
                .where(watches.c.next_at <= now)
                .where(or_(watches.c.lease_until.is_(None), watches.c.lease_until <= now))
                .order_by(watches.c.next_at, watches.c.id)
                .limit(1)
                .with_for_update(skip_locked=True)
            )
            row = connection.execute(waiting).first()
            if row is None:
                return None
            taken = update(watches).where(watches.c.id == row.id)
            connection.execute(taken.values(runner=runner, lease_until=now + lease))
            return _watch(row)

        return await self._database.write(work)

    async def release(self, subject: int | str, runner: str) -> None:
        """Release a watch that this runner took but does not finish."""
        query = update(watches).where(_of(subject), watches.c.runner == runner).values(runner=None, lease_until=None)
        await self._run(query)

    async def ran(self, watch: Watch) -> None:
        """Store the outcome of a run and the time of the next; the interval is left alone because it may have been
        changed meanwhile. Does nothing if the watch was removed."""
        fields = columns(watch, exclude=("topic_id", "watched_case", "every", "added_at", "added_by"))
        ended = {"runner": None, "lease_until": None}
        await self._run(update(watches).where(_of(watch.subject)).values(fields | ended))


def _of(subject: int | str) -> ColumnElement[bool]:
    return watches.c.topic_id == subject if isinstance(subject, int) else watches.c.watched_case == subject


def _watch(row: Row[Any]) -> Watch:
    fields = dict(row._mapping)
    for name in ("id", "runner", "lease_until"):
        del fields[name]
    fields["every"] = timedelta(seconds=fields.pop("every_seconds"))
    return made(Watch, fields, lists=("changes",), what=f"watch {row.id}")
