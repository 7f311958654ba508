"""The form for a new case."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Annotated, Literal
from urllib.parse import urlencode

from fastapi import Form, Query, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData, UploadFile

from inquest.api.access import Acting, Investigating, visible_case
from inquest.api.uploads import kept_for_now
from inquest.app.access.ownership import seen_collections
from inquest.app.cases.templates import template as named
from inquest.app.cases.templates import templates
from inquest.app.pages.new_case import Sent, example, first_steps, offers_of, request_from, sent, sent_again, sent_by
from inquest.app.service.new_cases import open_new, owner_of, require_seen
from inquest.domain.case import CaseKind
from inquest.domain.errors import InquestError
from inquest.domain.plan import Mode
from inquest.web.render import page, page_router

router = page_router()

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
    async with visit.request.form(max_files=1, max_fields=_MOST_FIELDS) as form:
        given = sent(_fields(form))
        try:
            return RedirectResponse(f"/cases/{await _opened(visit, given, form.get('report'))}", 303)
        except InquestError as error:
            return await _form(visit, given, error)


@router.post("/new/example")
async def begin_example(
    visit: Investigating, which: Annotated[Literal["inquiry", "claims", "topic"], Form()]
) -> Response:
    """Open the bundled example, which needs no key and no network."""
    case = await example(visit.app, visit.works, which, owner_of(visit.person))
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
