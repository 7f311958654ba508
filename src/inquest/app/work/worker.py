"""`inquest worker`: takes cases from the queue until it is asked to end, then finishes them or hands them over."""

from __future__ import annotations

import asyncio
import logging
import time
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, text

from inquest.app.logs import about_case
from inquest.app.service.dispatching import case_work, fail, work_on
from inquest.app.work.dispatching import check_postgres
from inquest.app.work.queue import (
    TASK,
    any_cut_off,
    check_installed,
    defer,
    figures,
    jobs_of,
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

if TYPE_CHECKING:
    import procrastinate

    from inquest.app.cases.session import Session
    from inquest.app.wiring.resources import Resources
    from inquest.store.database import Database

ALWAYS = 8
"""A worker with fewer cases takes one more whatever its loop does."""
_EVERY, _LATE = 0.05, 0.5
"""Seconds between two looks at the loop, and how late it may be for more than `ALWAYS` cases."""


class Room:
    """Of one worker. Looking takes no time: all cases of a worker that died are to be taken at once."""

    def __init__(self) -> None:
        self._late = 0.0
        """Seconds by which the loop was late at the last look."""
        self._admitted = 0
        """Cases that were let in since the last look: what they do to the loop is not known yet."""

    async def watch(self) -> None:
        """Look at the loop until this is cancelled."""
        while True:
            due = time.monotonic() + _EVERY
            await asyncio.sleep(_EVERY)
            self.looked(time.monotonic() - due)

    def looked(self, late: float) -> None:
        """Note by how many seconds the loop is late."""
        self._late, self._admitted = late, 0

    def admits(self, at_work: int) -> bool:
        """True where one more case may be taken beside so many; it counts as taken."""
        if at_work >= ALWAYS and (self._late >= _LATE or self._admitted >= ALWAYS):
            return False
        self._admitted += 1
        return True


log = logging.getLogger("inquest.work")

_LOOK = 1.0
"""Seconds between two looks: for jobs that no notification announced, and for cases that have none."""
_GONE = 3600.0
"""Seconds after which a silent worker's row is deleted; its jobs are taken back long before."""
_AWAY = 2
"""Seconds before a case that failed for want of the database or the store is tried again: they may be back."""
_LONGEST_WAIT, _TRIES = 30, 5
"""Seconds before a case that failed by a defect is tried again, at most; and how often one is tried at all."""
_ALIVE = text("UPDATE procrastinate_workers SET last_heartbeat = now() WHERE id = :id")
_TABLES_SEEN = 10
"""Sweeps between two looks whether a newer version has changed the tables."""
_SAID_AGAIN = 60
"""Sweeps between two lines on the same stuck cases."""


class _Again(Exception):
    """The case is to be taken up again, by whichever worker, after so many seconds."""

    def __init__(self, seconds: int) -> None:
        super().__init__(f"again in {seconds} s")
        self.seconds = seconds


class Worker:
    """Works on `at_once` cases at a time. `grace`: seconds that cases are given to end when the worker is asked to."""

    def __init__(self, app: Resources, *, at_once: int = 8, grace: float = 20.0) -> None:
        check_postgres(app.settings.resolved_database_url)
        check_installed()
        self._app = app
        self._at_once = at_once
        self._grace = grace
        self._queue = made_queue(app.settings.resolved_database_url)
        self._jobs = jobs_of(self._queue)
        self._jobs.room = self._has_room
        self._sessions: dict[str, Session] = {}
        self._at_work = 0
        self._room = Room()
        self._outdated = False

    def hand_over(self) -> None:
        """Have every case that is at work passed on now, whatever grace is left."""
        for session in list(self._sessions.values()):
            session.hand_over()

    async def run(self) -> None:
        """Work until this is cancelled. Raises SettingError, StorageError."""
        await self._app.database()
        await prepare(self._app.settings.resolved_database_url)
        self._add_task()
        pulse = (await self._app.database()).pulse
        async with self._queue.open_async():
            beside = [asyncio.create_task(self._sweep_on()), asyncio.create_task(self._room.watch())]
            pulse.add(self._beat)
            pulse.watch(_look_for_silent)
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
                    log.warning("the worker lost its queue, and begins again")
                    await asyncio.sleep(_LOOK)
            finally:
                pulse.remove(self._beat)
                pulse.unwatch(_look_for_silent)
                for task in beside:
                    task.cancel()
                await asyncio.gather(*beside, return_exceptions=True)

    def _beat(self, connection: Connection) -> None:
        """The sign of life of the worker itself."""
        if self._jobs.worker_id is not None:
            connection.execute(_ALIVE, {"id": self._jobs.worker_id})

    async def _has_room(self) -> bool:
        """True where one more case may be taken: one that was cut off however late the loop is, as somebody waits for
        it already and it comes before all others."""
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

        # What a newer version says of a job beside the case is not needed to work on it.
        async def work(context: procrastinate.JobContext, /, case_id: str, **newer: object) -> None:
            await self._work(case_id, context.job.attempts)

        self._queue.task(name=TASK, pass_context=True, retry=Strategy())(work)

    async def _work(self, case_id: str, attempts: int) -> None:
        """One job. It is the case's own task that is at work, so that whoever cancels the job cuts nothing off."""
        task = asyncio.create_task(self._once(case_id, attempts), name=f"case {case_id}")
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

    async def _once(self, case_id: str, attempts: int) -> None:
        about_case.set(case_id)
        work = await case_work(self._app)
        try:
            await work.submitted(case_id)
            case = await work_on(
                self._app, case_id, opened=lambda session: self._sessions.__setitem__(case_id, session)
            )
            if case.status is CaseStatus.RUNNING:
                raise _Again(2)
        except Superseded as error:
            log.warning("case %s: %s", case_id, error)
            return  # whoever has it now says when it is done
        except HandedOver:
            raise _Again(0) from None
        except Busy as error:
            log.info("case %s: %s", case_id, error)
            raise _Again(2) from error
        except (InputError, NotFound) as error:
            log.info("case %s: %s", case_id, error)  # it has ended meanwhile, or is deleted
        except StorageError as error:
            log.warning("case %s waits: %s", case_id, error.sentence)
            raise _Again(_AWAY) from error
        except InquestError as error:
            log.warning("case %s failed: %s", case_id, error.sentence)
            await fail(self._app, case_id, error.sentence)
        except _Again:
            raise
        except Exception as error:
            log.exception("case %s failed by a defect", case_id)
            if _is_storage(error):
                raise _Again(_AWAY) from error
            if attempts + 1 < _TRIES:
                raise _Again(min(2**attempts, _LONGEST_WAIT)) from error
            await fail(self._app, case_id, "It failed by a defect of Inquest; the worker's log has the details.")
        await work.done(case_id)

    async def _look_at_tables(self, database: Database) -> None:
        """Take no more cases while the tables are a newer version's: what it writes there this one may not know."""
        from inquest.store.schema import is_up_to_date

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
                    log.warning("case %s had no job, and gets one", case_id)
                    await defer(self._queue, case_id, kind)
                if sweeps % _SAID_AGAIN == 0:
                    for case_id in (await figures(database)).stuck:
                        log.error("case %s is stuck: nobody works on it", case_id)
            except StorageError as error:
                log.warning("the queue cannot be looked after: %s", error)
            sweeps += 1


def _look_for_silent(connection: Connection) -> None:
    """Take back what silent workers had."""
    for case_id in take_back(connection):
        log.warning("case %s: its worker fell silent, and another takes it", case_id)


def _is_storage(error: BaseException) -> bool:
    """True for what a database driver raises beside the store: the checkpoints are read by another library."""
    return type(error).__module__.partition(".")[0] in ("psycopg", "psycopg_pool", "sqlalchemy", "procrastinate")
