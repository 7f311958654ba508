"""Events of cases: appended, read after an id, and followed live."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Collection
from contextlib import suppress
from typing import Any

from sqlalchemy import Connection, Row, and_, delete, func, insert, select
from sqlalchemy import text as sql

from inquest.domain.case import CaseStatus
from inquest.domain.errors import Conflict
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.value import JsonValue
from inquest.kit.ports import Clock
from inquest.store import tables
from inquest.store.changes import REREAD_SECONDS
from inquest.store.database import Database, Kept
from inquest.store.holds import CaseHold, no_case
from inquest.store.schema import columns, made, storable

_SECOND_LOOK = 0.05
"""Seconds after which a finished case is read once more for its last event."""

_PAGE = 500


class Events(Kept):
    """The events of all cases. Within a case, ids grow in the order in which events are emitted and become visible."""

    async def append(self, event: Event, hold: CaseHold | None = None, *, known: int | None = None) -> Event:
        """Append an event and return it with its number. `known`: the last event made by people that its author has
        read; raises Conflict if there is a later one. Raises Superseded if the runner with this hold has lost the
        case."""
        row = columns(event, exclude=("id",))

        def work(connection: Connection) -> int:
            if hold is not None:
                hold.check(connection)
            # PostgreSQL assigns row numbers before commit, so a reader could see 8 before 7 and then never read 7.
            # Writers of one case therefore queue up; SQLite has only one writer anyway.
            if not self._database.is_sqlite:
                lock = "SELECT pg_advisory_xact_lock(hashtextextended(:id, 0))"
                connection.execute(sql(lock), {"id": event.case_id})
            if known is not None:
                table = tables.events
                later = select(table.c.id).where(tables.BY_PEOPLE, table.c.case_id == event.case_id, table.c.id > known)
                if connection.execute(later.limit(1)).first() is not None:
                    raise Conflict(f"Case {event.case_id} has new events.", advice="Read it again.")
            done = connection.execute(insert(tables.events).returning(tables.events.c.id), row)
            number = int(done.scalar_one())
            if event.type in (EventType.WORKING, EventType.CASE_FINISHED):
                # After the insertion, because SQLite could reuse the number of a deleted last row.
                mine = tables.events.c.case_id == event.case_id, tables.events.c.type == EventType.WORKING.value
                connection.execute(delete(tables.events).where(*mine, tables.events.c.id < number))
            self._database.changes.notify(connection, event.case_id)
            return number

        number = await self._database.write(work)
        self._database.changes.wake(event.case_id)
        return event.model_copy(update={"id": number})

    async def after(
        self, case_id: str, last_id: int = 0, limit: int | None = _PAGE, types: Collection[EventType] = ()
    ) -> list[Event]:
        """Return up to `limit` events (None: all) of the case after that id, oldest first; `types`: only these."""
        table = tables.events
        query = select(table).where(table.c.case_id == case_id, table.c.id > last_id).order_by(table.c.id).limit(limit)
        if types:
            query = query.where(tables.events.c.type.in_([each.value for each in types]))
        return [_event(row) for row in await self._rows(query)]

    async def said_by_people(self, case_ids: Collection[str] | None = None) -> list[Event]:
        """Return the events made by people in these cases (None: in all), by case, oldest first."""
        table = tables.events
        query = select(table).where(tables.BY_PEOPLE).order_by(table.c.case_id, table.c.id)
        if case_ids is not None:
            query = query.where(table.c.case_id.in_(case_ids))
        return [_event(row) for row in await self._rows(query)]

    async def follow(self, case_id: str, after: int = 0) -> AsyncIterator[Event]:
        """Yield the events after that id as they arrive, whichever process writes them, until the case has ended.
        Leaving early cancels nothing. Raises NotFound."""
        last_type: EventType | None = None
        ended_before = False
        with self._database.changes.changes(case_id) as woken:
            while True:
                woken.clear()
                ended, batch = await self._look(case_id, after)
                for event in batch:
                    after, last_type = event.id, event.type
                    yield event
                if batch and (len(batch) == _PAGE or last_type is EventType.CASE_FINISHED):
                    continue
                # The last event may be written just after the status, so a finished case is read twice.
                if not batch and (last_type is EventType.CASE_FINISHED or (ended and ended_before)):
                    return
                ended_before = ended and not batch
                with suppress(TimeoutError):
                    # Not asyncio.wait_for, which in Python 3.11 may swallow a cancellation that arrives as it wakes.
                    async with asyncio.timeout(_SECOND_LOOK if ended else REREAD_SECONDS):
                        await woken.wait()

    def sink(self, case_id: str, clock: Clock, hold: CaseHold | None = None) -> CaseEvents:
        """Return the sink for one case's events (kit.ports.EventSink). `hold`: the hold of the emitting runner."""
        return CaseEvents(self, case_id, clock, hold)

    async def _look(self, case_id: str, last_id: int) -> tuple[bool, list[Event]]:
        """Return whether the case has ended, and the events after that id, from one consistent read."""
        case, event = tables.cases, tables.events
        joined = case.outerjoin(event, and_(event.c.case_id == case.c.id, event.c.id > last_id))
        query = select(case.c.status.label("case_status"), event).select_from(joined).where(case.c.id == case_id)
        rows = await self._database.read(
            lambda connection: connection.execute(query.order_by(event.c.id).limit(_PAGE)).all()
        )
        if not rows:
            raise no_case(case_id)
        return CaseStatus(rows[0].case_status).ended, [_event(row) for row in rows if row.id is not None]


class CaseEvents:
    """Appends the events of one case in the order in which they are emitted."""

    def __init__(self, events: Events, case_id: str, clock: Clock, hold: CaseHold | None = None) -> None:
        self._events = events
        self._case_id = case_id
        self._clock = clock
        self._hold = hold
        self._in_line = asyncio.Lock()
        """Serializes this case's events, because writes of one process run concurrently."""

    async def emit(
        self, type: EventType, text: str, *, stage: Stage | None = None, marker: str | None = None, **data: JsonValue
    ) -> Event:
        """Append an event and wake its followers. Raises Superseded."""
        async with self._in_line:
            event = Event(
                id=0,
                case_id=self._case_id,
                at=self._clock.now(),
                type=type,
                stage=stage,
                text=storable(text),
                marker=marker,
                data=dict(data),
            )
            return await self._events.append(event, self._hold)


def _event(row: Row[Any]) -> Event:
    fields = {name: row._mapping[name] for name in Event.model_fields}
    return made(Event, fields, lists=("data",), what=f"event {row.id}")


_MOST_NOTICES = 500


async def last_event(database: Database) -> int:
    """Return the highest event number, or 0."""
    query = select(func.max(tables.events.c.id))
    return await database.read(lambda connection: connection.execute(query).scalar() or 0)


async def notices_after(database: Database, last: int) -> list[tuple[int, str, str]]:
    """Return number, case and type of up to 500 events after that number, oldest first."""
    table = tables.events
    query = select(table.c.id, table.c.case_id, table.c.type).where(table.c.id > last).order_by(table.c.id)
    rows = await database.read(lambda connection: connection.execute(query.limit(_MOST_NOTICES)).all())
    return [(row.id, row.case_id, row.type) for row in rows]
