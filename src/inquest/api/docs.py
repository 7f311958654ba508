"""`/api/docs`: every route with its parameters, body and replies, rendered from OpenAPI without scripts."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from fastapi import APIRouter, FastAPI, Request, Response
from jinja2 import Environment, PackageLoader

from inquest.api.problems import PROBLEM_JSON, problem_example

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
    """The page's style sheet."""
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
                    "body": _shown(body[1]["example"]) if body else None,
                    "answer": _answer(operation),
                    "content_type": body[0] if body else None,
                    "replies": {status: each["description"] for status, each in operation["responses"].items()},
                }
            )
    return found


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)


def _answer(operation: dict[str, Any]) -> str | None:
    """The example of an operation's successful reply, if any."""
    good: dict[str, Any] = next((each for status, each in operation["responses"].items() if status.startswith("2")), {})
    content: dict[str, Any] = next(iter(good.get("content", {}).values()), {})
    return _shown(content["example"]) if "example" in content else None


def add_examples(schema: dict[str, Any]) -> None:
    """Add examples to an OpenAPI document: to each request body, each reply in JSON and each problem."""
    known = schema["components"]["schemas"]
    for operation in (each for methods in schema["paths"].values() for each in methods.values()):
        for body in operation.get("requestBody", {}).get("content", {}).values():
            body["example"] = _example(body["schema"], known)
        for status, reply in operation["responses"].items():
            for kind, content in reply.get("content", {}).items():
                if kind == PROBLEM_JSON:
                    content["example"] = problem_example(int(status))
                elif kind.endswith("json") and content.get("schema"):
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
