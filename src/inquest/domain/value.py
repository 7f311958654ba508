"""The base of all values, publication dates with their precision, and grouping of values by a key."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Hashable, Iterable
from datetime import UTC, datetime
from enum import StrEnum
from typing import TypeVar

from pydantic import BaseModel, ConfigDict
from pydantic import JsonValue as JsonValue

JsonObject = dict[str, JsonValue]
"""A JSON object, for the few places where others define its structure."""


class Value(BaseModel):
    """An immutable value. Unknown fields are rejected, so that a misspelt name is an error and no data is lost."""

    model_config = ConfigDict(
        frozen=True, extra="forbid", defer_build=True, json_schema_serialization_defaults_required=True
    )


class Precision(StrEnum):
    """The precision of a date."""

    YEAR = "year"
    MONTH = "month"
    DAY = "day"
    TIME = "time"


class Published(Value):
    """A publication date, its precision and its origin."""

    at: datetime
    """Start of the period, in UTC."""
    precision: Precision = Precision.DAY
    how: str = ""
    """Its origin: metadata, visible text, url, feed, engine, archive, file, user."""

    @property
    def iso(self) -> str:
        """ISO 8601 at the known precision: 2024, 2024-03, 2024-03-05, 2024-03-05T10:00:00Z."""
        match self.precision:
            case Precision.YEAR:
                return f"{self.at.year:04d}"
            case Precision.MONTH:
                return f"{self.at.year:04d}-{self.at.month:02d}"
            case Precision.DAY:
                return self.at.date().isoformat()
            case Precision.TIME:
                return self.at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ")

    @property
    def latest(self) -> datetime:
        """The latest moment that the date can mean; compared with an as-of date."""
        at = self.at
        if self.precision is Precision.TIME:
            return at
        month = 12 if self.precision is Precision.YEAR else at.month
        last = at.day if self.precision is Precision.DAY else monthrange(at.year, month)[1]
        return at.replace(month=month, day=last, hour=23, minute=59, second=59)


K = TypeVar("K", bound=Hashable)
V = TypeVar("V")


def grouped(pairs: Iterable[tuple[K, V]]) -> dict[K, list[V]]:
    """All values of each key, in order."""
    found: dict[K, list[V]] = {}
    for key, value in pairs:
        found.setdefault(key, []).append(value)
    return found


def firsts(pairs: Iterable[tuple[K, V]]) -> dict[K, V]:
    """The first value of each key, in order."""
    found: dict[K, V] = {}
    for key, value in pairs:
        found.setdefault(key, value)
    return found
