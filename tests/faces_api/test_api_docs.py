"""The documentation of the service matches the service."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from jsonschema_rs import Draft202012Validator

from inquest.api.server import create_app
from inquest.app.callbacks.posting import signature
from inquest.app.settings import Settings
from inquest.domain.person import Role

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "service.md").read_text()


def test_its_roles_and_settings_are_those_there_are() -> None:
    assert re.findall(r"^\| `(\w+)` \| ", TEXT, re.M)[: len(Role)] == [role.value for role in Role]
    named = {name.lower() for name in re.findall(r"^\| `INQUEST_(\w+)`", TEXT, re.M)}
    assert named and named <= set(Settings.model_fields)


def test_its_way_to_check_a_signature_works() -> None:
    (code,) = re.findall(r"```python\n(.*?)```", TEXT, re.S)
    names: dict[str, Any] = {"hmac": hmac, "hashlib": hashlib, "time": time}
    exec(code, names)
    header = signature("secret", int(time.time()), b"{}")
    assert names["is_ours"](header, b"{}", "secret")
    assert not names["is_ours"](header, b"{ }", "secret") and not names["is_ours"](header, b"{}", "other")


def _operations() -> Iterator[tuple[str, dict[str, Any], dict[str, Any]]]:
    schema = create_app().openapi()
    for path, methods in schema["paths"].items():
        for method, operation in methods.items():
            yield f"{method.upper()} {path}", operation, schema


def test_every_request_and_reply_of_the_api_has_an_example_that_fits_its_schema() -> None:
    checked = 0
    for name, operation, schema in _operations():
        parts = [("request", operation["requestBody"])] if "requestBody" in operation else []
        parts += operation["responses"].items()
        for where, part in parts:
            for kind, content in part.get("content", {}).items():
                if kind == "application/json" and content.get("schema"):
                    validator = Draft202012Validator({**content["schema"], "components": schema["components"]})
                    assert validator.is_valid(content["example"]), f"{name}: {where}"
                    checked += 1
    assert checked > 70
