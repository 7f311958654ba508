"""Audits of the citations of a text."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from datetime import datetime
from enum import StrEnum
from pathlib import Path
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Depends, Form, Query, Response, UploadFile
from pydantic import BaseModel, Field

from inquest.api.access import Acting, CurrentPerson, Investigating, Opened, visible_case
from inquest.api.problems import problems
from inquest.api.routes.outgoing import files_of, shown_as
from inquest.api.shapes import Body, kept_for_now
from inquest.app.cases.auditing import audit_json, audit_of, rendered
from inquest.app.cases.case_request import Address, AuditRequest, Short, WholeText, declared, request_of
from inquest.app.files import KINDS_READ
from inquest.app.service.case_actions import open_new, owner_of, remove_case
from inquest.app.service.dispatching import case_work
from inquest.app.service.looking import CaseQuery, list_cases
from inquest.app.tools.for_models import fit
from inquest.app.wiring.resources import Resources
from inquest.domain.case import Case, CaseKind, CaseStatus
from inquest.domain.errors import Conflict, NotFound
from inquest.domain.person import Person

router = APIRouter(prefix="/audits", tags=["audits"])


class AuditOptions(Body):
    """Options of an audit."""

    limit: int | None = declared(AuditRequest, "limit")
    again: Short = declared(AuditRequest, "again")


class AuditBody(AuditOptions):
    """The text to audit, or its address."""

    text: WholeText = declared(AuditRequest, "text")
    url: Address = declared(AuditRequest, "url")


class AuditUpload(AuditOptions):
    """A document to audit, sent with the request."""

    file: UploadFile = Field(description=f"the document: {KINDS_READ}")


class AuditLineShape(BaseModel):
    """An audit in a list."""

    audit_id: str = Field(examples=["20261121-7f3a12cd"])
    status: Literal["running", "completed", "partial", "cancelled", "failed"]
    what: str
    created_at: datetime
    by: str
    progress: str = Field(description="the present step, or why it failed")
    summary: str = Field(examples=["31 of 40 citations hold; 2 could not be checked."])
    url: str = Field(examples=["/api/v1/audits/20261121-7f3a12cd"])


class AuditShape(AuditLineShape):
    """An audit, with its result once it is completed."""

    audit: dict[str, Any] | None = Field(None, description="`inquest/audit/1`; null: not completed")


class AuditList(BaseModel):
    """Audits, newest first."""

    audits: list[AuditLineShape]


AuditForm = StrEnum("AuditForm", "md html json sarif")  # the forms of an audit


async def seen_audit(audit_id: str, person: CurrentPerson, app: Opened) -> Case:
    """The audit of the path, if the person may see it. Raises NotFound."""
    case = await visible_case(audit_id, person, app)
    if case.kind is not CaseKind.AUDIT:
        raise NotFound(f"The case {case.id} is not an audit.", advice="GET /api/v1/audits lists the audits.")
    return case


SeenAudit = Annotated[Case, Depends(seen_audit)]


@router.post("", status_code=202, responses=problems(404, 424))
async def begin_audit(body: AuditBody, acting: Investigating, response: Response) -> AuditLineShape:
    """Audit the citations of a text or page in a case of the kind `audit`: does each source exist, and does it say what
    is claimed? With `again`, the outcomes are compared with those of an earlier audit."""
    request = request_of(AuditRequest, body.model_dump())
    return await _begun(acting, request, response)


@router.post("/upload", status_code=202, responses=problems(404, 413, 415, 424))
async def begin_audit_of_upload(
    form: Annotated[AuditUpload, Form(media_type="multipart/form-data")], acting: Investigating, response: Response
) -> AuditLineShape:
    """Audit the citations of a document that is sent with the request."""
    async with kept_for_now(form.file) as path:
        request = request_of(AuditRequest, form.model_dump(include={"limit", "again"}))
        return await _begun(acting, request, response, path)


@router.get("", responses=problems())
async def list_audits(app: Opened, person: CurrentPerson) -> AuditList:
    """The audits that you may see, newest first."""
    return AuditList(audits=await audit_lines(app, person))


@router.get("/{audit_id}", responses=problems(404))
async def get_audit(
    case: SeenAudit,
    app: Opened,
    wait: Annotated[int, Query(ge=0, le=60, description="seconds to wait for its end")] = 0,
) -> AuditShape:
    """An audit with its progress, and its outcomes once it is completed."""
    if wait and not case.status.ended:
        with suppress(TimeoutError):
            async with asyncio.timeout(wait):
                async for _ in (await app.events()).follow(case.id):
                    pass
        case = await app.case(case.id)
    line, done = await audit_line(app, case), await audit_of(app, case)
    return AuditShape(**line.model_dump(), audit=fit(audit_json(done)) if done else None)


@router.get("/{audit_id}/report", response_class=Response, responses=files_of(AuditForm))
async def audit_report(case: SeenAudit, app: Opened, form: AuditForm = AuditForm.html) -> Response:
    """The audit as Markdown, as a page with the text marked sentence by sentence, as JSON, or as SARIF."""
    done = await audit_of(app, case)
    if done is None:
        raise Conflict(f"The audit {case.id} is {case.status.value}.", advice="Ask again once it is completed.")
    content = rendered(done, form.value).encode(errors="backslashreplace")
    return shown_as(form.value, content, f"audit-{case.id}")


@router.delete("/{audit_id}", status_code=204, responses=problems(404, 409))
async def remove_audit(case: SeenAudit, acting: Investigating) -> None:
    """Delete an audit, and stop it if it is running."""
    if not case.status.ended:
        await acting.works.cancel(case.id, report=False)
    await remove_case(acting.app, await acting.app.case(case.id))


async def audit_lines(app: Resources, person: Person) -> list[AuditLineShape]:
    """The lines of the audits that the person may see, newest first."""
    lines, _ = await list_cases(app, person, CaseQuery(kind=[CaseKind.AUDIT]))
    return [await audit_line(app, await app.case(each.case_id), each.by or "") for each in lines]


async def audit_line(app: Resources, case: Case, by: str | None = None) -> AuditLineShape:
    """The line of an audit in a list."""
    if by is None:
        owner = await (await case_work(app)).owner(case.id)
        by = owner[1] if owner else ""
    status = case.status.value if case.status.ended else CaseStatus.RUNNING.value
    progress = case.why if case.audit is None else ""
    if status == "running":
        events = await app.events_of(case.id)
        progress = events[-1].text if len(events) > 1 else "Waiting for its turn."
    return AuditLineShape(
        **fit({"what": case.brief.text, "by": by, "progress": progress, "status": status}),
        audit_id=case.id,
        summary=case.audit.summary if case.audit else "",
        created_at=case.created_at,
        url=f"/api/v1/audits/{case.id}",
    )


async def _begun(
    acting: Acting, request: AuditRequest, response: Response, upload: Path | None = None
) -> AuditLineShape:
    case = await open_new(acting.app, acting.works, request, owner_of(acting.person), upload=upload)
    shown = await audit_line(acting.app, case, acting.person.name)
    response.headers["Location"] = shown.url
    return shown
