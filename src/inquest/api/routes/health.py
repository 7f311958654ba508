"""`/healthz`: the process runs. `/readyz`: it can serve requests."""

from __future__ import annotations

from fastapi import APIRouter, Response
from pydantic import BaseModel

from inquest.api.problems import problem, problems
from inquest.api.state import Opened, Serving
from inquest.app.cases.statistics import check_ready

router = APIRouter(tags=["health"])


class Health(BaseModel):
    """The state of the server."""

    status: str


@router.get("/healthz", response_model=Health)
async def healthz() -> Health:
    """Answer if the process runs."""
    return Health(status="alive")


@router.get("/readyz", response_model=Health, responses=problems())
async def readyz(serving: Serving, app: Opened) -> Health | Response:
    """Check that the database answers, the disk has space, and the server is not shutting down."""
    if not serving.ready:
        return problem(503, "The server is shutting down.")
    await check_ready(app)
    return Health(status="ready")
