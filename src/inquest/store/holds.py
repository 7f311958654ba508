"""A runner's hold on a case: a lease that it renews, and an epoch named by each of its writes.

The lease shows that the runner is alive; the epoch decides whose writes count. A lease alone is not enough: a process
that was suspended may continue to write after its lease expired, because it cannot know how long it slept.

A separate thread writes the heartbeats of a process for all its cases in one transaction. The event loop of a process
with many cases may lag by seconds: if heartbeats were tasks in it, a busy process would be taken for dead, and the
processes that took over its cases would become busier still.
"""

from __future__ import annotations

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, Literal

from sqlalchemy import ColumnElement, Connection, Row, func, or_, select, tuple_, update
from sqlalchemy.exc import SQLAlchemyError

from inquest.domain.errors import Busy, NotFound, Superseded
from inquest.domain.event import EventType
from inquest.kit.ports import StopWish
from inquest.store.tables import MomentColumn, cases, events, submissions

if TYPE_CHECKING:
    from inquest.store.database import Database


_LOOKS = 0.5
"""Seconds between checks of a holder that may have died."""


class CaseHold:
    """One runner's hold on one case (kit.ports.Hold). All times are the database's, since clocks of machines differ."""

    def __init__(self, database: Database, case_id: str, runner: str) -> None:
        self._database = database
        self.case_id = case_id
        self.runner = runner
        self.epoch: int | None = None
        """None before the case is taken."""
        self._news = asyncio.Event()
        self._wish: StopWish | None = None
        self._lost = False

    async def take(self, *, lease: timedelta, wait: bool = False) -> None:
        """Take the case. With `wait`, wait until a holder without heartbeats loses its lease. Raises Busy if another
        runner holds it and is alive, NotFound."""
        held, left = await self._try(lease)
        while held is not None:
            if not wait:
                raise self._busy(held)
            await asyncio.sleep(min(left, _LOOKS))
            again, left = await self._try(lease)
            if again is not None and (again.epoch, again.lease_until) != (held.epoch, held.lease_until):
                raise self._busy(again)
            held = again

    def stay_alive(self, *, lease: timedelta) -> None:
        """Have the heartbeats of the process renew the lease, also an expired one, unless another runner has
        taken the case."""
        self._database.pulse.keep(self, lease)

    async def asked(self) -> StopWish:
        """Wait for a new request to stop. Raises Superseded once another runner has taken the case."""
        await self._news.wait()
        self._news.clear()
        if self._lost or self._wish is None:
            raise self._superseded()
        return self._wish

    def receive(self, wish: StopWish | bool | None) -> None:
        """Receive the result of a heartbeat (`Pulse`): a request to stop, or None; False if another runner has the
        case."""
        if wish is False:
            self._lost = True
            self._database.pulse.forget(self)
            self._news.set()
        elif isinstance(wish, str) and wish != self._wish:
            self._wish = wish
            self._news.set()

    async def release(self) -> None:
        """Release the case unless another runner has it."""
        self._database.pulse.forget(self)
        query = update(cases).where(cases.c.id == self.case_id, cases.c.epoch == self.epoch)
        free = query.values(runner=None, leased_at=None, lease_until=None, stop_wish=None)
        await self._database.write(lambda connection: connection.execute(free).close())

    def check(self, connection: Connection, lock: Literal["share", "update"] | None = "share") -> None:
        """Raise Superseded if another runner has taken the case. A lock keeps others from taking it until the
        transaction ends: 'share' admits other writes of this runner, 'update' is for transactions that change the row
        of the case, because a shared lock cannot be upgraded."""
        query: Any = select(cases.c.epoch).where(cases.c.id == self.case_id)
        if lock is not None:
            query = query.with_for_update(read=lock == "share", key_share=lock == "update")
        epoch = connection.execute(query).scalar_one_or_none()
        if epoch is None:
            raise no_case(self.case_id)
        if epoch != self.epoch:
            raise self._superseded()

    async def _try(self, lease: timedelta) -> tuple[Row[Any] | None, float]:
        """Take the case, or return its row as taken by another runner, and the seconds until that lease expires by the
        database's clock."""

        def work(connection: Connection) -> int | tuple[Row[Any], float]:
            row = connection.execute(select(cases).where(cases.c.id == self.case_id).with_for_update()).first()
            if row is None:
                raise no_case(self.case_id)
            now = database_time(connection)
            if row.runner is not None and row.lease_until > now:
                return row, (row.lease_until - now).total_seconds()
            epoch: int = row.epoch + 1
            values = {"runner": self.runner, "leased_at": now, "lease_until": now + lease, "epoch": epoch}
            connection.execute(update(cases).where(cases.c.id == self.case_id).values(values))
            return epoch

        found = await self._database.write(work)
        if not isinstance(found, int):
            return found
        self.epoch, self._wish, self._lost = found, None, False
        self._news.clear()
        return None, 0.0

    def _busy(self, held: Row[Any]) -> Busy:
        return Busy(
            f"Case {self.case_id} has been running in another process ({held.runner}) since "
            f"{held.leased_at:%Y-%m-%d %H:%M:%S} UTC.",
            advice=f"Wait for it, or try again after {held.lease_until:%H:%M:%S} UTC if that process is gone.",
        )

    def _superseded(self) -> Superseded:
        return Superseded(
            f"Another process has taken over case {self.case_id}; this one ({self.runner}) has stopped writing to it.",
            advice="Follow the case in that process.",
        )


def renewed(connection: Connection, holds: Mapping[CaseHold, timedelta]) -> dict[CaseHold, StopWish | None]:
    """Renew the leases of all holds whose cases have not been taken by others; return their requests to stop. Executes
    one statement per distinct lease length, of which there is usually one."""
    now, wishes = database_time(connection), dict[tuple[str, int], StopWish | None]()
    for lease in set(holds.values()):
        pairs = [(hold.case_id, hold.epoch) for hold, its in holds.items() if its == lease]
        query = update(cases).where(tuple_(cases.c.id, cases.c.epoch).in_(pairs)).values(lease_until=now + lease)
        for row in connection.execute(query.returning(cases.c.id, cases.c.epoch, cases.c.stop_wish)):
            wishes[row.id, row.epoch] = row.stop_wish
    by_hold = {hold: (hold.case_id, hold.epoch or 0) for hold in holds}
    return {hold: wishes[key] for hold, key in by_hold.items() if key in wishes}


async def ask_to_stop(database: Database, case_id: str, wish: StopWish) -> bool:
    """Ask the runner of the case to stop; return False if it has none."""

    def work(connection: Connection) -> bool:
        query = update(cases).where(cases.c.id == case_id, cases.c.lease_until > database_time(connection))
        return bool(connection.execute(query.values(stop_wish=wish)).rowcount)

    return await database.write(work)


def database_time(connection: Connection) -> datetime:
    """Return the current time of the database in UTC; for SQLite that of this machine."""
    if connection.dialect.name == "sqlite":
        clock = func.strftime("%Y-%m-%d %H:%M:%f", "now", type_=MomentColumn)
    else:
        clock = func.clock_timestamp(type_=MomentColumn)
    return connection.execute(select(clock)).scalar_one()


def interrupted(connection: Connection) -> ColumnElement[bool]:
    """The condition on a row of `cases`: begun, not ended, and neither held by a live process nor queued for one. A
    case whose plan waits for a decision is not interrupted, even if the process that made the plan has died."""
    planned = select(events.c.id).where(events.c.case_id == cases.c.id, events.c.type == EventType.PLAN_READY).exists()
    queued = select(submissions.c.case_id).where(submissions.c.case_id == cases.c.id).exists()
    silent = cases.c.lease_until.is_not(None) & (cases.c.lease_until <= database_time(connection))
    return or_(
        ((cases.c.status == "running") | (cases.c.status == "planned") & ~planned) & silent,
        (cases.c.status == "running") & cases.c.runner.is_(None) & ~queued,
    )


def no_case(case_id: str) -> NotFound:
    """Return the error for a case id that does not exist."""
    return NotFound(f"There is no case {case_id!r} here.", advice="`inquest cases` lists all cases.")


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
        case. Raises SQLAlchemyError."""
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
            hold.receive(wish)
