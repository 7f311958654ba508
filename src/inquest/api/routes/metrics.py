"""`/metrics` in Prometheus' text form: cases, callbacks, work, and the verification desk's figures."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.util import find_spec

from fastapi import APIRouter, Response

from inquest.api.access import CurrentPerson
from inquest.api.problems import problem, problems
from inquest.api.state import Opened
from inquest.app.cases.statistics import figures
from inquest.app.work.queue import queue_metrics

router = APIRouter(tags=["figures"])


@router.get(
    "/metrics",
    response_class=Response,
    responses={200: {"description": "Figures.", "content": {"text/plain": {}}}, **problems(501)},
)
async def metrics(person: CurrentPerson, app: Opened) -> Response:
    """Figures for operators. From another machine it needs a token with the role of a reader or higher."""
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
