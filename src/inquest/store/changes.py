"""Notification of changes in cases, whichever process wrote them.

On PostgreSQL one connection per process listens. Notices contain only the id of a case; waiters then read new events by
number, so that a lost notice costs time but no event. On SQLite, which has no notifications, one task polls for new
rows. Both run only while something waits.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

from inquest.domain.errors import StorageError

if TYPE_CHECKING:
    from sqlalchemy import Connection

ANY_CASE = ""
"""Used in place of a case id to be woken by every case."""

CHANNEL = "inquest_cases"
REREAD_SECONDS = 15.0
"""Seconds after which waiters read again without having been woken."""
_LOOK = 0.1
"""Seconds between polls for new rows on SQLite."""
_AWAY = 1.0
"""Seconds before reconnecting after the connection broke."""

NewRows = Callable[[int], Awaitable[Sequence[tuple[int, str]]]]
"""Returns number and case of the events after a number; for -1, of the last event only."""


class Changes:
    """One per open database. `dsn` is PostgreSQL's; None: SQLite, polled through `new_rows`."""

    def __init__(self, dsn: str | None, new_rows: NewRows) -> None:
        self._dsn = dsn
        self._new_rows = new_rows
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def changes(self, case_id: str) -> Iterator[asyncio.Event]:
        """Yield an event that is set when the case (ANY_CASE: any) may have changed; waiters clear it, then read."""
        woken = asyncio.Event()
        self._waiting.setdefault(case_id, set()).add(woken)
        if self._task is None or self._task.done():
            watch = self._listen(self._dsn) if self._dsn is not None else self._look()
            self._task = asyncio.create_task(watch, name="changes of cases")
        try:
            yield woken
        finally:
            self._waiting[case_id].discard(woken)
            if not self._waiting[case_id]:
                del self._waiting[case_id]
            if not self._waiting:
                self._task.cancel()
                self._task = None

    def wake(self, case_id: str) -> None:
        """Wake the waiters of this process for the case."""
        for waits_for in {case_id, ANY_CASE}:
            for woken in self._waiting.get(waits_for, ()):
                woken.set()

    def notify(self, connection: Connection, case_id: str) -> None:
        """Notify all processes when the transaction commits; does nothing on SQLite."""
        from sqlalchemy import text

        if self._dsn is not None:
            connection.execute(text("SELECT pg_notify(:channel, :case)"), {"channel": CHANNEL, "case": case_id})

    async def close(self) -> None:
        """Stop listening or polling."""
        if self._task is not None:
            self._task.cancel()
            with suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _listen(self, dsn: str) -> None:
        from psycopg import AsyncConnection, Error

        while True:
            with suppress(Error, OSError):
                connection = await AsyncConnection.connect(dsn, autocommit=True, connect_timeout=10)
                async with connection:
                    await connection.execute(f"LISTEN {CHANNEL}".encode())
                    self._wake_all()  # changes made before LISTEN
                    async for notice in connection.notifies():
                        self.wake(notice.payload)
            await asyncio.sleep(_AWAY)

    async def _look(self) -> None:
        last: int | None = None
        while True:
            with suppress(StorageError):
                rows = await self._new_rows(-1 if last is None else last)
                if last is None:
                    self._wake_all()
                for _, case_id in rows:
                    self.wake(case_id)
                last = rows[-1][0] if rows else last or 0
            await asyncio.sleep(_LOOK)

    def _wake_all(self) -> None:
        for case_id in self._waiting:
            self.wake(case_id)
