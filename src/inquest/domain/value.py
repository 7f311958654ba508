"""The base of every domain type: an immutable, strictly shaped value."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, JsonValue

__all__ = ["JsonObject", "JsonValue", "Value"]

JsonObject = dict[str, JsonValue]
"""A JSON object, for the few places where the shape is somebody else's."""


class Value(BaseModel):
    """An immutable value. Unknown fields are refused, so that a misspelt name is an error and not a loss."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)
