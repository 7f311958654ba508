"""Running stored cases to their end or to a waiting plan, and the port through which cases reach workers."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any, Protocol

from inquest.app.cases.session import Session, open_session
from inquest.app.cases.topic_records import record_case
from inquest.app.logs import about_case
from inquest.domain.case import Case, CaseStatus, as_before, is_further
from inquest.domain.errors import Busy, HandedOver, InputError, InquestError, NotFound, StorageError, Superseded
from inquest.domain.event import EventType

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.store.case_work import CaseRecords


async def case_work(app: Resources) -> CaseRecords:
    """Return the records of owners, submissions and decisions of cases."""
    from inquest.store.case_work import CaseRecords

    return CaseRecords(await app.database())


async def work_on(app: Resources, case_id: str, *, opened: Callable[[Session], None] = lambda session: None) -> Case:
    """Run the case until it ends or waits for a decision. `opened` is called with the session, through which the case
    can be stopped with a report. Raises NotFound; InputError for a case that has ended; Busy if another runner holds
    it; and the errors of a session."""
    session = await open_session(app, case_id, relayed=True)
    decisions = await case_work(app)
    async with _held(session):
        opened(session)
        return await session.run(lambda case: decisions.decision(case.id, case.plan.revision if case.plan else 0))


@asynccontextmanager
async def _held(session: Session) -> AsyncIterator[None]:
    """Open and close the session; a cancellation takes effect afterwards, or a connection would keep its thread."""
    entering = asyncio.ensure_future(session.__aenter__())
    try:
        await _whole(entering)
    except asyncio.CancelledError:
        if not entering.cancelled() and entering.exception() is None:
            await session.__aexit__(None, None, None)
        raise
    try:
        yield
    finally:
        await _whole(asyncio.ensure_future(session.__aexit__(*sys.exc_info())))


async def _whole(work: asyncio.Future[Any]) -> None:
    try:
        await asyncio.shield(work)
    except asyncio.CancelledError:
        await asyncio.wait([work])
        raise


async def fail(app: Resources, case_id: str, why: str, status: CaseStatus = CaseStatus.FAILED) -> None:
    """End a case that could not be run, so that nothing waits for it. Does nothing for a case that has ended."""
    try:
        case = await app.case(case_id)
    except NotFound:
        return
    if case.status.ended:
        return
    if is_further(case):
        ended = as_before(case, why)
        status, why = ended.status, f"The further round produced no result: {why}"
    else:
        ended = case.model_copy(update={"status": status, "why": why})
    await (await app.store()).save(ended)
    await record_case(app, ended)
    sink = (await app.events()).sink(case.id, app.clock)
    await sink.emit(EventType.CASE_FINISHED, why, marker=status.end_marker, status=status.value, why=why)


log = logging.getLogger("inquest.service")
AT_ONCE = 4
"""Cases that one process runs at a time; the others queue."""
GRACE_SECONDS = 10.0
"""Seconds for cases to save their state when the process is asked to end."""
LOOK_SECONDS = 5.0
"""Seconds between two checks for cases whose process has died; leases expire within 10 s (`kit.ports.LEASE`)."""
FIRST_PAUSE, _LONGEST_PAUSE = 2.0, 30.0
"""Seconds before a retry when the database or the store could not be written; each pause is twice the last."""


class Dispatcher(Protocol):
    """Runs stored cases, here or on other machines."""

    async def start(self) -> None:
        """Begin, with the cases left by dead processes. Called once, when the server starts."""
        ...

    async def submit(self, case_id: str) -> None:
        """Run the case until it ends or waits for a decision. A running case is checked once more when its run is over,
        so no decision is missed. Raises StorageError."""
        ...

    async def cancel(self, case_id: str, *, report: bool) -> bool:
        """Stop the case; `report`: with a report on what was found. False: the case is not running."""
        ...

    async def aclose(self) -> None:
        """Stop. The next process resumes what is not finished."""
        ...


class InProcess:
    """Runs cases in this process, as tasks of the running loop (see Dispatcher)."""

    def __init__(self, app: Resources, *, at_once: int = AT_ONCE) -> None:
        self._app = app
        self._room = asyncio.Semaphore(at_once)
        self._tasks: dict[str, asyncio.Task[None]] = {}
        self._sessions: dict[str, Session] = {}
        self._again: set[str] = set()
        self._looking: asyncio.Task[None] | None = None
        self._closing = False

    async def start(self) -> None:
        """Resume orphaned cases, now and whenever another process on the same database dies."""
        await self._take_over()
        self._looking = asyncio.create_task(self._look_on(), name="orphaned cases")

    async def _look_on(self) -> None:
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            try:
                await self._take_over()
            except StorageError as error:
                log.warning("the search for orphaned cases is retried in %g s: %s", LOOK_SECONDS, error.sentence)

    async def _take_over(self) -> None:
        for case_id in await (await case_work(self._app)).unfinished(orphaned=True):
            if case_id not in self._tasks:
                await self.submit(case_id)

    async def submit(self, case_id: str) -> None:
        await (await case_work(self._app)).submitted(case_id)
        if case_id in self._tasks:
            self._again.add(case_id)
            return
        self._tasks[case_id] = asyncio.create_task(self._work(case_id), name=f"case {case_id}")

    async def cancel(self, case_id: str, *, report: bool) -> bool:
        task = self._tasks.get(case_id)
        if task is None:
            return False
        session = self._sessions.get(case_id)
        self._again.discard(case_id)
        if report and session is not None and session.stop():
            return True
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await (await case_work(self._app)).done(case_id)
        # A case that had hardly begun has not recorded that it was stopped.
        await fail(self._app, case_id, "It was stopped before it began.", CaseStatus.CANCELLED)
        return True

    async def aclose(self) -> None:
        """Leave running cases to the next process: they stay submitted and emit no final event."""
        self._closing = True
        if self._looking is not None:
            self._looking.cancel()
            await asyncio.gather(self._looking, return_exceptions=True)
        tasks = dict(self._tasks)
        for case_id, task in tasks.items():
            if (session := self._sessions.get(case_id)) is not None:
                session.hand_over()
            else:
                task.cancel()
        if tasks:
            _, late = await asyncio.wait(tasks.values(), timeout=GRACE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)

    async def _work(self, case_id: str) -> None:
        about_case.set(case_id)
        pause = FIRST_PAUSE
        try:
            while True:
                try:
                    async with self._room:
                        await self._once(case_id)
                    if case_id not in self._again:
                        await (await case_work(self._app)).done(case_id)
                        break
                    self._again.discard(case_id)
                except StorageError as error:
                    log.warning("case %s is retried in %g s: %s", case_id, pause, error.sentence)
                    await asyncio.sleep(pause)
                    pause = min(2 * pause, _LONGEST_PAUSE)
        except (HandedOver, Busy, Superseded) as error:
            log.info("case %s: %s", case_id, error.sentence)  # it stays submitted, for the process that holds it
        finally:
            self._tasks.pop(case_id, None)
            if case_id in self._again and not self._closing:
                self._again.discard(case_id)
                self._tasks[case_id] = asyncio.create_task(self._work(case_id), name=f"case {case_id}")

    async def _once(self, case_id: str) -> None:
        try:
            await work_on(self._app, case_id, opened=lambda session: self._sessions.__setitem__(case_id, session))
        except (HandedOver, Busy, Superseded, StorageError):
            raise
        except InputError as error:  # it has ended meanwhile
            log.info("case %s: %s", case_id, error.sentence)
        except InquestError as error:
            log.warning("case %s failed: %s", case_id, error.sentence)
            await fail(self._app, case_id, error.sentence)
        except Exception:
            log.exception("case %s failed by a defect", case_id)
            await fail(self._app, case_id, "It failed because of a defect in Inquest; see the server's log.")
        finally:
            self._sessions.pop(case_id, None)
