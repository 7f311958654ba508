"""What people decide on a case: its plan, its end, that it goes on."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Form, Response
from fastapi.responses import RedirectResponse

from inquest.api.access import SeenCase
from inquest.app.service import deciding
from inquest.web.routing import page_router
from inquest.web.visit import Working

router = page_router()

Words = Annotated[str, Form(max_length=deciding.MOST_WORDS)]


@router.post("/cases/{case_id}/decide")
async def decide(
    case: SeenCase,
    visit: Working,
    decision: Annotated[Literal["approve", "revise", "reject"], Form()],
    revision: Annotated[int, Form(ge=1)],
    words: Words = "",
) -> Response:
    """Approve the plan that was looked at, reject it, or say in words what to change."""
    said = words if decision == "revise" else decision
    await deciding.decide(visit.app, visit.works, case, said, by=visit.person.name, revision=revision)
    return _back(case.id)


@router.post("/cases/{case_id}/stop")
async def stop(
    case: SeenCase,
    visit: Working,
    then: Annotated[Literal["report", "nothing"], Form()] = "report",
) -> Response:
    """Stop, with a report on what there is or without."""
    await deciding.cancel(visit.app, visit.works, case, by=visit.person.name, report=then == "report")
    return _back(case.id)


@router.post("/cases/{case_id}/resume")
async def resume(case: SeenCase, visit: Working) -> Response:
    """Go on with a case that was stopped or cut off."""
    await deciding.resume(visit.app, visit.works, case)
    return _back(case.id)


def _back(case_id: str) -> Response:
    return RedirectResponse(f"/cases/{case_id}", 303)
