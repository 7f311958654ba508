"""What happens in any case, for pages that show it as it happens: one reader of events for all who listen."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING

from inquest.app.access.ownership import is_theirs
from inquest.app.service.working import case_work
from inquest.domain.errors import StorageError
from inquest.domain.person import Person

_log = logging.getLogger(__name__)

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources

_LATE = 200
"""Events. PostgreSQL hands a number out before the event can be seen: one that is written slowly is looked for among so
many numbers before the last."""
_AGAIN_SECONDS = 1.0
"""After which a database that could not be read is asked again."""
_KEPT = 1000
"""Notices that a listener may be behind; one that is further behind is told that it missed some."""


@dataclass(frozen=True)
class Happened:
    """Something happened in this case; `id` is the event's number. Without a `case_id`: something may have
    happened in any case."""

    id: int
    case_id: str
    type: str


class LiveCases:
    """One task reads new events while there are listeners, and hands each a short notice."""

    def __init__(self, app: Resources) -> None:
        self._app = app
        self._listeners: set[asyncio.Queue[Happened]] = set()
        self._reader: asyncio.Task[None] | None = None

    async def follow(self, person: Person) -> AsyncGenerator[Happened, None]:
        """First that it listens, then notices of cases that the person may see, without end. Raises StorageError."""
        from inquest.store.events import last_event

        queue: asyncio.Queue[Happened] = asyncio.Queue(_KEPT)
        last = await last_event(await self._app.database())
        self._listeners.add(queue)
        if self._reader is None or self._reader.done():
            self._reader = asyncio.create_task(self._read(last), name="live cases")
        seen: dict[str, bool] = {}
        try:
            # From here on nothing is missed; what happened before, a page that was made earlier may not show.
            yield Happened(last, "", "listening")
            while True:
                notice = await queue.get()
                if not notice.case_id or await self._may_see(person, notice.case_id, seen):
                    yield notice
        finally:
            self._listeners.discard(queue)
            if not self._listeners and self._reader is not None:
                self._reader.cancel()
                with suppress(asyncio.CancelledError):
                    await self._reader
                self._reader = None

    async def _may_see(self, person: Person, case_id: str, seen: dict[str, bool]) -> bool:
        if person.sees_all:
            return True
        if case_id not in seen:
            owner = await (await case_work(self._app)).owner(case_id)
            seen[case_id] = owner is not None and is_theirs(person, owner[0], owner[1])
        return seen[case_id]

    async def _read(self, last: int) -> None:
        """Reads on for as long as there are listeners. Where the database cannot be read it is tried again, and
        everybody is told that something may have happened."""
        while True:
            try:
                await self._read_after(last)
            except StorageError as error:
                _log.warning("Live pages wait for the database: %s", error)
                await asyncio.sleep(_AGAIN_SECONDS)
                self._tell(Happened(last, "", "missed"))

    async def _read_after(self, last: int) -> None:
        from inquest.store import events
        from inquest.store.changes import ANY_CASE, REREAD_SECONDS

        notices_after = events.notices_after
        database = await self._app.database()
        told = {number for number, _, _ in await notices_after(database, last - _LATE) if number <= last}
        with database.changes.changes(ANY_CASE) as woken:
            while True:
                woken.clear()
                for number, case_id, kind in await notices_after(database, last - _LATE):
                    if number not in told:
                        told.add(number)
                        last = max(last, number)
                        self._tell(Happened(number, case_id, kind))
                        woken.set()  # there may be more than one reading gives
                told = {number for number in told if number > last - _LATE}
                with suppress(TimeoutError):
                    async with asyncio.timeout(REREAD_SECONDS):
                        await woken.wait()

    def _tell(self, notice: Happened) -> None:
        for queue in self._listeners:
            if queue.full():
                while not queue.empty():
                    queue.get_nowait()
                queue.put_nowait(Happened(notice.id, "", "missed"))
            queue.put_nowait(notice)
