"""Comparison of a case with `case.schema.json`: invalid values, and keys that the schema does not name."""

from __future__ import annotations

from typing import Any

from jsonschema_rs import Draft202012Validator


def problems(value: Any, schema: dict[str, Any]) -> list[str]:
    """The errors in the value, each with its place."""
    return [f"{list(each.instance_path)}: {each.message}" for each in Draft202012Validator(schema).iter_errors(value)]


def undocumented(value: Any, schema: dict[str, Any]) -> list[str]:
    """The errors if no object may have a key that the schema does not name."""
    return problems(value, _closed(schema))


def _closed(part: Any) -> Any:
    if isinstance(part, list):
        return [_closed(each) for each in part]
    if not isinstance(part, dict):
        return part
    closed = {name: _closed(each) for name, each in part.items()}
    is_shape = isinstance(part.get("properties"), dict) and "type" in part
    return {"additionalProperties": False} | closed if is_shape else closed
