"""A new case: what is to be found out, and how far."""

from __future__ import annotations

from contextlib import AsyncExitStack
from typing import Annotated, Literal

from fastapi import Form, Response
from fastapi.responses import RedirectResponse
from starlette.datastructures import FormData, UploadFile

from inquest.api.uploads import kept_for_now
from inquest.app.access.ownership import require_collections, seen_collections, seen_topic, team_of
from inquest.app.cases.topic_records import topic_number
from inquest.app.pages.new_case import KINDS, CaseForm, asked_of, example, form_of, offers_of
from inquest.app.service.new_cases import AskTopic, Owner, open_new
from inquest.domain.brief import Mode
from inquest.domain.errors import InquestError
from inquest.domain.person import Person
from inquest.web.render import page
from inquest.web.routing import page_router
from inquest.web.visit import Visit, Working

router = page_router()

_MOST_FIELDS = 300
_SOURCES = {mode.value: mode.settings.source_limit for mode in Mode}


@router.get("/new")
async def form(visit: Working, kind: str = "inquiry", text: str = "") -> Response:
    """The form of one kind of case; `text` stands in it already."""
    given, _ = form_of({"kind": [kind if kind in KINDS else "inquiry"], "text": [text]})
    return await _form(visit, given)


@router.post("/new")
async def begin(visit: Working) -> Response:
    """Open the case, a report that is sent with it included; where something cannot be used, the form again with what
    was written and the reason."""
    async with visit.request.form(max_files=1, max_fields=_MOST_FIELDS) as sent:
        error: InquestError | None
        given, error = form_of(_fields(sent))
        if error is None:
            try:
                case = await _opened(visit, given, sent.get("report"))
            except InquestError as found:
                error = found
            else:
                return RedirectResponse(f"/cases/{case}", 303)
    return await _form(visit, given, error)


@router.post("/new/example")
async def begin_example(visit: Working, which: Annotated[Literal["inquiry", "claims", "topic"], Form()]) -> Response:
    """Open the bundled example, which needs no key and no network."""
    case = await example(visit.app, visit.works, which, owner_of(visit.person))
    return RedirectResponse(f"/cases/{case.id}", 303)


async def _opened(visit: Visit, given: CaseForm, report: object) -> str:
    async with AsyncExitStack() as stack:
        sent = isinstance(report, UploadFile) and report.filename
        path = await stack.enter_async_context(kept_for_now(report)) if sent else None  # type: ignore[arg-type]
        await require_collections(visit.app, visit.person, given.collections)
        new = asked_of(given, path)
        if isinstance(new.asked, AskTopic) and (number := topic_number(new.asked.topic)) is not None:
            await seen_topic(visit.app, visit.person, number)
        return (await open_new(visit.app, visit.works, new, owner_of(visit.person))).id


def _fields(sent: FormData) -> dict[str, list[str]]:
    return {name: [each for each in sent.getlist(name) if isinstance(each, str)] for name in sent}


def owner_of(person: Person) -> Owner:
    """Whose a case is that this person opens."""
    return Owner(by=person.name, team_id=team_of(person, None), sees_all=person.sees_all)


async def _form(visit: Visit, given: CaseForm, error: InquestError | None = None) -> Response:
    offers = offers_of(visit.app, await seen_collections(visit.app, visit.person))
    return page(
        visit, "new.html", status=422 if error else 200, given=given, offers=offers, sources=_SOURCES, error=error
    )
