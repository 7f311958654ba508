"""Audits: whether the citations of a text hold."""

from __future__ import annotations

from datetime import datetime
from enum import StrEnum
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Form, Query, Response, UploadFile
from pydantic import BaseModel, Field

from inquest.api.access import Acting, CurrentPerson, Investigating
from inquest.api.problems import problems
from inquest.api.shapes import Body
from inquest.api.state import Opened, Serving
from inquest.api.uploads import kept_for_now
from inquest.app.cases.case_request import Address
from inquest.app.files import KINDS_READ
from inquest.app.service.audits import AuditLine
from inquest.app.service.new_cases import web_address
from inquest.app.tools.auditing import AuditRequest, document_of, opened_text, rendered
from inquest.app.tools.for_models import fit
from inquest.domain.errors import Conflict, InputError

router = APIRouter(prefix="/audits", tags=["audits"])

Limit = Annotated[int | None, Field(ge=1, le=100_000, description="the first so many citations; null: all")]


class AuditBody(Body):
    """The text whose citations are to be audited, or its address."""

    text: Annotated[str, Field(max_length=1_000_000)] = Field(
        "",
        description="Markdown, HTML or plain text",
        examples=["The fine was 150,000 euros [1].\n\n1. https://example.org"],
    )
    url: Address = Field("", description="instead of `text`: the address of a page or document", examples=[""])
    limit: Limit = None


class AuditUpload(Body):
    """A document, sent with the request."""

    file: UploadFile = Field(description=f"the document; read are {KINDS_READ}")
    limit: Limit = None


class AuditLineShape(BaseModel):
    """An audit as a list shows it."""

    audit_id: str = Field(examples=["5f2c9d0a1b7e4c33"])
    status: Literal["running", "completed", "cancelled", "failed"]
    what: str
    created_at: datetime
    by: str
    progress: str = Field(description="what is being done; of one that failed, why")
    summary: str = Field(examples=["31 of 40 citations hold; 2 could not be checked."])
    url: str = Field(examples=["/api/v1/audits/5f2c9d0a1b7e4c33"])


class AuditShape(AuditLineShape):
    """An audit, and once it is completed what it came to."""

    audit: dict[str, Any] | None = Field(None, description="`inquest/audit/1`; null: not completed")


class AuditList(BaseModel):
    """Audits, newest first."""

    audits: list[AuditLineShape]


class AuditForm(StrEnum):
    """The forms of an audit."""

    md = "md"
    html = "html"
    json = "json"
    sarif = "sarif"


TYPES = {
    AuditForm.md: "text/markdown; charset=utf-8",
    AuditForm.html: "text/html; charset=utf-8",
    AuditForm.json: "application/json",
    AuditForm.sarif: "application/sarif+json",
}
_POLICY = "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox"


@router.post("", status_code=202, response_model=AuditLineShape, responses=problems(424))
async def begin_audit(body: AuditBody, acting: Investigating, serving: Serving, response: Response) -> AuditLineShape:
    """Audit the citations of a text or page: does each source exist, and does it say so? The audit is at work until it
    is completed or removed."""
    return await _begun(acting, serving, request_for(body.text, body.url, body.limit), response)


@router.post("/upload", status_code=202, response_model=AuditLineShape, responses=problems(413, 415, 424))
async def begin_audit_of_upload(
    form: Annotated[AuditUpload, Form(media_type="multipart/form-data")],
    acting: Investigating,
    serving: Serving,
    response: Response,
) -> AuditLineShape:
    """The same for a document that is sent with the request."""
    async with kept_for_now(form.file) as path:
        return await _begun(acting, serving, AuditRequest(str(path), limit=form.limit, name=path.name), response)


@router.get("", response_model=AuditList, responses=problems())
async def list_audits(app: Opened, person: CurrentPerson, serving: Serving) -> AuditList:
    """The audits that you may see, newest first. They are kept for 30 days."""
    return AuditList(audits=[AuditLineShape(**_shown(each)) for each in await serving.audits.listed(app, person)])


@router.get("/{audit_id}", response_model=AuditShape, responses=problems(404))
async def get_audit(
    audit_id: str,
    app: Opened,
    person: CurrentPerson,
    serving: Serving,
    wait: Annotated[int, Query(ge=0, le=60, description="seconds to wait for its end")] = 0,
) -> AuditShape:
    """How far it is, and its outcomes once it is completed."""
    line = await serving.audits.seen(app, person, audit_id, wait=wait)
    done = await serving.audits.result(app, line)
    return AuditShape(**_shown(line), audit=fit(document_of(done)) if done else None)


@router.get(
    "/{audit_id}/report",
    response_class=Response,
    responses={
        200: {
            "description": "The file.",
            "content": {
                each.split(";")[0]: {"schema": {"type": "string", "format": "binary"}} for each in TYPES.values()
            },
        },
        **problems(404, 409),
    },
)
async def audit_report(
    audit_id: str, app: Opened, person: CurrentPerson, serving: Serving, form: AuditForm = AuditForm.html
) -> Response:
    """The audit as Markdown, as a page with the text marked sentence by sentence, as JSON, or as SARIF."""
    line = await serving.audits.seen(app, person, audit_id)
    done = await serving.audits.result(app, line)
    if done is None:
        raise Conflict(f"The audit {line.id} is {line.status}.", advice="Ask again once it is completed.")
    headers = {"Content-Disposition": f'inline; filename="audit-{line.id}.{form.value}"'}
    if form is AuditForm.html:
        headers["Content-Security-Policy"] = _POLICY
    content = rendered(done, form.value).encode(errors="backslashreplace")
    return Response(content, media_type=TYPES[form], headers=headers)


@router.delete("/{audit_id}", status_code=204, responses=problems(404))
async def remove_audit(audit_id: str, acting: Investigating, serving: Serving) -> None:
    """Forget an audit; one at work is stopped."""
    await serving.audits.remove(acting.app, acting.person, audit_id)


def request_for(text: str, url: str, limit: int | None = None) -> AuditRequest:
    """The request of a client, which names no file of this machine. Raises InputError."""
    if bool(text.strip()) == bool(url.strip()):
        raise InputError(
            "Invalid audit: expected either a text or an address.", advice="Give one of the two.", field="text"
        )
    if url.strip():
        return AuditRequest(web_address(url.strip()), limit=limit)
    title = next(line for line in text.splitlines() if line.strip()).strip(" #*")
    return AuditRequest(title[:120] or "text", text, limit)


async def _begun(acting: Acting, serving: Serving, request: AuditRequest, response: Response) -> AuditLineShape:
    opened = await opened_text(acting.app, request)
    shown = _shown(await serving.audits.begin(acting.app, opened, acting.person))
    response.headers["Location"] = shown["url"]
    return AuditLineShape(**shown)


def _shown(line: AuditLine) -> dict[str, Any]:
    shown: dict[str, Any] = fit(line.model_dump(exclude={"id", "at", "team_id"}))
    return {**shown, "audit_id": line.id, "created_at": line.at, "url": f"/api/v1/audits/{line.id}"}
