"""One stream of notices for all open tabs of a browser: that something happened, and in which case."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

from fastapi import Request, Response
from sse_starlette import EventSourceResponse, ServerSentEvent

from inquest.api.access import CurrentPerson
from inquest.api.state import Opened
from inquest.app.build import App
from inquest.app.pages.live import LiveCases
from inquest.domain.person import Person
from inquest.web.routing import page_router

router = page_router()

_PING_SECONDS = 15
_RETRY_MILLISECONDS = 1000


@router.get("/live")
async def live(request: Request, app: Opened, person: CurrentPerson) -> Response:
    """Notices without words: pages fetch anew what they show."""
    kept = request.app.state
    if not hasattr(kept, "live_cases"):
        kept.live_cases = LiveCases(app)
    return EventSourceResponse(_stream(app, kept.live_cases, person), ping=_PING_SECONDS)


async def _stream(app: App, cases: LiveCases, person: Person) -> AsyncIterator[ServerSentEvent]:
    async for notice in cases.follow(person):
        data = json.dumps({"case": notice.case_id, "type": notice.type})
        yield ServerSentEvent(data=data, id=str(notice.id), retry=_RETRY_MILLISECONDS)
