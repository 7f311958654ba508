"""A case as a chat (spec 004): lines with the markers for a front end, and answers in words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

from fastapi import APIRouter
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from inquest.api.access import Investigating, SeenCase
from inquest.api.problems import problems
from inquest.api.routes.cases import decide
from inquest.api.routes.events import PING_SECONDS, After, LastEventId, last_seen
from inquest.api.shapes import Body, DecisionBody, DecisionTaken
from inquest.api.state import Opened
from inquest.app.build import App
from inquest.app.cases.case_request import Address
from inquest.app.service.chatting import Grouped, SourceAnalysis, analyse_source, message_of, summary_with_sources
from inquest.app.service.looking import known_event
from inquest.app.service.new_cases import web_address
from inquest.domain.case import Case
from inquest.domain.event import EventType

router = APIRouter(tags=["chat"])

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "Lines of chat for the events, with markers in brackets, until the case ends.",
        "content": {
            "text/event-stream": {
                "example": "id: 4\nevent: message\ndata: [PLAN_APPROVAL_REQUIRED] The plan is ready.\n\n",
            }
        },
    },
    **problems(404),
}


class SourceBody(Body):
    """A page to analyse before planning."""

    url: Address = Field(examples=["https://www.example.org/2026/calder-stone-fined"])


class ChatReply(BaseModel):
    """The effect of a message."""

    decision: DecisionTaken


@router.get("/cases/{case_id}/chat", response_class=EventSourceResponse, responses=_STREAM)
async def chat(
    case: SeenCase,
    app: Opened,
    after: After = 0,
    last_event_id: LastEventId = None,
) -> EventSourceResponse:
    """The case as lines of chat: progress, each source as it is analysed, and the markers `[PLAN_APPROVAL_REQUIRED]`,
    `[INVESTIGATION_STARTED]`, `[PROGRESS]`, `[TIMELINE_SKIPPED]`, `[INVESTIGATION_COMPLETE]` and the like."""
    last = last_seen(last_event_id, after)
    await known_event(app, case, last)
    return EventSourceResponse(_lines(app, case, last), ping=PING_SECONDS)


async def _lines(app: App, case: Case, after: int) -> AsyncIterator[ServerSentEvent]:
    grouped = Grouped()
    async for event in (await app.events()).follow(case.id, after=after):
        for group in grouped.add(event):
            text = message_of(group)
            finished = event.type is EventType.CASE_FINISHED and event in group
            if finished and (summary := summary_with_sources(await app.case(case.id))):
                # The marker is the last line of the summary (spec 004).
                yield ServerSentEvent(data=summary, event="message")
            # A group without this event has no id, so that a client that continues from the last id receives it again.
            if text:
                yield ServerSentEvent(data=text, event="message", id=str(event.id) if event in group else None)


@router.post("/cases/{case_id}/chat", status_code=202, response_model=ChatReply, responses=problems(404, 409))
async def say(body: DecisionBody, case: SeenCase, acting: Investigating) -> ChatReply:
    """Answer the plan in the chat: APPROVED, REJECT, or changes in words."""
    return ChatReply(decision=await decide(body, case, acting))


@router.post("/sources/analyse", response_model=SourceAnalysis, responses=problems(404, 424))
async def analyse(body: SourceBody, acting: Investigating) -> SourceAnalysis:
    """Analyse a page as before planning (spec 004, `analyze_source_tool`)."""
    return await analyse_source(acting.app, web_address(body.url))
