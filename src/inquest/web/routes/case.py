"""Pages of a case: one URL per tab."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query, Response
from fastapi.responses import RedirectResponse

from inquest.api.access import SeenCase
from inquest.app.pages.case_page import TABS, case_page
from inquest.domain.case import CaseKind
from inquest.domain.errors import NotFound
from inquest.web.render import page
from inquest.web.routing import page_router
from inquest.web.visit import Visiting
from inquest.web.words import words

router = page_router()

Year = Annotated[int | None, Query(ge=1, le=9999)]
Month = Annotated[int | None, Query(ge=1, le=12)]


@router.get("/cases/{case_id}")
async def summary(visit: Visiting, case: SeenCase) -> Response:
    """Show the summary, or the progress until there is one; audits have their own page."""
    if case.kind is CaseKind.AUDIT:
        return RedirectResponse(f"/audit/{case.id}", 303)
    shown = await case_page(visit.app, case, visit.person, "summary")
    return page(visit, "tab_summary.html", page=shown, tab="summary")


@router.get("/cases/{case_id}/{tab}")
async def tab(visit: Visiting, case: SeenCase, tab: str, year: Year = None, month: Month = None) -> Response:
    """Show a tab of the case; the timeline can be limited to a year or month. Raises NotFound."""
    if tab not in TABS:
        raise NotFound(words().error.no_page, advice=words().error.no_page_advice)
    shown = await case_page(visit.app, case, visit.person, tab)
    return page(visit, f"tab_{tab}.html", page=shown, tab=tab, year=year, month=month)
