"""As much of JSON Schema as `case.schema.json` uses; an unknown keyword is an error, so that none is passed over."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "object": (dict,),
    "array": (list,),
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "null": (type(None),),
}
_SAID = {"$schema", "title", "description"}
_KNOWN = _SAID | {
    "type", "required", "properties", "items", "enum", "const", "pattern", "minimum", "maximum", "maxLength",
    "additionalProperties",
}  # fmt: skip


def problems(value: Any, schema: dict[str, Any], at: str = "case") -> Iterator[str]:
    """What is wrong with the value, each with its place."""
    schema = _with_definitions(schema)
    assert set(schema) <= _KNOWN, f"{at}: keywords that are not checked: {set(schema) - _KNOWN}"
    if "const" in schema and value != schema["const"]:
        yield f"{at} is not {schema['const']!r}"
    if "type" in schema and not _is_of(value, schema["type"]):
        yield f"{at} is {value!r}, not of type {schema['type']}"
        return
    if "enum" in schema and value not in schema["enum"]:
        yield f"{at} is {value!r}, none of {schema['enum']}"
    if isinstance(value, str):
        if "pattern" in schema and not re.search(schema["pattern"], value):
            yield f"{at} is {value!r}, which does not match {schema['pattern']}"
        if len(value) > schema.get("maxLength", len(value)):
            yield f"{at} is too long"
    bounded = isinstance(value, int | float) and not isinstance(value, bool)
    if bounded and not schema.get("minimum", value) <= value <= schema.get("maximum", value):
        yield f"{at} is {value}, out of bounds"
    if isinstance(value, list):
        for number, item in enumerate(value):
            yield from problems(item, schema.get("items", {}), f"{at}[{number}]")
    if isinstance(value, dict):
        yield from _members(value, schema, at)


def undocumented(value: Any, schema: dict[str, Any], at: str = "case") -> Iterator[str]:
    """Keys of the value that the schema does not name."""
    schema = _with_definitions(schema)
    if isinstance(value, list):
        for item in value:
            yield from undocumented(item, schema.get("items", {}), f"{at}[]")
    if isinstance(value, dict) and "properties" in schema:
        for name, member in value.items():
            if name not in schema["properties"]:
                yield f"{at}.{name}"
            else:
                yield from undocumented(member, schema["properties"][name], f"{at}.{name}")


def _with_definitions(schema: dict[str, Any]) -> dict[str, Any]:
    """The schema with `$defs` in the places that refer to them."""
    definitions = {f"#/$defs/{name}": each for name, each in schema.get("$defs", {}).items()}

    def filled(part: Any) -> Any:
        if isinstance(part, list):
            return [filled(each) for each in part]
        if isinstance(part, dict):
            return definitions[part["$ref"]] if "$ref" in part else {name: filled(each) for name, each in part.items()}
        return part

    return {name: filled(each) for name, each in schema.items() if name != "$defs"} if definitions else schema


def _members(value: dict[str, Any], schema: dict[str, Any], at: str) -> Iterator[str]:
    for name in schema.get("required", ()):
        if name not in value:
            yield f"{at} has no {name}"
    for name, member in value.items():
        inner = schema.get("properties", {}).get(name, schema.get("additionalProperties", {}))
        yield from problems(member, inner, f"{at}.{name}")


def _is_of(value: Any, types: str | list[str]) -> bool:
    names = [types] if isinstance(types, str) else types
    if isinstance(value, bool):
        return "boolean" in names
    return any(isinstance(value, _TYPES[name]) for name in names)
