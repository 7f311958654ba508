"""The service itself: its documentation without scripts (`/api/docs`), checks that it runs, and its figures."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from importlib.util import find_spec
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request, Response
from jinja2 import Environment, PackageLoader
from pydantic import BaseModel

from inquest.api.access import CurrentPerson, Opened, Serving
from inquest.api.problems import PROBLEM_JSON, problem, problems
from inquest.app.cases.statistics import check_ready, figures, statistics
from inquest.app.work.queue import queue_metrics

router = APIRouter(tags=["figures"])
for_operators = APIRouter()  # routes outside the API's prefix


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


docs = APIRouter(include_in_schema=False)

_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"


@docs.get("/api/docs")
async def documentation(request: Request) -> Response:
    """The page."""
    api = request.app
    assert isinstance(api, FastAPI)
    page = _templates().get_template("docs.html").render(tags=_by_tag(api.openapi()), title=api.title)
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": _POLICY})


@docs.get("/api/docs.css")
async def style() -> Response:
    """The page's style sheet."""
    return Response(_templates().get_template("docs.css").render(), media_type="text/css")


@cache
def _templates() -> Environment:
    return Environment(loader=PackageLoader("inquest.api"), autoescape=True)


def _by_tag(schema: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            answers = (each for status, each in operation["responses"].items() if status.startswith("2"))
            shown = {"body": _shown(operation.get("requestBody", {})), "answer": _shown(next(answers, {}))}
            each = operation | shown | {"method": method.upper(), "path": path}
            found.setdefault(operation.get("tags", ["other"])[0], []).append(each)
    return found


def _shown(part: dict[str, Any]) -> tuple[str, str] | None:
    """The content type and the example of a body or reply, if it has one."""
    for kind, content in part.get("content", {}).items():
        if (value := content.get("example")) is not None:
            return kind, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)
    return None


def add_examples(schema: dict[str, Any]) -> None:
    """Add examples to an OpenAPI document: to each request body, and to each reply in JSON except problems."""
    known = schema["components"]["schemas"]
    for operation in (each for methods in schema["paths"].values() for each in methods.values()):
        body = operation.get("requestBody", {})
        for part in (body, *operation["responses"].values()):
            for kind, content in part.get("content", {}).items():
                if part is body or (kind.endswith("json") and kind != PROBLEM_JSON):
                    content["example"] = _example(content["schema"], known)


_PLAIN = {"string": "...", "integer": 1, "number": 0.5, "boolean": False, "null": None}


def _example(schema: dict[str, Any], known: dict[str, Any]) -> Any:
    """A value that matches the schema: its own example, or a plain one; an object has its required fields and those
    with examples."""
    fixed = [schema[name] for name in ("const", "default") if name in schema]
    if named := schema.get("examples") or schema.get("enum") or fixed:
        return named[0]
    choices = schema.get("anyOf") or schema.get("oneOf") or [None]
    if other := known[schema["$ref"].rsplit("/", 1)[-1]] if "$ref" in schema else choices[0]:
        return _example(other, known)
    match schema.get("type"):
        case "array":
            return [item] if (item := _example(schema["items"], known)) else []
        case "string" if schema.get("format") == "date-time":
            return "2026-11-22T10:00:00Z"
        case str(kind) if kind in _PLAIN:
            return _PLAIN[kind]
    return {
        name: _example(each, known)
        for name, each in schema.get("properties", {}).items()
        if name in schema.get("required", ()) or "const" in each or any(each.get("examples", ()))
    }
