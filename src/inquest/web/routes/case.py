"""A case: one URL per tab, the archived pages with their quotes marked, its report and exports."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Annotated

from fastapi import Query, Response
from fastapi.responses import RedirectResponse

from inquest.api.access import Acting, Opened, Reading, SeenCase
from inquest.app.cases.exporting import exported_file
from inquest.app.pages.case_page import TABS, case_page
from inquest.app.pages.evidence_page import EvidencePage, From, drawn_page, evidence_page
from inquest.domain.case import CaseKind
from inquest.domain.errors import NotFound
from inquest.web.render import HEADERS, case_reply, page, page_router
from inquest.web.words import words

router = page_router()

Place = Annotated[int | None, Query(ge=0, le=2**31)]


@router.get("/cases/{case_id}/evidence/{finding_id}")
async def finding(visit: Reading, case: SeenCase, finding_id: str) -> Response:
    """Show the page of a finding with its quote marked."""
    return _shown(visit, await evidence_page(visit.app, case, finding_id=finding_id))


@router.get("/cases/{case_id}/source/{source_id}")
async def source(visit: Reading, case: SeenCase, source_id: str, page: Place = None, at: Place = None) -> Response:
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


def _shown(visit: Acting, found: EvidencePage) -> Response:
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


Year = Annotated[int | None, Query(ge=1, le=9999)]
Month = Annotated[int | None, Query(ge=1, le=12)]


@router.get("/cases/{case_id}")
async def summary(visit: Reading, case: SeenCase) -> Response:
    """Show the summary, or the progress until there is one; audits have their own page."""
    if case.kind is CaseKind.AUDIT:
        return RedirectResponse(f"/audit/{case.id}", 303)
    shown = await case_page(visit.app, case, visit.person, "summary")
    return case_reply(visit.request, visit.app, "tab_summary.html", shown, person=visit.person, tab="summary")


@router.get("/cases/{case_id}/{tab}")
async def tab(visit: Reading, case: SeenCase, tab: str, year: Year = None, month: Month = None) -> Response:
    """Show a tab of the case; the timeline can be limited to a year or month. Raises NotFound."""
    if tab not in TABS:
        raise NotFound(words().error.no_page, advice=words().error.no_page_advice)
    shown = await case_page(visit.app, case, visit.person, tab)
    more = {"person": visit.person, "tab": tab, "year": year, "month": month}
    return case_reply(visit.request, visit.app, f"tab_{tab}.html", shown, **more)
