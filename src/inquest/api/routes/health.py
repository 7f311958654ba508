"""`/healthz`: the process lives. `/readyz`: it can serve."""

from __future__ import annotations

from fastapi import APIRouter, Response
from pydantic import BaseModel

from inquest.api.problems import problem, problems
from inquest.api.state import Opened, Serving
from inquest.app.cases.statistics import check_ready

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """How the server is."""

    status: str


@router.get("/healthz", response_model=Health)
async def healthz() -> Health:
    """The process answers; nothing else is asked."""
    return Health(status="alive")


@router.get("/readyz", response_model=Health, responses=problems())
async def readyz(serving: Serving, app: Opened) -> Health | Response:
    """The database answers, the disk has room, and the server is not about to end."""
    if not serving.ready:
        return problem(503, "The server is about to end.")
    await check_ready(app)
    return Health(status="ready")
