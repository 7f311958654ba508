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

_BEAT_SECONDS = 10
_RETRY_MILLISECONDS = 1000


@router.get("/live")
async def live(request: Request, app: Opened, person: CurrentPerson) -> Response:
    """Notices without words: pages fetch anew what they show."""
    kept = request.app.state
    if not hasattr(kept, "live_cases"):
        kept.live_cases = LiveCases(app)
    stream = _stream(app, kept.live_cases, person)
    return EventSourceResponse(stream, ping=_BEAT_SECONDS, ping_message_factory=_beat)


def _beat() -> ServerSentEvent:
    """That the line is open: where no beat comes, something on the way holds it up, and the page asks by itself."""
    return ServerSentEvent(event="beat", data="1")


async def _stream(app: App, cases: LiveCases, person: Person) -> AsyncIterator[ServerSentEvent]:
    async for notice in cases.follow(person):
        data = json.dumps({"case": notice.case_id, "type": notice.type})
        yield ServerSentEvent(data=data, id=str(notice.id), retry=_RETRY_MILLISECONDS)
