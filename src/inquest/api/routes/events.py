"""The events of a case, as a stream or as pages."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from pydantic import BaseModel
from sse_starlette import EventSourceResponse, ServerSentEvent

from inquest.api.access import SeenCase
from inquest.api.problems import problems
from inquest.api.shapes import LARGEST, EventPage
from inquest.api.state import Opened
from inquest.app.build import App
from inquest.app.service.looking import agent_shapes, events_since, known_event
from inquest.app.tools.for_models import fit
from inquest.domain.case import Case
from inquest.domain.errors import InputError
from inquest.domain.event import Event


class AgentEvent(BaseModel):
    """One event of an agent."""

    event_type: str
    agent_name: str
    data: dict[str, Any]
    timestamp: str


router = APIRouter(prefix="/cases", tags=["events"])

PING_SECONDS = 15
After = Annotated[int, Query(ge=0, le=LARGEST, description="only events after this number")]
LastEventId = Annotated[str | None, Header(max_length=30, description="as EventSource sends it")]
_DECLARED: dict[int | str, dict[str, Any]] = {
    200: {
        "description": "An endless stream, each with `id:`, `event:` and `data:`; or a page of JSON.",
        "content": {
            "text/event-stream": {
                "example": 'id: 7\nevent: source_found\ndata: {"id": 7, "type": "source_found", "text": "..."}\n\n',
            }
        },
    },
    **problems(404),
}


@router.get("/{case_id}/events", response_model=EventPage, responses=_DECLARED)
async def events(
    case: SeenCase,
    app: Opened,
    after: After = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="the maximum number of events in JSON")] = 500,
    accept: Annotated[str, Header(max_length=500, include_in_schema=False)] = "",
    last_event_id: LastEventId = None,
) -> Response:
    """The events of a case: as server-sent events until it ends, or, with `Accept: application/json`, the present ones.
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

    events: list[AgentEvent]


@router.get("/{case_id}/agent-events", response_model=AgentEvents, responses=problems(404))
async def agent_events(
    case: SeenCase, app: Opened, after: After = 0, limit: Annotated[int, Query(ge=1, le=1000)] = 500
) -> AgentEvents:
    """The events of the desks' agents, under the names of spec 000 §9.2."""
    found, _ = await events_since(app, case, after, limit)
    return AgentEvents(events=[AgentEvent(**each) for each in fit(agent_shapes(found))])


async def _stream(app: App, case: Case, last: int) -> AsyncIterator[ServerSentEvent]:
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
