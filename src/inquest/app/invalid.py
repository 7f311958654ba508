"""Faults of values that pydantic refuses, in words."""

from collections.abc import Mapping
from typing import Any

EXPECTED = {
    "less_than_equal": "at most {le}",
    "greater_than_equal": "at least {ge}",
    "string_too_long": "at most {max_length:,} characters",
    "too_long": "at most {max_length:,} items",
    "literal_error": "{expected}",
    "enum": "{expected}",
    "int_parsing": "a whole number",
    "float_parsing": "a number, such as 2 or 0.50",
    "bool_parsing": "true or false",
    "string_type": "text",
}  # By pydantic's type of the error


def fault_of(error: Mapping[str, Any]) -> str:
    """Put one of pydantic's errors into words: 'expected at most 50', 'it is missing', or those of our own check."""
    if (kind := error["type"]) in EXPECTED:
        return f"expected {EXPECTED[kind].format(**error.get('ctx') or {})}"
    if kind.startswith(("missing", "extra_", "unexpected_")):
        return "it is missing" if kind.startswith("missing") else "it does not exist"
    words = " ".join(str(error["msg"]).removeprefix("Value error, ").split()).rstrip(".")
    return words[:1].lower() + words[1:]
