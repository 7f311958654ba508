"""The base of all values, and publication dates with their precision."""

from __future__ import annotations

from calendar import monthrange
from datetime import UTC, datetime
from enum import StrEnum

from pydantic import BaseModel, ConfigDict
from pydantic import JsonValue as JsonValue

JsonObject = dict[str, JsonValue]
"""A JSON object, for the few places where others define its structure."""


class Value(BaseModel):
    """An immutable value. Unknown fields are rejected, so that a misspelt name is an error and no data is lost."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


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
        match self.precision:
            case Precision.YEAR:
                return at.replace(month=12, day=31, hour=23, minute=59, second=59)
            case Precision.MONTH:
                last = monthrange(at.year, at.month)[1]
                return at.replace(day=last, hour=23, minute=59, second=59)
            case Precision.DAY:
                return at.replace(hour=23, minute=59, second=59)
            case Precision.TIME:
                return at
