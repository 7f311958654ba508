"""Output of a case: reports, exports, links for readers without an account, and callbacks; and its deletion."""

from __future__ import annotations

import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Query, Request, Response
from fastapi.responses import FileResponse
from pydantic import BaseModel, Field
from starlette.background import BackgroundTask

from inquest.api.access import Acting, Editing, Investigating, Opened, SeenCase, root_of
from inquest.api.problems import problems
from inquest.api.shapes import Body, CaseCreated, Name, Number
from inquest.app.access.accounts import LONGEST_DAYS, USUAL_DAYS, accounts_of, add_share, revoke_share, shares_of
from inquest.app.callbacks.relay import outbox_of
from inquest.app.cases.reporting import FILES, Options, export, render
from inquest.app.desks.briefs import save_case
from inquest.app.service.case_actions import remove_case
from inquest.app.wiring.resources import Resources
from inquest.domain.case import Case
from inquest.domain.errors import NotFound
from inquest.domain.event import Delivery
from inquest.domain.languages import Language
from inquest.domain.person import Share

router = APIRouter(prefix="/cases/{case_id}", tags=["reports and exports"])

_HTML_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
"""A report is one page with its own styles; no script runs, whatever the title of a quoted page contains."""


Form = StrEnum("Form", "md html json pdf")  # the forms of a report
ExportForm = StrEnum("ExportForm", "wacz warc json claimreview csv bibtex csl")  # the forms of an export
MEDIA_TYPES = {
    "md": "text/markdown; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
    "pdf": "application/pdf",
    "sarif": "application/sarif+json",
    "wacz": "application/wacz",
    "warc": "application/warc",
    "claimreview": "application/ld+json",
    "csv": "text/csv; charset=utf-8",
    "bibtex": "application/x-bibtex; charset=utf-8",
    "csl": "application/vnd.citationstyles.csl+json",
}
_BYTES = {"type": "string", "format": "binary"}
_JSON: dict[str, Any] = {"type": ["object", "array"]}
_OF_JSON = ("json", "sarif", "claimreview", "csl")


def files_of(forms: type[StrEnum]) -> dict[int | str, dict[str, Any]]:
    """The OpenAPI declaration of files in these forms."""
    schemas = {MEDIA_TYPES[each].split(";")[0]: _JSON if each in _OF_JSON else _BYTES for each in forms}
    content = {kind: {"schema": schema} for kind, schema in sorted(schemas.items())}
    return {200: {"description": "The file.", "content": content}, **problems(404, 409)}


def shown_as(form: str, content: bytes, name: str) -> Response:
    """A report as a page or file that the browser shows."""
    headers = {"Content-Disposition": f'inline; filename="{name}.{form}"'}
    if form == "html":
        headers["Content-Security-Policy"] = _HTML_POLICY
    return Response(content, media_type=MEDIA_TYPES[form], headers=headers)


@router.get("/report", response_class=Response, responses=files_of(Form))
async def report(case: SeenCase, app: Opened, form: Form = Form.html, language: Language | None = None) -> Response:
    """The report, in `language` or that of the case. Every quote is first compared with its archived page again."""
    return shown_as(form.value, await render(app, case, form.value, language), case.id)


@router.get("/export/{form}", response_class=Response, responses=files_of(ExportForm))
async def exported(form: ExportForm, case: SeenCase, app: Opened, options: Annotated[Options, Query()]) -> FileResponse:
    """All evidence as WACZ or WARC, the case as JSON, verdicts as ClaimReview, findings as CSV, references as BibTeX or
    CSL."""
    return await file_of(app, case, form.value, options)


async def file_of(app: Resources, case: Case, form: str, options: Options, **headers: str) -> FileResponse:
    """The case's file in this form, to be downloaded. Raises as `export`."""
    folder = await to_thread.run_sync(lambda: tempfile.TemporaryDirectory(prefix="inquest-"))
    try:
        target = Path(folder.name) / f"{case.id}{FILES.get(form, '')}"
        await export(app, case, form, target, options)
    except BaseException:
        folder.cleanup()
        raise
    kind, done = MEDIA_TYPES[form], BackgroundTask(folder.cleanup)
    return FileResponse(target, media_type=kind, filename=target.name, headers=headers, background=done)


@router.delete("", status_code=204, responses=problems(404, 409))
async def delete(case: SeenCase, acting: Editing) -> None:
    """Delete the case with its events, recorded replies and the pages that no other case cites."""
    await remove_case(acting.app, case)
    app, by = acting.app, acting.person.name
    await (await accounts_of(app)).note("case deleted", case.id, by=by, at=app.clock.now())


@router.post("/save", responses=problems(404, 409))
async def save(case: SeenCase, acting: Investigating) -> CaseCreated:
    """Keep a market answer for longer than a day."""
    return created(await save_case(acting.app, case.id))


def created(case: Case) -> CaseCreated:
    """The addresses of a case and its events."""
    url = f"/api/v1/cases/{case.id}"
    return CaseCreated(case_id=case.id, kind=case.kind.value, status=case.status.value, url=url, events=f"{url}/events")


shares = APIRouter(prefix="/cases/{case_id}/shares", tags=["links for readers"])


class ShareBody(Body):
    """A link for readers."""

    name: Name = Field(examples=["the lawyers"])
    days: int = Field(USUAL_DAYS, ge=1, le=LONGEST_DAYS, description="until it expires")


class ShareShown(BaseModel):
    """A new link with its address, which is not shown again."""

    url: str = Field(examples=["https://inquest.example.org/shared/0f3..."])
    share: Share


class Shares(BaseModel):
    """Links without their addresses, newest first."""

    shares: list[Share]


@shares.get("", responses=problems(404))
async def list_shares(case: SeenCase, acting: Editing) -> Shares:
    """All links to the case, including expired and revoked ones."""
    return Shares(shares=await shares_of(acting.app, case))


@shares.post("", status_code=201, responses=problems(404, 409))
async def make_share(body: ShareBody, case: SeenCase, acting: Editing, request: Request) -> ShareShown:
    """Create a link to the report of this case and its evidence alone. Its address is only in this reply."""
    share, path = await add_share(acting.app, case, body.name, days=body.days, by=acting.person.name)
    return ShareShown(url=root_of(request, acting.app) + path, share=share)


@shares.delete("/{number}", responses=problems(404))
async def end_share(number: Number, case: SeenCase, acting: Editing) -> Share:
    """Revoke a link."""
    return await revoke_share(acting.app, case, number, by=acting.person.name)


callbacks = APIRouter(prefix="/cases/{case_id}/callbacks", tags=["callbacks"])


class CallbackList(BaseModel):
    """The receiver of a case's events, and every callback in order."""

    url: str | None = Field(description="null: no receiver")
    callbacks: list[Delivery]


class AgainBody(Body):
    """Keys of callbacks; null: those that failed."""

    keys: list[Annotated[str, Field(max_length=5_000)]] | None = Field(None, max_length=1000, examples=[["started"]])


class Again(BaseModel):
    """The number of callbacks sent again."""

    callbacks: int


@callbacks.get("", responses=problems(404))
async def callbacks_of(case: SeenCase, app: Opened) -> CallbackList:
    """The callbacks with the receiver's replies, and those still to be sent."""
    outbox = await outbox_of(app)
    target = await outbox.target(case.id)
    return CallbackList(url=target.url if target else None, callbacks=await outbox.deliveries(case.id))


@callbacks.post("/replay", status_code=202, responses=problems(404))
async def replay(body: AgainBody, case: SeenCase, acting: Editing) -> Again:
    """Send failed callbacks again, or those that the body names."""
    if await (await outbox_of(acting.app)).target(case.id) is None:
        raise NotFound(f"Case {case.id} has no callback receiver.", advice="Give callback_url when a case is opened.")
    return Again(callbacks=await send_again(acting, case.id, body.keys))


async def send_again(acting: Acting, case_id: str, keys: list[str] | None = None) -> int:
    """Send these callbacks of a case again, or those that failed; return their number."""
    now = acting.app.clock.now()
    many = await (await outbox_of(acting.app)).replay(case_id, keys, at=now)
    rows = await accounts_of(acting.app)
    await rows.note("callbacks sent again", f"{case_id[:100]}: {many}", by=acting.person.name, at=now)
    return many
