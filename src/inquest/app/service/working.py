"""Work on a kept case by whoever has been handed its id: to its end, or to a plan that nobody has answered yet."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Any

from inquest.app.cases.session import Session, open_session
from inquest.app.cases.topic_records import record_case
from inquest.domain.case import Case, CaseStatus, as_before, is_further
from inquest.domain.errors import NotFound
from inquest.domain.event import EventType

if TYPE_CHECKING:
    from inquest.app.wiring.resources import Resources
    from inquest.store.service.case_work import CaseRecords


async def case_work(app: Resources) -> CaseRecords:
    """Owners, submissions and decisions of cases."""
    from inquest.store.service.case_work import CaseRecords

    return CaseRecords(await app.database())


async def work_on(app: Resources, case_id: str, *, opened: Callable[[Session], None] = lambda session: None) -> Case:
    """Go on with the case until it has ended or waits for a decision. `opened` is given the session, which alone can
    stop the case with a report. Raises NotFound; InputError for a case that has ended; Busy where another runner has
    it; what a session raises."""
    session = await open_session(app, case_id, relayed=True)
    decisions = await case_work(app)
    async with _held(session):
        opened(session)
        case = await session.begin()
        while case.status is CaseStatus.PLANNED and case.plan is not None:
            approval = await decisions.decision(case.id, case.plan.revision)
            if approval is None:
                break
            case = await session.decide(approval)
    return case


@asynccontextmanager
async def _held(session: Session) -> AsyncIterator[None]:
    """The session, opened and closed to the end: whoever is cancelled meanwhile is so afterwards. A connection that is
    left half opened or half closed stays open, and so does its thread."""
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
    """End a case that could not be worked on, so that nobody waits for it. Nothing happens to one that has ended."""
    try:
        case = await app.case(case_id)
    except NotFound:
        return
    if case.status.ended:
        return
    if is_further(case):
        ended = as_before(case, why)
        status, why = ended.status, f"The further round brought nothing: {why}"
    else:
        ended = case.model_copy(update={"status": status, "why": why})
    await (await app.store()).save(ended)
    await record_case(app, ended)
    sink = (await app.events()).sink(case.id, app.clock)
    await sink.emit(EventType.CASE_FINISHED, why, marker=f"INVESTIGATION_{status.name}", status=status.value, why=why)
