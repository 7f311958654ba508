"""The library: everything the command does, in a few lines of async Python.

from inquest import Inquest

async with Inquest() as inquest:
    case = await inquest.inquiry("Did the plant exceed its permit?", collections=["leaks"])
    print(case.summary)
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any, Unpack

from inquest.app.build import App, open_app
from inquest.app.cases.requests import CaseOptions, approval_from, brief_from
from inquest.app.settings import load_settings
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import Event
from inquest.domain.plan import Approval, Plan

if TYPE_CHECKING:
    from inquest.app.cases.replaying import Replayed
    from inquest.app.cases.session import Session
    from inquest.app.desks.asking_market import MarketOptions
    from inquest.app.desks.checking import CheckOptions
    from inquest.domain.brief import Brief
    from inquest.domain.reading import Reading

Answer = Approval | str | bool
Approver = Callable[[Plan], Answer | Awaitable[Answer]]
"""Says yes (True, 'approve'), no (False, 'reject') or what to change (any other words) to a plan; may be async."""


def _approve_all(plan: Plan) -> bool:
    return True


def _approve_by_option(plan: Plan) -> Approval:
    return approval_from("approve", plan, how="option")


class Inquest:
    """The entry point for programs. Settings as in INTERFACES.md, or given by name: `Inquest(home=..., model=...)`.
    What every case can be told (engines, collections, languages, as_of, budget_usd, deadline) is in
    `app.requests.CaseOptions`.

    Use as an async context manager.
    """

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._app: App | None = None

    async def __aenter__(self) -> Inquest:
        self._app = await self._stack.enter_async_context(open_app(load_settings(**self._settings)))
        return self

    async def __aexit__(self, *exc: Any) -> None:
        await self._stack.__aexit__(*exc)
        self._app = None

    @property
    def app(self) -> App:
        """All use cases, for what has no method here (collections, reports)."""
        if self._app is None:
            raise RuntimeError("use it as `async with Inquest() as inquest`")
        return self._app

    async def inquiry(
        self,
        brief: str,
        *,
        urls: Sequence[str] = (),
        mode: str = "quick",
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
        **options: Unpack[CaseOptions],
    ) -> Case:
        """Plan, ask `approve`, and carry the inquiry out. The case may be partial; `case.why` says why.

        Raises InputError, SettingError, StorageError.
        """
        asked = brief_from(
            brief,
            urls=urls,
            mode=mode,
            settings=self.app.settings,
            **options,
        )
        return await self._carry_out(await self._new_case(asked, approve), approve, on_event)

    async def check(
        self,
        report: str | None = None,
        *,
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
        **options: Unpack[CheckOptions],
    ) -> Case:
        """Check the claims of a company's report (a file or URL), or claims given in words. As `inquiry` otherwise.

        Raises InputError, SettingError, StorageError; PageError where the report cannot be read.
        """
        from inquest.app.desks.checking import check_brief

        asked = await check_brief(self.app, report, **options)
        return await self._carry_out(await self._new_case(asked, approve), approve, on_event)

    async def verify(
        self,
        topic: str,
        *,
        priority: str | None = None,
        again: bool = False,
        mode: str = "detailed",
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
        **options: Unpack[CaseOptions],
    ) -> Case:
        """Investigate a topic: its number, a URL, or a file with one. `case.investigation` is what it came to.

        Raises InputError (also where it was investigated lately and `again` is not given), NotFound, PageError,
        SettingError, StorageError.
        """
        from inquest.app.desks.verifying import topic_brief

        asked = await topic_brief(
            self.app,
            topic,
            priority=priority,
            again=again,
            mode=mode,
            **options,
        )
        return await self._carry_out(await self._new_case(asked, approve), approve, on_event)

    async def ask(
        self,
        question: str,
        *,
        on_event: Callable[[Event], None] | None = None,
        **options: Unpack[MarketOptions],
    ) -> Case:
        """Ask the market desk; `case.answer` is what sources say, and no advice. The first headline comes as an event
        (`answer_headline`). Forgotten after a day unless `save` is given or `inquest save CASE` was run.

        Raises InputError, PageError (a filing's file), SettingError, StorageError.
        """
        from inquest.app.desks.asking_market import market_brief

        asked = await market_brief(self.app, question, **options)
        return await self._carry_out(await self.app.new_case(asked), _approve_by_option, on_event)

    async def resume(
        self, case_id: str, *, approve: Approver = _approve_all, on_event: Callable[[Event], None] | None = None
    ) -> Case:
        """Go on with a case that waits for a decision or was cut off. Raises NotFound, InputError, Busy."""
        return await self._carry_out(await self.app.open_case(case_id), approve, on_event)

    async def replay(self, case_id: str) -> Replayed:
        """Run a case again from its recorded replies alone, and compare the reports."""
        return await self.app.replay(case_id)

    async def case(self, case_id: str) -> Case:
        """A case by its id. Raises NotFound."""
        return await self.app.case(case_id)

    async def events(self, case_id: str, *, after: int = 0) -> AsyncIterator[Event]:
        """The events of a case, from the one after `after`, as they come, until the case has ended."""
        async for event in (await self.app.events()).follow(case_id, after=after):
            yield event

    async def report(self, case_id: str, form: str = "md") -> bytes:
        """The report in md, html, json or pdf."""
        return await self.app.render(await self.app.case(case_id), form)

    async def read(self, what: str) -> dict[str, Any]:
        """What the reader makes of a page or a file."""
        return await self.app.read(what)

    async def assess(self, claim: str, passage: str) -> Reading:
        """How a passage bears on a claim, by the model of the settings or the local judge. Where the model fails, the
        local judge answers and a warning says so."""
        import warnings

        from inquest.app.tools.assessing import pair_judge

        async with pair_judge(self.app.settings, note=lambda why: warnings.warn(why, stacklevel=2)) as judge:
            (judged,) = await judge.pairs([(claim, passage)])
        return judged

    async def _new_case(self, asked: Brief, approve: Approver) -> Session:
        return await self.app.new_case(asked, approved=approve is _approve_all)

    async def _carry_out(self, session: Session, approve: Approver, on_event: Callable[[Event], None] | None) -> Case:
        if on_event:
            session.listen(on_event)
        async with session:
            case = await session.begin()
            while case.status is CaseStatus.PLANNED:
                assert case.plan is not None
                case = await session.decide(await _answered(approve, case.plan))
        return case


async def _answered(approve: Approver, plan: Plan) -> Approval:
    answer = approve(plan)
    if inspect.isawaitable(answer):
        answer = await answer
    if isinstance(answer, Approval):
        return answer
    words = answer if isinstance(answer, str) else ("approve" if answer else "reject")
    return approval_from(words, plan, how="library")
