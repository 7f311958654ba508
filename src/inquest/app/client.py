"""The library: everything the command does, in a few lines of async Python.

from inquest import Inquest

async with Inquest() as inquest:
    case = await inquest.inquiry("Did the plant exceed its permit?", collections=["leaks"])
    print(case.summary)
"""

from __future__ import annotations

import inspect
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import AsyncExitStack
from typing import TYPE_CHECKING, Any

from inquest.app.build import App, open_app
from inquest.app.cases.case_request import (
    CaseRequest,
    ClaimsRequest,
    InquiryRequest,
    MarketQuestion,
    TopicRequest,
    request_of,
)
from inquest.app.cases.requests import approval_from
from inquest.app.settings import load_settings
from inquest.domain.case import Case, CaseStatus
from inquest.domain.event import Event
from inquest.domain.languages import Language
from inquest.domain.plan import Approval, Plan

if TYPE_CHECKING:
    from inquest.app.cases.reporting import Replayed
    from inquest.app.cases.session import Session
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
    What a case of each kind takes is declared in `app/cases/case_request.py`. Use as an async context manager."""

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
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
        **options: Any,
    ) -> Case:
        """Plan, ask `approve`, and carry the inquiry out. The case may be partial; `case.why` says why. `options`:
        those of `InquiryRequest`. Raises InputError, SettingError, StorageError; TypeError for an option that does not
        exist."""
        return await self.case_of(request_of(InquiryRequest, {"brief": brief, **options}), approve, on_event)

    async def check(
        self,
        report: str | None = None,
        *,
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
        **options: Any,
    ) -> Case:
        """Check the claims of a company's report (a file or URL), or `claims` given in words. As `inquiry` otherwise;
        `options`: those of `ClaimsRequest`, and `claims_file`, a file of claims as lines of JSON. Raises InputError,
        SettingError, StorageError; PageError where the report cannot be read."""
        from inquest.app.desks.briefs import check_brief

        claims_file = options.pop("claims_file", None)
        asked = await check_brief(
            self.app, request_of(ClaimsRequest, {"report": report or "", **options}), claims_file=claims_file
        )
        return await self._carry_out(await self._new_case(asked, approve), approve, on_event)

    async def verify(
        self,
        topic: str,
        *,
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
        **options: Any,
    ) -> Case:
        """Investigate a topic: its number, a URL, or a file with one. `case.investigation` is what it came to;
        `options`: those of `TopicRequest`. Raises InputError (also where it was investigated lately and `again` is not
        given), NotFound, PageError, SettingError, StorageError."""
        return await self.case_of(request_of(TopicRequest, {"topic": topic, **options}), approve, on_event)

    async def ask(
        self,
        question: str,
        *,
        on_event: Callable[[Event], None] | None = None,
        **options: Any,
    ) -> Case:
        """Ask the market desk; `case.answer` is what sources say, and no advice. The first headline comes as an event
        (`answer_headline`). Deleted after a day unless `save` is given or `inquest save CASE` was run. `options`: those
        of `MarketQuestion`. Raises InputError, PageError (a filing's file), SettingError, StorageError."""
        request = request_of(MarketQuestion, {"question": question, **options})
        return await self.case_of(request, _approve_by_option, on_event)

    async def case_of(
        self,
        request: CaseRequest,
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
    ) -> Case:
        """Carry out a request of any kind. Raises as the methods above."""
        from inquest.app.desks.briefs import brief_of

        return await self._carry_out(
            await self._new_case(await brief_of(self.app, request), approve), approve, on_event
        )

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

    async def report(self, case_id: str, form: str = "md", language: Language | None = None) -> bytes:
        """The report in md, html, json or pdf, in this language or that of the case."""
        return await self.app.render(await self.app.case(case_id), form, language)

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
