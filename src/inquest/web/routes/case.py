"""A case: one URL per tab, archived pages with quotes marked, report and exports, and links for readers."""

from __future__ import annotations

import base64
import hashlib
import re
from typing import Annotated

from fastapi import Form, Path, Query, Request, Response
from fastapi.responses import RedirectResponse

from inquest.api.access import Acting, Editing, Opened, Reading, SeenCase, root_of
from inquest.api.routes.outgoing import file_of
from inquest.app.access import accounts
from inquest.app.cases.reporting import Options, render
from inquest.app.pages.case_page import TABS, case_page, shared_page, title_of
from inquest.app.pages.evidence_page import EvidencePage, From, drawn_page, evidence_page
from inquest.domain.case import Case, CaseKind
from inquest.domain.errors import InputError, NotFound, TooManyRequests
from inquest.web.render import HEADERS, case_reply, page, page_router, reply, words

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
    app: Opened, case: SeenCase, source_id: str, number: int, finding: Annotated[str, Query(max_length=200)] = ""
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
    content = await render(app, case, "html")
    sheets = _STYLE.findall(content.decode())
    hashes = " ".join(
        f"'sha256-{base64.b64encode(hashlib.sha256(each.encode()).digest()).decode()}'" for each in sheets
    )
    policy = f"default-src 'none'; style-src {hashes}; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    return Response(content, media_type="text/html", headers={**HEADERS, "Content-Security-Policy": policy})


@router.get("/cases/{case_id}/export/{form}")
async def export(case: SeenCase, app: Opened, form: str) -> Response:
    """Download an export: report, evidence archive, verdicts, findings or references."""
    return await file_of(app, case, form, Options(), **HEADERS)


Number = Annotated[int, Path(ge=1, le=2**63 - 1)]
Secret = Annotated[str, Path(max_length=100)]
_FOR_READERS = {"X-Robots-Tag": "noindex, nofollow, noarchive", "Referrer-Policy": "no-referrer"}
"""Keep search engines from indexing the page, and the link from the Referer header."""


@router.get("/cases/{case_id}/share")
async def shares(case: SeenCase, visit: Editing) -> Response:
    """Show the links to a case."""
    return await _shares(visit, case)


@router.post("/cases/{case_id}/share")
async def share(
    case: SeenCase,
    visit: Editing,
    name: Annotated[str, Form(max_length=200)] = "",
    days: Annotated[int, Form(ge=1, le=accounts.LONGEST_DAYS)] = accounts.USUAL_DAYS,
) -> Response:
    """Add a link; its URL is shown only in this response."""
    try:
        _, path = await accounts.add_share(visit.app, case, name, days=days, by=visit.person.name)
    except InputError as error:
        return await _shares(visit, case, error=error)
    return await _shares(visit, case, made=path)


@router.post("/cases/{case_id}/share/{number}/revoke")
async def revoke(case: SeenCase, visit: Editing, number: Number) -> Response:
    """Revoke a link."""
    await accounts.revoke_share(visit.app, case, number, by=visit.person.name)
    return RedirectResponse(f"/cases/{case.id}/share", 303)


@router.get("/shared/{secret}")
async def shared(request: Request, app: Opened, secret: Secret) -> Response:
    """Show the report of the case that the link opens, with its quotes."""
    try:
        found, case = await accounts.opened_share(app, secret)
    except (NotFound, TooManyRequests) as error:
        return _gone(request, error)
    view = await shared_page(app, case, f"/shared/{secret}")
    return _for_readers(case_reply(request, app, "shared.html", view, expires_at=found.expires_at))


@router.get("/shared/{secret}/evidence/{finding_id}")
async def shared_evidence(request: Request, app: Opened, secret: Secret, finding_id: str) -> Response:
    """Show a quote in its context in the archived page."""
    try:
        _, case = await accounts.opened_share(app, secret)
        found = await evidence_page(app, case, finding_id=finding_id, shared=f"/shared/{secret}")
    except (NotFound, TooManyRequests) as error:
        return _gone(request, error)
    return _for_readers(reply(request, "evidence.html", found=found, case=case))


async def _shares(visit: Acting, case: Case, *, made: str = "", error: InputError | None = None) -> Response:
    return page(
        visit,
        "share.html",
        status=422 if error else 200,
        case=case,
        title=title_of(case),
        shares=await accounts.shares_of(visit.app, case),
        made=root_of(visit.request, visit.app) + made if made else "",
        error=error,
        usual_days=accounts.USUAL_DAYS,
    )


def _gone(request: Request, error: NotFound | TooManyRequests) -> Response:
    status = 404 if isinstance(error, NotFound) else 429
    shown = reply(request, "shared_gone.html", status=status, sentence=str(error), advice=error.advice, code=status)
    return _for_readers(shown)


def _for_readers(response: Response) -> Response:
    response.headers.update(_FOR_READERS)
    return response


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
