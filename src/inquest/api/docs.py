"""`/api/docs`: every route with what it takes and gives, made on the server from OpenAPI; no script and nothing from
elsewhere."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from jinja2 import Environment, PackageLoader

router = APIRouter(include_in_schema=False)

_POLICY = "default-src 'none'; style-src 'self'; frame-ancestors 'none'; base-uri 'none'"


@router.get("/api/docs")
async def docs(request: Request) -> Response:
    """The page."""
    api = request.app
    assert isinstance(api, FastAPI)
    page = _templates().get_template("docs.html").render(tags=_by_tag(api.openapi()), title=api.title)
    return Response(page, media_type="text/html", headers={"Content-Security-Policy": _POLICY})


@router.get("/api/docs.css")
async def style() -> Response:
    """Its style."""
    return Response(_templates().get_template("docs.css").render(), media_type="text/css")


@cache
def _templates() -> Environment:
    return Environment(loader=PackageLoader("inquest.api"), autoescape=True)


def _by_tag(schema: dict[str, Any]) -> dict[str, list[dict[str, Any]]]:
    found: dict[str, list[dict[str, Any]]] = {}
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            body = next(iter(operation.get("requestBody", {}).get("content", {}).items()), None)
            found.setdefault(operation.get("tags", ["other"])[0], []).append(
                {
                    "id": operation["operationId"],
                    "method": method.upper(),
                    "path": path,
                    "summary": operation.get("description") or operation.get("summary", ""),
                    "parameters": operation.get("parameters", []),
                    "body": _example(body[1].get("schema", {}), schema) if body else None,
                    "content_type": body[0] if body else None,
                    "replies": {status: each["description"] for status, each in operation["responses"].items()},
                }
            )
    return found


def _example(schema: dict[str, Any], whole: dict[str, Any]) -> str:
    return json.dumps(_sample(schema, whole, 0), ensure_ascii=False, indent=2)


def _sample(schema: dict[str, Any], whole: dict[str, Any], depth: int) -> Any:
    """A value of the form that the schema has: its example or default where it names one."""
    named = [schema[name][0] for name in ("examples", "enum") if name in schema]
    named += [schema[name] for name in ("default", "const") if name in schema]
    if named or depth > 5:
        return named[0] if named else None
    if "$ref" in schema:
        schema = whole["components"]["schemas"][schema["$ref"].rsplit("/", 1)[-1]]
        return _sample(schema, whole, depth + 1)
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return _sample(choices[0], whole, depth + 1)
    if schema.get("type") == "object":
        return {name: _sample(each, whole, depth + 1) for name, each in schema.get("properties", {}).items()}
    if schema.get("type") == "array":
        return [_sample(schema.get("items", {}), whole, depth + 1)]
    return _PLAIN.get(str(schema.get("type")))


_PLAIN = {"string": "...", "integer": 1, "number": 1.0, "boolean": False}
