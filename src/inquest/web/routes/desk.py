"""The desk: signing in and out, the list of cases, the stream of notices for open tabs, and the colour theme."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Annotated, Literal

from fastapi import Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from pydantic import BaseModel, Field
from sse_starlette import EventSourceResponse, ServerSentEvent

from inquest.api.access import COOKIE, CurrentPerson, Opened, Reading, Serving, address_of
from inquest.api.routes.access import is_https, keep_session, sign_out
from inquest.app.access import accounts
from inquest.app.access.ownership import seen_collections
from inquest.app.build import App
from inquest.app.pages.desk_page import LiveCases, Wanted, desk_page
from inquest.app.pages.new_case import first_steps
from inquest.domain.case import CaseKind, CaseStatus
from inquest.domain.editorial import DeskStatus
from inquest.domain.errors import InquestError
from inquest.domain.person import Person
from inquest.web.render import THEMES, inside, page, page_router, sign_in_page

router = page_router()


class DeskFilter(BaseModel):
    """The filter of the list."""

    q: Annotated[str, Field(max_length=200)] = ""
    kind: CaseKind | Literal[""] = ""
    status: CaseStatus | Literal[""] = ""
    sort: Literal["newest", "cost", "contradicted"] = "newest"
    after: Annotated[str, Field(max_length=500)] = ""
    assigned: Annotated[str, Field(max_length=200)] = ""
    desk_status: DeskStatus | Literal[""] = ""
    mentioned: bool = False


@router.get("/")
async def desk(visit: Reading, asked: Annotated[DeskFilter, Query()]) -> Response:
    """Show the list of cases."""
    wanted = Wanted(words=asked.q, **asked.model_dump(mode="json", exclude={"q"}))
    shown = await desk_page(visit.app, visit.person, wanted)
    first = None if shown.rows or wanted != Wanted() else await first_steps(visit.app)
    own = await seen_collections(visit.app, visit.person) if first else []
    kinds, statuses = list(CaseKind), list(CaseStatus)
    return page(visit, "desk.html", desk=shown, kinds=kinds, statuses=statuses, first=first, own=own)


@router.post("/theme")
async def theme(look: Annotated[str, Form()] = "", back: Annotated[str, Form()] = "/") -> Response:
    """Set the theme: light, dark, or that of the system."""
    reply = RedirectResponse(inside(back), 303)
    if look in THEMES:
        reply.set_cookie("theme", look, max_age=31_536_000, samesite="lax", httponly=True)
    else:
        reply.delete_cookie("theme")
    return reply


_BEAT_SECONDS = 10
_RETRY_MILLISECONDS = 1000


@router.get("/live")
async def live(request: Request, app: Opened, person: CurrentPerson) -> Response:
    """Stream notices of changes, after which pages fetch their content again."""
    kept = request.app.state
    if not hasattr(kept, "live_cases"):
        kept.live_cases = LiveCases(app)
    stream = _stream(app, kept.live_cases, person)
    return EventSourceResponse(stream, ping=_BEAT_SECONDS, ping_message_factory=_beat)


def _beat() -> ServerSentEvent:
    """Return a heartbeat; without one, for example behind a buffering proxy, the page polls."""
    return ServerSentEvent(event="beat", data="1")


async def _stream(app: App, cases: LiveCases, person: Person) -> AsyncIterator[ServerSentEvent]:
    async for notice in cases.follow(person):
        data = json.dumps({"case": notice.case_id, "type": notice.type})
        yield ServerSentEvent(data=data, id=str(notice.id), retry=_RETRY_MILLISECONDS)


@router.post("/sign-in")
async def enter(
    request: Request,
    serving: Serving,
    name: Annotated[str, Form(max_length=200)],
    password: Annotated[str, Form(max_length=1024)],
    back: Annotated[str, Form(max_length=2000)] = "/",
) -> Response:
    """Open a session, or show the form again with the error."""
    app = serving.app
    try:
        shown = await accounts.sign_in(app, serving.passwords, name, password, address=address_of(request))
    except InquestError as error:
        return sign_in_page(request, back, error, name)
    response = RedirectResponse(inside(back), 303)
    keep_session(response, shown, secure=is_https(request, app.settings.public_url))
    return response


@router.post("/sign-out")
async def leave(visit: Reading) -> Response:
    """End the session."""
    response = RedirectResponse("/", 303)
    await sign_out(visit.person, visit.app, response)
    response.delete_cookie(COOKIE, path="/")
    return response
