"""Cases at work behind tool calls: progress while they run; a call that is cancelled stops its case and keeps it."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from fastmcp import Context

from inquest.app.cases.requests import approval_from
from inquest.app.tools.for_models import fit
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import Event

if TYPE_CHECKING:
    from inquest.app.cases.session import Session

_LONGEST = 200
"""Characters of a line of progress."""
_GRACE_SECONDS = 30.0
"""Seconds that cases which were asked to stop are given for their partial report when the server ends."""


class Running:
    """The cases of one server that are at work. A case runs in a task of its own: when its call is cancelled, it writes
    the report on what there is, which takes longer than a cancelled call lives."""

    def __init__(self) -> None:
        self._at_work: dict[asyncio.Task[Case], Session] = {}

    async def carry_out(self, session: Session, context: Context, *, answer: str, approve: bool) -> Case:
        """From the present state of the case to its end, or to the plan that waits for a decision.

        `answer`: what is said to the plan that waits now; `approve`: every plan is approved as it is.
        """
        lines: asyncio.Queue[Event | None] = asyncio.Queue()
        session.listen(lines.put_nowait)
        task = asyncio.create_task(_work(session, answer, approve, who(context)))
        self._at_work[task] = session
        task.add_done_callback(lambda done: self._ended(done, lines))
        try:
            step = 0
            while (event := await lines.get()) is not None:
                step += 1
                await context.report_progress(step, None, _line(event))
            return task.result()
        except BaseException:  # cancelled, or the client is gone: either way nobody waits any more
            _stop(task, session)
            raise

    def _ended(self, task: asyncio.Task[Case], lines: asyncio.Queue[Event | None]) -> None:
        self._at_work.pop(task, None)
        lines.put_nowait(None)
        if not task.cancelled():
            task.exception()  # where its call was cancelled, nobody else asks for it

    async def aclose(self) -> None:
        """Stop every case that is at work, and wait for their reports for a while."""
        at_work = dict(self._at_work)
        for task, session in at_work.items():
            _stop(task, session)
        if at_work:
            _, late = await asyncio.wait(at_work, timeout=_GRACE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


def _stop(task: asyncio.Task[Case], session: Session) -> None:
    """Report what there is; where nothing has been approved yet there is nothing, and the plan is kept."""
    if not task.done() and not session.stop():
        task.cancel()


async def _work(session: Session, answer: str, approve: bool, who: str) -> Case:
    async with session:
        case = await session.begin()
        while case.status is CaseStatus.PLANNED and (answer or approve):
            assert case.plan is not None
            words, answer = answer or "approve", ""
            case = await session.decide(approval_from(words, case.plan, how="mcp", by=who))
    return case


def who(context: Context) -> str:
    """Who decides: the client, by the name that it gives itself."""
    about = context.session.client_params
    return fit(f"{about.client_info.name} (MCP)")[:100] if about else "an MCP client"


def _line(event: Event) -> str:
    line = " ".join(str(fit(event.text)).split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
