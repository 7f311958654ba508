"""A case as a chat (spec 004): its lines with the markers that a front end listens for, and answers in words."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from inquest.api.access import CurrentPerson, Investigating, SeenCase
from inquest.api.problems import problems
from inquest.api.routes.events import PING_SECONDS, last_seen
from inquest.api.shapes import Body, DecisionBody, DecisionTaken
from inquest.api.state import Opened
from inquest.app.build import App
from inquest.app.cases.case_request import Address
from inquest.app.service.chatting import Grouped, SourceAnalysis, analyse_source, message_of, summary_text
from inquest.app.service.deciding import answer
from inquest.app.service.looking import known_event
from inquest.app.service.new_cases import web_address
from inquest.domain.case import Case
from inquest.domain.event import EventType

router = APIRouter(tags=["chat"])

_STREAM: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "A line of chat for each event that has one, with its marker in brackets, until the case ends.",
        "content": {
            "text/event-stream": {
                "example": "id: 4\nevent: message\ndata: [PLAN_APPROVAL_REQUIRED] The plan is ready.\n\n",
            }
        },
    },
    **problems(404),
}


class SourceAsked(Body):
    """A page that the user names before there is a plan."""

    url: Address = Field(examples=["https://www.example.org/2026/calder-stone-fined"])


class Said(BaseModel):
    """What became of the message."""

    decision: DecisionTaken


@router.get("/cases/{case_id}/chat", response_class=EventSourceResponse, responses=_STREAM)
async def chat(
    case: SeenCase,
    app: Opened,
    after: Annotated[int, Query(ge=0, le=2**63 - 1, description="only what came after this number")] = 0,
    last_event_id: Annotated[str | None, Header(max_length=30, description="as EventSource sends it")] = None,
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
            if event.type is EventType.CASE_FINISHED and event in group:
                # The marker is the last line of the summary (spec 004).
                summary = summary_text(await app.case(case.id))
                if summary:
                    yield ServerSentEvent(data=summary, event="message")
            # A group that another event completes has no id, so that whoever goes on from the last has it again.
            if text:
                yield ServerSentEvent(data=text, event="message", id=str(event.id) if event in group else None)


@router.post("/cases/{case_id}/chat", status_code=202, response_model=Said, responses=problems(404, 409))
async def say(body: DecisionBody, case: SeenCase, acting: Investigating) -> Said:
    """Answer the plan in the chat: APPROVED, REJECT, or what to change in words."""
    taken = await answer(acting.app, acting.works, case, body.said, by=acting.person.name)
    return Said(decision=DecisionTaken(case_id=case.id, **taken.model_dump(exclude={"how"})))


@router.post("/sources/analyse", response_model=SourceAnalysis, responses=problems(404, 424))
async def analyse(body: SourceAsked, person: CurrentPerson, acting: Investigating) -> SourceAnalysis:
    """Analyse a page that the user names, as it is done before a plan is made (spec 004, `analyze_source_tool`)."""
    return await analyse_source(acting.app, web_address(body.url))
