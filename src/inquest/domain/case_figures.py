"""What of a case is counted, and how long it was worked on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime

from inquest.domain.assessment import Verdict
from inquest.domain.case import CaseKind, CaseStatus
from inquest.domain.event import EventType
from inquest.domain.report import Cost, OutageNote
from inquest.domain.value import Value

_WAITS_AFTER = frozenset(
    (EventType.PLAN_READY, EventType.CASE_FINISHED, EventType.PERSON_DECIDED, EventType.QUESTION_ASKED)
)


class CaseFigures(Value):
    """A case without what it says."""

    case_id: str
    kind: CaseKind
    status: CaseStatus
    created_at: datetime
    seconds: float | None = None
    """What it took, without waiting for a person; None: not known."""
    verdicts: tuple[Verdict, ...] = ()
    """Of the claims that were looked into."""
    unchecked: int = 0
    outages: tuple[OutageNote, ...] = ()
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class OutageCount:
    """How often something could not be asked."""

    what: str
    where: str
    times: int
    cases: int


@dataclass(slots=True)
class KindFigures:
    """Sums over the cases of one kind."""

    by_status: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    """Claims with each verdict; those that were not looked into are 'not_checked'."""
    outages: list[OutageCount] = field(default_factory=list)
    """Pages are counted together, under no place: each appears once as a rule, and a list of them says nothing."""
    seconds: list[float] = field(default_factory=list)
    """What each case took that has ended, in no order."""
    usd: float = 0.0
    search_calls: int = 0
    page_reads: int = 0
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """What is counted of cases."""

    kinds: dict[str, KindFigures]
    at_limit: list[tuple[str, str]]
    """Cases, oldest first, each with a service that was at its limit."""


def working_seconds(events: Iterable[tuple[EventType, datetime]]) -> float | None:
    """Seconds between a case's events, in order. What follows a plan that is ready is a person's time; what comes
    before the case is resumed is time in which nobody worked on it. None: fewer than two events."""
    total, before, several = 0.0, None, False
    for type_, at in events:
        if type_ is EventType.CASE_ASSIGNED:
            continue  # at any time, by people
        if before is not None:
            several = True
            if before[0] not in _WAITS_AFTER and type_ is not EventType.CASE_RESUMED:
                total += max(0.0, (at - before[1]).total_seconds())
        before = (type_, at)
    return total if several else None
