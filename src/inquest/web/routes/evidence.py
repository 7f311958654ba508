"""Evidence: the archived page with the quote marked, as text and as drawn PDF pages; report and exports of a case."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Annotated

from fastapi import Query, Response

from inquest.api.access import SeenCase
from inquest.api.state import Opened
from inquest.app.cases.exporting import exported_file
from inquest.app.pages.evidence_page import EvidencePage, From, drawn_page, evidence_page
from inquest.web.render import HEADERS, page
from inquest.web.routing import page_router
from inquest.web.visit import Visit, Visiting

router = page_router()

Place = Annotated[int | None, Query(ge=0, le=2**31)]


@router.get("/cases/{case_id}/evidence/{finding_id}")
async def finding(visit: Visiting, case: SeenCase, finding_id: str) -> Response:
    """Show the page of a finding with its quote marked."""
    return _shown(visit, await evidence_page(visit.app, case, finding_id=finding_id))


@router.get("/cases/{case_id}/source/{source_id}")
async def source(visit: Visiting, case: SeenCase, source_id: str, page: Place = None, at: Place = None) -> Response:
    """Show an archived source with its findings, from a page of a PDF or an offset in its text."""
    return _shown(visit, await evidence_page(visit.app, case, source_id=source_id, start=From(page, at)))


@router.get("/cases/{case_id}/drawn/{source_id}/{number}.png")
async def drawn(
    app: Opened,
    case: SeenCase,
    source_id: str,
    number: int,
    finding: Annotated[str, Query(max_length=200)] = "",
) -> Response:
    """Draw a page of a PDF with the quote of the finding marked."""
    image = await drawn_page(app, case, source_id, number, finding)
    return Response(image, media_type="image/png", headers={**HEADERS, "Cache-Control": "private, max-age=3600"})


def _shown(visit: Visit, found: EvidencePage) -> Response:
    return page(visit, "evidence.html", found=found, case=found.case)


_STYLE = re.compile(r"<style>(.*?)</style>", re.S)


@router.get("/cases/{case_id}/report")
async def report(case: SeenCase, app: Opened) -> Response:
    """Show the printable report. The content security policy names its style sheet by hash."""
    content = await app.render(case, "html")
    sheets = _STYLE.findall(content.decode())
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in sheets
    )
    policy = f"default-src 'none'; style-src {hashes}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return Response(content, media_type="text/html", headers={**HEADERS, "Content-Security-Policy": policy})


@router.get("/cases/{case_id}/export/{form}")
async def export(case: SeenCase, app: Opened, form: str) -> Response:
    """Download an export: report, evidence archive, verdicts, findings or references."""
    name, content = await exported_file(app, case, form)
    headers = {**HEADERS, "Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type="application/octet-stream", headers=headers)
