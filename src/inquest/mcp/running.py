"""Cases at work behind tool calls: progress while they run, and their results, marked as data for models. A call that
is cancelled stops its case and keeps it."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, ParamSpec

from fastmcp import Context
from fastmcp.exceptions import ToolError, ValidationError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import ToolResult
from mcp_types import CallToolRequestParams
from pydantic import BaseModel
from pydantic import ValidationError as ArgumentErrors

from inquest.app.cases.requests import approval_from
from inquest.app.tools.for_models import NOTE, fit, marked
from inquest.domain.case import Case, CaseStatus
from inquest.domain.errors import InquestError
from inquest.domain.event import Event

P = ParamSpec("P")


def result(value: BaseModel) -> ToolResult:
    """The value as structured content, and as a text for the model that is one block of marked data after a note."""
    made = fit(value.model_dump(mode="json"))
    rest = {name: each for name, each in made.items() if name != "note"}
    text = json.dumps(rest, ensure_ascii=False)
    return ToolResult(content=f"{NOTE}\n\n{marked(text, secrets.token_hex(8))}", structured_content=made)


def in_one_sentence(tool: Callable[P, Awaitable[ToolResult]]) -> Callable[P, Awaitable[ToolResult]]:
    """A tool whose errors of ours are the sentence and the advice of the error, and nothing else."""

    @functools.wraps(tool)
    async def wrapped(*args: P.args, **kwargs: P.kwargs) -> ToolResult:
        try:
            return await tool(*args, **kwargs)
        except InquestError as error:
            raise ToolError(fit(error.sentence), log_level=logging.INFO) from error

    return wrapped


class OneSentence(Middleware):
    """Arguments of the wrong shape are refused in one sentence, too."""

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        try:
            return await call_next(context)
        except (ValidationError, ArgumentErrors) as error:
            raise ToolError(_refused(context.message.name, error)) from error


def _refused(tool: str, error: Exception) -> str:
    found = error if isinstance(error, ArgumentErrors) else error.__cause__
    if not isinstance(found, ArgumentErrors):
        return f"The arguments of {tool} cannot be used."
    wrong: dict[str, Any] = found.errors(include_url=False, include_input=False)[0]  # type: ignore[assignment]
    where = ".".join(str(part) for part in wrong["loc"]) or "an argument"
    return f"{tool}: `{where}` cannot be used: {wrong['msg'].rstrip('.')}."


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
