"""The desk: all cases, what waits for somebody, and the look of the page."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Form, Query, Response
from fastapi.responses import RedirectResponse

from inquest.app.pages.desk_page import Wanted, desk_page
from inquest.domain.case import CaseKind, CaseStatus
from inquest.web.render import THEMES, inside, page
from inquest.web.routing import page_router
from inquest.web.visit import Visiting

router = page_router()


@router.get("/")
async def desk(
    visit: Visiting,
    q: Annotated[str, Query(max_length=200)] = "",
    kind: Annotated[CaseKind | Literal[""], Query()] = "",
    status: Annotated[CaseStatus | Literal[""], Query()] = "",
    sort: Literal["newest", "cost", "contradicted"] = "newest",
    after: Annotated[str, Query(max_length=500)] = "",
) -> Response:
    """The list of cases."""
    wanted = Wanted(q, str(kind), str(status), sort, after)
    shown = await desk_page(visit.app, visit.person, wanted)
    return page(visit, "desk.html", desk=shown, kinds=list(CaseKind), statuses=list(CaseStatus))


@router.post("/theme")
async def theme(look: Annotated[str, Form()] = "", back: Annotated[str, Form()] = "/") -> Response:
    """Light, dark, or as the machine has it."""
    reply = RedirectResponse(inside(back), 303)
    if look in THEMES:
        reply.set_cookie("theme", look, max_age=31_536_000, samesite="lax", httponly=True)
    else:
        reply.delete_cookie("theme")
    return reply
