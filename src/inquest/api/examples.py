"""An example of what each operation takes and gives, in OpenAPI: real requests and replies over a small affair."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from inquest.api.problems import PROBLEM_JSON, problem_example

PATH = Path(str(files("inquest.api"))) / "examples.json"


def add_examples(schema: dict[str, Any]) -> None:
    """Put them into an OpenAPI document: in each request body, each reply and each problem."""
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            given = _given().get(f"{method.upper()} {path}", {})
            for body in operation.get("requestBody", {}).get("content", {}).values():
                body["example"] = given["request"]
            for status, reply in operation["responses"].items():
                for kind, content in reply.get("content", {}).items():
                    if kind == PROBLEM_JSON:
                        content["example"] = problem_example(int(status))
                    elif "example" not in content:
                        content["example"] = given["replies"][kind]


@cache
def _given() -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = json.loads(PATH.read_text())
    return found
