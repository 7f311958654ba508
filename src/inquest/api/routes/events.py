"""The events of a case: as a stream, as pages, or as the lines of a chat."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from pydantic import BaseModel
from sse_starlette import EventSourceResponse, ServerSentEvent

from inquest.api.access import Investigating, Opened, SeenCase
from inquest.api.problems import problems
from inquest.api.routes.cases import decide
from inquest.api.routes.looks import PageBody
from inquest.api.shapes import LARGEST, DecisionBody, DecisionTaken, EventPage
from inquest.app.nodes.sibyl_state import StreamEvent
from inquest.app.pages.event_lines import Grouped, message_of, summary_with_sources
from inquest.app.service.case_actions import web_address
from inquest.app.service.looking import agent_shapes, events_since, known_event
from inquest.app.tools.for_models import fit
from inquest.app.tools.reading import SourceAnalysis, analyse_source
from inquest.app.wiring.resources import Resources
from inquest.domain.case import Case
from inquest.domain.errors import InputError
from inquest.domain.event import Event, EventType

router = APIRouter(prefix="/cases", tags=["events"])

PING_SECONDS = 15
After = Annotated[int, Query(ge=0, le=LARGEST, description="only events after this number")]
LastEventId = Annotated[str | None, Header(max_length=30, description="as EventSource sends it")]


def _streamed(description: str, example: str) -> dict[int | str, dict[str, Any]]:
    content = {"text/event-stream": {"example": example}}
    return {200: {"description": description, "content": content}, **problems(404)}


_EVENTS = _streamed(
    "An endless stream, each with `id:`, `event:` and `data:`; or a page of JSON.",
    'id: 7\nevent: source_found\ndata: {"id": 7, "type": "source_found", "text": "..."}\n\n',
)
_CHAT = _streamed(
    "Lines of chat for the events, with markers in brackets, until the case ends.",
    "id: 4\nevent: message\ndata: [PLAN_APPROVAL_REQUIRED] The plan is ready.\n\n",
)


@router.get("/{case_id}/events", response_model=EventPage, responses=_EVENTS)
async def events(
    case: SeenCase,
    app: Opened,
    after: After = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="the maximum number of events in JSON")] = 500,
    accept: Annotated[str, Header(max_length=500, include_in_schema=False)] = "",
    last_event_id: LastEventId = None,
) -> Response:
    """The events of a case: as server-sent events until it ends, or, with `Accept: application/json`, those so far.
    Both begin after `after` or `Last-Event-ID`."""
    last = last_seen(last_event_id, after)
    if "application/json" in accept and "text/event-stream" not in accept:
        found, ended = await events_since(app, case, last, limit)
        page = {"events": list(map(_shape, found)), "last": found[-1].id if found else last, "ended": ended}
        content = json.dumps(page, ensure_ascii=False).encode(errors="backslashreplace")
        return Response(content, media_type="application/json", headers={"Cache-Control": "no-store"})
    await known_event(app, case, last)
    return EventSourceResponse(_stream(app, case, last), ping=PING_SECONDS)


class AgentEvents(BaseModel):
    """Events under the names of spec 000 §9.2, oldest first."""

    events: list[StreamEvent]


@router.get("/{case_id}/agent-events", responses=problems(404))
async def agent_events(
    case: SeenCase, app: Opened, after: After = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 500
) -> AgentEvents:
    """The events of the desks' agents, under the names of spec 000 §9.2."""
    found, _ = await events_since(app, case, after, limit)
    return AgentEvents.model_validate({"events": fit(agent_shapes(found))})


async def _stream(app: Resources, case: Case, last: int) -> AsyncIterator[ServerSentEvent]:
    async for event in (await app.events()).follow(case.id, after=last):
        data = json.dumps(_shape(event), ensure_ascii=True)
        yield ServerSentEvent(data=data, event=event.type.value, id=str(event.id))


def _shape(event: Event) -> dict[str, Any]:
    shaped: dict[str, Any] = fit(event.model_dump(mode="json"))
    return shaped


def last_seen(last_event_id: str | None, after: int) -> int:
    """The number of the last event received: the `Last-Event-ID` of a resumed stream, else `after`. Raises
    InputError."""
    if last_event_id is None:
        return after
    if not last_event_id.isascii() or not last_event_id.isdigit() or int(last_event_id) > LARGEST:
        raise InputError("Invalid Last-Event-ID: expected a number.", advice="Omit it to begin at the first event.")
    return int(last_event_id)


chat_router = APIRouter(tags=["chat"])
"""A case as a chat (spec 004): lines with the markers for a front end, and answers in words."""


class ChatReply(BaseModel):
    """The effect of a message."""

    decision: DecisionTaken


@chat_router.get("/cases/{case_id}/chat", response_class=EventSourceResponse, responses=_CHAT)
async def chat(case: SeenCase, app: Opened, after: After = 0, last_event_id: LastEventId = None) -> EventSourceResponse:
    """The case as lines of chat: progress, each source as it is analysed, and the markers `[PLAN_APPROVAL_REQUIRED]`,
    `[INVESTIGATION_STARTED]`, `[PROGRESS]`, `[TIMELINE_SKIPPED]`, `[INVESTIGATION_COMPLETE]` and the like."""
    last = last_seen(last_event_id, after)
    await known_event(app, case, last)
    return EventSourceResponse(_lines(app, case, last), ping=PING_SECONDS)


async def _lines(app: Resources, case: Case, after: int) -> AsyncIterator[ServerSentEvent]:
    grouped = Grouped()
    async for event in (await app.events()).follow(case.id, after=after):
        for group in grouped.add(event):
            text = message_of(group, app.titles)
            finished = event.type is EventType.CASE_FINISHED and event in group
            if finished and (summary := summary_with_sources(await app.case(case.id))):
                # The marker is the last line of the summary (spec 004).
                yield ServerSentEvent(data=summary, event="message")
            # A group without this event has no id, so that a client that continues from the last id receives it again.
            if text:
                yield ServerSentEvent(data=text, event="message", id=str(event.id) if event in group else None)


@chat_router.post("/cases/{case_id}/chat", status_code=202, responses=problems(404, 409))
async def say(body: DecisionBody, case: SeenCase, acting: Investigating) -> ChatReply:
    """Answer the plan in the chat: APPROVED, REJECT, or changes in words."""
    return ChatReply(decision=await decide(body, case, acting))


@chat_router.post("/sources/analyse", responses=problems(404, 424))
async def analyse(body: PageBody, acting: Investigating) -> SourceAnalysis:
    """Analyse a page as before planning (spec 004, `analyze_source_tool`)."""
    return await analyse_source(acting.app, web_address(body.url))
