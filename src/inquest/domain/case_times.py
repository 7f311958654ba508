"""How long a case was worked on, without the time it waited for a person or lay there cut off."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from inquest.domain.event import EventType

_WAITS_AFTER = frozenset((EventType.PLAN_READY, EventType.CASE_FINISHED, EventType.PERSON_DECIDED))


def working_seconds(events: Iterable[tuple[EventType, datetime]]) -> float | None:
    """Seconds between a case's events, in order. What follows a plan that is ready is a person's time; what comes
    before the case is resumed is time in which nobody worked on it. None: fewer than two events."""
    total, before, several = 0.0, None, False
    for type_, at in events:
        if before is not None:
            several = True
            if before[0] not in _WAITS_AFTER and type_ is not EventType.CASE_RESUMED:
                total += max(0.0, (at - before[1]).total_seconds())
        before = (type_, at)
    return total if several else None
