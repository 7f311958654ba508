"""Heartbeats of a process for all cases it runs, written by a separate thread in one transaction.

The event loop of a process with many cases may lag by seconds. If heartbeats were tasks in it, a busy process would be
taken for dead, and the processes that took over its cases would become busier still.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from inquest.kit.ports import StopWish
from inquest.store.holds import CaseHold, renewed

log = logging.getLogger("inquest.store")

EVERY = 1.0
"""Seconds between heartbeats; five may be missed before a case is free (`kit.ports.LEASE`)."""
STUCK = 60.0
"""Seconds without an answer after which the loop counts as stuck; heartbeats stop, so that others take its cases."""
_LAST = 5.0
"""Seconds that `close` waits for a heartbeat in progress."""

Beat = Callable[[Connection], object]
"""Work done at each heartbeat in addition to the leases; it must only use the connection."""


class Pulse:
    """Heartbeats for one open database. `transaction` opens one on a separate connection, in the calling thread."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction
        self._holds: dict[CaseHold, timedelta] = {}
        self._beats: list[Beat] = []
        self._watches: list[Beat] = []
        self._lock = threading.Lock()
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None
        self._answered = 0.0
        """Monotonic time of the loop's last answer."""

    def keep(self, hold: CaseHold, lease: timedelta) -> None:
        """Renew the lease from now on. To be called in the event loop that is to be notified."""
        with self._lock:
            self._holds[hold] = lease
        self._start()

    def forget(self, hold: CaseHold) -> None:
        """Stop renewing the lease, if it is being renewed."""
        with self._lock:
            self._holds.pop(hold, None)

    @contextmanager
    def also(self, beat: Beat, look: Beat) -> Iterator[None]:
        """Within the block, write `beat` at each heartbeat, and do `look` after it in a transaction of its own, so that
        a failure does not affect the heartbeat."""
        with self._lock:
            self._beats.append(beat)
            self._watches.append(look)
        self._start()
        try:
            yield
        finally:
            with self._lock:
                self._beats.remove(beat)
                self._watches.remove(look)

    def look(self) -> None:
        """Run all watches once. Raises SQLAlchemyError."""
        with self._lock:
            watches = list(self._watches)
        for look in watches:
            with self._transaction() as connection:
                look(connection)

    def give(self) -> dict[CaseHold, StopWish | bool | None]:
        """Write one heartbeat for all holds and return the request to stop of each; False if another runner has the
        case.

        Raises SQLAlchemyError.
        """
        with self._lock:
            holds, beats = dict(self._holds), list(self._beats)
        if not holds and not beats:
            return {}
        with self._transaction() as connection:
            for beat in beats:
                beat(connection)
            wishes = renewed(connection, holds)
        return {hold: wishes.get(hold, False) for hold in holds}

    async def close(self) -> None:
        """Stop the heartbeats."""
        self._ends.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, _LAST)

    def _start(self) -> None:
        self._answered = time.monotonic()
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._run, args=(loop,), name="heartbeats", daemon=True)
            self._thread.start()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._ends.wait(EVERY):
            if time.monotonic() - self._answered > STUCK:
                log.error("the event loop has not answered for %g s: other processes may take its cases", STUCK)
            else:
                wishes: dict[CaseHold, StopWish | bool | None] = {}
                try:
                    wishes = self.give()
                    self.look()
                except SQLAlchemyError as error:  # while the database is down, no other process can take a case either
                    log.warning("heartbeat failed: %s", str(error).splitlines()[0])
                with suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(self._pass_on, wishes)

    def _pass_on(self, wishes: dict[CaseHold, StopWish | bool | None]) -> None:
        self._answered = time.monotonic()
        for hold, wish in wishes.items():
            hold.hear(wish)
