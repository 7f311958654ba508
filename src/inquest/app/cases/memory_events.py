"""Events of a case without a database."""

from __future__ import annotations

from collections.abc import Callable

from inquest.domain.event import Event, EventType, Stage
from inquest.domain.value import JsonValue
from inquest.kit.ports import Clock


class MemorySink:
    """Numbers events and passes each to `keep` (kit.ports.EventSink)."""

    def __init__(self, case_id: str, clock: Clock, keep: Callable[[Event], object] = lambda event: None) -> None:
        self._case_id, self._clock, self._keep, self._count = case_id, clock, keep, 0

    async def emit(
        self, type: EventType, text: str, *, stage: Stage | None = None, marker: str | None = None, **data: JsonValue
    ) -> Event:
        return self.add(type, text, stage=stage, marker=marker, **data)

    def add(
        self, type: EventType, text: str, *, stage: Stage | None = None, marker: str | None = None, **data: JsonValue
    ) -> Event:
        """Emit an event synchronously."""
        self._count += 1
        now = self._clock.now()
        event = Event(
            id=self._count, case_id=self._case_id, at=now, type=type, stage=stage, text=text, marker=marker, data=data
        )
        self._keep(event)
        return event
