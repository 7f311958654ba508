"""What a desk says of its work in somebody else's graph, under the names of spec 000 §9.2."""

from __future__ import annotations

from inquest.app.nodes.sibyl_shapes import stream_event
from inquest.app.nodes.sibyl_state import StreamEvent
from inquest.domain.event import Event, EventType, Stage
from inquest.domain.value import JsonValue
from inquest.kit.ports import Clock


class KeptEvents:
    """A sink that keeps the events for the state. Begin and end are said by the node: a desk that answers a question
    besides its own work would say them twice."""

    def __init__(self, case_id: str, clock: Clock, agent: str) -> None:
        self._case_id, self._clock, self._agent = case_id, clock, agent
        self._count = 0
        self.events: list[StreamEvent] = []

    async def emit(
        self,
        type: EventType,
        text: str,
        *,
        stage: Stage | None = None,
        marker: str | None = None,
        **data: JsonValue,
    ) -> Event:
        """kit.ports.EventSink."""
        self._count += 1
        event = Event(
            id=self._count, case_id=self._case_id, at=self._clock.now(), type=type, stage=stage, text=text,
            marker=marker, data=data,
        )  # fmt: skip
        if type not in (EventType.AGENT_STARTED, EventType.AGENT_COMPLETED):
            self._keep(event)
        return event

    def say(self, type: EventType, text: str, **data: JsonValue) -> None:
        """What the node itself has to say."""
        self._count += 1
        self._keep(Event(id=self._count, case_id=self._case_id, at=self._clock.now(), type=type, text=text, data=data))

    def _keep(self, event: Event) -> None:
        told = stream_event(event, self._agent)
        if told is not None:
            self.events.append(told)
