"""Signs of life of a process, for all cases that it runs: given by a thread of its own, in one transaction.

The loop of a process that works on many cases may be late by seconds. Were the signs a task of it, a busy process would
be taken for a dead one, its cases taken over, and those who took them made busier still.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager, suppress
from datetime import timedelta

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from inquest.kit.ports import StopWish
from inquest.store.holds import CaseHold, renewed

log = logging.getLogger("inquest.store")

EVERY = 1.0
"""Seconds between two signs: five may be missed before a case is free (`kit.ports.LEASE`)."""
STUCK = 60.0
"""Seconds after which a loop that has not answered is taken for stuck: then no sign is given, and others take its
cases."""
_LAST = 5.0
"""Seconds for which the sign that is being given is waited for at the end."""

Beat = Callable[[Connection], object]
"""What is written at each sign of life, beside the leases; it talks to the connection and does nothing else."""


class Pulse:
    """Of one database that is open. `transaction`: one over a connection of its own, in the calling thread."""

    def __init__(self, transaction: Callable[[], AbstractContextManager[Connection]]) -> None:
        self._transaction = transaction
        self._holds: dict[CaseHold, timedelta] = {}
        self._beats: list[Beat] = []
        self._watches: list[Beat] = []
        self._lock = threading.Lock()
        self._ends = threading.Event()
        self._thread: threading.Thread | None = None
        self._answered = 0.0
        """When the loop last answered, by the monotonic clock."""

    def keep(self, hold: CaseHold, lease: timedelta) -> None:
        """Renew the lease from now on. Called in the loop that is to hear of it."""
        with self._lock:
            self._holds[hold] = lease
        self._start()

    def forget(self, hold: CaseHold) -> None:
        """Renew it no more. Nothing happens where it is not kept."""
        with self._lock:
            self._holds.pop(hold, None)

    def add(self, beat: Beat) -> None:
        """Write this at each sign of life, too."""
        with self._lock:
            self._beats.append(beat)
        self._start()

    def remove(self, beat: Beat) -> None:
        """Write it no more."""
        with self._lock:
            self._beats.remove(beat)

    def watch(self, look: Beat) -> None:
        """Do this after each sign of life, in a transaction of its own; where it fails, the sign has been given."""
        with self._lock:
            self._watches.append(look)
        self._start()

    def unwatch(self, look: Beat) -> None:
        """Do it no more."""
        with self._lock:
            self._watches.remove(look)

    def look(self) -> None:
        """What is watched for, once. Raises SQLAlchemyError."""
        with self._lock:
            watches = list(self._watches)
        for look in watches:
            with self._transaction() as connection:
                look(connection)

    def give(self) -> dict[CaseHold, StopWish | bool | None]:
        """One sign of life for all. For each hold what is asked of its runner; False where another has the case.

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
        """Give no more signs."""
        self._ends.set()
        if self._thread is not None:
            await asyncio.to_thread(self._thread.join, _LAST)

    def _start(self) -> None:
        self._answered = time.monotonic()
        if self._thread is None:
            loop = asyncio.get_running_loop()
            self._thread = threading.Thread(target=self._run, args=(loop,), name="signs of life", daemon=True)
            self._thread.start()

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        while not self._ends.wait(EVERY):
            if time.monotonic() - self._answered > STUCK:
                log.error("the process has not answered itself for %g s: others may take its cases", STUCK)
            else:
                wishes: dict[CaseHold, StopWish | bool | None] = {}
                try:
                    wishes = self.give()
                    self.look()
                except SQLAlchemyError as error:  # while the database is away nobody else can take a case either
                    log.warning("no sign of life could be given, or taken: %s", str(error).splitlines()[0])
                with suppress(RuntimeError):  # the loop is closed
                    loop.call_soon_threadsafe(self._pass_on, wishes)

    def _pass_on(self, wishes: dict[CaseHold, StopWish | bool | None]) -> None:
        self._answered = time.monotonic()
        for hold, wish in wishes.items():
            hold.hear(wish)
