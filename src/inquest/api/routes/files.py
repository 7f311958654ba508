"""Reports and exports of a case, and its deletion."""

from __future__ import annotations

import tempfile
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any

from anyio import to_thread
from fastapi import APIRouter, Query, Response
from fastapi.responses import FileResponse
from pydantic import Field
from starlette.background import BackgroundTask

from inquest.api.access import Editing, Investigating, Opened, SeenCase
from inquest.api.problems import problems
from inquest.api.shapes import Body, CaseCreated
from inquest.app.access.accounts import accounts_of
from inquest.app.cases.exporting import ENDINGS, Options, export
from inquest.app.desks.briefs import save_case
from inquest.app.service.deciding import remove_case
from inquest.domain.case import Case
from inquest.domain.languages import Language

router = APIRouter(prefix="/cases/{case_id}", tags=["reports and exports"])

_HTML_POLICY = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; frame-ancestors 'none'; sandbox"
"""A report is one page with its own styles; no script runs, whatever the title of a quoted page contains."""


Form = StrEnum("Form", "md html json pdf")
"""The forms of a report."""

_TYPES = {
    Form.md: "text/markdown; charset=utf-8",
    Form.html: "text/html; charset=utf-8",
    Form.json: "application/json",
    Form.pdf: "application/pdf",
}


ExportForm = StrEnum("ExportForm", "wacz warc json claimreview csv bibtex csl")
"""The forms of an export."""

_EXPORT_TYPES = {
    ExportForm.wacz: "application/wacz",
    ExportForm.warc: "application/warc",
    ExportForm.json: "application/json",
    ExportForm.claimreview: "application/ld+json",
    ExportForm.csv: "text/csv; charset=utf-8",
    ExportForm.bibtex: "application/x-bibtex; charset=utf-8",
    ExportForm.csl: "application/vnd.citationstyles.csl+json",
}


_BYTES = {"type": "string", "format": "binary"}
_JSON: dict[str, Any] = {"type": ["object", "array"]}
_OF_JSON = ("application/json", "application/ld+json", "application/vnd.citationstyles.csl+json")


class ExportQuery(Body):
    """Options of an export."""

    url: str = Field("", max_length=4_000, description="claimreview: the page that will publish the reviews")
    reviewer: str = Field("", max_length=500, description="claimreview: the organisation that publishes them")
    bom: bool = Field(False, description="csv: with the byte order mark by which Excel recognises UTF-8")


def _files(types: dict[Any, str]) -> dict[int | str, dict[str, Any]]:
    kinds = sorted({each.split(";")[0] for each in types.values()})
    content = {kind: {"schema": _JSON if kind in _OF_JSON else _BYTES} for kind in kinds}
    return {200: {"description": "The file.", "content": content}, **problems(404, 409)}


@router.get("/report", response_class=Response, responses=_files(_TYPES))
async def report(case: SeenCase, app: Opened, form: Form = Form.html, language: Language | None = None) -> Response:
    """The report, in `language` or that of the case. Every quote is first compared with its archived page again."""
    headers = {"Content-Disposition": f'inline; filename="{case.id}.{form.value}"'}
    if form is Form.html:
        headers["Content-Security-Policy"] = _HTML_POLICY
    return Response(await app.render(case, form.value, language), media_type=_TYPES[form], headers=headers)


@router.get("/export/{form}", response_class=Response, responses=_files(_EXPORT_TYPES))
async def exported(
    form: ExportForm, case: SeenCase, app: Opened, query: Annotated[ExportQuery, Query()]
) -> FileResponse:
    """All evidence as WACZ or WARC, the case as JSON, verdicts as ClaimReview, findings as CSV, references as BibTeX or
    CSL."""
    folder = await to_thread.run_sync(lambda: tempfile.TemporaryDirectory(prefix="inquest-"))
    try:
        target = Path(folder.name) / f"{case.id}{ENDINGS[form.value]}"
        await export(app, case, form.value, target, Options(query.url, query.reviewer, query.bom))
    except BaseException:
        folder.cleanup()
        raise
    return FileResponse(
        target, media_type=_EXPORT_TYPES[form], filename=target.name, background=BackgroundTask(folder.cleanup)
    )


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
