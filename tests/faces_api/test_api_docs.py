"""What the documentation says of the service is what there is."""

from __future__ import annotations

import hashlib
import hmac
import re
import time
from pathlib import Path
from typing import Any

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


def test_every_request_body_has_an_example() -> None:
    schema = create_app().openapi()

    def has_one(value: object) -> bool:
        if isinstance(value, list):
            return any(map(has_one, value))
        if not isinstance(value, dict):
            return False
        if "$ref" in value:
            return has_one(schema["components"]["schemas"][value["$ref"].rpartition("/")[2]])
        return "examples" in value or "example" in value or any(map(has_one, value.values()))

    asked = {
        f"{method} {path}": operation["requestBody"]
        for path, methods in schema["paths"].items()
        for method, operation in methods.items()
        if "requestBody" in operation
    }
    assert len(asked) > 15
    assert [name for name, body in asked.items() if not has_one(body)] == []
