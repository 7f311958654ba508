"""Checks that the process runs and can serve requests, and the figures of the service."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec
from typing import Annotated, Any

from fastapi import APIRouter, Query, Response
from pydantic import BaseModel

from inquest.api.access import CurrentPerson, Opened, Serving
from inquest.api.problems import problem, problems
from inquest.app.cases.statistics import check_ready, figures, statistics
from inquest.app.work.queue import queue_metrics

router = APIRouter(tags=["figures"])
for_operators = APIRouter()
"""Routes outside the API's prefix."""


class Health(BaseModel):
    """The state of the server."""

    status: str


@for_operators.get("/healthz", tags=["health"])
async def healthz() -> Health:
    """Answer if the process runs."""
    return Health(status="alive")


@for_operators.get("/readyz", response_model=Health, tags=["health"], responses=problems())
async def readyz(serving: Serving, app: Opened) -> Health | Response:
    """Check that the database answers, the disk has space, and the server is not shutting down."""
    if not serving.ready:
        return problem(503, "The server is shutting down.")
    await check_ready(app)
    return Health(status="ready")


@for_operators.get(
    "/metrics",
    tags=["figures"],
    response_class=Response,
    responses={200: {"description": "Figures.", "content": {"text/plain": {}}}, **problems(501)},
)
async def metrics(person: CurrentPerson, app: Opened) -> Response:
    """Figures for operators. From another machine it needs a token with the role reader or higher."""
    if find_spec("prometheus_client") is None:
        return problem(501, "Metrics need the packages of `inquest[server]`.", advice="Install them.")
    from prometheus_client import CollectorRegistry, generate_latest
    from prometheus_client.metrics_core import GaugeMetricFamily

    found = {**await figures(app), **await queue_metrics(await app.database())}
    registry = CollectorRegistry()

    class Current:
        """The figures of the database."""

        def collect(self) -> Iterator[GaugeMetricFamily]:
            for name, (help_text, values) in found.items():
                family = GaugeMetricFamily(f"inquest_{name}", help_text, labels=["kind"] if any(values) else [])
                for kind, value in values.items():
                    family.add_metric([kind] if kind else [], value)
                yield family

    registry.register(Current())
    return Response(generate_latest(registry), headers={"Content-Type": "text/plain; version=0.0.4; charset=utf-8"})


class Statistics(BaseModel):
    """The verification desk's metrics and alerts, and counts of cases of every kind."""

    days: int | None
    since: str | None
    until: str
    investigations: dict[str, Any]
    alerts: list[dict[str, Any]]
    cases: dict[str, Any]


@router.get("/stats", responses=problems())
async def stats(person: CurrentPerson, app: Opened, days: Annotated[int, Query(ge=1, le=36_500)] = 30) -> Statistics:
    """Metrics of investigations with their alerts, and counts of cases, over a number of days. The cases behind an
    alert are shown only to users who see the cases of every team."""
    figures = Statistics(**await statistics(app, days=days))
    if not person.sees_all:
        figures.alerts = [each | {"cases": []} for each in figures.alerts]
    return figures
