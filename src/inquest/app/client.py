"""The library: every feature of the command in a few lines of async Python.

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
from inquest.app.wiring.resources import Resources, open_resources
from inquest.domain.case import Case
from inquest.domain.event import Event
from inquest.domain.languages import Language
from inquest.domain.plan import Approval, Plan

if TYPE_CHECKING:
    from inquest.app.cases.reporting import Replayed
    from inquest.app.cases.session import Session
    from inquest.domain.finding import Reading
    from inquest.domain.plan import Brief

Answer = Approval | str | bool
Approver = Callable[[Plan], Answer | Awaitable[Answer]]
"""Approves (True, 'approve'), rejects (False, 'reject') or changes (any other words) a plan; may be async."""


def _approve_all(plan: Plan) -> bool:
    return True


class Inquest:
    """The entry point for programs: an async context manager. Settings may be passed by name: `Inquest(home=...,
    model=...)`. The options of each kind of case are declared in `app/cases/case_request.py`."""

    def __init__(self, **settings: Any) -> None:
        self._settings = settings
        self._stack = AsyncExitStack()
        self._app: Resources | None = None

    async def __aenter__(self) -> Inquest:
        self._app = await self._stack.enter_async_context(open_resources(load_settings(**self._settings)))
        return self

    async def __aexit__(self, *exc: Any) -> None:
        await self._stack.__aexit__(*exc)
        self._app = None

    @property
    def app(self) -> Resources:
        """What use cases take as their first argument, for features without a method here, such as collections."""
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
        """Plan an inquiry, ask `approve`, and run it. The case may be partial; `case.why` is the reason. `options`:
        those of `InquiryRequest`. Raises InputError, SettingError, StorageError; TypeError for an unknown option."""
        return await self.case_of(request_of(InquiryRequest, {"brief": brief, **options}), approve, on_event)

    async def check(
        self,
        report: str | None = None,
        *,
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
        **options: Any,
    ) -> Case:
        """Check the claims of a company's report (a file or URL), or `claims` in words, as `inquiry`. `options`: those
        of `ClaimsRequest`, and `claims_file`, a file of claims as lines of JSON. Raises InputError, SettingError,
        StorageError; PageError for an unreadable report."""
        from inquest.app.desks.briefs import check_brief

        claims_file = options.pop("claims_file", None)
        request = request_of(ClaimsRequest, {"report": report or "", **options})
        return await self._run_new(await check_brief(self.app, request, claims_file=claims_file), approve, on_event)

    async def verify(
        self,
        topic: str,
        *,
        approve: Approver = _approve_all,
        on_event: Callable[[Event], None] | None = None,
        **options: Any,
    ) -> Case:
        """Investigate a topic: its number, a URL, or a file with one. `case.investigation` is the result; `options`:
        those of `TopicRequest`. Raises InputError (also for a recent investigation without `again`), NotFound,
        PageError, SettingError, StorageError."""
        return await self.case_of(request_of(TopicRequest, {"topic": topic, **options}), approve, on_event)

    async def ask(self, question: str, *, on_event: Callable[[Event], None] | None = None, **options: Any) -> Case:
        """Ask the market desk; `case.answer` reports sources and gives no advice. The first headline is the event
        `answer_headline`. The case is deleted after a day without `save` or `inquest save CASE`. `options`: those of
        `MarketQuestion`. Raises InputError, PageError (a filing's file), SettingError, StorageError."""
        request = request_of(MarketQuestion, {"question": question, **options})
        return await self.case_of(request, lambda plan: approval_from("approve", plan, how="option"), on_event)

    async def case_of(
        self, request: CaseRequest, approve: Approver = _approve_all, on_event: Callable[[Event], None] | None = None
    ) -> Case:
        """Run a request of any kind. Raises the errors of the methods above."""
        from inquest.app.desks.briefs import brief_of

        return await self._run_new(await brief_of(self.app, request), approve, on_event)

    async def resume(
        self, case_id: str, *, approve: Approver = _approve_all, on_event: Callable[[Event], None] | None = None
    ) -> Case:
        """Continue a case that waits for a decision or was interrupted. Raises NotFound, InputError, Busy."""
        from inquest.app.cases.session import open_session

        return await self._run(await open_session(self.app, case_id), approve, on_event)

    async def replay(self, case_id: str) -> Replayed:
        """Run a case again from its recording, and compare the reports."""
        from inquest.app.cases.reporting import replay

        return await replay(self.app, case_id)

    async def case(self, case_id: str) -> Case:
        """A case by its id. Raises NotFound."""
        return await self.app.case(case_id)

    async def events(self, case_id: str, *, after: int = 0) -> AsyncIterator[Event]:
        """Yield the events of a case after number `after` as they occur, until it ends."""
        async for event in (await self.app.events()).follow(case_id, after=after):
            yield event

    async def report(self, case_id: str, form: str = "md", language: Language | None = None) -> bytes:
        """The report in md, html, json or pdf, in this language or that of the case."""
        from inquest.app.cases.reporting import render

        return await render(self.app, await self.app.case(case_id), form, language)

    async def read(self, what: str) -> dict[str, Any]:
        """Read a page or a file."""
        from inquest.app.tools.reading import read_page

        return await read_page(self.app, what)

    async def assess(self, claim: str, passage: str) -> Reading:
        """Judge a passage on a claim with the model of the settings; if it fails, locally, with a warning."""
        import warnings

        from inquest.app.tools.reading import pair_judge

        async with pair_judge(self.app.settings, note=lambda why: warnings.warn(why, stacklevel=2)) as judge:
            (judged,) = await judge.pairs([(claim, passage)])
        return judged

    async def _run_new(self, brief: Brief, approve: Approver, on_event: Callable[[Event], None] | None) -> Case:
        from inquest.app.cases.session import new_session

        return await self._run(await new_session(self.app, brief, approved=approve is _approve_all), approve, on_event)

    async def _run(self, session: Session, approve: Approver, on_event: Callable[[Event], None] | None) -> Case:
        if on_event:
            session.listen(on_event)
        async with session:
            return await session.run(lambda case: _answered(approve, case))


async def _answered(approve: Approver, case: Case) -> Approval:
    plan = case.plan
    assert plan is not None
    answer = approve(plan)
    if inspect.isawaitable(answer):
        answer = await answer
    if isinstance(answer, Approval):
        return answer
    words = answer if isinstance(answer, str) else ("approve" if answer else "reject")
    return approval_from(words, plan, how="library")
