"""Links for readers: added and revoked at a case; a link opens that one case only."""

from __future__ import annotations

from typing import Annotated

from fastapi import Form, Path, Request, Response
from fastapi.responses import RedirectResponse

from inquest.api.access import Acting, Editing, Opened, SeenCase
from inquest.app.access.accounts import (
    LONGEST_DAYS,
    USUAL_DAYS,
    NewShare,
    add_share,
    opened_share,
    revoke_share,
    shares_of,
)
from inquest.app.pages.case_page import shared_page, title_of
from inquest.app.pages.evidence_page import evidence_page
from inquest.domain.case import Case
from inquest.domain.errors import InputError, NotFound, TooManyRequests
from inquest.web.render import case_reply, page, page_router, reply

router = page_router()

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
    days: Annotated[int, Form(ge=1, le=LONGEST_DAYS)] = USUAL_DAYS,
) -> Response:
    """Add a link; its URL is shown only in this response."""
    try:
        made = await add_share(visit.app, case, name, days=days, by=visit.person.name)
    except InputError as error:
        return await _shares(visit, case, error=error)
    return await _shares(visit, case, made=made)


@router.post("/cases/{case_id}/share/{number}/revoke")
async def revoke(case: SeenCase, visit: Editing, number: Number) -> Response:
    """Revoke a link."""
    await revoke_share(visit.app, case, number, by=visit.person.name)
    return RedirectResponse(f"/cases/{case.id}/share", 303)


@router.get("/shared/{secret}")
async def shared(request: Request, app: Opened, secret: Secret) -> Response:
    """Show the report of the case that the link opens, with its quotes."""
    try:
        found, case = await opened_share(app, secret)
    except (NotFound, TooManyRequests) as error:
        return _gone(request, error)
    view = await shared_page(app, case, f"/shared/{secret}")
    return _for_readers(case_reply(request, app, "shared.html", view, expires_at=found.expires_at))


@router.get("/shared/{secret}/evidence/{finding_id}")
async def shared_evidence(request: Request, app: Opened, secret: Secret, finding_id: str) -> Response:
    """Show a quote in its context in the archived page."""
    try:
        _, case = await opened_share(app, secret)
        found = await evidence_page(app, case, finding_id=finding_id, shared=f"/shared/{secret}")
    except (NotFound, TooManyRequests) as error:
        return _gone(request, error)
    return _for_readers(reply(request, "evidence.html", found=found, case=case))


async def _shares(
    visit: Acting, case: Case, *, made: NewShare | None = None, error: InputError | None = None
) -> Response:
    root = (visit.app.settings.public_url or str(visit.request.base_url)).rstrip("/")
    return page(
        visit,
        "share.html",
        status=422 if error else 200,
        case=case,
        title=title_of(case),
        shares=await shares_of(visit.app, case),
        made=root + made.path if made else "",
        error=error,
        usual_days=USUAL_DAYS,
    )


def _gone(request: Request, error: NotFound | TooManyRequests) -> Response:
    status = 404 if isinstance(error, NotFound) else 429
    shown = reply(request, "shared_gone.html", status=status, sentence=str(error), advice=error.advice, code=status)
    return _for_readers(shown)


def _for_readers(response: Response) -> Response:
    response.headers.update(_FOR_READERS)
    return response
