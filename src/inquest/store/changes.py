"""Being woken when something happens in a case, whichever process wrote it: one connection or one look for all.

On PostgreSQL one connection of the process listens; what it receives is the id of a case and nothing else, and who is
woken reads what is new by number, so that a lost notice costs time and no event. On SQLite, which tells nobody
anything, one task looks for new rows. Both run only while somebody waits.
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
"""In place of a case's id: whoever waits for it is woken by every case."""

CHANNEL = "inquest_cases"
REREAD_SECONDS = 15.0
"""After so long whoever waits reads again though nobody woke it."""
_LOOK = 0.1
"""Seconds between two looks for new rows on SQLite."""
_AWAY = 1.0
"""Seconds until a connection that broke is made again."""

NewRows = Callable[[int], Awaitable[Sequence[tuple[int, str]]]]
"""Number and case of the events after that number; of -1, the last one alone."""


class Changes:
    """One for each database that is open. `dsn`: of PostgreSQL; None: SQLite, where `new_rows` is asked."""

    def __init__(self, dsn: str | None, new_rows: NewRows) -> None:
        self._dsn = dsn
        self._new_rows = new_rows
        self._waiting: dict[str, set[asyncio.Event]] = {}
        self._task: asyncio.Task[None] | None = None

    @contextmanager
    def changes(self, case_id: str) -> Iterator[asyncio.Event]:
        """An event, set when the case (ANY_CASE: any) may have changed; whoever waits clears it, then reads."""
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

    def tell(self, case_id: str) -> None:
        """This process has just written of the case."""
        for waits_for in {case_id, ANY_CASE}:
            for woken in self._waiting.get(waits_for, ()):
                woken.set()

    def notify(self, connection: Connection, case_id: str) -> None:
        """Notify all processes when the transaction is kept; SQLite has no such thing."""
        from sqlalchemy import text

        if self._dsn is not None:
            connection.execute(text("SELECT pg_notify(:channel, :case)"), {"channel": CHANNEL, "case": case_id})

    async def close(self) -> None:
        """Nobody is woken any more."""
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
                    self._tell_all()  # what came while nobody listened
                    async for notice in connection.notifies():
                        self.tell(notice.payload)
            await asyncio.sleep(_AWAY)

    async def _look(self) -> None:
        last: int | None = None
        while True:
            with suppress(StorageError):
                rows = await self._new_rows(-1 if last is None else last)
                if last is None:
                    self._tell_all()
                for _, case_id in rows:
                    self.tell(case_id)
                last = rows[-1][0] if rows else last or 0
            await asyncio.sleep(_LOOK)

    def _tell_all(self) -> None:
        for case_id in self._waiting:
            self.tell(case_id)
