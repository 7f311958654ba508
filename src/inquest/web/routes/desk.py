"""The desk: signing in and out, the list of cases, the form for a new one, notices for open tabs, the colour theme."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import Form, Query, Request, Response
from fastapi.responses import RedirectResponse
from sse_starlette import EventSourceResponse, ServerSentEvent
from starlette.datastructures import FormData, UploadFile

from inquest.api.access import (
    COOKIE,
    Acting,
    CurrentPerson,
    Investigating,
    Opened,
    Reading,
    Serving,
    address_of,
    visible_case,
)
from inquest.api.routes.access import is_https, keep_session, sign_out
from inquest.api.shapes import kept_for_now
from inquest.app.access import accounts
from inquest.app.access.accounts import seen_collections
from inquest.app.cases.case_request import template as named
from inquest.app.cases.case_request import templates
from inquest.app.desks.briefs import prepare
from inquest.app.pages.desk_page import LiveCases, Wanted, desk_page
from inquest.app.pages.new_case import Sent, first_steps, offers_of, request_from, sent, sent_again, sent_by
from inquest.app.service.case_actions import open_brief, open_new, owner_of, require_seen
from inquest.app.wiring.resources import Resources
from inquest.domain.case import CaseKind, CaseStatus
from inquest.domain.errors import InquestError
from inquest.domain.person import Person
from inquest.domain.plan import Mode
from inquest.web.render import THEMES, inside, page, page_router, sign_in_page

router = page_router()


@router.get("/")
async def desk(visit: Reading, wanted: Annotated[Wanted, Query()]) -> Response:
    """Show the list of cases."""
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


async def _stream(app: Resources, cases: LiveCases, person: Person) -> AsyncIterator[ServerSentEvent]:
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
        shown = await accounts.sign_in(app, name, password, address=address_of(request))
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


From = Annotated[str, Query(alias="from", max_length=200)]
_MOST_FIELDS = 300
_SOURCES = {mode.value: mode.settings.source_limit for mode in Mode}


@router.get("/new")
async def form(
    visit: Investigating, kind: str = "inquiry", text: str = "", template: str = "", earlier: From = ""
) -> Response:
    """Show the form for one kind of case, filled with `text`, a template or an earlier case; audits redirect."""
    if earlier:
        case = await visible_case(earlier, visit.person, visit.app)
        given = sent_again(case)
        if case.kind is CaseKind.AUDIT:
            asked = {"again": case.id, "url": given["url"], "limit": given["limit"]}
            return RedirectResponse(f"/audit?{urlencode({name: each for name, each in asked.items() if each})}", 303)
        return await _form(visit, given)
    return await _form(visit, sent_by(named(template)) if template else sent({"kind": [kind], "text": [text]}))


@router.post("/new")
async def begin(visit: Investigating) -> Response:
    """Open the case, with an uploaded report if any, or show the form again with the input and the error."""
    async with visit.request.form(max_files=1, max_fields=_MOST_FIELDS, max_part_size=2 * 2**20) as form:
        given = sent(_fields(form))
        try:
            return RedirectResponse(f"/cases/{await _opened(visit, given, form.get('report'))}", 303)
        except InquestError as error:
            return await _form(visit, given, error)


@router.post("/new/example")
async def begin_example(
    visit: Investigating, which: Annotated[Literal["inquiry", "claims", "topic"], Form()]
) -> Response:
    """Open the bundled example, which needs no key and no network; its plan waits for approval."""
    brief = await prepare(visit.app, which)
    case = await open_brief(visit.app, visit.works, brief, owner_of(visit.person), approve=False)
    return RedirectResponse(f"/cases/{case.id}", 303)


async def _opened(visit: Acting, given: Sent, report: object) -> str:
    request, owner = request_from(given), owner_of(visit.person)
    async with AsyncExitStack() as stack:
        uploaded = isinstance(report, UploadFile) and report.filename
        path = await stack.enter_async_context(kept_for_now(report)) if uploaded else None  # type: ignore[arg-type]
        await require_seen(visit.app, visit.person, request)
        approve = bool(given["approve"])
        return (await open_new(visit.app, visit.works, request, owner, approve=approve, upload=path)).id


def _fields(form: FormData) -> dict[str, list[str]]:
    return {name: [each for each in form.getlist(name) if isinstance(each, str)] for name in form}


async def _form(visit: Acting, given: Sent, error: InquestError | None = None) -> Response:
    offers = offers_of(visit.app, await seen_collections(visit.app, visit.person))
    return page(
        visit,
        "new.html",
        status=422 if error else 200,
        given=given,
        offers=offers,
        sources=_SOURCES,
        error=error,
        first=await first_steps(visit.app),
        templates=templates().values(),
    )
