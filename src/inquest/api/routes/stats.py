"""Figures of the service."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel

from inquest.api.access import CurrentPerson
from inquest.api.problems import problems
from inquest.api.state import Opened
from inquest.app.cases.statistics import statistics

router = APIRouter(tags=["figures"])


class Statistics(BaseModel):
    """The verification desk's metrics and alerts, and counts of cases of every kind."""

    days: int | None
    since: str | None
    until: str
    investigations: dict[str, Any]
    alerts: list[dict[str, Any]]
    cases: dict[str, Any]


@router.get("/stats", response_model=Statistics, responses=problems())
async def stats(person: CurrentPerson, app: Opened, days: Annotated[int, Query(ge=1, le=36_500)] = 30) -> Statistics:
    """Metrics of investigations with their alerts, and counts of cases, over a number of days. The cases of an alert
    are shown only to users who see those of every team."""
    figures = Statistics(**await statistics(app, days=days))
    if not person.sees_all:
        figures.alerts = [each | {"cases": []} for each in figures.alerts]
    return figures
