"""What happens in a case, as it comes."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Any

from fastapi import APIRouter, Header, Query, Response
from pydantic import BaseModel
from sse_starlette import EventSourceResponse, ServerSentEvent

from inquest.api.access import SeenCase
from inquest.api.problems import problems
from inquest.api.shapes import EventPage
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
_LARGEST = 2**63 - 1
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
    after: Annotated[int, Query(ge=0, le=_LARGEST, description="only what came after this number")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000, description="of JSON: at most so many")] = 500,
    accept: Annotated[str, Header(max_length=500, include_in_schema=False)] = "",
    last_event_id: Annotated[str | None, Header(max_length=30, description="as EventSource sends it")] = None,
) -> Response:
    """The events of a case: as server-sent events until it has ended, or, with `Accept: application/json`, those that
    there are. Both begin after `after` or `Last-Event-ID`."""
    last = last_seen(last_event_id, after)
    if "application/json" in accept and "text/event-stream" not in accept:
        found, ended = await events_since(app, case, last, limit)
        page = {
            "events": [_shape(event) for event in found],
            "last": found[-1].id if found else last,
            "ended": ended,
        }
        content = json.dumps(page, ensure_ascii=False).encode(errors="backslashreplace")
        return Response(content, media_type="application/json", headers={"Cache-Control": "no-store"})
    await known_event(app, case, last)
    return EventSourceResponse(_stream(app, case, last), ping=PING_SECONDS)


class AgentEvents(BaseModel):
    """Events under the names of spec 000 §9.2, oldest first."""

    events: list[AgentEvent]


@router.get("/{case_id}/agent-events", response_model=AgentEvents, responses=problems(404))
async def agent_events(
    case: SeenCase,
    app: Opened,
    after: Annotated[int, Query(ge=0, le=_LARGEST, description="only what came after this number")] = 0,
    limit: Annotated[int, Query(ge=1, le=1000)] = 500,
) -> AgentEvents:
    """The events that desks' agents gave rise to, under the names of spec 000 §9.2."""
    found, _ = await events_since(app, case, after, limit)
    return AgentEvents(events=[AgentEvent(**each) for each in fit(agent_shapes(found))])


async def _stream(app: App, case: Case, last: int) -> AsyncIterator[ServerSentEvent]:
    async for event in (await app.events()).follow(case.id, after=last):
        data = json.dumps(_shape(event), ensure_ascii=True)
        yield ServerSentEvent(data=data, event=event.type.value, id=str(event.id))


def _shape(event: Event) -> dict[str, Any]:
    shaped: dict[str, Any] = fit(event.model_dump(mode="json"))
    return shaped


def last_seen(given: str | None, after: int) -> int:
    """The number of the last event that was seen: the `Last-Event-ID` of a stream that is taken up again, else `after`.
    Raises InputError."""
    if given is None:
        return after
    if not given.isascii() or not given.isdigit() or int(given) > _LARGEST:
        raise InputError("The Last-Event-ID is no number of an event.", advice="Leave it out to begin at the first.")
    return int(given)
