"""Tool calls that run cases: progress, results marked as data for models, and cancellation, which stops the case."""

from __future__ import annotations

import asyncio
import functools
import json
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import ParamSpec

from fastmcp import Context
from fastmcp.exceptions import ToolError, ValidationError
from fastmcp.server.middleware import CallNext, Middleware, MiddlewareContext
from fastmcp.tools.base import ToolResult
from mcp_types import CallToolRequestParams
from pydantic import BaseModel
from pydantic import ValidationError as ArgumentErrors

from inquest.app.cases.requests import approval_from
from inquest.app.cases.session import Session
from inquest.app.invalid import fault_of
from inquest.app.tools.for_models import NOTE, fit, marked
from inquest.domain.case import Case
from inquest.domain.errors import InquestError
from inquest.domain.event import Event
from inquest.domain.plan import Approval

P = ParamSpec("P")


def result(value: BaseModel) -> ToolResult:
    """The value as structured content, and as a text for the model that is one block of marked data after a note."""
    made = fit(value.model_dump(mode="json"))
    rest = {name: each for name, each in made.items() if name != "note"}
    text = json.dumps(rest, ensure_ascii=False)
    return ToolResult(content=f"{NOTE}\n\n{marked(text, secrets.token_hex(8))}", structured_content=made)


def in_one_sentence(tool: Callable[P, Awaitable[ToolResult]]) -> Callable[P, Awaitable[ToolResult]]:
    """The tool with the sentence and advice of our errors as its own error."""

    @functools.wraps(tool)
    async def wrapped(*args: P.args, **kwargs: P.kwargs) -> ToolResult:
        try:
            return await tool(*args, **kwargs)
        except InquestError as error:
            raise ToolError(fit(error.sentence), log_level=logging.INFO) from error

    return wrapped


class OneSentence(Middleware):
    """Refuses invalid arguments in one sentence."""

    async def on_call_tool(
        self, context: MiddlewareContext[CallToolRequestParams], call_next: CallNext[CallToolRequestParams, ToolResult]
    ) -> ToolResult:
        try:
            return await call_next(context)
        except (ValidationError, ArgumentErrors) as error:
            tool, found = context.message.name, error if isinstance(error, ArgumentErrors) else error.__cause__
            if not isinstance(found, ArgumentErrors):
                raise ToolError(f"The arguments of {tool} are invalid.") from error
            wrong = found.errors(include_url=False, include_input=False)[0]
            where = ".".join(str(part) for part in wrong["loc"]) or "an argument"
            raise ToolError(f"{tool}: `{where}` is invalid: {fault_of(wrong)}.") from error


_LONGEST = 200  # characters of a line of progress
_GRACE_SECONDS = 30.0  # the time for the partial reports of stopped cases when the server ends


class Running:
    """The running cases of one server. Each has a task of its own, because a cancelled call ends before the partial
    report is written."""

    def __init__(self) -> None:
        self._sessions: dict[asyncio.Task[Case], Session] = {}

    async def carry_out(self, session: Session, context: Context, *, answer: str = "", approve: bool) -> Case:
        """Run the case to its end, or to a plan that waits for a decision.

        `answer`: the answer to the waiting plan; `approve`: approve every plan.
        """
        lines: asyncio.Queue[Event | None] = asyncio.Queue()
        session.listen(lines.put_nowait)
        task = asyncio.create_task(_work(session, answer, approve, client_name(context)))
        self._sessions[task] = session
        task.add_done_callback(lambda done: self._ended(done, lines))
        try:
            step = 0
            while (event := await lines.get()) is not None:
                step += 1
                line = " ".join(str(fit(event.text)).split())
                shown = line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"
                await context.report_progress(step, None, shown)
            return task.result()
        except BaseException:  # cancelled, or the client is gone
            _stop(task, session)
            raise

    def _ended(self, task: asyncio.Task[Case], lines: asyncio.Queue[Event | None]) -> None:
        self._sessions.pop(task, None)
        lines.put_nowait(None)
        if not task.cancelled():
            task.exception()  # retrieved, because a cancelled call does not

    async def aclose(self) -> None:
        """Stop every running case, and wait a limited time for their reports."""
        sessions = dict(self._sessions)
        for task, session in sessions.items():
            _stop(task, session)
        if sessions:
            _, late = await asyncio.wait(sessions, timeout=_GRACE_SECONDS)
            for task in late:
                task.cancel()
            await asyncio.gather(*late, return_exceptions=True)


def _stop(task: asyncio.Task[Case], session: Session) -> None:
    """Stop the case with a partial report; before an approval, keep the plan alone."""
    if not task.done() and not session.stop():
        task.cancel()


async def _work(session: Session, answer: str, approve: bool, by: str) -> Case:
    words = iter([answer] if answer else [])  # further plans are approved, or wait

    async def answered(case: Case) -> Approval | None:
        given = next(words, "approve" if approve else "")
        return approval_from(given, case.plan, how="mcp", by=by) if given and case.plan else None

    async with session:
        return await session.run(answered)


def client_name(context: Context) -> str:
    """The name that the client gives itself."""
    about = context.session.client_params
    return fit(f"{about.client_info.name} (MCP)")[:100] if about else "an MCP client"
