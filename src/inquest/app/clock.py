"""The time of this machine, and the time of a case that is replayed."""

from __future__ import annotations

from datetime import UTC, datetime


class SystemClock:
    """Now."""

    def now(self) -> datetime:
        return datetime.now(UTC)


class FixedClock:
    """Always the same moment: a replay happens when the case happened."""

    def __init__(self, moment: datetime) -> None:
        self._moment = moment

    def now(self) -> datetime:
        return self._moment
