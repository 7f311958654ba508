"""Counts and working times of cases."""

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
    """The figures of one case, without its content."""

    case_id: str
    kind: CaseKind
    status: CaseStatus
    created_at: datetime
    seconds: float | None = None
    """Seconds of work, without waiting for a person; None: unknown."""
    verdicts: tuple[Verdict, ...] = ()
    """Among the claims that were looked into."""
    unchecked: int = 0
    outages: tuple[OutageNote, ...] = ()
    cost: Cost = Cost()


@dataclass(frozen=True, slots=True)
class OutageCount:
    """The number of times a service could not be asked."""

    what: str
    where: str
    times: int
    cases: int


@dataclass(slots=True)
class KindFigures:
    """Sums over the cases of one kind."""

    by_status: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    """Number of claims per verdict; those not looked into are 'not_checked'."""
    outages: list[OutageCount] = field(default_factory=list)
    """Pages are counted together under no place, because each usually appears only once."""
    seconds: list[float] = field(default_factory=list)
    """Seconds per ended case, in no order."""
    usd: float = 0.0
    search_calls: int = 0
    page_reads: int = 0
    model_calls: int = 0


@dataclass(frozen=True, slots=True)
class Counted:
    """Counts over cases."""

    kinds: dict[str, KindFigures]
    at_limit: list[tuple[str, str]]
    """Cases in which a service reached its limit, oldest first."""


def working_seconds(events: Iterable[tuple[EventType, datetime]]) -> float | None:
    """Return the seconds of work between a case's events, in order. Time after a plan is ready is a person's, and time
    before a resumption is idle; neither counts. None: fewer than two events.
    """
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
