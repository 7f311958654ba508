"""Cases run through the queue: a dispatcher passes them to workers (see app.service.dispatching.Dispatcher); `inquest
worker` runs them until asked to end, then finishes them or releases them to other workers."""

from __future__ import annotations

import asyncio
import logging
import time
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, cast

from sqlalchemy import Connection, select, text

from inquest.app.logs import about_case
from inquest.app.service.dispatching import Dispatcher, InProcess, case_work, fail, work_on
from inquest.app.work.queue import (
    TASK,
    WAITS,
    any_cut_off,
    check_installed,
    defer,
    figures,
    lost,
    made_queue,
    prepare,
    take_back,
)
from inquest.domain.case import CaseStatus
from inquest.domain.errors import (
    Busy,
    HandedOver,
    InputError,
    InquestError,
    NotFound,
    SettingError,
    StorageError,
    Superseded,
)
from inquest.store.holds import ask_to_stop
from inquest.store.schema import is_up_to_date
from inquest.store.tables import cases

if TYPE_CHECKING:
    import procrastinate

    from inquest.app.cases.session import Session
    from inquest.app.wiring.resources import Resources
    from inquest.app.work.jobs import Jobs
    from inquest.store.database import Database


def dispatcher_of(app: Resources) -> Dispatcher:
    """Return a dispatcher to the queue of `inquest worker` if the database is PostgreSQL, else one that runs cases in
    this process. Raises SettingError if the packages for a queue are not installed."""
    if app.settings.resolved_database_url.startswith("sqlite"):
        return InProcess(app)
    check_installed()
    return ByQueue(app)


class ByQueue:
    """Puts cases into the queue of the workers."""

    def __init__(self, app: Resources) -> None:
        self._app = app
        self._queue = made_queue(app.settings.resolved_database_url)
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """Open the queue; the workers resume interrupted cases."""
        from procrastinate.exceptions import ConnectorException

        await self._app.database()
        await prepare(self._app.settings.resolved_database_url)
        try:
            await self._stack.enter_async_context(self._queue.open_async())
        except ConnectorException as error:
            raise StorageError(
                "The queue's database cannot be reached.",
                advice="Check INQUEST_DATABASE_URL and that the database is running.",
            ) from error

    async def submit(self, case_id: str) -> None:
        await (await case_work(self._app)).submitted(case_id)
        query = select(cases.c.kind).where(cases.c.id == case_id)
        database = await self._app.database()
        kind: str | None = await database.read(lambda connection: connection.execute(query).scalar_one_or_none())
        await defer(self._queue, case_id, kind or "")

    async def cancel(self, case_id: str, *, report: bool) -> bool:
        """As `Dispatcher.cancel`: a worker notices within two seconds; a queued case ends at once."""
        database = await self._app.database()
        if await ask_to_stop(database, case_id, "report" if report else "stop"):
            return True
        job_id = await database.read(
            lambda connection: connection.execute(WAITS, {"case_id": case_id}).scalar_one_or_none()
        )
        if job_id is None or not await self._queue.job_manager.cancel_job_by_id_async(job_id):
            return False
        await (await case_work(self._app)).done(case_id)
        await fail(self._app, case_id, "It was stopped before it began.", CaseStatus.CANCELLED)
        return True

    async def aclose(self) -> None:
        """Close the queue; the workers continue."""
        await self._stack.aclose()


ALWAYS = 8
"""Cases that a worker takes regardless of the load of its event loop."""
_EVERY, _LATE = 0.05, 0.5
"""Seconds between two measurements of the loop's delay, and the most delay for taking more than `ALWAYS` cases."""


class Room:
    """Admission of further cases by the delay of the event loop, measured in the background."""

    def __init__(self) -> None:
        self._late = 0.0
        self._admitted = 0
        """Cases admitted since the last measurement; their load is not known yet."""

    async def watch(self) -> None:
        """Measure the loop's delay until cancelled."""
        while True:
            due = time.monotonic() + _EVERY
            await asyncio.sleep(_EVERY)
            self.measured(time.monotonic() - due)

    def measured(self, late: float) -> None:
        """Record the loop's delay in seconds."""
        self._late, self._admitted = late, 0

    def admits(self, at_work: int) -> bool:
        """Return True, and count it, if one more case may be taken in addition to `at_work` others."""
        if at_work >= ALWAYS and (self._late >= _LATE or self._admitted >= ALWAYS):
            return False
        self._admitted += 1
        return True


log = logging.getLogger("inquest.work")
_LOOK = 1.0
"""Seconds between two checks for unannounced jobs and for cases without a job."""
_GONE = 3600.0
"""Seconds after which a dead worker's row is deleted; its jobs are taken back long before."""
_AWAY = 2
"""Seconds before a case is retried that another process holds, or that failed because the database or the store was
unreachable."""
_LONGEST_WAIT, _TRIES = 30, 5
"""The longest wait in seconds before a retry after a defect, and the number of attempts."""
_ALIVE = text("UPDATE procrastinate_workers SET last_heartbeat = now() WHERE id = :id")
_TABLES_SEEN = 10
"""Sweeps between two checks for tables of a newer version."""
_STUCK_AGAIN = 60
"""Sweeps between two log lines on the same stuck cases."""


class _Again(Exception):
    """Raised to retry the case on any worker after this many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"again in {seconds} s")
        self.seconds = seconds


class Worker:
    """Runs `at_once` cases at a time. `grace`: seconds for cases to end when the worker is asked to stop."""

    def __init__(self, app: Resources, *, at_once: int = 8, grace: float = 20.0) -> None:
        if app.settings.resolved_database_url.startswith("sqlite"):
            raise SettingError(
                "Workers share a database server, and the database is a file.",
                advice="Set INQUEST_DATABASE_URL to postgresql://USER@HOST/NAME; on SQLite `inquest serve` does "
                "the work.",
            )
        check_installed()
        self._app = app
        self._at_once = at_once
        self._grace = grace
        self._queue = made_queue(app.settings.resolved_database_url)
        self._jobs = cast("Jobs", self._queue.job_manager)
        self._jobs.room = self._has_room
        self._sessions: dict[str, Session] = {}
        self._at_work = 0
        self._room = Room()
        self._outdated = False

    def hand_over(self) -> None:
        """Release all running cases to other workers now, regardless of the grace period."""
        for session in list(self._sessions.values()):
            session.hand_over()

    async def run(self) -> None:
        """Run until cancelled. Raises SettingError, StorageError."""
        await self._app.database()
        await prepare(self._app.settings.resolved_database_url)
        self._add_task()
        pulse = (await self._app.database()).pulse
        async with self._queue.open_async():
            with pulse.also(self._beat, _look_for_silent):
                beside = [asyncio.create_task(self._sweep_on()), asyncio.create_task(self._room.watch())]
                try:
                    while True:
                        await self._queue.run_worker_async(
                            concurrency=self._at_once,
                            fetch_job_polling_interval=_LOOK,
                            stalled_worker_timeout=_GONE,
                            shutdown_graceful_timeout=self._grace,
                            install_signal_handlers=False,
                            delete_jobs="always",
                        )
                        log.warning("the worker lost its queue and reconnects")
                        await asyncio.sleep(_LOOK)
                finally:
                    for task in beside:
                        task.cancel()
                    await asyncio.gather(*beside, return_exceptions=True)

    def _beat(self, connection: Connection) -> None:
        if self._jobs.worker_id is not None:
            connection.execute(_ALIVE, {"id": self._jobs.worker_id})

    async def _has_room(self) -> bool:
        """Return True if one more case may be taken; interrupted cases are taken regardless of the load."""
        if self._outdated:
            return False
        if self._room.admits(self._at_work):
            return True
        try:
            return await any_cut_off(await self._app.database())
        except StorageError:
            return False

    def _add_task(self) -> None:
        from procrastinate import BaseRetryStrategy, RetryDecision

        class Strategy(BaseRetryStrategy):
            def get_retry_decision(self, *, exception: BaseException, job: Any) -> RetryDecision | None:
                return RetryDecision(retry_in={"seconds": exception.seconds}) if isinstance(exception, _Again) else None

        # Arguments added by a newer version are not needed.
        async def work(context: procrastinate.JobContext, /, case_id: str, **newer: object) -> None:
            # Run one job. The case has a task of its own, so cancelling the job does not interrupt it.
            task = asyncio.create_task(self._once(case_id, context.job.attempts), name=f"case {case_id}")
            self._at_work += 1
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError:
                if (session := self._sessions.get(case_id)) is not None:
                    session.hand_over()
                else:
                    task.cancel()
                await asyncio.gather(task, return_exceptions=True)
                raise _Again(0) from None
            finally:
                self._at_work -= 1
                self._sessions.pop(case_id, None)

        self._queue.task(name=TASK, pass_context=True, retry=Strategy())(work)

    async def _once(self, case_id: str, attempts: int) -> None:
        about_case.set(case_id)
        work = await case_work(self._app)
        try:
            await work.submitted(case_id)
            case = await work_on(
                self._app, case_id, opened=lambda session: self._sessions.__setitem__(case_id, session)
            )
            if case.status is CaseStatus.RUNNING:
                raise _Again(_AWAY)
        except Superseded as error:
            log.warning("case %s: %s", case_id, error)
            return  # the worker that holds it now records its end
        except (HandedOver, Busy, StorageError) as error:
            log.warning("case %s is retried: %s", case_id, error)
            raise _Again(0 if isinstance(error, HandedOver) else _AWAY) from error
        except (InputError, NotFound) as error:
            log.info("case %s: %s", case_id, error)  # it has ended meanwhile, or is deleted
        except InquestError as error:
            log.warning("case %s failed: %s", case_id, error.sentence)
            await fail(self._app, case_id, error.sentence)
        except _Again:
            raise
        except Exception as error:
            log.exception("case %s failed by a defect", case_id)
            if type(error).__module__.partition(".")[0] in ("psycopg", "psycopg_pool", "sqlalchemy", "procrastinate"):
                raise _Again(_AWAY) from error
            if attempts + 1 < _TRIES:
                raise _Again(min(2**attempts, _LONGEST_WAIT)) from error
            await fail(self._app, case_id, "It failed because of a defect in Inquest; see the worker's log.")
        await work.done(case_id)

    async def _look_at_tables(self, database: Database) -> None:
        """Take no more cases while the tables belong to a newer version, whose rows this one may not understand."""
        try:
            await database.read(lambda connection: is_up_to_date(connection, database.where))
        except SettingError as error:
            if not self._outdated:
                log.error("this worker takes no more cases: %s %s", error.sentence, error.advice)
            self._outdated = True
        else:
            self._outdated = False

    async def _sweep_on(self) -> None:
        database, sweeps = await self._app.database(), 0
        while True:
            await asyncio.sleep(_LOOK)
            try:
                if sweeps % _TABLES_SEEN == 0:
                    await self._look_at_tables(database)
                for case_id, kind in await lost(database):
                    log.warning("case %s had lost its job and is queued again", case_id)
                    await defer(self._queue, case_id, kind)
                if sweeps % _STUCK_AGAIN == 0:
                    for case_id in (await figures(database)).stuck:
                        log.error("case %s is stuck: no worker has it", case_id)
            except StorageError as error:
                log.warning("the queue could not be swept: %s", error)
            sweeps += 1


def _look_for_silent(connection: Connection) -> None:
    for case_id in take_back(connection):
        log.warning("case %s: its worker died; the case is queued again", case_id)
