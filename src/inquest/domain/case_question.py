"""A question about a finished case, answered from its pages and kept as an event."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from pydantic import ValidationError

from inquest.domain.event import Event, EventType
from inquest.domain.finding import Finding
from inquest.domain.value import Value


class CaseQuestion(Value):
    """A question. `id` is the number of its event."""

    id: int
    at: datetime
    by: str
    question: str
    answered: bool
    answer: str
    """In words; for an unanswered question, the reason."""
    findings: tuple[Finding, ...] = ()
    """The quotes that support the answer."""
    analyst: str
    """'local', or the model's name."""
    usd: float = 0.0

    @property
    def worded(self) -> str:
        """'Answered: ...' or 'Not answered, because ...'."""
        return f"Answered: {self.answer}" if self.answered else f"Not answered, because {self.answer}"


def questions_in(events: Iterable[Event]) -> tuple[CaseQuestion, ...]:
    """Return the questions among these events, oldest first."""
    found = []
    for event in events:
        if event.type is not EventType.QUESTION_ASKED:
            continue
        try:
            found.append(CaseQuestion.model_validate({**event.data, "id": event.id, "at": event.at}))
        except ValidationError:
            continue  # of a newer version
    return tuple(found)
